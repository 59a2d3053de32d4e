from datetime import timedelta
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UserCreationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league import throttle
from league.accounts import invitations, services, tokens
from league.accounts.models import Token, User


class LogInForm(AuthenticationForm):
    """A name and a password, of which only so many are looked at."""

    def clean(self) -> dict[str, Any]:
        request, username = cast(HttpRequest, self.request), self.cleaned_data.get("username", "")
        with throttle.login(request, username):
            return super().clean()


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username",)

    invitation = forms.CharField(
        label=_("Invitation"),
        max_length=100,
        help_text=_("The code that an organiser gave you; it is good for one account."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial={"invitation": request.GET.get("invitation", "")[:100]}, **kwargs)
        self.request = request
        if settings.SIGN_UP != "invitation":
            del self.fields["invitation"]

    def clean_invitation(self) -> str:
        code: str = self.cleaned_data["invitation"]
        if not invitations.holds(code):
            raise services.not_invited()
        return code

    def sign_up(self) -> User | None:
        """The new user; none where the address makes too many or the service refused it, which is then an error."""
        user: User = self.save(commit=False)
        try:
            with throttle.sign_up(self.request):
                services.join(user, self.cleaned_data.get("invitation"))
        except ValidationError as refused:
            field = getattr(refused, "code", None)
            self.add_error(field if field in self.fields else None, refused)
            return None
        return user


class ChangePasswordForm(PasswordChangeForm):
    """Another password, for who knows the one before."""

    def clean_old_password(self) -> str:
        with throttle.password(self.user.pk):
            password: str = super().clean_old_password()
        return password

    def change(self) -> bool:
        """Whether it was changed; where it was changed elsewhere meanwhile, that is an error of the form."""
        done = services.change_password(self.user, self.cleaned_data["new_password1"])
        if not done:
            self.add_error(None, ValidationError(_("Your password was changed elsewhere: log in with that one.")))
        return done


class PasswordForm(forms.Form):
    """The user's password once more, before what can't be undone."""

    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, user: User, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        with throttle.password(self.user.pk):
            if not self.user.check_password(password):
                raise ValidationError(_("This is not your password."))
        return password


class TokenForm(forms.Form):
    """A new token: what it is for, what it allows, how long it holds."""

    DAYS = (("30", _("30 days")), ("90", _("90 days")), ("365", _("a year")), ("", _("until it is revoked")))

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=60,
        help_text=_("A name that tells you later which program has it, such as “laptop”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it allows, beside reading what everybody reads"),
        choices=Token.Scope.choices,
        initial=Token.Scope.values,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(label=_("It holds for"), choices=DAYS, initial="90", required=False)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def issue(self) -> str | None:
        """The text of the new token; none where it was refused, which is then an error of the name."""
        cleaned = self.cleaned_data
        ends = timezone.now() + timedelta(days=int(cleaned["days"])) if cleaned["days"] else None
        try:
            return tokens.issue(self.user, cleaned["name"], cleaned["scopes"], ends)[1]
        except ValidationError as refused:
            self.add_error("name", refused)
            return None
