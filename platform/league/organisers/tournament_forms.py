"""Forms by which organisers announce seasons, move their deadlines and open ladders."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from arena.ruleset import CHOICES, TIME_LIMITS_S, Ruleset, TimeControl
from league import texts
from league.accounts.models import User
from league.matches.seasons import MOST_LEGS
from league.organisers import tournaments
from league.tournaments.models import Season, Tournament

MOMENT = "%Y-%m-%dT%H:%M:%S"
QUIET = {"autocomplete": "off"}
LONGEST_NAME = 80
TIMES = {"load_s": _("Seconds to load"), "decision_s": _("Seconds a decision"), "bank_s": _("Seconds a match")}
OPTIONS = {
    "decks": _("Decks"),
    "run_direction": _("Runs grow"),
    "unclaimed": _("After a lobby that nobody took leads"),
    "endgame": _("Once the piles are empty"),
    "set_scoring": _("A set scores"),
}
CHOSEN = {
    "up": _("up"),
    "both": _("up and down"),
    "same_leader": _("the same player"),
    "other_leader": _("the other player"),
    "lead_from_hand": _("players lead from hand"),
    "stop": _("the game is over"),
    "count": _("by its number of cards"),
    "worth": _("like a run"),
}


def _moment(label: Any, help_text: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(format=MOMENT, attrs={"type": "datetime-local", "step": "1"})
    return forms.DateTimeField(label=label, help_text=help_text, widget=widget)


FIELDS = {"slug": "slug", "legs": "legs", "deadline": "deadline_at", "opens": "opens_at"}
"""The field that a refusal with that code is about."""


class Refusable(forms.Form):
    def _refuse(self, refused: ValidationError) -> None:
        """Show at its field why a service refused it, or above the form."""
        field = FIELDS.get(getattr(refused, "code", None) or "")
        self.add_error(field if field in self.fields else None, refused)


class RulesForm(Refusable):
    """What is played: name, address, rules, time control."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs=QUIET))
    slug = forms.SlugField(
        label=_("Address"),
        max_length=50,
        required=False,
        help_text=_("Letters, digits and hyphens; empty: made of the name."),
        widget=forms.TextInput(attrs=QUIET),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        rules, times = Ruleset(), TimeControl()
        for name, label in OPTIONS.items():
            choices = [(str(choice), CHOSEN.get(str(choice), str(choice))) for choice in CHOICES[name]]
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, initial=str(getattr(rules, name)))
        least, most = int(CHOICES["games"][0]), int(CHOICES["games"][-1])
        self.fields["games"] = forms.IntegerField(
            label=_("Games a match"), min_value=least, max_value=most, initial=rules.games
        )
        for name, label in TIMES.items():
            self.fields[name] = forms.FloatField(
                label=label, min_value=TIME_LIMITS_S[0], max_value=TIME_LIMITS_S[1], initial=getattr(times, name)
            )

    def clean_name(self) -> str:
        name = texts.line(self.cleaned_data["name"], LONGEST_NAME)
        if not name:
            raise ValidationError(_("Write a name in letters that can be seen."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "slug" in cleaned and not cleaned["slug"]:
            cleaned["slug"] = slugify(cleaned.get("name", ""))
            if not cleaned["slug"] and "name" in cleaned:
                self.add_error("slug", ValidationError(_("No address can be made of this name: write one.")))
        return cleaned

    def what(self) -> dict[str, Any]:
        """Name, address, ruleset and time control."""
        cleaned = self.cleaned_data
        rules = {name: cleaned[name] for name in OPTIONS} | {"games": cleaned["games"], "decks": int(cleaned["decks"])}
        times = TimeControl(**{name: cleaned[name] for name in TIMES})
        return {"name": cleaned["name"], "slug": cleaned["slug"], "ruleset": Ruleset(**rules), "time_control": times}


class LadderForm(RulesForm):
    def open(self, actor: User) -> Tournament | None:
        """The ladder; none where the service refused it, which is then an error of the form."""
        try:
            return tournaments.open_ladder(actor, **self.what())
        except ValidationError as refused:
            self._refuse(refused)
            return None


class SeasonForm(RulesForm):
    about = forms.CharField(
        label=_("About it"),
        help_text=_("Everybody can read it. Plain text; an empty line begins a paragraph."),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    opens_at = _moment(_("Registration opens (UTC)"), _("Now, or later."))
    deadline_at = _moment(
        _("Deadline (UTC)"), _("What is registered or submitted at this moment or later is too late.")
    )
    legs = forms.IntegerField(
        label=_("Matches a pair"),
        help_text=_("Every second one has the same deals with the seats exchanged."),
        min_value=1,
        max_value=MOST_LEGS,
        initial=2,
    )
    bots_per_user = forms.IntegerField(label=_("Bots of one user"), min_value=1, max_value=1_000, initial=1)
    house = forms.BooleanField(label=_("The house bots play too"), required=False, initial=True)
    field_order = ("name", "slug", "about", "opens_at", "deadline_at", "legs", "bots_per_user", "house")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["opens_at"].initial = timezone.now

    def announce(self, actor: User) -> Season | None:
        """The season; none where the service refused it, which is then an error of the form."""
        cleaned = self.cleaned_data
        times = {name: cleaned[name] for name in ("opens_at", "deadline_at", "legs", "bots_per_user", "about")}
        try:
            return tournaments.announce_season(actor, house=cleaned["house"], **self.what(), **times)
        except ValidationError as refused:
            self._refuse(refused)
            return None


class DeadlineForm(Refusable):
    deadline_at = _moment(_("Deadline (UTC)"), _("It may be moved until the season has started, to a time to come."))

    def move(self, actor: User, season: Season) -> bool:
        """Whether it was moved; where the service refused it, that is an error of the form."""
        try:
            tournaments.move_deadline(actor, season, self.cleaned_data["deadline_at"])
        except ValidationError as refused:
            self._refuse(refused)
            return False
        return True
