"""The yardstick of uploads: Django with a view that writes a body to a file while it hashes it, and nothing else.

Answers with the digest. BARE_UPLOAD names the file.
"""

import hashlib
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

CHUNK = 2**20


def store(request: HttpRequest) -> HttpResponse:
    digest = hashlib.sha256()
    with open(os.environ["BARE_UPLOAD"], "wb") as file:
        while chunk := request.read(CHUNK):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return HttpResponse(digest.hexdigest())


urlpatterns = [path("", store)]


def make_application() -> object:
    """What gunicorn serves: no middleware, no application, no database."""
    settings.configure(
        SECRET_KEY="measured, not used", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True
    )
    return get_wsgi_application()
