"""What is said to maintainers of code that is like other code. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import FindingKind

# Percent of the one file or of the other, as the benchmark's own plagiarism check has it.
ALIKE: Final = 60.0
# Of fewer tokens, some twenty lines, two people write the same by chance.
ENOUGH_TOKENS: Final = 150


OTHERS: Final = FindingKind(
    code="code-of-others",
    title="Code of another organisation",
    severity=Severity.WARNING,
    meaning="A solution was passed on. Innocent: both use the same published scaffold or baseline.",
)
NOTEBOOK: Final = FindingKind(
    code="code-of-notebook",
    title="Code of a published notebook",
    severity=Severity.WARNING,
    meaning="A solution of the competition was copied, or known by heart. Innocent: a common recipe of many lines.",
)
EARLIER: Final = FindingKind(
    code="code-of-earlier",
    title="Code of an earlier submission",
    severity=Severity.NOTICE,
    meaning="Solutions were carried over between attempts. Innocent: the same agent in a newer version.",
)
SIGNALS: Final = (OTHERS, NOTEBOOK, EARLIER)


@dataclass(frozen=True)
class Alike:
    """A file that is alike: its path, the other's, and the larger of the two shares."""

    path: str
    other: str
    share: float


def say_alike(whose: str, alike: Sequence[Alike]) -> str:
    """`2 files are up to 97 % like code of …: a/code/x.py, b/code/y.py.`"""
    files = list(dict.fromkeys(each.path for each in alike))
    most = max(each.share for each in alike)
    number = "One file is" if len(files) == 1 else f"{len(files)} files are"
    upto = "" if len(files) == 1 else "up to "
    return f"{number} {upto}{most:.0f} % like {whose}: {listed(files)}."
