"""Rows for every list of the site, as many as asked, beside those of `site_rows`. Django must be set up."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from django.db.models import Model

from grading.models import Benchmark, Membership
from leaderboard.audit.acts import Act
from leaderboard.models import (
    Agent,
    AuditRecord,
    Decision,
    Entry,
    EntryRun,
    Flag,
    PinMove,
    Question,
    Restatement,
    Snapshot,
)
from submissions.models import Organisation, RunCardRevision, Submission, Team, TeamMember, User

BATCH = 500
NOW = datetime(2026, 6, 1, tzinfo=UTC)
LINK = "https://example.org/"
ACTS = [act.value for act in Act]


def add_rows(count: int, owner: User, maintainer: User) -> None:
    """So many more of each kind, about the first entries. `owner` gets a team with so many submissions."""
    benchmark = Benchmark.objects.get(slug="mle-bench-v1")
    team = _team_of(owner)
    public = Entry.objects.filter(benchmark=benchmark).exclude(submission__team=team).order_by("pk")[:count]
    _keep(
        Submission(team=team, benchmark=benchmark, created_by=owner, status="rejected") for _ in range(count)
    )
    own = _add_reviews(count, team, benchmark, owner)
    entries = list(chain.from_iterable(zip(public, own, strict=False)))
    _keep(_flag(at, entries, owner) for at in range(count))
    _keep(AuditRecord(at=NOW, act=ACTS[at % len(ACTS)], actor=owner) for at in range(count))
    _keep(
        Snapshot(benchmark=benchmark, digest=_hash("snapshot", at), grader_version="bench", built_at=NOW)
        for at in range(count)
    )
    _add_restatements(count, entries, maintainer)
    _add_questions(count, entries, maintainer)
    _keep(
        Organisation(name=f"Unverified {count}-{at}", slug=f"unverified-{count}-{at}") for at in range(count)
    )


def places() -> dict[str, str]:
    """What stands in braces in `load_addresses`."""
    by_status = {
        name: Submission.objects.filter(team__name="Lists", status=status)[:1].get()
        for name, status in (("submission", "rejected"), ("review", "in_review"))
    }
    return {
        "competition": Membership.objects.filter(benchmark__slug="mle-bench-v1", split="low")[:1]
        .get()
        .competition_id,
        "team": str(Team.objects.get(name="Lists").public_id),
        **{name: str(each.public_id) for name, each in by_status.items()},
    }


def _team_of(owner: User) -> Team:
    organisation, _ = Organisation.objects.get_or_create(slug="lists", defaults={"name": "Lists"})
    team, is_new = Team.objects.get_or_create(organisation=organisation, name="Lists")
    if is_new:
        TeamMember.objects.create(team=team, user=owner, role=TeamMember.Role.OWNER)
    return team


def _keep(rows: Iterator[Model] | Sequence[Model]) -> list[Any]:
    made = list(rows)
    return type(made[0])._default_manager.bulk_create(made, BATCH) if made else []


def _hash(kind: str, at: int) -> str:
    return hashlib.sha256(f"{kind} {at} {Decision.objects.count()}".encode()).hexdigest()


def _add_reviews(count: int, team: Team, benchmark: Benchmark, owner: User) -> list[Entry]:
    """Entries nobody has decided on: lines of the docket."""
    agent, _ = Agent.objects.get_or_create(
        organisation=team.organisation, slug="agent-of-lists", defaults={"name": "Agent of lists"}
    )
    waiting = _keep(
        Submission(team=team, benchmark=benchmark, created_by=owner, status="rejected") for _ in range(count)
    )
    cards = _keep(
        RunCardRevision(submission=each, number=1, document={}, digest="0" * 64) for each in waiting
    )
    for submission, card in zip(waiting, cards, strict=True):
        submission.confirmed_revision, submission.confirmed_at = card, NOW
        submission.status, submission.scope = Submission.Status.IN_REVIEW, "all"
    Submission.objects.bulk_update(waiting, ["confirmed_revision", "confirmed_at", "status", "scope"], BATCH)
    return _keep(
        Entry(
            slug=f"in-review-{each.pk}", agent=agent, benchmark=benchmark, source=Entry.Source.GRADED,
            submission=each, scope="all", version="1", run_on=NOW.date(),
        )
        for each in waiting
    )  # fmt: skip


def _flag(at: int, entries: Sequence[Entry], raiser: User) -> Flag:
    """Some public, some for the team alone."""
    raised = NOW - timedelta(days=60) if at % 4 < 2 else datetime.now(UTC)
    return Flag(
        entry=entries[at % len(entries)], raised_by=raiser, reason="Made up.", rule="None", evidence_url=LINK,
        raised_at=raised,
    )  # fmt: skip


def _decisions(kind: str, count: int, entries: Sequence[Entry], by: User, **columns: Any) -> list[Decision]:
    """Their chain says nothing: nothing here looks at it."""
    before = _hash(kind, -1)
    rows = []
    for at in range(count):
        digest = hashlib.sha256(f"{before}{at}".encode()).hexdigest()
        rows.append(
            Decision(
                kind=kind, entry=entries[at % len(entries)], reason="Made up.", rule="None", evidence_url=LINK,
                decided_by=by, effective_at=NOW, recorded_at=NOW, previous_hash=before, hash=digest, **columns,
            )
        )  # fmt: skip
        before = digest
    return _keep(rows)


def _add_restatements(count: int, entries: Sequence[Entry], by: User) -> None:
    made = _decisions(Decision.Kind.REPIN, count, entries, by, effect="0" * 64)
    _keep(
        Restatement(decision=each, split="all", figure="any_medal_mean", before=10.0, after=11.0)
        for each in made
    )
    run = EntryRun.objects.filter(grading__isnull=False).first()
    if run is None:
        return
    marks = dict.fromkeys(("outcome_before", "outcome_after"), "scored")
    marks |= dict.fromkeys(("medal_before", "medal_after"), run.medal)
    sides = dict.fromkeys(("grading_before_id", "grading_after_id"), run.grading_id)
    _keep(
        PinMove(decision=each, run=run, above_median_before=True, above_median_after=True, **marks, **sides)
        for each in made
    )


def _add_questions(count: int, entries: Sequence[Entry], by: User) -> None:
    _keep(
        Question(decision=each, entry=each.entry, text="Made up?", asked_at=NOW, due_at=NOW)
        for each in _decisions(Decision.Kind.ASK, count, entries, by)
    )
