"""An entry's page: its figures, what they rest on, and everything that was decided about it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from grading.splits import Split
from leaderboard.entry_page import decisions_of, figures_of, history_of, results_of
from leaderboard.models import Decision, Entry, Flag
from leaderboard.public import public_entries
from leaderboard.reports import compare_claims
from leaderboard.standings import current_placement
from leaderboard.views.shared import public_page
from submissions.run_card import form_fields, undisclosed

ARCHIVE_DIGITS, SHOWN_DIGITS = 64, 12
CODE = {True: "available", False: "not available", None: None}


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
    figures = figures_of(found)
    return {
        "entry": found,
        "placement": current_placement(found, timezone.now()),
        "placing": next((card for card in decisions if _places(card)), None),
        "figures": figures,
        "headline": _headline(found, figures),
        "has_parts": any(result and result.gold_mean is not None for _, result in figures),
        "results": results_of(found),
        "report": compare_claims(found),
        "flags": found.flags.filter(state=Flag.State.UPHELD).select_related("decision"),
        "facts": _facts(found),
        "decisions": decisions,
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


def _facts(found: Entry) -> list[dict[str, Any]]:
    """What the board says of the entry, a little longer. None prints as undisclosed."""
    return [
        {"term": "Organisation", "value": found.agent.organisation.name},
        {
            "term": "Version",
            "value": found.version or None,
            "note": name_source(found.commit),
        },
        {"term": "LLMs", "value": ", ".join(found.llms) or ("none" if found.no_llm else None)},
        {"term": "Hours allowed", "value": _number(found.hours)},
        {"term": "GPU", "value": _gpu(found)},
        {"term": "vCPUs", "value": _number(found.vcpus)},
        {"term": "RAM", "value": f"{found.ram_gb:g} GB" if found.ram_gb is not None else None},
        {"term": "Cost", "value": f"{found.cost_usd:,.2f} USD" if found.cost_usd is not None else None},
        {"term": "Code", "value": CODE[found.source_available]},
        *([{"term": "Link", "value": found.url, "url": found.url}] if found.url else []),
        {"term": "Run on", "value": found.run_on.isoformat()},
        {"term": "Scope", "value": found.get_scope_display()},
    ]


def name_source(commit: str) -> str:
    """A commit, or the digest of an archive, which is longer than any commit; its beginning tells it apart."""
    if not commit:
        return ""
    kind = "archive SHA-256" if len(commit) == ARCHIVE_DIGITS else "commit"
    return f"{kind} {commit[:SHOWN_DIGITS]}"


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:g}"


def _gpu(found: Entry) -> str | None:
    if found.gpus is None:
        return found.gpu_model or None
    return f"{found.gpus:g} × {found.gpu_model or 'GPU'}" if found.gpus else "none"
