"""What a team may see of a submission's runs: outcomes and counts. Scores are never read here."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from grading.models import Grading, Membership
from grading.splits import Split
from submissions.confirm import possible_scopes
from submissions.models import Run, Submission
from submissions.run_line import MISSING, OUTSIDE, PENDING, RunLine

SHOWN_COLUMNS = (
    "seed",
    "competition_id",
    "grading__state",
    "grading__outcome",
    "grading__code",
    "grading__message",
)


@dataclass(frozen=True)
class Counts:
    """Numbers for people: of the bundle (files, ignored, checkpoints) and of its runs."""

    seeds: int
    runs: int
    checkpoints: int
    files: int
    ignored: int
    expected: int
    graded: int
    outcomes: dict[str, int]


@dataclass(frozen=True)
class ScopeOffer:
    """What claiming a scope would mean: runs found and absent, over the seeds of the bundle."""

    scope: Split
    competitions: int
    found: int
    missing: tuple[tuple[str, str], ...]

    @property
    def expected(self) -> int:
        return self.found + len(self.missing)


def run_lines(submission: Submission) -> list[RunLine]:
    """The runs by competition and seed, with a line for each one the scope expects and the bundle lacks."""
    splits = _splits(submission)
    covered = _covered(submission, splits)
    found = [_line(row, splits, covered) for row in _ranked(submission).values_list(*SHOWN_COLUMNS)]
    absent = _absent(found, covered) if submission.scope else []
    lines = [
        *found,
        *(RunLine(seed, competition, splits[competition], MISSING) for seed, competition in absent),
    ]
    return sorted(lines, key=lambda line: (line.competition, line.seed))


def _splits(submission: Submission) -> dict[str, str]:
    members = Membership.objects.filter(benchmark_id=submission.benchmark_id)
    return dict(members.values_list("competition_id", "split"))


def _covered(submission: Submission, splits: dict[str, str]) -> frozenset[str]:
    """Competitions of the scope; all of the benchmark while no scope is claimed."""
    if not submission.scope:
        return frozenset(splits)
    return _in_scope(Split(submission.scope), splits)


def _in_scope(scope: Split, splits: dict[str, str]) -> frozenset[str]:
    return frozenset(competition for competition, split in splits.items() if split in scope.members)


def _ranked(submission: Submission) -> QuerySet[Run]:
    return submission.runs.filter(checkpoint_hours=None)


def _line(row: tuple[str, ...], splits: dict[str, str], covered: frozenset[str]) -> RunLine:
    seed, competition, state, outcome, code, message = row
    split = splits.get(competition, "")
    if competition not in covered:
        return RunLine(seed, competition, split, OUTSIDE)
    if state != Grading.State.DONE:
        return RunLine(seed, competition, split, PENDING)
    return RunLine(seed, competition, split, outcome, code, message)


def _absent(found: Iterable[RunLine], covered: frozenset[str]) -> list[tuple[str, str]]:
    """Pairs of seed and competition without a run, for every seed of the bundle."""
    here = {(line.seed, line.competition) for line in found}
    seeds = {seed for seed, _ in here}
    return sorted({(seed, competition) for seed in seeds for competition in covered} - here)


def count_runs(submission: Submission, lines: Sequence[RunLine]) -> Counts:
    """The counts of a submission whose lines are these."""
    in_scope = [line for line in lines if line.outcome != OUTSIDE]
    outcomes = Counter(line.outcome for line in in_scope)
    bundle = getattr(submission, "bundle", None)
    runs = sum(line.outcome != MISSING for line in lines)
    checkpoints = submission.runs.exclude(checkpoint_hours=None).count()
    return Counts(
        seeds=len({line.seed for line in in_scope}),
        runs=runs,
        checkpoints=checkpoints,
        files=runs + checkpoints + (bundle.evidence.count() if bundle else 0),
        ignored=len(bundle.ignored) if bundle else 0,
        expected=len(in_scope) - outcomes[MISSING],
        graded=len(in_scope) - outcomes[MISSING] - outcomes[PENDING],
        outcomes=dict(outcomes),
    )


def scope_offers(submission: Submission) -> list[ScopeOffer]:
    """Every scope the benchmark has, with what the bundle holds of it."""
    splits = _splits(submission)
    lines = [_line(row, splits, frozenset(splits)) for row in _ranked(submission).values_list(*SHOWN_COLUMNS)]
    return [
        _offer(scope, _in_scope(scope, splits), lines) for scope in possible_scopes(submission.benchmark_id)
    ]


def _offer(scope: Split, covered: frozenset[str], lines: list[RunLine]) -> ScopeOffer:
    found = sum(line.competition in covered for line in lines)
    return ScopeOffer(scope, len(covered), found, tuple(_absent(lines, covered)))
