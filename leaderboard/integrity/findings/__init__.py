"""Findings: automatic signals for maintainers. Never guilt: nothing is public until a person upholds it. Pure.

`facts.py` says what they are given, one module finds one kind of thing, `registry.py` lists them all.
"""

from leaderboard.integrity.findings.facts import (
    Alike,
    CompetitionFacts,
    EarlierSubmission,
    Found,
    Pair,
    Run,
    Signal,
    SubmissionFacts,
    Twin,
)
from leaderboard.integrity.findings.registry import SIGNALS, find_all

__all__ = [
    "SIGNALS",
    "Alike",
    "CompetitionFacts",
    "EarlierSubmission",
    "Found",
    "Pair",
    "Run",
    "Signal",
    "SubmissionFacts",
    "Twin",
    "find_all",
]
