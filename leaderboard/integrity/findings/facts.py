"""What the signals are given, and what one of them answers. Sentences and evidence hold no score."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grading.medals import Medal
from leaderboard.integrity.checks.base import Severity


@dataclass(frozen=True)
class Run:
    """One graded run: `csv` is a fingerprint of the file that is equal exactly where files are.

    `note`: the code of what the grader noted of a file that has a score all the same.
    """

    seed: str
    competition: str
    csv: str
    score: float | None
    medal: Medal
    above_median: bool
    note: str = ""

    @property
    def place(self) -> str:
        return f"{self.seed}/{self.competition}"


@dataclass(frozen=True)
class CompetitionFacts:
    """How scores are read, the human cut-offs, and whether a leak of its labels is known.

    `plausible_margin`: how far beyond gold a score may honestly be, in the metric's own unit; None where its file
    does not say.
    """

    lower_is_better: bool
    gold: float | None = None
    median: float | None = None
    has_known_leak: bool = False
    plausible_margin: float | None = None


@dataclass(frozen=True)
class EarlierSubmission:
    """An earlier submission of the same organisation. `csvs`: seed and competition to fingerprint."""

    name: str
    csvs: Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class Twin:
    """Another organisation's submission that shares something. `what`: bundle, csv, card or people; `places` where."""

    name: str
    what: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """A run and one that is all but equal. `likeness`: 1 for the same predictions, however written."""

    place: str
    other: str
    likeness: float

    def __str__(self) -> str:
        return f"{self.place} and {self.other}"


@dataclass(frozen=True)
class Alike:
    """Runs all but equal to those of the submission `name`. `of`: stranger, earlier or seed, as in `alike.py`."""

    of: str
    name: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class SubmissionFacts:
    """All that is known of a graded submission when its review opens; `alike` only once it has been compared."""

    runs: tuple[Run, ...]
    competitions: Mapping[str, CompetitionFacts]
    earlier: tuple[EarlierSubmission, ...] = ()
    twins: tuple[Twin, ...] = ()
    alike: tuple[Alike, ...] = ()

    @cached_property
    def by_competition(self) -> Mapping[str, list[Run]]:
        """The runs of each competition, in order of id and seed."""
        grouped: dict[str, list[Run]] = defaultdict(list)
        for run in sorted(self.runs, key=lambda run: (run.competition, run.seed)):
            grouped[run.competition].append(run)
        return grouped

    @cached_property
    def csvs(self) -> Mapping[tuple[str, str], str]:
        return {(run.seed, run.competition): run.csv for run in self.runs}


@dataclass(frozen=True)
class Found:
    """One thing found: a sentence for maintainers and the evidence behind it, as plain JSON."""

    sentence: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FindingKind:
    """One kind of finding. `meaning` says what may lie behind it, and what innocent reasons there are."""

    code: str
    title: str
    severity: Severity
    meaning: str


@dataclass(frozen=True)
class Signal(FindingKind):
    """One that comes of the facts of a submission alone."""

    find: Callable[[SubmissionFacts], Iterable[Found]]
