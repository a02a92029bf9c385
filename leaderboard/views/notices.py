"""What a person is told and how often, and the link in a mail that ends mail of its kind."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from leaderboard.notices.kinds import KINDS, Kind, Often, Told
from leaderboard.notices.preferences import BadLink, choose, end_mail, read_token, settings_of
from leaderboard.notices.webhooks import manageable_by, owned_teams
from submissions.models import User
from submissions.views.shared import Visit

WORDS = {Often.NOW: "at once", Often.DAILY: "once a day", Often.NEVER: "never"}


@dataclass(frozen=True)
class Row:
    """A kind with what the person chose."""

    kind: str
    told: Told
    often: str


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def settings_page(request: Visit) -> HttpResponse:
    """A choice for each kind the person can hear of; posted, it holds from the next mail on."""
    if request.method == "POST":
        choose(request.user, _chosen(request))
        messages.success(request, "Saved. It holds from the next mail on.")
        return redirect("notice-settings")
    user = request.user
    context = {
        "groups": _groups(user),
        "choices": [(often.value, word) for often, word in WORDS.items()],
        "may_have_webhooks": user.may_maintain or owned_teams(user).exists(),
        "webhooks": manageable_by(user).count(),
    }
    return render(request, "leaderboard/notices/settings.html", context)


def _chosen(request: Visit) -> dict[Kind, Often]:
    """What the form says of kinds this person can hear of; anything else in it is passed over."""
    known = {often.value for often in Often}
    given = {kind: request.POST.get(kind.value, "") for kind in settings_of(request.user)}
    return {kind: Often(often) for kind, often in given.items() if often in known}


def _groups(user: User) -> list[tuple[str, list[Row]]]:
    """The rows of the page, what maintainers alone hear of apart."""
    rows = [Row(kind.value, KINDS[kind], often.value) for kind, often in settings_of(user).items()]
    own = [row for row in rows if not row.told.is_for_maintainers]
    docket = [row for row in rows if row.told.is_for_maintainers]
    return [("Your teams, flags and webhooks", own), *([("As a maintainer", docket)] if docket else [])]


@csrf_exempt  # Mail programs post here for their readers; the token in the address says whose mail it ends.
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Asks first, since programs follow links to look at them; posted, mail of the kind ends. Nobody signs in."""
    try:
        ending = read_token(token)
    except BadLink:
        return render(request, "leaderboard/notices/unsubscribe.html", {"is_bad": True}, status=404)
    if request.method == "POST":
        end_mail(ending)
    titles = [KINDS[kind].title for kind in ending.kinds]
    context = {"ending": ending, "titles": titles, "is_done": request.method == "POST"}
    return render(request, "leaderboard/notices/unsubscribe.html", context)
