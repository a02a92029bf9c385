"""docs/findings.md, written from the registry by `python -m leaderboard.integrity.findings.reference`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from leaderboard.code_similarity.signals import SIGNALS as code_signals
from leaderboard.contamination.signals import SIGNALS as medal_signals
from leaderboard.evidence.patterns import load_patterns
from leaderboard.evidence.signals import log_signals
from leaderboard.integrity.findings.facts import FindingKind
from leaderboard.integrity.findings.registry import SIGNALS
from leaderboard.second_reading import questions
from leaderboard.second_reading.questions import parse_questions
from leaderboard.second_reading.signals import signals_of

QUESTIONS: Final = Path(questions.__file__).with_name("questions.toml")


INTRODUCTION = """\
# Findings

Written from the registry in `leaderboard/integrity/findings/`; change it there, then run
`python -m leaderboard.integrity.findings.reference > docs/findings.md`.

When a review opens, the site looks by itself for what a maintainer should see. A finding is a signal and no guilt: it
is shown to maintainers alone, without scores, and says nothing in public until a person has upheld it by a decision.
Teams cannot tell from message or timing whether there are any; the lines of its own [logs](evidence.md) a team sees
as maintainers do.

| finding | weight | what may lie behind it |
|---|---|---|
"""


def findings_reference() -> str:
    """The page as Markdown."""
    rows = [
        f"| {signal.title} (`{signal.code}`) | {signal.severity} | {signal.meaning} |" for signal in _listed()
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


def _listed() -> Iterator[FindingKind]:
    """First those that are given the facts of a submission, then those that are given something else."""
    yield from SIGNALS
    yield from log_signals(load_patterns())
    yield from code_signals
    yield from medal_signals
    yield from signals_of(parse_questions(QUESTIONS.read_text()))


if __name__ == "__main__":
    print(findings_reference(), end="")
