"""What every template may use. Nothing here depends on who is looking."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "site": {
            "name": settings.SITE_NAME,
            "url": settings.SITE_URL,
            "version": settings.VERSION,
            "commit": settings.COMMIT,
        }
    }
