"""The claims of a submission: its run card and bundle held against the checks, and the track they earn."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from grading.splits import Split
from leaderboard.evidence.stage import facts_of
from leaderboard.integrity.checks import (
    ClaimResult,
    Disclosure,
    EntryContext,
    RunFacts,
    SeedFacts,
    Severity,
    State,
    run_checks,
)
from leaderboard.integrity.proposal import Proposal, TrackRule, propose_track
from leaderboard.models import Claim, Track
from leaderboard.reports import compare_gradings
from submissions.cards import latest_card
from submissions.confirm import possible_scopes, scope_competitions
from submissions.models import Submission
from submissions.run_card import attest, normalise

# Seed, competition id, and the grading's outcome once there is one.
RunRow = tuple[str, str, str | None]
WHOEVER_CONFIRMS: Final = "The member who confirms"


def proposal_for(submission: Submission, scope: Split | None = None) -> Proposal:
    """The strictest track the claims earn, and why no stricter one.

    From the recorded claims once a review is open, else from the run card as it stands now. `scope`: that of
    the submission if not given; before the team has declared one, the narrowest that holds all its runs.
    """
    claims = recorded_claims(submission) or run_checks(disclosure_of(submission, scope))
    return propose_track(claims, track_rules())


def recorded_claims(submission: Submission) -> list[ClaimResult]:
    """The claims as they were recorded when the review opened; none before."""
    return [_to_result(claim) for claim in submission.claims.all()]


def track_rules() -> list[TrackRule]:
    """The tracks of the database as rules, strictest first."""
    return [
        TrackRule(
            slug=track.slug,
            title=track.title,
            summary=track.summary,
            order=track.position,
            required_checks=tuple(track.required_checks),
            accepts={code: tuple(answers) for code, answers in track.accepts.items()},
            includes=tuple(other.slug for other in track.shows_also.all()),
            ranked=track.is_ranked,
            warned=track.is_warned,
        )
        for track in Track.objects.prefetch_related("shows_also")
    ]


def disclosure_of(submission: Submission, scope: Split | None = None) -> Disclosure:
    """The run card the team confirmed (before that, the newest) beside what its bundle holds."""
    ranked = submission.runs.filter(checkpoint_hours=None).order_by()
    runs = list(ranked.values_list("seed", "competition_id", "grading__outcome"))
    scope = scope or (Split(submission.scope) if submission.scope else _narrowest_scope(submission, runs))
    return Disclosure(
        _document_of(submission),
        RunFacts(scope_competitions(submission.benchmark_id, scope), _seed_facts(runs)),
        EntryContext(report=compare_gradings(submission), logs=facts_of(submission)),
    )


def _document_of(submission: Submission) -> dict[str, Any]:
    """Until the team confirms, as it will be when it does: confirming gives the attestation, whoever does it."""
    card = submission.confirmed_revision or latest_card(submission)
    if card is None:
        return {}
    if submission.status == Submission.Status.AWAITING_TEAM:
        return attest(card.document, WHOEVER_CONFIRMS, f"{submission.created_at:%Y-%m-%d}")
    return normalise(card.document)


def _narrowest_scope(submission: Submission, runs: Iterable[RunRow]) -> Split:
    """The first scope of the benchmark that holds every run, else `all`."""
    competitions = {competition for _, competition, _ in runs}
    for scope in possible_scopes(submission.benchmark_id):
        if competitions <= scope_competitions(submission.benchmark_id, scope):
            return scope
    return Split.ALL


def _seed_facts(runs: Iterable[RunRow]) -> dict[str, SeedFacts]:
    by_seed = groupby(sorted(runs, key=itemgetter(0)), key=itemgetter(0))
    return {seed: _facts_of(list(of_seed)) for seed, of_seed in by_seed}


def _facts_of(runs: Sequence[RunRow]) -> SeedFacts:
    outcomes = Counter(outcome for _, _, outcome in runs if outcome)
    return SeedFacts(frozenset(competition for _, competition, _ in runs), dict(outcomes))


def record_claims(submission: Submission) -> None:
    """Writes one claim per check. For a submission that has none yet."""
    Claim.objects.bulk_create(
        Claim(
            submission=submission,
            code=result.code,
            title=result.title,
            state=result.state.value,
            severity=result.severity.value,
            holds=result.holds,
            sentence=result.sentence,
            evidence=dict(result.evidence),
        )
        for result in run_checks(disclosure_of(submission))
    )


def _to_result(claim: Claim) -> ClaimResult:
    return ClaimResult(
        code=claim.code,
        title=claim.title,
        state=State(claim.state),
        holds=claim.holds,
        sentence=claim.sentence,
        evidence=claim.evidence,
        severity=Severity(claim.severity),
    )
