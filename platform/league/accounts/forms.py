from django.contrib.auth.forms import BaseUserCreationForm

from league.accounts.models import User


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username",)
