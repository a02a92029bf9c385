"""What the public pages have in common: they are the same for everyone, and may be cached."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control

PUBLIC_MAX_AGE_S = 1


def etag_of(*parts: object) -> str:
    """A strong ETag that changes with any of the parts and with the site's version."""
    said = repr((*parts, settings.VERSION, settings.COMMIT))
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def not_modified(request: HttpRequest, etag: str) -> HttpResponse | None:
    """The answer 304 if the reader has this state already, else None."""
    response = get_conditional_response(request, etag=etag)
    return publicly(response, etag) if response is not None else None


def public_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], etag: str = "", status: int = 200
) -> HttpResponse:
    """The page with headers that let anybody cache it. The template must not look at the user."""
    return publicly(render(request, template, dict(context), status=status), etag)


def publicly(response: HttpResponse, etag: str) -> HttpResponse:
    """The answer with headers that let anybody cache it for a moment and ask again by its ETag."""
    patch_cache_control(response, public=True, max_age=PUBLIC_MAX_AGE_S)
    if etag:
        response["ETag"] = etag
    return response


def compare_url(entries: Iterable[int]) -> str:
    """The one address under which these are compared."""
    wanted = ",".join(map(str, entries))
    return reverse("compare") + (f"?entries={wanted}" if wanted else "")
