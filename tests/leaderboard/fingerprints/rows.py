"""Submissions whose predictions are stored and read, for stages and pages."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import storages

from grading.models import Benchmark, Blob
from leaderboard.fingerprints.comparing import compare
from leaderboard.fingerprints.reading import claim_reading, read_some
from leaderboard.models import Likeness
from submissions.models import Submission, Team
from tests.factories import NOW, make_benchmark, make_blob, make_grading, make_run, make_submission
from tests.leaderboard.fingerprints.files import NUMBERS, csv_of, guesses, ids


def make_cactus_benchmark() -> Benchmark:
    return make_benchmark("cactus", {NUMBERS: "low"})


def cactus(seed: int, noise: float = 0.0, **how: Any) -> bytes:
    """Predictions of their own, or with a little noise on them."""
    values = guesses(seed)
    if noise:
        values = values + noise * guesses(seed + 500)
    return csv_of({"id": ids(), "has_cactus": values.tolist()}, **how)


def make_stored(
    team: Team,
    benchmark: Benchmark,
    files: Mapping[str, bytes],
    status: str = Submission.Status.GRADED,
    **columns: Any,
) -> Submission:
    """A graded submission whose files lie in the store. `files`: seed to content."""
    submission = make_submission(team, benchmark, status, scope="low")
    Submission.objects.filter(pk=submission.pk).update(**columns)
    submission.refresh_from_db()
    for seed, content in files.items():
        known = team_blob(team, content)
        make_grading_once(make_run(submission, seed, NUMBERS, blob=known))
    return submission


def team_blob(team: Team, content: bytes) -> Any:
    """Equal files of a team are stored once."""
    known = Blob.objects.filter(realm=team.realm, sha256=hashlib.sha256(content).hexdigest()).first()
    if known:
        return known
    blob = make_blob(team, content)
    storages["blobs"].save(blob.key, ContentFile(content))
    return blob


def make_grading_once(run: Any) -> None:
    known = run.blob.gradings.first()
    if known:
        run.grading = known
        run.save(update_fields=["grading"])
    else:
        make_grading(run, 0.55)


def read_all(submission: Submission) -> Likeness:
    Likeness.objects.get_or_create(submission=submission)
    claim = claim_reading(str(submission.public_id), NOW)
    assert claim
    assert read_some(claim, NOW, seconds=600)
    return Likeness.objects.get(submission=submission)


def read_and_compare(submission: Submission) -> Likeness:
    read_all(submission)
    assert compare(submission, NOW)
    return Likeness.objects.get(submission=submission)
