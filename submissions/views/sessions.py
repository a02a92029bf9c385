"""Where one is signed in, and signing out there."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from submissions.sessions import end_all, end_session, sessions_of
from submissions.signals import sessions_ended
from submissions.views.shared import Visit


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def sessions(request: Visit) -> HttpResponse:
    """The list; posted with a number, or with `others` or `everywhere`, it ends what that says."""
    if request.method == "POST":
        return _end(request)
    here = request.session.session_key
    lines = [(session, session.session_key == here) for session in sessions_of(request.user)]
    return render(request, "submissions/sessions.html", {"lines": lines})


def _end(request: Visit) -> HttpResponse:
    what = request.POST.get("end", "")
    if what == "everywhere":
        return _end_everywhere(request)
    if what == "others":
        ended = end_all(request.user, but=request.session.session_key)
    else:
        ended = int(
            what.isascii() and what.isdigit() and len(what) < 19 and end_session(request.user, int(what))
        )
    if ended:
        sessions_ended.send(sender=type(request.user), user=request.user, number=ended)
        messages.success(request, "Signed out there." if ended == 1 else f"Signed out in {ended} places.")
    return redirect("sessions")


def _end_everywhere(request: Visit) -> HttpResponse:
    """Here too. Tokens end with it where the form says so."""
    user = request.user
    ended = end_all(user, with_tokens="tokens" in request.POST)
    sessions_ended.send(sender=type(user), user=user, number=ended)
    logout(request)
    return redirect("account_login")
