"""What is shown: agents, tracks, entries and where they stand, and the decisions behind them."""

from leaderboard.integrity.models import Claim, Decision, Flag, PinMove, Restatement
from leaderboard.models.board import Placement, Snapshot, Standing, Track
from leaderboard.models.entry import Agent, Entry, EntryResult, EntryRun
from leaderboard.models.finding import Finding
from leaderboard.models.receipt import Receipt, SigningKey

__all__ = [
    "Agent",
    "Claim",
    "Decision",
    "Entry",
    "EntryResult",
    "EntryRun",
    "Finding",
    "Flag",
    "PinMove",
    "Placement",
    "Receipt",
    "Restatement",
    "SigningKey",
    "Snapshot",
    "Standing",
    "Track",
]
