"""The claims of a submission: its run card and bundle held against the checks, and the track they earn."""

from collections import Counter
from collections.abc import Iterable, Sequence

from grading.splits import Split
from leaderboard.integrity.checks import (
    ClaimResult,
    Disclosure,
    RunFacts,
    SeedFacts,
    Severity,
    State,
    run_checks,
)
from leaderboard.integrity.proposal import Proposal, TrackRule, propose_track
from leaderboard.models import Claim, Track
from submissions.cards import latest_card
from submissions.confirm import possible_scopes, scope_competitions
from submissions.models import Run, Submission
from submissions.run_card import normalise


def proposal_for(submission: Submission, scope: Split | None = None) -> Proposal:
    """The strictest track the claims earn, and why no stricter one.

    From the recorded claims once a review is open, else from the run card as it stands now. `scope`: that of
    the submission if not given; before the team has declared one, the narrowest that holds all its runs.
    """
    recorded = [_to_result(claim) for claim in submission.claims.all()]
    claims = recorded or run_checks(disclosure_of(submission, scope))
    return propose_track(claims, track_rules())


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
    card = submission.confirmed_revision or latest_card(submission)
    document = normalise(card.document) if card else {}
    runs = list(submission.runs.filter(checkpoint_hours=None).select_related("grading"))
    scope = scope or (Split(submission.scope) if submission.scope else _narrowest_scope(submission, runs))
    return Disclosure(
        document, RunFacts(scope_competitions(submission.benchmark_id, scope), _seed_facts(runs))
    )


def _narrowest_scope(submission: Submission, runs: Iterable[Run]) -> Split:
    """The first scope of the benchmark that holds every run, else `all`."""
    competitions = {run.competition_id for run in runs}
    for scope in possible_scopes(submission.benchmark_id):
        if competitions <= scope_competitions(submission.benchmark_id, scope):
            return scope
    return Split.ALL


def _seed_facts(runs: Sequence[Run]) -> dict[str, SeedFacts]:
    labels = sorted({run.seed for run in runs})
    return {label: _facts_of([run for run in runs if run.seed == label]) for label in labels}


def _facts_of(runs: Sequence[Run]) -> SeedFacts:
    outcomes = Counter(run.grading.outcome for run in runs if run.grading and run.grading.outcome)
    return SeedFacts(frozenset(run.competition_id for run in runs), dict(outcomes))


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
