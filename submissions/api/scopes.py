"""What a token may do on a route. People who are signed in may do whatever they may do on the pages."""

from typing import Any

from knox.models import AuthToken
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from submissions.models import TokenScope
from submissions.tokens import scopes_of


class HasScope(BasePermission):
    """Refuses a token that lacks the route's scope: `token_scope`, else `read` for reading and `upload` for the rest.

    Who may upload may also read: an interrupted upload goes on from what has arrived.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if not isinstance(request.auth, AuthToken):
            return True
        usual = TokenScope.READ if request.method in SAFE_METHODS else TokenScope.UPLOAD
        needed = str(getattr(view, "token_scope", None) or usual)
        enough = {needed, TokenScope.UPLOAD} if needed == TokenScope.READ else {needed}
        if not enough & set(scopes_of(request.auth)):
            message = f"This token lacks the scope {needed}. Make one that has it on your account page."
            raise PermissionDenied(message, code="insufficient_scope")
        return True
