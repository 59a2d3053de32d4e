from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from league import texts
from league.accounts.models import User
from league.bots.models import Bot
from league.matches.models import Match
from league.organisers import rejudging, services
from league.organisers.acts import Search
from league.organisers.models import Act, Announcement, Flag, Rejudging
from league.tournaments.models import Tournament

LONGEST_REASON = 300
LONGEST_NAME = 150
QUIET = {"autocomplete": "off"}
MOMENT = "%Y-%m-%dT%H:%M"


class TournamentField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Tournaments by their names in the reader's language."""

    def label_from_instance(self, obj: Any) -> str:
        return translation.gettext(obj.name)


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Everybody can read it."),
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs=QUIET),
    )

    def clean_reason(self) -> str:
        reason = texts.line(self.cleaned_data["reason"], LONGEST_REASON)
        if not reason:
            raise ValidationError(_("Write a reason in letters that can be seen."))
        return reason


class DisqualifyForm(ReasonForm):
    tournament = TournamentField(label=_("Tournament"), queryset=Tournament.objects.none(), empty_label=None)
    field_order = ("tournament", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["tournament"]
        field.queryset = Tournament.objects.ranked().filter(closed_at=None).order_by("-pk")

    def disqualify(self, actor: User, bot: Bot) -> bool:
        """Whether it was done; where the service refused it, that is an error of the form."""
        try:
            services.disqualify(actor, self.cleaned_data["tournament"], bot, self.cleaned_data["reason"])
        except ValidationError as refused:
            self.add_error(None, refused)
            return False
        return True


class AnnulForm(ReasonForm):
    def annul(self, actor: User, match: Match) -> bool:
        """Whether it was done; where the service refused it, that is an error of the form."""
        try:
            services.annul(actor, match, self.cleaned_data["reason"])
        except ValidationError as refused:
            self.add_error(None, refused)
            return False
        return True


class RejudgeForm(ReasonForm):
    """What is played again is in the address of the page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Staff alone can read it.")

    def begin(self, actor: User, tournament: Tournament, bot: Bot | None, match: Match | None) -> Rejudging | None:
        """The set; none where the service refused it, which is then an error of the form."""
        try:
            return rejudging.begin(actor, tournament, self.cleaned_data["reason"], bot, match)
        except ValidationError as refused:
            self.add_error(None, refused)
            return None


class AnnouncementForm(forms.ModelForm):  # type: ignore[type-arg]
    title = forms.CharField(label=_("Title"), max_length=120, widget=forms.TextInput(attrs=QUIET))
    text = forms.CharField(
        label=_("Text"),
        help_text=_("Plain text. An empty line begins a paragraph; addresses become links."),
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    published_at = forms.DateTimeField(
        label=_("Shown from (UTC)"),
        help_text=_("Before then nobody but organisers sees it."),
        widget=forms.DateTimeInput(format=MOMENT, attrs={"type": "datetime-local"}),
    )
    tournament = TournamentField(
        label=_("About the tournament"),
        queryset=Tournament.objects.ranked().order_by("-pk"),
        required=False,
        empty_label=_("none"),
    )

    class Meta:
        model = Announcement
        fields = ("title", "text", "published_at", "tournament")

    def publish(self, actor: User) -> bool:
        """Store it as a new one, or as a change of one; whether that was done."""
        announcement = self.save(commit=False)
        try:
            (services.edit if announcement.pk else services.publish)(actor, announcement)
        except ValidationError as refused:
            self.add_error(None, refused)
            return False
        return True


class LookForm(forms.Form):
    """What an organiser made of a flag, and what he was shown of it."""

    note = forms.CharField(
        label=_("Note"),
        help_text=_("What you found, for other organisers."),
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs=QUIET),
    )
    seen = forms.DateTimeField(required=False, widget=forms.HiddenInput)

    def look(self, actor: User, flag: Flag) -> bool:
        """Whether it was done; where the service refused it, that is an error of the form."""
        note = texts.line(self.cleaned_data["note"], LONGEST_REASON)
        try:
            services.look(actor, flag, note, self.cleaned_data["seen"])
        except ValidationError as refused:
            self.add_error(None, refused)
            return False
        return True


class SearchForm(forms.Form):
    """What acts are looked for; an empty field asks for nothing."""

    action = forms.ChoiceField(label=_("What"), required=False)
    actor = forms.CharField(label=_("Who"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput(QUIET))
    bot = forms.CharField(label=_("Bot"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput(QUIET))
    tournament = TournamentField(
        label=_("Tournament"),
        queryset=Tournament.objects.ranked().order_by("-pk"),
        to_field_name="slug",
        required=False,
        empty_label=_("any"),
    )
    text = forms.CharField(
        label=_("Text"), max_length=LONGEST_NAME, required=False, widget=forms.TextInput(attrs=QUIET)
    )
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["action"]
        field.choices = [("", _("anything")), *Act.Action.choices]

    def search(self) -> Search:
        cleaned = dict(self.cleaned_data)
        tournament = cleaned.pop("tournament")
        return Search(tournament=tournament.slug if tournament else "", **cleaned)
