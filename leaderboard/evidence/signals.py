"""What maintainers are told of logs and code: one finding per pattern, and one for what was not read. Pure.

Sentences name runs and counts, never a line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.evidence.facts import EvidenceFacts, Seen
from leaderboard.evidence.patterns import Pattern
from leaderboard.integrity.checks.base import Severity, counted, listed
from leaderboard.integrity.findings.facts import FindingKind

PREFIX: Final = "logs-"


@dataclass(frozen=True)
class LogFinding:
    """One thing found, with how much it weighs here."""

    signal: FindingKind
    severity: Severity
    sentence: str
    evidence: dict[str, object]


UNREAD: Final = FindingKind(
    code="logs-unread",
    title="Logs or code that were not read",
    severity=Severity.NOTICE,
    meaning="Something may lie where nobody looked. Innocent: large logs, or compressed ones.",
)
GIVEN_UP: Final = FindingKind(
    code="logs-given-up",
    title="Reading of logs and code given up",
    severity=Severity.WARNING,
    meaning="Nothing is known of logs and code: every attempt failed. Innocent: a fault of ours.",
)


def signal_of(pattern: Pattern) -> FindingKind:
    return FindingKind(f"{PREFIX}{pattern.code}", pattern.title, pattern.severity, pattern.meaning)


def log_signals(patterns: Sequence[Pattern]) -> tuple[FindingKind, ...]:
    """All of them, in the order of pages and docs. What is merely counted raises nothing."""
    return (*(signal_of(each) for each in patterns if _raises(each)), UNREAD, GIVEN_UP)


def _raises(pattern: Pattern) -> bool:
    return pattern.severity is not Severity.INFO


def find_in_logs(facts: EvidenceFacts, patterns: Sequence[Pattern]) -> Iterator[LogFinding]:
    for pattern in filter(_raises, patterns):
        if seen := facts.seen.get(pattern.code):
            places = {"runs": dict(seen.runs), "elsewhere": seen.elsewhere, "code": seen.in_code}
            evidence = {place: lines for place, lines in places.items() if lines}
            yield LogFinding(signal_of(pattern), _weight(pattern, seen), sentence_of(seen), evidence)
    if facts.is_given_up:
        yield LogFinding(GIVEN_UP, GIVEN_UP.severity, "Every attempt to read logs and code failed.", {})
    if facts.unread:
        files = len(facts.unread) + facts.unread_more
        names = [f"{unread.path} ({unread.reason})" for unread in facts.unread]
        sentence = f"Not read, or not to the end: {counted(files, 'file')}."
        yield LogFinding(UNREAD, UNREAD.severity, sentence, {"files": names})


def _weight(pattern: Pattern, seen: Seen) -> Severity:
    """Less where no log of a run says so: code may never have run, and other logs may be the team's own."""
    return pattern.severity if seen.runs else Severity.NOTICE


def sentence_of(seen: Seen) -> str:
    """`4 lines: in the logs of 0/a and 1/a; 2 in code.`"""
    places = []
    if seen.runs:
        places.append(f"{sum(seen.runs.values())} in the logs of {listed(sorted(seen.runs))}")
    if seen.elsewhere:
        places.append(f"{seen.elsewhere} in logs of no single run")
    if seen.in_code:
        places.append(f"{seen.in_code} in code")
    return f"{counted(seen.lines, 'line')}: {'; '.join(places)}."
