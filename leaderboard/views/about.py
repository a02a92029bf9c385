"""What this site is, and how much stands on it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from grading.models import Competition
from leaderboard.models import Decision, Entry, Track
from leaderboard.public import public_entries
from leaderboard.views.shared import public_page


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    entries = public_entries().order_by()
    facts = [
        {"term": "Published entries", "value": entries.count()},
        {"term": "Graded here", "value": entries.filter(source=Entry.Source.GRADED).count()},
        {
            "term": "Public decisions",
            "value": Decision.objects.filter(entry__in=entries.values("pk")).count(),
        },
        {"term": "Competitions", "value": Competition.objects.count()},
    ]
    return public_page(request, "pages/about.html", {"facts": facts, "tracks": Track.objects.all()})
