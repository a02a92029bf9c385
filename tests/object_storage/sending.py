"""Bundles of more than one part, and sending them to the store as a browser does."""

import base64
import hashlib
import os
import uuid
from functools import cache

import httpx

from submissions.models import Submission
from submissions.uploads import UploadRequest, announce_parts, begin_upload
from tests.factories import NOW, make_benchmark, make_team
from tests.submissions.bundles import tar
from tests.submissions.test_intake import CARD, CSV

CHECKSUM = "x-amz-checksum-sha256"


@cache
def bundle() -> bytes:
    """Two parts: a run card, a CSV, and a log that fills the first part."""
    log = os.urandom(5 * 2**20)
    return tar({"run_card.yaml": CARD, "s0/one/submission.csv": CSV, "s0/one/logs/a.log": log})


def begin(content: bytes = b"") -> Submission:
    """A submission whose upload was announced, and nothing of it sent."""
    team = make_team()
    benchmark = make_benchmark(splits={"one": "low", "two": "low"})
    request = UploadRequest("bundle.tar", len(content or bundle()), uuid.uuid4())
    return begin_upload(team, benchmark, team.members.first().user, request, NOW)  # type: ignore[union-attr]


def part_of(content: bytes, submission: Submission, number: int) -> bytes:
    size = submission.upload.part_size
    return content[(number - 1) * size : number * size]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def as_header(content: bytes) -> dict[str, str]:
    return {CHECKSUM: base64.b64encode(hashlib.sha256(content).digest()).decode()}


def address(submission: Submission, number: int, content: bytes) -> str:
    """The address for a part with this content."""
    return announce_parts(submission.upload, {number: sha256(content)})[number].url


def put(url: str, content: bytes, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.put(
        url, content=content, headers=as_header(content) if headers is None else headers, timeout=60
    )


def send(submission: Submission, *numbers: int, content: bytes = b"") -> None:
    """These parts are in the store."""
    for number in numbers:
        part = part_of(content or bundle(), submission, number)
        answer = put(address(submission, number, part), part)
        assert answer.status_code == 200, answer.text
