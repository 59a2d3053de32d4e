"""The form by which organisers invite somebody."""

from datetime import timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league import texts
from league.accounts.models import User
from league.organisers import inviting

LONGEST_NOTE = 100


class InvitationForm(forms.Form):
    DAYS = (("7", _("7 days")), ("30", _("30 days")), ("", _("until it is used or revoked")))

    note = forms.CharField(
        label=_("Whom is it for?"),
        max_length=LONGEST_NOTE,
        help_text=_("Only organisers read it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.ChoiceField(label=_("It holds for"), choices=DAYS, initial="30", required=False)

    def clean_note(self) -> str:
        note = texts.line(self.cleaned_data["note"], LONGEST_NOTE)
        if not note:
            raise ValidationError(_("Write it in letters that can be seen."))
        return note

    def invite(self, actor: User) -> str:
        """The code of the new invitation."""
        days = self.cleaned_data["days"]
        ends = timezone.now() + timedelta(days=int(days)) if days else None
        return inviting.invite(actor, self.cleaned_data["note"], ends)
