from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.models import User
from league.bots.models import Bot
from league.scrimmages import services
from league.scrimmages.listing import Choices, choices_of, own_choices
from league.scrimmages.models import Scrimmage
from league.tournaments.models import Tournament

GONE = {"invalid_choice": _("This version plays no more: choose another one.")}


class ScrimmageForm(forms.Form):
    """Which version of one's own plays against which one of that bot, and by whose rules."""

    own = forms.TypedChoiceField(label=_("Your version"), coerce=int, error_messages=GONE)
    other = forms.TypedChoiceField(label=pgettext_lazy("opponent", "Against"), coerce=int, error_messages=GONE)
    rules = forms.TypedChoiceField(label=_("Rules of"), coerce=int)

    def __init__(self, user: User, opponent: Bot, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        ladders = [(each.pk, translation.gettext(each.name)) for each in Tournament.objects.open_ladders()]
        self._offer("own", own_choices(user))
        self._offer("other", choices_of(opponent))
        self._offer("rules", ladders)
        if len(ladders) == 1:
            self.fields["rules"].widget = forms.HiddenInput()
            self.fields["rules"].initial = ladders[0][0]

    def ask(self) -> Scrimmage | None:
        """The scrimmage; none where the service refused it, which is then an error of a field or of the form."""
        cleaned = self.cleaned_data
        try:
            return services.ask(self.user, cleaned["own"], cleaned["other"], cleaned["rules"])
        except ValidationError as refused:
            code = getattr(refused, "code", None)
            self.add_error(code if code in self.fields else None, refused)
            return None

    def _offer(self, name: str, choices: Choices | list[tuple[int, str]]) -> None:
        cast(forms.TypedChoiceField, self.fields[name]).choices = choices
