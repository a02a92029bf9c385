"""Reading the files of one claimed submission. Touches no table but to list them."""

import time
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.files.storage import storages

from leaderboard.evidence.blocks import Budget
from leaderboard.evidence.files import kind_of, place_of
from leaderboard.evidence.gather import Gathering
from leaderboard.evidence.patterns import load_patterns
from submissions.models import EvidenceFile, Submission
from submissions.run_card import normalise
from submissions.seeds import seed_map


def read_evidence(submission: Submission) -> Gathering:
    """All logs and code, as far as the limits go. Raises OSError where the fault is ours and a retry may help."""
    latest = submission.created_at + timedelta(days=1)
    gathering = Gathering(load_patterns(settings.EVIDENCE_PATTERNS), budget(), latest)
    seeds = seed_map(_card(submission))
    for file in _in_order(submission):
        if why := gathering.what_is_over:
            gathering.leave(file.path, f"not read: {why}")
            continue
        place = place_of(file.seed, file.competition_id, seeds)
        with storages["evidence"].open(file.key) as source:
            gathering.read(source, file.path, kind_of(file.path), place)
    return gathering


def budget() -> Budget:
    return Budget(
        clock=time.monotonic,
        file_bytes=settings.EVIDENCE_FILE_BYTES,
        total_bytes=settings.EVIDENCE_TOTAL_BYTES,
        lines=settings.EVIDENCE_LINES,
        seconds=settings.EVIDENCE_WALL_S,
    )


def _card(submission: Submission) -> dict[str, Any]:
    revision = submission.confirmed_revision
    return normalise(revision.document) if revision else {}


def _in_order(submission: Submission) -> list[EvidenceFile]:
    """Logs first, and small files before large ones, so that no single file uses up the room of all others."""
    files = EvidenceFile.objects.filter(bundle__submission=submission)
    return sorted(files, key=lambda file: (kind_of(file.path) == "code", file.size, file.path))
