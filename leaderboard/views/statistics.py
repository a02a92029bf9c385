"""The page that explains the statistics, with the numbers of a board."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leaderboard.boards import known_boards
from leaderboard.documents import read_document
from leaderboard.statistics_page import find_example
from leaderboard.views.pages import DOCS_DIR
from leaderboard.views.shared import public_page

STATISTICS = "statistics"


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    document = read_document(DOCS_DIR, STATISTICS)
    if document is None:
        raise Http404
    example = find_example(known_boards().boards)
    return public_page(request, "pages/statistics.html", {"document": document, "example": example})
