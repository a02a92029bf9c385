"""What a check is given and what it says: words shared by every check."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from leaderboard.evidence.facts import EvidenceFacts
from leaderboard.grading_reports import Comparison
from submissions.run_card import title_of, undisclosed

# So many names a sentence lists.
LISTED: Final = 10

CLEAN: Final = "clean"
NO_PRIVATE_LB: Final = "no-private-lb"


class State(StrEnum):
    """Who says so, and how we know."""

    DECLARED = "declared"
    MACHINE_CHECKED = "machine_checked"
    MAINTAINER_VERIFIED = "maintainer_verified"
    CONTRADICTED = "contradicted"
    UNDISCLOSED = "undisclosed"

    @property
    def stands(self) -> bool:
        """True where there is an answer that nothing speaks against."""
        return self not in (State.CONTRADICTED, State.UNDISCLOSED)


class Severity(StrEnum):
    """How much a claim that does not stand weighs for a reader."""

    INFO = "info"
    NOTICE = "notice"
    WARNING = "warning"
    SERIOUS = "serious"


@dataclass(frozen=True)
class SeedFacts:
    """One seed in the bundle: competitions with a CSV, and gradings by outcome once there are some."""

    present: frozenset[str]
    outcomes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class RunFacts:
    """The competitions of the declared scope, and the seeds of the bundle by label."""

    scope: frozenset[str]
    seeds: Mapping[str, SeedFacts]

    def has(self, seed: str, competition: str) -> bool:
        """True if the bundle holds a CSV of this run."""
        return seed in self.seeds and competition in self.seeds[seed].present


@dataclass(frozen=True)
class EntryContext:
    """What the site itself knows about the entry. `report`: the team's own grading report beside our grading.

    `logs`: what its logs and code say; None where there are none, or they are not read yet.
    """

    graded_here: bool = True
    report: Comparison | None = None
    logs: EvidenceFacts | None = None


@dataclass(frozen=True)
class Disclosure:
    """A normalised run card beside the facts it is held against."""

    document: Mapping[str, Any]
    runs: RunFacts
    entry: EntryContext = EntryContext()

    def part(self, name: str) -> Mapping[str, Any]:
        """A section of the run card; empty where it was left out."""
        return self.document.get(name) or {}

    def rows(self, section: str, name: str) -> list[Mapping[str, Any]]:
        return list(self.part(section).get(name) or [])

    @cached_property
    def open_questions(self) -> list[str]:
        """Paths of the questions that Clean needs answered and the run card leaves open."""
        return undisclosed(self.document)

    @property
    def logs(self) -> EvidenceFacts:
        """What the logs say; nothing at all where nobody has read them."""
        return self.entry.logs or EvidenceFacts()

    @property
    def seeds(self) -> list[str]:
        """Labels of run card and bundle together, sorted; a seed without any CSV is one that failed."""
        return sorted({*self.part("seeds").get("labels", ()), *self.runs.seeds})

    @property
    def missing(self) -> list[tuple[str, str]]:
        """Seed and competition of every run of the scope without a CSV, sorted."""
        runs = ((seed, competition) for seed in self.seeds for competition in sorted(self.runs.scope))
        return [run for run in runs if not self.runs.has(*run)]


@dataclass(frozen=True)
class Verdict:
    """What one check found: state, a sentence for readers, the answer as tracks accept it, evidence."""

    state: State
    sentence: str
    answer: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ClaimResult:
    """A verdict with the check that gave it. The evidence is plain JSON and holds the answer.

    `holds` is true if the claim stands with an answer that the strictest track of the check takes.
    """

    code: str
    title: str
    state: State
    holds: bool
    sentence: str
    evidence: Mapping[str, Any]
    severity: Severity

    @property
    def answer(self) -> str:
        return str(self.evidence.get("answer", ""))


@dataclass(frozen=True)
class Check:
    """One question asked of every entry. `fields`: the run card questions it needs; `tracks`: who needs it, strictest
    first, or nobody.

    `accepts` lists the answers a track takes; a track that is not in it takes any.
    """

    code: str
    title: str
    severity: Severity
    sentence: str
    tracks: tuple[str, ...]
    fields: tuple[str, ...]
    judge: Callable[[Disclosure], Verdict]
    accepts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def run(self, disclosure: Disclosure) -> ClaimResult:
        """The claim of this disclosure. The judge is asked only if no question of the check is open."""
        still_open = [path for path in disclosure.open_questions if self._covers(path)]
        verdict = _open(still_open) if still_open else self.judge(disclosure)
        return ClaimResult(
            code=self.code,
            title=self.title,
            state=verdict.state,
            holds=verdict.state.stands and self._accepts(verdict.answer),
            sentence=verdict.sentence,
            evidence={**verdict.evidence, "answer": verdict.answer},
            severity=self._severity(verdict.state),
        )

    def _covers(self, path: str) -> bool:
        return any(path == name or path.startswith(f"{name}.") for name in self.fields)

    def _accepts(self, answer: str) -> bool:
        return not self.tracks or answer in self.accepts.get(self.tracks[0], (answer,))

    def _severity(self, state: State) -> Severity:
        if state is State.CONTRADICTED:
            return Severity.SERIOUS
        return Severity.INFO if state.stands else self.severity


def declared(sentence: str, answer: str = "", **evidence: Any) -> Verdict:
    return Verdict(State.DECLARED, sentence, answer, evidence)


def machine_checked(sentence: str, answer: str = "", **evidence: Any) -> Verdict:
    return Verdict(State.MACHINE_CHECKED, sentence, answer, evidence)


def contradicted(sentence: str, answer: str = "", **evidence: Any) -> Verdict:
    return Verdict(State.CONTRADICTED, sentence, answer, evidence)


def not_disclosed(sentence: str, answer: str = "", **evidence: Any) -> Verdict:
    return Verdict(State.UNDISCLOSED, sentence, answer, evidence)


def counted(number: int, noun: str) -> str:
    """`1 seed`, `2 seeds`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Iterable[str]) -> str:
    """`a, b and 3 more`."""
    names = list(names)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


def _open(paths: list[str]) -> Verdict:
    return not_disclosed(f"Not answered: {', '.join(map(title_of, paths))}.", open=paths)
