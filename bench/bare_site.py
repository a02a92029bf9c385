"""The yardstick: Django with a view that answers "ok", and nothing else. Not part of the site."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path


def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("", bare)]


def make_application() -> object:
    """What gunicorn serves: no middleware, no application, no database."""
    settings.configure(
        SECRET_KEY="measured, not used", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True
    )
    return get_wsgi_application()
