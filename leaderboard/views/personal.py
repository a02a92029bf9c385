"""A person's own data: seen, taken along, deleted. Whoever finds a browser open must show the password first."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from leaderboard.audit.acts import Act
from leaderboard.audit.record import record
from leaderboard.personal.erase import NotErased, erase_account
from leaderboard.personal.export import export_of
from submissions.views.shared import Visit


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def own_data(request: Visit) -> HttpResponse:
    """The page; posted with the account's own address, it deletes the account."""
    if request.method == "POST":
        return _delete(request)
    return render(request, "submissions/own_data.html")


def _delete(request: Visit) -> HttpResponse:
    if request.POST.get("email", "").strip().casefold() != request.user.email.casefold():
        messages.error(request, "Nothing was deleted: type your e-mail address as it stands above the form.")
        return redirect("own-data")
    try:
        erase_account(request.user, timezone.now())
    except NotErased as error:
        messages.error(request, str(error))
        return redirect("own-data")
    logout(request)
    messages.success(request, "Your account is deleted.")
    return redirect("account_login")  # The board is the same for everybody, so that it cannot say it.


@login_required
@never_cache
@require_safe
@reauthentication_required
def export(request: Visit) -> HttpResponse:
    """Everything as one JSON file."""
    record(Act.DATA_EXPORTED, account=request.user)
    answer = JsonResponse(
        export_of(request.user, timezone.now()), json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer
