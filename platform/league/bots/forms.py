from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.bots import services
from league.bots.models import Bot, Version

NAME_CODES = {"name", "quota", "owner"}


class SubmitForm(forms.Form):
    """An upload: which bot, its file, and a note for the author himself."""

    file = forms.FileField(
        label=_("Your bot"),
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".py,.zip"}),
        error_messages={"empty": _("The file is empty."), "required": _("Choose a file.")},
    )
    bot = forms.ModelChoiceField(
        label=_("Bot"), queryset=Bot.objects.none(), required=False, empty_label=_("A new bot")
    )
    name = forms.CharField(
        label=_("Name of the new bot"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    message = forms.CharField(
        label=_("What is new (optional)"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, owner: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        own = Bot.objects.filter(owner=owner).order_by("name") if owner.pk else Bot.objects.none()
        cast("forms.ModelChoiceField[Bot]", self.fields["bot"]).queryset = own

    def clean_file(self) -> "UploadedFile[bytes]":
        """The upload, refused by its size before any of it is read into memory."""
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        most = max(settings.UPLOAD_MAX_BYTES, settings.ZIP_MAX_BYTES)
        if upload.size is None or upload.size > most:
            said = _("The file has %(size)s bytes; the limit is %(most)s.")
            raise ValidationError(said, code="size", params={"size": f"{upload.size:,}", "most": f"{most:,}"})
        return upload

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("bot") and not cleaned.get("name") and "name" not in self.errors:
            self.add_error("name", ValidationError(_("Give the new bot a name, or choose one of your bots.")))
        return cleaned

    def submit(self) -> Version | None:
        """The stored version; none where the service refused it, which is then an error of a field."""
        cleaned = self.cleaned_data
        upload: UploadedFile[bytes] = cleaned["file"]
        try:
            return services.submit(
                self.owner,
                cleaned["bot"] or cleaned["name"],
                upload.name or "",
                upload.read(),
                cleaned["message"],
            )
        except ValidationError as refused:
            self.add_error(self._field_of(refused), refused)
            return None

    def _field_of(self, refused: ValidationError) -> str:
        code = getattr(refused, "code", None)
        if code in NAME_CODES:
            return "bot" if self.cleaned_data["bot"] else "name"
        return "message" if code == "message" else "file"
