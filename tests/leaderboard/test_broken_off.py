"""A sender who breaks off in the middle of a request is told so, if anybody; the site has not failed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.signals import got_request_exception
from django.test import Client

from submissions.models import Team
from submissions.tokens import create_token
from tests.factories import make_team, make_user
from tests.submissions.uploading import PART, digest, make_upload

pytestmark = pytest.mark.django_db
FILES = "multipart/form-data; boundary=x"


class BrokenOff:
    """A body of which one byte comes, and then no more."""

    def __init__(self) -> None:
        self.pieces = [b"a"]

    def read(self, size: int | None = None) -> bytes:
        if not self.pieces:
            raise ConnectionResetError
        return self.pieces.pop()

    readline = read


@pytest.fixture
def failures() -> Iterator[list[Any]]:
    """What the site would call somebody for."""
    found: list[Any] = []

    def keep(**said: Any) -> None:
        found.append(said)

    got_request_exception.connect(keep)
    yield found
    got_request_exception.disconnect(keep)


@pytest.fixture
def team() -> Team:
    return make_team(owner=make_user())


@pytest.fixture
def client(team: Team) -> Client:
    """A program with the token of the team's owner."""
    token = create_token(team.members.get().user)
    return Client(headers={"Authorization": f"Token {token}"})


def send(client: Client, method: str, path: str, content_type: str, **headers: str) -> int:
    told: dict[str, Any] = {
        "wsgi.input": BrokenOff(),
        "CONTENT_LENGTH": str(PART),
        "CONTENT_TYPE": content_type,
    }
    return client.generic(method, path, headers=headers, **told).status_code


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/account/login/", FILES),
        ("/api/v1/submissions", "application/json"),
    ],
)
def test_a_request(path: str, content_type: str, client: Client, failures: list[Any]) -> None:
    assert (send(client, "POST", path, content_type), failures) == (400, [])


def test_nothing_is_left_of_a_part(client: Client, team: Team, failures: list[Any], settings: Any) -> None:
    settings.UPLOAD_PART_BYTES = PART
    submission = make_upload(b"a" * PART, team)
    path = f"/api/v1/submissions/{submission.public_id}/parts/1"
    told = {"X-Checksum-Sha256": digest(b"a" * PART)}
    assert (send(client, "PUT", path, "application/octet-stream", **told), failures) == (400, [])
    assert not submission.upload.parts.exists()
    assert [each for each in Path(storages["bundles"].path("")).rglob("*") if each.is_file()] == []
