"""What is shown: agents, tracks, entries and where they stand, and the decisions behind them."""

from leaderboard.integrity.models import Claim, Decision, Flag, PinMove, Restatement
from leaderboard.models.appeal import Appeal, FlagReply
from leaderboard.models.audit import AuditRecord
from leaderboard.models.board import Placement, Snapshot, Track
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
from leaderboard.models.stored import StoredBoard, StoredRow
from leaderboard.models.worker import FailedTask, Heartbeat

__all__ = [
    "Agent",
    "Appeal",
    "AuditRecord",
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
    "FailedTask",
    "Finding",
    "Fingerprint",
    "FingerprintBlock",
    "Flag",
    "FlagReply",
    "Heartbeat",
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
    "StoredBoard",
    "StoredRow",
    "Track",
    "Webhook",
]
