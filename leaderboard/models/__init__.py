"""What is shown: agents, tracks, entries and where they stand, and the decisions behind them."""

from leaderboard.integrity.models import Claim, Decision, Flag, PinMove, Restatement
from leaderboard.models.appeal import Appeal, FlagReply
from leaderboard.models.board import Placement, Snapshot, Standing, Track
from leaderboard.models.checkpoint import Checkpoint
from leaderboard.models.entry import Agent, Entry, EntryResult, EntryRun
from leaderboard.models.evidence import EvidenceMatch, EvidenceReading
from leaderboard.models.finding import Finding
from leaderboard.models.fingerprint import (
    CardTrait,
    Fingerprint,
    FingerprintBlock,
    Likeness,
    RunComparison,
    SampleFingerprint,
)
from leaderboard.models.notice import NewsTold, Notice, NoticeSetting, Webhook
from leaderboard.models.promise import SourcePromise
from leaderboard.models.question import Question
from leaderboard.models.receipt import Receipt, SigningKey
from leaderboard.models.similarity import (
    CodeComparison,
    CodeFile,
    CodeMatch,
    Contamination,
    SecondAnswer,
    SecondReading,
)

__all__ = [
    "Agent",
    "Appeal",
    "CardTrait",
    "Checkpoint",
    "Claim",
    "CodeComparison",
    "CodeFile",
    "CodeMatch",
    "Contamination",
    "Decision",
    "Entry",
    "EntryResult",
    "EntryRun",
    "EvidenceMatch",
    "EvidenceReading",
    "Finding",
    "Fingerprint",
    "FingerprintBlock",
    "Flag",
    "FlagReply",
    "Likeness",
    "NewsTold",
    "Notice",
    "NoticeSetting",
    "PinMove",
    "Placement",
    "Question",
    "Receipt",
    "Restatement",
    "RunComparison",
    "SampleFingerprint",
    "SecondAnswer",
    "SecondReading",
    "SigningKey",
    "Snapshot",
    "SourcePromise",
    "Standing",
    "Track",
    "Webhook",
]
