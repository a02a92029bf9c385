"""What a team may see of a submission's runs: outcomes and counts. Scores are never read here."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Count, Func, IntegerField, QuerySet

from grading.models import Grading, Membership
from grading.splits import Split
from submissions.confirm import possible_scopes
from submissions.models import Bundle, EvidenceFile, Run, Submission
from submissions.run_line import FINE, MISSING, OUTSIDE, PENDING, RunLine, label_order

SHOWN_COLUMNS = (
    "seed",
    "competition_id",
    "grading__state",
    "grading__outcome",
    "grading__code",
    "grading__message",
)
LISTED_AT_MOST = 50


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

    @property
    def bad(self) -> int:
        """Runs with something to read: invalid, timed out and so on."""
        return sum(number for outcome, number in self.outcomes.items() if outcome not in FINE)


@dataclass(frozen=True)
class ScopeOffer:
    """What claiming a scope would mean: runs found and absent, over the seeds of the bundle.

    `missing`: seed and competition of the first absent ones.
    """

    scope: Split
    competitions: int
    found: int
    absent: int
    missing: tuple[tuple[str, str], ...]

    @property
    def expected(self) -> int:
        return self.found + self.absent

    @property
    def unlisted(self) -> int:
        return self.absent - len(self.missing)


class _ArrayLength(Func):
    """Length of a JSON list, without reading what may be megabytes."""

    function = "JSON_ARRAY_LENGTH"
    output_field = IntegerField()

    def as_postgresql(self, *args: Any, **kwargs: Any) -> tuple[str, Any]:
        return self.as_sql(*args, **{**kwargs, "function": "JSONB_ARRAY_LENGTH"})


def seed_labels(submission: Submission) -> list[str]:
    """The seeds of the bundle in the order of their labels."""
    labels = _ranked(submission).order_by().values_list("seed", flat=True).distinct()
    return sorted(labels, key=label_order)


def run_lines(submission: Submission, seeds: Collection[str] | None = None) -> list[RunLine]:
    """The runs by competition and seed, with a line for each one the scope expects and the bundle lacks.

    Of all seeds, or of these alone.
    """
    splits = _splits(submission)
    covered = _covered(submission, splits)
    runs = _ranked(submission) if seeds is None else _ranked(submission).filter(seed__in=seeds)
    found = [_line(row, splits, covered) for row in runs.values_list(*SHOWN_COLUMNS)]
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
    split, shown = splits.get(competition, ""), _shown_outcome(competition, state, outcome, covered)
    if shown in (OUTSIDE, PENDING):
        return RunLine(seed, competition, split, shown)
    return RunLine(seed, competition, split, shown, code, message)


def _shown_outcome(competition: str, state: str, outcome: str, covered: frozenset[str]) -> str:
    if competition not in covered:
        return OUTSIDE
    return outcome if state == Grading.State.DONE else PENDING


def _absent(found: Iterable[RunLine], covered: frozenset[str]) -> list[tuple[str, str]]:
    """Pairs of seed and competition without a run, for every seed of the bundle."""
    here = {(line.seed, line.competition) for line in found}
    seeds = {seed for seed, _ in here}
    return sorted({(seed, competition) for seed in seeds for competition in covered} - here)


def count_runs(submission: Submission, lines: Sequence[RunLine]) -> Counts:
    """The counts of a submission whose lines are these."""
    return _counts(submission, len({line.seed for line in lines}), Counter(line.outcome for line in lines))


def tally_runs(submission: Submission) -> Counts:
    """The same counts, summed up by the database: the cost does not grow with the bundle."""
    covered = _covered(submission, _splits(submission))
    groups = _ranked(submission).order_by().values("competition_id", "grading__state", "grading__outcome")
    outcomes: Counter[str] = Counter()
    for competition, state, outcome, runs in groups.annotate(runs=Count("pk")).values_list(
        "competition_id", "grading__state", "grading__outcome", "runs"
    ):
        outcomes[_shown_outcome(competition, state, outcome, covered)] += runs
    seeds = _ranked(submission).order_by().values("seed").distinct().count()
    missing = seeds * len(covered) - (outcomes.total() - outcomes[OUTSIDE])
    if submission.scope and missing:
        outcomes[MISSING] = missing
    return _counts(submission, seeds, outcomes)


def _counts(submission: Submission, seeds: int, outcomes: Counter[str]) -> Counts:
    """`outcomes`: of all lines, those outside the scope and missing ones included."""
    runs = outcomes.total() - outcomes[MISSING]
    expected = runs - outcomes[OUTSIDE]
    checkpoints = submission.runs.exclude(checkpoint_hours=None).count()
    ignored, evidence = _count_files(submission)
    return Counts(
        seeds=seeds,
        runs=runs,
        checkpoints=checkpoints,
        files=runs + checkpoints + evidence,
        ignored=ignored,
        expected=expected,
        graded=expected - outcomes[PENDING],
        outcomes=dict(+outcomes),
    )


def _count_files(submission: Submission) -> tuple[int, int]:
    """Ignored files of the bundle, and files of evidence; none while there is no bundle."""
    lengths = Bundle.objects.filter(submission=submission).values_list(_ArrayLength("ignored"), flat=True)
    evidence = EvidenceFile.objects.filter(bundle__submission=submission).count()
    return sum(lengths), evidence


def bad_runs(submission: Submission) -> list[RunLine]:
    """The first runs with something to read: invalid, timed out and so on, and scored ones with a note."""
    splits = _splits(submission)
    covered = _covered(submission, splits)
    found = _ranked(submission).filter(competition_id__in=covered, grading__state=Grading.State.DONE)
    found = found.exclude(grading__outcome=Grading.Outcome.SCORED, grading__message="").order_by(
        "competition_id", "seed"
    )
    return [_line(row, splits, covered) for row in found.values_list(*SHOWN_COLUMNS)[:LISTED_AT_MOST]]


def scope_offers(submission: Submission) -> list[ScopeOffer]:
    """Every scope the benchmark has, with what the bundle holds of it."""
    splits = _splits(submission)
    found = frozenset(_ranked(submission).order_by().values_list("seed", "competition_id"))
    return [
        _offer(scope, _in_scope(scope, splits), found) for scope in possible_scopes(submission.benchmark_id)
    ]


def _offer(scope: Split, covered: frozenset[str], found: frozenset[tuple[str, str]]) -> ScopeOffer:
    seeds = {seed for seed, _ in found}
    here = sum(competition in covered for _, competition in found)
    missing = tuple(islice(_missing(seeds, covered, found), LISTED_AT_MOST))
    return ScopeOffer(scope, len(covered), here, len(seeds) * len(covered) - here, missing)


def _missing(
    seeds: set[str], covered: frozenset[str], found: frozenset[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    competitions = sorted(covered)
    pairs = ((seed, competition) for seed in sorted(seeds) for competition in competitions)
    return (pair for pair in pairs if pair not in found)
