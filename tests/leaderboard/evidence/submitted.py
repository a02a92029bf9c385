"""Submissions whose bundle holds logs and code."""

import hashlib
import io
from collections.abc import Mapping
from typing import Any

from django.core.files.storage import storages

from grading.models import Competition
from submissions.models import Bundle, EvidenceFile, Submission
from tests import factories as make

COMPETITION = "spaceship-titanic"


def submitted(
    files: Mapping[str, bytes], status: str = Submission.Status.GRADED, **columns: Any
) -> Submission:
    """Graded if not said otherwise: three seeds on one competition. `files`: path to content."""
    if not Competition.objects.filter(pk=COMPETITION).exists():
        make.make_competition(COMPETITION)
    if "benchmark" not in columns:
        columns["benchmark"] = make.make_benchmark(splits={COMPETITION: "low"})
    submission = make.make_graded_submission({seed: {COMPETITION: 0.6} for seed in "012"}, **columns)
    Submission.objects.filter(pk=submission.pk).update(status=status)
    submission.refresh_from_db()
    Bundle.objects.create(submission=submission, sha256="b" * 64, size=1, format="tar")
    for path, content in files.items():
        add_evidence(submission, path, content)
    return submission


def add_evidence(submission: Submission, path: str, content: bytes) -> EvidenceFile:
    """As intake keeps it."""
    folder, _, rest = path.partition("/")
    is_of_run = rest.startswith(COMPETITION)
    sha256 = hashlib.sha256(content).hexdigest()
    key = f"evidence/{submission.public_id}/{sha256}"
    if not storages["evidence"].exists(key):
        storages["evidence"].save(key, io.BytesIO(content))  # type: ignore[arg-type]
    return EvidenceFile.objects.create(
        bundle=submission.bundle,
        path=path,
        seed=folder if is_of_run else "",
        competition_id=COMPETITION if is_of_run else None,
        size=len(content),
        sha256=sha256,
        key=key,
    )
