"""The pages of agents and organisations: what they have published, over time."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leaderboard.compare.wanted import MOST
from leaderboard.profiles import EntryLine, find_agent, find_organisation
from leaderboard.views.shared import compare_url, public_page


@require_safe
def agent(request: HttpRequest, slug: str) -> HttpResponse:
    """An agent of which anything is published."""
    profile = find_agent(slug)
    if profile is None:
        raise Http404
    context = {"profile": profile, "agent": profile.agent, "compare_url": _compare_url(profile.lines)}
    return public_page(request, "leaderboard/agent.html", context)


@require_safe
def organisation(request: HttpRequest, slug: str) -> HttpResponse:
    """An organisation of which anything is published."""
    profile = find_organisation(slug)
    if profile is None:
        raise Http404
    context = {"profile": profile, "organisation": profile.organisation}
    return public_page(request, "leaderboard/organisation.html", context)


def _compare_url(lines: tuple[EntryLine, ...]) -> str:
    """The newest of them side by side; empty where there is only one."""
    return compare_url(line.entry.pk for line in lines[:MOST]) if len(lines) > 1 else ""
