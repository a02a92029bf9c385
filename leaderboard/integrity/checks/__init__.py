"""Disclosure checks: each claim of a run card with who says so and how we know. Pure."""

from leaderboard.integrity.checks.base import (
    Check,
    ClaimResult,
    Disclosure,
    EntryContext,
    RunFacts,
    SeedFacts,
    Severity,
    State,
)
from leaderboard.integrity.checks.registry import CHECKS, answers_accepted_by, codes_needed_by, run_checks

__all__ = [
    "CHECKS",
    "Check",
    "ClaimResult",
    "Disclosure",
    "EntryContext",
    "RunFacts",
    "SeedFacts",
    "Severity",
    "State",
    "answers_accepted_by",
    "codes_needed_by",
    "run_checks",
]
