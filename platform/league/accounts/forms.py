from django.contrib.auth.forms import UserCreationForm

from league.accounts.models import User


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username",)
