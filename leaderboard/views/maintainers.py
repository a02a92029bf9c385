"""Who may open the maintainers' pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.utils import get_next_redirect_url
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

View = Callable[..., HttpResponse]


def for_maintainers(view: View) -> View:
    """Visitors are asked to sign in, a maintainer without second factor is told how to add one, others get 404."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user: Any = request.user
        if not user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if user.may_maintain:
            return view(request, *args, **kwargs)
        if user.is_maintainer:
            return render(request, "leaderboard/second_factor.html", status=403)
        raise Http404

    return guarded


@for_maintainers
def enter_admin(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """In place of Django's form of its own, which asks for no second factor and counts no failed attempts."""
    return redirect(get_next_redirect_url(request) or "admin:index")
