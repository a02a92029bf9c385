"""What is shown: agents, tracks, entries and where they stand, and the decisions behind them."""

from leaderboard.integrity.models import Claim, Decision, Flag
from leaderboard.models.board import Placement, Snapshot, Standing, Track
from leaderboard.models.entry import Agent, Entry, EntryResult, EntryRun

__all__ = [
    "Agent",
    "Claim",
    "Decision",
    "Entry",
    "EntryResult",
    "EntryRun",
    "Flag",
    "Placement",
    "Snapshot",
    "Standing",
    "Track",
]
