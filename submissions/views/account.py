"""A person's account: e-mail, second factor, teams, API tokens."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from submissions.models import Team, TokenScope
from submissions.tokens import DAYS, USUAL_DAYS, TokenError, create_token, revoke_token, tokens_of
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
        return _account_page(request, create_token(request.user, **_wanted(request)))
    except TokenError as error:
        messages.error(request, str(error))
        return redirect("account")


def _wanted(request: Visit) -> dict[str, Any]:
    """What the form asks for. Without a word of scopes it is all of them; a lifetime nobody offers is the usual."""
    days = request.POST.get("days", "")
    return {
        "scopes": request.POST.getlist("scopes") if "days" in request.POST else TokenScope.values,
        "days": int(days) if days in map(str, DAYS) else USUAL_DAYS,
        "name": request.POST.get("name", ""),
    }


@login_required
@never_cache
@require_POST
def revoke_token_page(request: Visit) -> HttpResponse:
    if revoke_token(request.user, request.POST.get("token", "")):
        messages.success(request, "The token is revoked. Programs that use it are refused from now on.")
    return redirect("account")


def _account_page(request: Visit, secret: str = "") -> HttpResponse:
    teams = Team.objects.of(request.user).select_related("organisation")
    context = {
        "teams": teams,
        "tokens": tokens_of(request.user),
        "secret": secret,
        "scopes": TokenScope.choices,
        "lifetimes": DAYS,
        "usual_lifetime": USUAL_DAYS,
    }
    return render(request, "submissions/account.html", context)
