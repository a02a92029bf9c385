"""An entry's page: its figures, what they rest on, and everything that was decided about it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from grading.splits import Split
from leaderboard.attempts import attempt_of
from leaderboard.charts.time_scaling import charts_over_time
from leaderboard.entry_charts import charts_of
from leaderboard.entry_facts import facts_of
from leaderboard.entry_page import decisions_of, figures_of, history_of, masked_on, results_of
from leaderboard.entry_record import record_of
from leaderboard.entry_statistics import statistics_of
from leaderboard.flag_page import flag_card, public_flags
from leaderboard.masks import masks_of, show_masks
from leaderboard.models import Decision, Entry, Flag
from leaderboard.public import public_entries
from leaderboard.reports import compare_claims
from leaderboard.restatements import restated_by, restating_decisions, with_restatements
from leaderboard.run_ledger import ledger_of
from leaderboard.standings import current_placement
from leaderboard.time_scaling import course_of
from leaderboard.views.shared import public_page
from submissions.run_card import form_fields, undisclosed


@require_safe
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """A published entry. Before publication there is nothing here, for maintainers either."""
    found = get_object_or_404(public_entries(), slug=slug)
    return public_page(request, "leaderboard/entry.html", _context(found))


@require_safe
def by_number(request: HttpRequest, number: int) -> HttpResponse:
    """The permanent number leads to the page, whatever its words are."""
    return redirect("entry", get_object_or_404(public_entries(), pk=number).slug)


def _context(found: Any) -> dict[str, Any]:
    decisions = decisions_of(found)
    now = timezone.now()
    placement = current_placement(found, now)
    figures = figures_of(found)
    headline, results = _headline(found, figures), results_of(found)
    statistics, masks = statistics_of(found, placement), masks_of(found)
    return {
        "entry": found,
        "placement": placement,
        "statistics": statistics,
        "placing": next((card for card in decisions if _places(card)), None),
        "figures": figures,
        "headline": headline,
        "masks": show_masks(masks),
        "masked_count": len(masks),
        "masked": masked_on(found, masks, figures),
        "has_parts": any(result and result.gold_mean is not None for _, result in figures),
        "results": results,
        "charts": [
            *charts_of(headline[0], headline[1], results, statistics),
            *charts_over_time(course_of(found)),
        ],
        "report": compare_claims(found),
        "flags": found.flags.filter(state=Flag.State.UPHELD).select_related("decision"),
        "flag_cards": [flag_card(flag, now) for flag in public_flags(now).filter(entry=found)],
        "facts": [*facts_of(found), *_on_record(found)],
        "decisions": decisions,
        "record": record_of(found, [card["decision"] for card in decisions]),
        "ledger": ledger_of(found),
        "restated": [restated_by(each) for each in with_restatements(restating_decisions(entry=found))],
        "history": history_of(found, decisions),
        **_disclosure(found),
    }


def _places(card: dict[str, Any]) -> bool:
    """Whether the decision put the entry somewhere, or took it away."""
    decision = card["decision"]
    return decision.track is not None or decision.kind == Decision.Kind.WITHDRAW


def _headline(found: Entry, figures: list[Any]) -> Any:
    """The split the entry claims as a whole, else the first it has."""
    by_split = dict(figures)
    scope = Split(found.scope)
    return (scope, by_split.get(scope))


def _disclosure(found: Entry) -> dict[str, Any]:
    """The confirmed run card with the states of its claims; nothing for imported rows, which have none."""
    submission = found.submission
    if submission is None or submission.confirmed_revision is None:
        return {"card": None}
    card = submission.confirmed_revision
    claims = list(submission.claims.all())
    return {
        "card": card,
        "sections": form_fields(card.document, blank_rows=0),
        "open_questions": undisclosed(card.document),
        "claims": claims,
        "standing_claims": sum(claim.holds for claim in claims),
    }


def _on_record(found: Entry) -> list[dict[str, Any]]:
    attempt = attempt_of(found)
    return [{"term": "On record", "value": str(attempt)}] if attempt else []
