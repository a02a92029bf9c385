"""Every published number that was changed, with what it was, what it is and why."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from grading.models import Benchmark
from leaderboard.restatements import draw_restated, list_restatements, restating_decisions
from leaderboard.views.paging import LongPaginator, choose_benchmark, page_context
from leaderboard.views.shared import public_page

PER_PAGE = 20


@require_safe
def restatements(request: HttpRequest) -> HttpResponse:
    """All of them, newest first, or those of one benchmark."""
    benchmarks, wanted = list(Benchmark.objects.all()), request.GET.get("benchmark", "")
    choices = choose_benchmark("restatements", benchmarks, wanted)
    decisions = list_restatements(restating_decisions(benchmark=wanted))
    page = LongPaginator(decisions, PER_PAGE, "restatements", {"benchmark": wanted}).get_page(
        request.GET.get("page")
    )
    context = {
        "restated": [draw_restated(decision) for decision in page],
        **page_context(page, "restatements", {"benchmark": wanted}),
        "choices": choices,
    }
    return public_page(request, "leaderboard/restatements.html", context)
