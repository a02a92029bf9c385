"""What the public routes have in common."""

from hashlib import sha256
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from knox.auth import TokenAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.api.renderers import Negotiation
from leaderboard.boards import known_boards
from leaderboard.kept_answers import keep
from leaderboard.views.shared import PUBLIC_MAX_AGE_S

CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
}
PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class PublicView(APIView):
    """Readable by everybody and the same for everybody, from any page of the web.

    A token only raises the throttle. Sessions are not looked at, so that no answer varies by cookie.
    """

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]
    content_negotiation_class = Negotiation
    # Whether answers depend on nothing but the address and the current boards: then they are made once and kept.
    # What is kept costs next to nothing, so it does not count against the reader.
    is_kept: ClassVar[bool] = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Once, at the beginning: an answer made while the boards change must not pass for one of after.
        self.known = known_boards() if self._may_keep(request) else None
        return super().dispatch(request, *args, **kwargs)

    def _may_keep(self, request: HttpRequest) -> bool:
        return self.is_kept

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """The question of a browser before it reads from another site's page."""
        return HttpResponse(status=204, headers=PREFLIGHT)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if response.status_code >= 400:
            # Errors are problem+json, whatever was asked for.
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in CORS.items():
            response.headers.setdefault(name, value)
        if response.status_code == 200 and request.method in ("GET", "HEAD"):
            patch_cache_control(response, public=True, max_age=PUBLIC_MAX_AGE_S)
            response.add_post_render_callback(lambda done: self._finish(request._request, done))
        return response

    def _finish(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer with a strong ETag over its body; or 304 for a reader who has this body."""
        response["ETag"] = f'"{sha256(response.content).hexdigest()[:32]}"'
        if self.known:
            keep(response, self.known.state)
        return _conditional(request, response)


def _conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    answer = get_conditional_response(request, response["ETag"], response=response) or response
    for name, value in CORS.items():
        answer.headers.setdefault(name, value)
    return answer
