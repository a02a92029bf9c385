"""Writing decisions to the chain, and checking the chain as it is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q

from leaderboard.integrity.appeal_record import find_altered_appeals
from leaderboard.integrity.chain import Break, Link, hash_record, verify_chain
from leaderboard.integrity.effects import find_altered_effects
from leaderboard.integrity.figures_record import find_altered_figures
from leaderboard.integrity.flag_record import find_altered_flags
from leaderboard.integrity.models import ChainHead
from leaderboard.integrity.question_record import find_altered_questions
from leaderboard.integrity.rulings import find_unbacked_claims
from leaderboard.models import Decision, Entry, Placement, Track
from submissions.models import Event, User

# Two deciders at once want the same place in the chain. One gets it, the others take the next.
ATTEMPTS = 5
# Left out of the hash where they are empty, so that the hashes of decisions from before these columns stand.
LATER_COLUMNS = ("effect", "evidence_is_private", "is_self_reported", "details")


@dataclass(frozen=True)
class Grounds:
    """Why: a reason for everybody to read, the rule it applies, and a link to the evidence.

    `evidence_is_private`: the link is for maintainers and the team alone.
    """

    reason: str
    rule: str
    evidence_url: str
    evidence_is_private: bool = False


@dataclass(frozen=True)
class Verdict:
    """A decision before it has a number. `by` is None only for decisions made elsewhere and imported.

    `effect`: the digest of what it moves beside placing the entry; empty for most. `details`: what it is about beside
    the entry, as plain JSON.
    """

    kind: Decision.Kind
    entry: Entry
    grounds: Grounds
    by: User | None
    effective_at: datetime
    track: Track | None = None
    supersedes: Decision | None = None
    is_approximate: bool = False
    effect: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    is_self_reported: bool = False


def record_decision(verdict: Verdict, now: datetime) -> Decision:
    """The numbered decision, with its placement where it names a track. To be called inside a transaction."""
    for attempt in range(1, ATTEMPTS + 1):
        decision = _chain_up(verdict, now)
        try:
            with transaction.atomic():
                decision.save()
        except IntegrityError:
            if attempt == ATTEMPTS:
                raise
        else:
            break
    _advance_head(decision)
    if verdict.track:
        Placement.objects.create(
            entry=verdict.entry, track=verdict.track, decision=decision, effective_at=verdict.effective_at
        )
    return decision


def _chain_up(verdict: Verdict, now: datetime) -> Decision:
    """The decision with its place in the chain as it stands now. Not saved."""
    decision = Decision(
        kind=verdict.kind,
        entry=verdict.entry,
        track=verdict.track,
        reason=verdict.grounds.reason.strip(),
        rule=verdict.grounds.rule.strip(),
        evidence_url=verdict.grounds.evidence_url.strip(),
        evidence_is_private=verdict.grounds.evidence_is_private,
        is_self_reported=verdict.is_self_reported,
        details=dict(verdict.details),
        decided_by=verdict.by,
        supersedes=verdict.supersedes,
        effective_at=verdict.effective_at,
        effective_is_approximate=verdict.is_approximate,
        recorded_at=now,
        effect=verdict.effect,
        previous_hash=newest_hash(),
    )
    decision.hash = hash_record(to_record(decision), decision.previous_hash)
    return decision


def _advance_head(decision: Decision) -> None:
    """Counts on from what the head says, not from the rows: a row that vanished stays missing from then on."""
    ChainHead.objects.get_or_create(pk=ChainHead.ONLY)
    ChainHead.objects.filter(pk=ChainHead.ONLY).update(
        count=F("count") + 1, number=decision.pk, hash=decision.hash
    )


def newest_hash() -> str:
    """The hash the next decision follows; empty before the first."""
    return Decision.objects.order_by("-pk").values_list("hash", flat=True).first() or ""


def to_record(decision: Decision) -> dict[str, Any]:
    """What the hash of a decision covers, as plain JSON values."""
    return {
        "kind": str(decision.kind),
        "entry": decision.entry_id,
        "track": decision.track.slug if decision.track else None,
        "reason": decision.reason,
        "rule": decision.rule,
        "evidence_url": decision.evidence_url,
        "decided_by": decision.decided_by_id,
        "supersedes": decision.supersedes_id,
        "effective_at": decision.effective_at.astimezone(UTC).isoformat(),
        "effective_is_approximate": decision.effective_is_approximate,
        "recorded_at": decision.recorded_at.astimezone(UTC).isoformat(),
        **{name: value for name in LATER_COLUMNS if (value := getattr(decision, name))},
    }


def verify_decisions() -> list[Break]:
    """Every sign that a decision, or what it placed, was edited, added or deleted behind the site's back."""
    links = chain_links()
    hashes = {link.number: link.hash for link in links}
    return [
        *verify_chain(links),
        *_misplaced(),
        *find_altered_effects(),
        *find_altered_figures(),
        *find_altered_appeals(),
        *find_altered_flags(),
        *find_altered_questions(),
        *find_unbacked_claims(),
        *_forgotten(hashes),
        *_beheaded(links),
    ]


def chain_links() -> list[Link]:
    """Every decision as a link of the chain, in its order."""
    decisions = Decision.objects.select_related("track").order_by("pk")
    return [Link(each.pk, to_record(each), each.previous_hash, each.hash) for each in decisions]


def _misplaced() -> Iterator[Break]:
    """Placements that say something else than their decision, and decisions that lost theirs."""
    fits = Q(entry=F("decision__entry"), track=F("decision__track"), effective_at=F("decision__effective_at"))
    for number in Placement.objects.exclude(fits).values_list("decision_id", flat=True):
        yield Break(number, "placed the entry elsewhere than its placement says")
    counted = Decision.objects.exclude(track=None).annotate(placed=Count("placements"))
    for number in counted.exclude(placed=1).values_list("pk", flat=True):
        yield Break(number, "has not exactly one placement")


def _forgotten(hashes: dict[int, str]) -> Iterator[Break]:
    """Decisions that events of submissions remember otherwise: no later link would miss the newest ones."""
    events = Event.objects.filter(kind="decision").order_by("pk").values_list("detail", flat=True)
    for detail in events:
        if hashes.get(detail["number"]) != detail["hash"]:
            yield Break(detail["number"], "was deleted or replaced after it was recorded")


def _beheaded(links: Sequence[Link]) -> Iterator[Break]:
    """Where the chain does not end as its head says, which also knows of decisions that left no event."""
    head = ChainHead.objects.filter(pk=ChainHead.ONLY).first() or ChainHead()
    newest, newest_hash = (links[-1].number, links[-1].hash) if links else (0, "")
    if (head.number, head.hash) != (newest, newest_hash):
        yield Break(
            head.number or newest, "is not where the chain ends now: the newest decisions were changed"
        )
    if head.count != len(links):
        yield Break(newest, f"is the newest of {len(links)} decisions, but {head.count} were recorded")
