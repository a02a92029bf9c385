"""What is said to maintainers of medals that are far outside what other entries show. Pure."""

from typing import Final

from leaderboard.contamination.lines import BEFORE, JUMP, LEAKY, PROMPT
from leaderboard.integrity.checks.base import Severity
from leaderboard.integrity.findings.facts import FindingKind

SIGNALS: Final = (
    FindingKind(
        code=f"contamination-{BEFORE}",
        title="Better on older competitions than others are",
        severity=Severity.WARNING,
        meaning="The llm may have learnt solutions by heart. Innocent: chance, since many entries are looked at.",
    ),
    FindingKind(
        code=f"contamination-{LEAKY}",
        title="Better on leaky competitions than others are",
        severity=Severity.WARNING,
        meaning="The known leaks may have been used. Innocent: these competitions have a metric in common.",
    ),
    FindingKind(
        code=f"contamination-{PROMPT}",
        title="Worse where names are hidden",
        severity=Severity.WARNING,
        meaning="The agent may recognise competitions. Innocent: the obfuscated text leaves out what is needed.",
    ),
    FindingKind(
        code=f"contamination-{JUMP}",
        title="A jump against the agent's entry before",
        severity=Severity.NOTICE,
        meaning="Something beside the agent may have changed. Innocent: a new llm or more hours.",
    ),
)
