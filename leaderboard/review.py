"""From graded to in review: the entry, its pinned runs and figures, its claims. Nothing is published here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from grading.fault_points import fault_point
from grading.splits import Split
from leaderboard.agents import agent_of
from leaderboard.contamination.raising import compare_medals
from leaderboard.evidence.raising import raise_log_findings
from leaderboard.evidence.stage import is_awaited, not_awaited
from leaderboard.fingerprints.reading import make_due
from leaderboard.integrity.claims import record_claims
from leaderboard.integrity.raise_findings import raise_findings
from leaderboard.models import Entry
from leaderboard.results import record_results
from leaderboard.slugs import readable_slug
from submissions.confirm import runs_in_scope
from submissions.models import Submission
from submissions.run_card import normalise
from submissions.states import StatusConflict, move

Status = Submission.Status
ENTRY_CREATED = fault_point("entry_created")
FINDINGS_RAISED = fault_point("findings_raised")
REVIEW_OPENED = fault_point("review_opened")
Card = Mapping[str, Any]


def open_review(submission: Submission, now: datetime) -> bool:
    """Whether the submission went from graded to in review now, with all that a review needs.

    Not while its logs and code are still to be read. All or nothing, so it may be killed anywhere and called any
    number of times. It places nothing: only a maintainer's decision publishes.
    """
    if is_awaited(submission):
        return False
    try:
        with transaction.atomic():
            # First the move: it is the claim, and only one caller gets it.
            move(submission, Status.IN_REVIEW, at=now)
            _open(submission, now)
    except StatusConflict:
        return False
    REVIEW_OPENED.reach()
    return True


def find_graded() -> list[UUID]:
    """Public ids of graded submissions, whose review nobody opened: the ring was lost, or the worker killed."""
    graded = not_awaited(Submission.objects.filter(status=Status.GRADED))
    return list(graded.values_list("public_id", flat=True))


def _open(submission: Submission, now: datetime) -> None:
    revision = submission.confirmed_revision
    assert revision is not None, "what is graded has been confirmed"
    card = normalise(revision.document)
    entry = _create_entry(submission, card)
    ENTRY_CREATED.reach()
    runs = runs_in_scope(submission, Split(submission.scope)).select_related("grading")
    record_results(entry, runs, _absent_runs(card))
    record_claims(submission)
    raise_findings(entry, now)
    compare_medals(entry, now)
    raise_log_findings(submission, now)
    make_due(submission)
    FINDINGS_RAISED.reach()


def _create_entry(submission: Submission, card: Card) -> Entry:
    organisation = submission.team.organisation
    name = _part(card, "scaffold").get("name") or f"Unnamed agent of {organisation}"
    return Entry.objects.create(
        slug=f"{readable_slug(name, 120, 'entry')}-{submission.public_id.hex[:8]}",
        agent=agent_of(organisation, name),
        benchmark=submission.benchmark,
        source=Entry.Source.GRADED,
        submission=submission,
        scope=submission.scope,
        run_on=submission.created_at.date(),
        **_disclosed(card),
    )


def _disclosed(card: Card) -> dict[str, Any]:
    """The entry's columns that come from the run card; open questions stay empty."""
    scaffold, compute, llms = (
        _part(card, "scaffold"),
        _part(_part(card, "compute"), "default"),
        card.get("llms", []),
    )
    return {
        "version": scaffold.get("version", ""),
        "commit": scaffold.get("commit") or scaffold.get("archive_sha256", ""),
        "url": scaffold.get("source_url") or scaffold.get("report_url", ""),
        "source_available": _source_available(scaffold),
        "llms": list(dict.fromkeys(row["id"] for row in llms if "id" in row)),
        "no_llm": scaffold.get("uses_llm") is False and not llms,
        "hours": compute.get("hours_allowed", compute.get("hours_used")),
        "vcpus": compute.get("vcpus"),
        "ram_gb": compute.get("ram_gb"),
        "gpus": compute.get("gpu_count"),
        "gpu_model": compute.get("gpu_model", ""),
        "cost_usd": _part(card, "cost").get("usd"),
    }


def _source_available(scaffold: Card) -> bool | None:
    """None where the card does not say: neither a link, nor "closed", nor a promise."""
    if "source_url" in scaffold:
        return True
    return False if scaffold.get("closed") or "source_promise" in scaffold else None


def _absent_runs(card: Card) -> dict[tuple[str, str], str]:
    """The team's reason for each run it says is missing, by seed and competition."""
    rows = _part(card, "seeds").get("missing", [])
    named = [row for row in rows if "seed" in row and "competition" in row]
    return {(row["seed"], row["competition"]): row.get("missing_reason", "") for row in named}


def _part(section: Card, name: str) -> Card:
    found = section.get(name)
    return found if isinstance(found, Mapping) else {}
