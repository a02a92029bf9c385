"""Every check, in the order of pages and docs. A new one is a module beside this and a line here."""

from typing import Final

from leaderboard.integrity.checks import (
    attestation,
    claimed_report,
    compute,
    cost,
    external_data,
    final_selection,
    graded_here,
    held_out_signal,
    human_intervention,
    knowledge_bases,
    known_leaks,
    llms,
    predictions_by,
    prompt,
    scaffold,
    seed_count,
    seed_coverage,
    seeds_left_out,
    validation_route,
    web_search,
)
from leaderboard.integrity.checks.base import Check, ClaimResult, Disclosure

CHECKS: Final[tuple[Check, ...]] = (
    held_out_signal.CHECK,
    known_leaks.CHECK,
    predictions_by.CHECK,
    external_data.CHECK,
    human_intervention.CHECK,
    validation_route.CHECK,
    final_selection.CHECK,
    web_search.CHECK,
    knowledge_bases.CHECK,
    seed_count.CHECK,
    seed_coverage.CHECK,
    seeds_left_out.CHECK,
    scaffold.CHECK,
    llms.CHECK,
    compute.CHECK,
    cost.CHECK,
    prompt.CHECK,
    graded_here.CHECK,
    claimed_report.CHECK,
    attestation.CHECK,
)


def run_checks(disclosure: Disclosure) -> tuple[ClaimResult, ...]:
    """One claim per check, in the registry's order. The document must be normalised."""
    return tuple(check.run(disclosure) for check in CHECKS)


def codes_needed_by(track: str) -> tuple[str, ...]:
    """Codes of the checks a track needs, in the registry's order."""
    return tuple(check.code for check in CHECKS if track in check.tracks)


def answers_accepted_by(track: str) -> dict[str, tuple[str, ...]]:
    """The answers a track takes, by check code; checks that take any answer are left out."""
    return {check.code: check.accepts[track] for check in CHECKS if track in check.accepts}
