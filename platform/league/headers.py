"""What every answer tells the browser beside the policy of its content."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]
UNUSED = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
"""What a page could ask a browser for, and none of ours does."""
PERMISSIONS = ", ".join(f"{feature}=()" for feature in UNUSED)


def permissions(answer: Answer) -> Answer:
    """Middleware that says which powers of the browser no page uses: a script that got in has none of them either."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    return answered
