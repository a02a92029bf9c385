"""The public record: every decision, newest first."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from grading.models import Benchmark
from leaderboard.entry_page import draw_decision, list_decisions
from leaderboard.models import Decision, Track
from leaderboard.public import is_placed
from leaderboard.views.paging import LongPaginator, page_context
from leaderboard.views.shared import public_page
from submissions.widgets import PlainSelect

PER_PAGE = 20
ANY = ("", "any")
FILTERS = {"kind": "kind", "track": "track__slug", "benchmark": "entry__benchmark__slug"}


class DecisionFilter(forms.Form):
    """What the list is narrowed by; its state is the address."""

    kind = forms.ChoiceField(required=False, choices=[ANY, *Decision.Kind.choices], widget=PlainSelect)
    track = forms.ChoiceField(required=False, label="Placed on", widget=PlainSelect)
    benchmark = forms.ChoiceField(required=False, widget=PlainSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (("track", Track.objects.all()), ("benchmark", Benchmark.objects.all())):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [ANY, *rows.values_list("slug", "title")]


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Those the form asks for. A filter that makes no sense finds nothing."""
    form = DecisionFilter(request.GET)
    words = {name: word for name, word in form.cleaned_data.items() if word} if form.is_valid() else {}
    name = "decisions" if form.is_valid() else "none"
    page = LongPaginator(_found(form, words), PER_PAGE, name, words).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "is_filtered": bool(words) or not form.is_valid(),
        "cards": [draw_decision(decision) for decision in page],
        **page_context(page, "decisions", words),
        "api_url": f"{reverse('api:decisions')}?{urlencode(words)}".rstrip("?"),
    }
    return public_page(request, "leaderboard/decisions.html", context)


def _found(form: DecisionFilter, words: dict[str, str]) -> Any:
    """Decisions about public entries, newest first."""
    if not form.is_valid():
        return Decision.objects.none()
    found = Decision.objects.filter(is_placed())
    narrowed = found.filter(**{FILTERS[name]: word for name, word in words.items()})
    return list_decisions(narrowed).order_by("-pk")
