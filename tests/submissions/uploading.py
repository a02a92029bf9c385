"""Begun uploads, and parts to send, for tests of API and pages."""

import hashlib
import uuid
from typing import Any

from django.test import Client

from grading.models import Benchmark
from submissions.models import Submission, Team, User
from submissions.uploads import UploadRequest, begin_upload
from tests.factories import NOW, make_benchmark, make_team

PART = 2**16


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_upload(
    content: bytes = b"x",
    team: Team | None = None,
    benchmark: Benchmark | None = None,
    user: User | None = None,
) -> Submission:
    """A submission whose upload of this content has begun and got nothing yet."""
    team = team or make_team()
    user = user or team.members.first().user  # type: ignore[union-attr]
    asked = UploadRequest("bundle.tar.gz", len(content), uuid.uuid4())
    return begin_upload(team, benchmark or make_benchmark(), user, asked, NOW)


def put_part(client: Client, submission: Submission, number: int, content: bytes, **headers: str) -> Any:
    """The answer to sending one part with its checksum."""
    sent = {"X-Checksum-Sha256": digest(content), **headers}
    return client.put(
        f"/api/v1/submissions/{submission.public_id}/parts/{number}",
        content,
        content_type="application/octet-stream",
        headers=sent,
    )
