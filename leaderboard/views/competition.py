"""Competitions: the list with its filter, and one competition with its cut-offs, rules and results."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from grading.models import Benchmark
from grading.splits import Split
from leaderboard.competition_facts import NO_ISSUE, find_competition, find_facets, list_competitions
from leaderboard.drawn import draw_once, reader_of
from leaderboard.entry_charts import chart_of
from leaderboard.entry_page import mark_run
from leaderboard.models import Entry
from leaderboard.public import graded_on, results_on
from leaderboard.run_marks import RunMark
from leaderboard.views.paging import LongPaginator, page_context
from leaderboard.views.shared import public_page
from submissions.widgets import PlainSelect

ANY = ("", "any")
PER_PAGE = 20
# What a line of the results shows of an entry.
RELATED = ("agent__organisation", "benchmark")
LINE = ("slug", "agent__name", "agent__organisation__name", "benchmark__title")
_read = reader_of(LINE)


class FilterForm(forms.Form):
    """What the list is narrowed by; its state is the address."""

    benchmark = forms.ChoiceField(required=False, widget=PlainSelect)
    split = forms.ChoiceField(
        required=False, choices=[ANY, *((s.value, s.label) for s in Split.stored())], widget=PlainSelect
    )
    category = forms.ChoiceField(required=False, widget=PlainSelect)
    issue = forms.ChoiceField(required=False, label="Known issue", widget=PlainSelect)
    q = forms.CharField(required=False, max_length=100, label="Search", widget=forms.SearchInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer("benchmark", Benchmark.objects.values_list("slug", "title"))
        facets = find_facets()
        self._offer("category", _counted(facets.categories))
        self._offer("issue", [(NO_ISSUE, "none known"), *_counted(facets.issues)])

    def _offer(self, name: str, choices: Iterable[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = [ANY, *choices]


def _counted(found: Mapping[str, int]) -> list[tuple[str, str]]:
    return [(name, f"{name} ({number})") for name, number in found.items()]


@require_safe
def competitions(request: HttpRequest) -> HttpResponse:
    """All competitions, or those the form asks for. A filter that makes no sense finds nothing."""
    form = FilterForm(request.GET)
    found = list_competitions(**form.cleaned_data) if form.is_valid() else []
    is_filtered = any(form.cleaned_data.values())
    context = {"form": form, "competitions": found, "is_filtered": is_filtered}
    return public_page(request, "leaderboard/competitions.html", context)


@require_safe
def competition(request: HttpRequest, competition_id: str) -> HttpResponse:
    facts = find_competition(competition_id)
    if facts is None:
        raise Http404
    graded = graded_on(facts.competition).select_related(None).select_related(*RELATED).only(*LINE)
    listed = LongPaginator(graded, PER_PAGE, "competition", {"id": competition_id})
    page = listed.get_page(request.GET.get("page"))
    runs_of = results_on(facts.competition, list(page))
    results = [(entry, [mark_run(run) for run in runs]) for entry, runs in runs_of.items()]
    context = {
        "facts": facts,
        "competition": facts.competition,
        "results": results,
        "lines": [_draw_entry(entry, marks) for entry, marks in results],
        "chart": chart_of(facts, results, page.paginator.count),
        **page_context(page, "competition", {}, (competition_id,)),
    }
    return public_page(request, "leaderboard/competition.html", context)


def _draw_entry(entry: Entry, marks: Sequence[RunMark]) -> SafeString:
    """An entry with its runs on the competition, as a row of the results."""
    return draw_once(
        "leaderboard/_competition_entry.html",
        (entry.pk, *_read(entry), marks),
        lambda: {"entry": entry, "marks": marks},
    )
