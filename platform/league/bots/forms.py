from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league import throttle
from league.accounts.models import User
from league.bots import services, trials, uploads
from league.bots.models import Bot, Trial, Version

NAME_CODES = {"name", "quota", "owner"}
WRITTEN = "bot.py"


class UploadForm(forms.Form):
    """A bot: a file, or text from the editor."""

    HOW = (("file", _("Upload a file")), ("code", _("Write it here")))

    how = forms.ChoiceField(label=_("Your bot"), choices=HOW, required=False, widget=forms.RadioSelect)
    file = forms.FileField(
        label=_("One .py file, or a .zip with bot.py in it"),
        max_length=255,
        required=False,
        widget=forms.FileInput(attrs={"accept": ".py,.zip"}),
        error_messages={"empty": _("The file is empty.")},
    )
    code = forms.CharField(
        label=_("Python source"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "off", "wrap": "off"}),
    )

    def clean_file(self) -> "UploadedFile[bytes] | None":
        """The upload, refused by its size before any of it is read into memory."""
        upload: UploadedFile[bytes] | None = self.cleaned_data["file"]
        most = max(settings.UPLOAD_MAX_BYTES, settings.ZIP_MAX_BYTES)
        if upload and (upload.size is None or upload.size > most):
            said = _("The file has %(size)s bytes; the limit is %(most)s.")
            raise ValidationError(
                said, code="size", params={"size": uploads.figure(upload.size or 0), "most": uploads.figure(most)}
            )
        return upload

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.source not in self.errors and not cleaned.get(self.source):
            said = _("Write the bot.") if self.source == "code" else _("Choose a file.")
            self.add_error(self.source, ValidationError(said))
        return cleaned

    @property
    def source(self) -> str:
        """The field that holds the bot: as chosen, or else the one that is filled."""
        if how := self.cleaned_data.get("how"):
            return str(how)
        return "code" if self.cleaned_data.get("code") and not self.cleaned_data.get("file") else "file"

    def upload(self) -> tuple[str, bytes]:
        """The name and the bytes of the file that the form stands for."""
        if self.source == "code":
            return WRITTEN, uploads.written(self.cleaned_data["code"])
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        return upload.name or "", upload.read()


class TrialForm(UploadForm):
    """A bot that is checked without being submitted."""

    def ask(self, request: HttpRequest, owner: User) -> Trial | None:
        """The trial; none where it was one too many, or the service refused it, which is then an error of a field."""
        try:
            with throttle.upload(request, owner.pk):
                return trials.ask(owner, *self.upload())
        except ValidationError as refused:
            self.add_error(self.source, refused)
            return None


class SubmitForm(UploadForm):
    """An upload: which bot it is, and a note for the author himself."""

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
        own = Bot.objects.kept().filter(owner=owner, retired_at=None) if owner.pk else Bot.objects.none()
        cast("forms.ModelChoiceField[Bot]", self.fields["bot"]).queryset = own.order_by("name")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not cleaned.get("bot") and not cleaned.get("name") and "name" not in self.errors:
            self.add_error("name", ValidationError(_("Give the new bot a name, or choose one of your bots.")))
        return cleaned

    def submit(self, request: HttpRequest) -> Version | None:
        """The version; none where it is one too many or the service refuses it, which is then a field's error."""
        cleaned = self.cleaned_data
        bot = cleaned["bot"] or cleaned["name"]
        try:
            with throttle.upload(request, self.owner.pk):
                return services.submit(self.owner, bot, *self.upload(), cleaned["message"])
        except ValidationError as refused:
            self.add_error(self._field_of(refused), refused)
            return None

    def _field_of(self, refused: ValidationError) -> str:
        code = getattr(refused, "code", None)
        if code in NAME_CODES:
            return "bot" if self.cleaned_data["bot"] else "name"
        return "message" if code == "message" else self.source


class RenameForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def rename(self, bot: Bot) -> bool:
        """Whether the bot has that name now; where the service refused it, that is an error of the field."""
        try:
            services.rename(bot, self.cleaned_data["name"])
        except ValidationError as refused:
            self.add_error("name", refused)
            return False
        return True
