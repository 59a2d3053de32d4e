"""Pages of organisers, for staff alone, and the announcements that everybody reads."""

from django.urls import path

from league.organisers import (
    announcement_views,
    decision_views,
    flag_views,
    invitation_views,
    rejudging_views,
    tournament_views,
    views,
    worker_views,
)

app_name = "organisers"
urlpatterns = [
    path("announcements/", announcement_views.published, name="published"),
    path("organise/", views.home, name="home"),
    path("organise/tournaments/", tournament_views.overview, name="tournaments"),
    path("organise/seasons/new/", tournament_views.new_season, name="new_season"),
    path("organise/seasons/<slug:slug>/", tournament_views.season, name="season"),
    path("organise/seasons/<slug:slug>/start/", tournament_views.start_season, name="start_season"),
    path("organise/seasons/<slug:slug>/close/", tournament_views.close_season, name="close_season"),
    path("organise/ladders/new/", tournament_views.new_ladder, name="new_ladder"),
    path("organise/ladders/<slug:slug>/close/", tournament_views.close_ladder, name="close_ladder"),
    path("organise/log/", views.log, name="log"),
    path("organise/bots/<int:pk>/disqualify/", decision_views.disqualify, name="disqualify"),
    path("organise/disqualifications/<int:pk>/reinstate/", decision_views.reinstate, name="reinstate"),
    path("organise/matches/<int:pk>/annul/", decision_views.annul, name="annul"),
    path("organise/matches/<int:pk>/restore/", decision_views.restore, name="restore"),
    path("organise/rejudgings/", rejudging_views.rejudgings, name="rejudgings"),
    path("organise/rejudgings/new/", rejudging_views.begin, name="begin"),
    path("organise/rejudgings/<int:pk>/", rejudging_views.rejudging, name="rejudging"),
    path("organise/rejudgings/<int:pk>/apply/", rejudging_views.apply, name="apply"),
    path("organise/rejudgings/<int:pk>/drop/", rejudging_views.drop, name="drop"),
    path("organise/announcements/", announcement_views.announcements, name="announcements"),
    path("organise/announcements/new/", announcement_views.write, name="write"),
    path("organise/announcements/<int:pk>/", announcement_views.edit, name="edit"),
    path("organise/announcements/<int:pk>/withdraw/", announcement_views.withdraw, name="withdraw"),
    path("organise/invitations/", invitation_views.invitations, name="invitations"),
    path("organise/invitations/revoke/", invitation_views.uninvite, name="uninvite"),
    path("organise/flags/", flag_views.flags, name="flags"),
    path("organise/flags/look/", flag_views.look_for, name="look_for"),
    path("organise/flags/<int:pk>/", flag_views.flag, name="flag"),
    path("organise/workers/<int:pk>/pause/", worker_views.pause, name="pause_worker"),
    path("organise/workers/<int:pk>/resume/", worker_views.resume, name="resume_worker"),
]
