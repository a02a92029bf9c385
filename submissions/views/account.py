"""A person's account: e-mail, second factor, teams, API tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from knox.models import AuthToken

from submissions.models import Team
from submissions.tokens import TokenError, create_token, revoke_token
from submissions.views.shared import Visit


@login_required
@never_cache
@require_safe
def show(request: Visit) -> HttpResponse:
    return _account_page(request)


@login_required
@never_cache
@require_POST
def create_token_page(request: Visit) -> HttpResponse:
    """The account page with a new token, which is shown this once."""
    try:
        return _account_page(request, create_token(request.user))
    except TokenError as error:
        messages.error(request, str(error))
        return redirect("account")


@login_required
@never_cache
@require_POST
def revoke_token_page(request: Visit) -> HttpResponse:
    if revoke_token(request.user, request.POST.get("token", "")):
        messages.success(request, "The token is revoked. Programs that use it are refused from now on.")
    return redirect("account")


def _account_page(request: Visit, secret: str = "") -> HttpResponse:
    teams = Team.objects.of(request.user).select_related("organisation")
    tokens = AuthToken.objects.filter(user=request.user).order_by("created")
    return render(request, "submissions/account.html", {"teams": teams, "tokens": tokens, "secret": secret})
