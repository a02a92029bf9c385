"""The submission API: from the announcement to the confirmation, and everything it refuses."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from submissions.api.serializers import SubmissionOut
from submissions.models import Submission, Team, User
from submissions.part_store import LocalParts
from submissions.run_card import canonical_digest
from submissions.tokens import create_token
from submissions.uploads import part_store
from tests.factories import (
    make_benchmark,
    make_grading,
    make_run,
    make_submission,
    make_team,
)
from tests.submissions.uploading import PART, digest, make_upload, put_part

pytestmark = pytest.mark.django_db
Status = Submission.Status


@pytest.fixture(autouse=True)
def small_parts(settings: Any) -> None:
    settings.UPLOAD_PART_BYTES = PART


@pytest.fixture
def api(owner: User) -> Client:
    """A client with the owner's token, as a program has it."""
    token = create_token(owner)
    return Client(headers={"Authorization": f"Token {token}"})


def new(team: Team, benchmark: str, size: int, **more: Any) -> dict[str, Any]:
    return {"team": str(team.public_id), "benchmark": benchmark, "filename": "b.zip", "size": size, **more}


def post(client: Client, path: str, body: dict[str, Any] | None = None) -> Any:
    return client.post(f"/api/v1/submissions{path}", json.dumps(body or {}), content_type="application/json")


def put_card(client: Client, submission: Submission, document: dict[str, Any], based_on: int) -> Any:
    body = json.dumps({"document": document, "based_on": based_on})
    return client.put(
        f"/api/v1/submissions/{submission.public_id}/run-card", body, content_type="application/json"
    )


def codes(answer: Any) -> list[str]:
    """The codes of an error, which must be problem+json."""
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert all(error["message"] for error in body["errors"])
    return [error["code"] for error in body["errors"]]


def test_from_announcement_to_the_check(
    api: Client, team: Team, rings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    content = bytes(range(256)) * 600
    make_benchmark("demo")
    made = post(api, "", new(team, "demo", len(content)))
    assert made.status_code == 201
    parts = made.json()["upload"]["parts"]
    assert [part["size"] for part in parts] == [PART, PART, len(content) - 2 * PART]
    for part in parts:
        start = (part["number"] - 1) * PART
        piece = content[start : start + part["size"]]
        sent = api.put(
            part["url"], piece, headers={**part["headers"], "X-Checksum-Sha256": digest(piece)},
            content_type="application/octet-stream",
        )  # fmt: skip
        assert sent.json() == {"number": part["number"], "size": part["size"], "sha256": digest(piece)}
    with django_capture_on_commit_callbacks(execute=True):
        done = post(api, f"/{made.json()['id']}/complete")
    assert (done.status_code, done.json()["status"]) == (202, "received")
    assert rings == [("submissions.tasks.check", (made.json()["id"],))]
    upload = Submission.objects.get().upload
    with part_store().open(upload.key, upload.part_count) as stored:
        assert stored.read() == content


def test_the_same_creation_key_makes_one_submission(api: Client, team: Team) -> None:
    make_benchmark("demo")
    body = new(team, "demo", 5, creation_key=str(uuid.uuid4()))
    first, second = post(api, "", body), post(api, "", body)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert codes(post(api, "", {**body, "size": 6})) == ["creation_key_used"]


@pytest.mark.parametrize(
    ("change", "code", "where", "status"),
    [
        ({"size": 0}, "empty_file", "upload", 400),
        ({"size": 10**12}, "too_large", "upload", 413),
        ({"size": "many"}, "invalid", "size", 400),
        ({"benchmark": "other"}, "does_not_exist", "benchmark", 400),
        ({"team": str(uuid.uuid4())}, "does_not_exist", "team", 400),
        ({"team": "nobody"}, "invalid", "team", 400),
        ({"filename": "a\x00b"}, "null_characters_not_allowed", "filename", 400),
        ({"supersedes": str(uuid.uuid4())}, "does_not_exist", "supersedes", 400),
    ],
)
def test_a_wrong_announcement(
    api: Client, team: Team, change: dict[str, Any], code: str, where: str, status: int
) -> None:
    make_benchmark("demo")
    answer = post(api, "", {**new(team, "demo", 5), **change})
    assert answer.status_code == status
    assert codes(answer) == [code]
    assert answer.json()["errors"][0]["where"] == where
    assert not Submission.objects.exists()


def test_another_team_looks_like_none(api: Client) -> None:
    make_benchmark("demo")
    absent = post(api, "", {**new(make_team(), "demo", 5), "team": str(uuid.uuid4())}).json()["errors"]
    foreign = post(api, "", new(make_team(), "demo", 5)).json()["errors"]
    assert [error["code"] for error in foreign] == [error["code"] for error in absent] == ["does_not_exist"]


def test_somebody_in_one_team_need_not_name_it(api: Client, owner: User, team: Team) -> None:
    make_benchmark("demo")
    body = {name: value for name, value in new(team, "demo", 5).items() if name != "team"}
    assert post(api, "", body).json()["team"]["id"] == str(team.public_id)
    make_team(owner=owner)
    assert post(api, "", body).json()["errors"][0]["where"] == "team"


def test_it_may_replace_only_its_own_kind(api: Client, team: Team) -> None:
    earlier = make_submission(team=team)
    make_benchmark("demo")
    refused = post(api, "", new(team, "demo", 5, supersedes=str(earlier.public_id)))
    assert refused.json()["errors"][0]["where"] == "supersedes"
    made = post(api, "", new(team, earlier.benchmark.slug, 5, supersedes=str(earlier.public_id)))
    assert made.json()["supersedes"] == str(earlier.public_id)


def test_a_line_of_the_list_says_what_one_submission_says(api: Client, team: Team) -> None:
    earlier = make_submission(team=team, status=Submission.Status.WITHDRAWN)
    later = make_submission(
        team=team, benchmark=earlier.benchmark, status=Submission.Status.QUEUED, scope="all",
        supersedes=earlier, what_changed="A <b>fix</b>.", held_at=earlier.created_at,
    )  # fmt: skip
    lines = api.get("/api/v1/submissions").json()["results"]
    for line, submission in zip(lines, (later, earlier), strict=True):
        shown = api.get(f"/api/v1/submissions/{submission.public_id}").json()
        assert line == {name: shown[name] for name in line}
        assert set(line) == set(SubmissionOut().fields)


def test_what_a_part_must_be(api: Client, team: Team) -> None:
    submission = make_upload(b"a" * (PART + 5), team)
    assert codes(put_part(api, submission, 3, b"aaaaa")) == ["no_such_part"]
    assert codes(put_part(api, submission, 2, b"aaaa")) == ["part_size"]
    wrong = {"X-Checksum-Sha256": "0" * 64}
    assert codes(put_part(api, submission, 2, b"aaaaa", **wrong)) == ["part_checksum"]
    assert codes(put_part(api, submission, 2, b"aaaaa", **{"X-Checksum-Sha256": ""})) == ["checksum_missing"]
    assert not submission.upload.parts.exists()
    assert put_part(api, submission, 2, b"aaaaa").status_code == 200
    assert put_part(api, submission, 2, b"aaaaa").status_code == 200
    assert codes(put_part(api, submission, 2, b"bbbbb")) == ["part_differs"]
    assert submission.upload.parts.count() == 1


def test_resuming_shows_what_is_here(api: Client, team: Team) -> None:
    submission = make_upload(b"a" * (PART + 5), team)
    put_part(api, submission, 2, b"a" * 5)
    assert codes(post(api, f"/{submission.public_id}/complete")) == ["parts_missing"]
    seen = api.get(f"/api/v1/submissions/{submission.public_id}/upload").json()
    assert [(part["received"], part["sha256"]) for part in seen["parts"]] == [
        (False, None),
        (True, digest(b"a" * 5)),
    ]
    assert seen["received_bytes"] == 5
    put_part(api, submission, 1, b"a" * PART)
    twice = [post(api, f"/{submission.public_id}/complete").status_code for _ in range(2)]
    assert twice == [202, 202]
    assert codes(put_part(api, submission, 1, b"a" * PART)) == ["not_uploading"]


class Watched:
    """A body that knows how much of it was read at once."""

    def __init__(self, size: int) -> None:
        self.left, self.largest = size, 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "the whole body was asked for at once"
        self.largest = max(self.largest, size)
        size = min(size, self.left)
        self.left -= size
        return b"a" * size

    def readline(self, size: int = -1) -> bytes:
        raise AssertionError("a part has no lines")


def test_a_large_part_is_streamed(api: Client, team: Team, settings: Any) -> None:
    size = settings.UPLOAD_PART_BYTES = 24 * 2**20
    submission = make_upload(b"a" * size, team)
    body = Watched(size)
    answer = api.generic(
        "PUT",
        f"/api/v1/submissions/{submission.public_id}/parts/1",
        content_type="application/octet-stream",
        headers={"X-Checksum-Sha256": digest(b"a" * size)},
        **{"wsgi.input": body, "CONTENT_LENGTH": str(size)},
    )
    assert answer.status_code == 200, answer.content
    assert body.left == 0
    assert body.largest <= 2**20


def test_a_session_needs_the_csrf_header(owner: User, team: Team) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    submission = make_upload(b"aaaaa", team)
    assert put_part(browser, submission, 1, b"aaaaa").status_code == 403
    browser.get("/submit/")
    token = browser.cookies["csrftoken"].value
    assert put_part(browser, submission, 1, b"aaaaa", **{"X-CSRFToken": token}).status_code == 200


def test_a_store_that_is_full_is_our_fault(api: Client, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LocalParts, "write", fail)
    with pytest.raises(OSError, match="No space left"):
        put_part(api, make_upload(b"a", team), 1, b"a")


def test_own_submissions_only(api: Client, team: Team) -> None:
    mine = make_submission(team=team)
    make_submission(status=Status.PUBLISHED, scope="low")
    listed = api.get("/api/v1/submissions").json()
    assert [row["id"] for row in listed["results"]] == [str(mine.public_id)]
    assert Client().get("/api/v1/submissions").status_code == 401


def test_outcomes_are_shown_and_scores_are_not(api: Client, team: Team) -> None:
    benchmark = make_benchmark("b", {"first": "low", "second": "low", "third": "high"})
    submission = make_submission(team=team, benchmark=benchmark, status=Status.GRADED, scope="low")
    make_grading(make_run(submission, "s1", "first"), 0.98765)
    message = "The file has no column id. Add it."
    make_grading(make_run(submission, "s1", "second"), code="no_column", message=message)
    make_run(submission, "s2", "second")
    make_run(submission, "s2", "third")
    answer = api.get(f"/api/v1/submissions/{submission.public_id}")
    runs = {(r["seed"], r["competition"]): (r["outcome"], r["code"]) for r in answer.json()["runs"]}
    assert runs == {
        ("s1", "first"): ("scored", ""),
        ("s1", "second"): ("invalid", "no_column"),
        ("s2", "first"): ("missing", ""),
        ("s2", "second"): ("pending", ""),
        ("s2", "third"): ("outside_scope", ""),
    }
    counts = answer.json()["counts"]
    assert (counts["runs"], counts["expected"], counts["graded"], counts["seeds"]) == (4, 3, 2, 2)
    assert b"0.98765" not in answer.content
    assert b"score" not in answer.content.replace(b'"scored"', b"")
    assert b"medal" not in answer.content


def test_problems_are_all_there(api: Client, team: Team) -> None:
    problems = [
        {"code": "symlink", "where": "a", "message": "b"},
        {"code": "fifo", "where": "c", "message": "d"},
    ]
    submission = make_submission(team=team, status=Status.REJECTED, problems=problems)
    assert api.get(f"/api/v1/submissions/{submission.public_id}").json()["problems"] == problems


def test_the_run_card_by_revisions(api: Client, team: Team) -> None:
    submission = make_submission(team=team)
    saved = put_card(api, submission, {"scaffold": {"name": "Ours"}}, based_on=1).json()
    assert saved["number"] == 2
    assert saved["difference"] == [{"path": "scaffold.name", "before": None, "after": "Ours"}]
    assert "scaffold.version" in saved["undisclosed"]
    assert codes(put_card(api, submission, {"scaffold": {"name": "Theirs"}}, based_on=1)) == ["stale_card"]
    wrong = put_card(api, submission, {"scaffold": {"name": 7}, "color": "red"}, based_on=2)
    assert wrong.status_code == 422
    assert len(codes(wrong)) == 2
    assert api.get(f"/api/v1/submissions/{submission.public_id}/run-card").json()["number"] == 2


@pytest.mark.parametrize(
    "body", ['{"document": ' + "[" * 5000, '{"document": {"a": ' + "[" * 5000 + "]" * 5000 + "}}"]
)
def test_deep_nesting_is_refused(api: Client, team: Team, body: str) -> None:
    path = f"/api/v1/submissions/{make_submission(team=team).public_id}/run-card"
    assert api.put(path, body, content_type="application/json").status_code == 400


def test_a_body_that_is_too_large(api: Client, team: Team) -> None:
    submission = make_submission(team=team)
    for length in (2**21, 2**18):
        answer = put_card(api, submission, {"scaffold": {"name": "a" * length}}, based_on=1)
        assert (answer.status_code, codes(answer)) == (413, ["too_large"])


def confirmation(**change: Any) -> dict[str, Any]:
    return {"scope": "low", "attested_name": "Ada Example", "revision": 1, "accept": True, **change}


def test_confirming_twice_is_once(
    api: Client, team: Team, rings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    submission = make_submission(team=team)
    make_run(submission, "s1", submission.benchmark.competitions.first().pk)
    with django_capture_on_commit_callbacks(execute=True):
        answers = [post(api, f"/{submission.public_id}/confirm", confirmation()) for _ in range(2)]
    assert [(answer.status_code, answer.json()["status"]) for answer in answers] == [(202, "queued")] * 2
    assert rings[0] == ("submissions.tasks.advance", (str(submission.public_id),))
    assert submission.events.filter(after=Status.QUEUED).count() == 1
    attestation = submission.run_cards.last().document["attestation"]
    assert attestation["name"] == "Ada Example"
    assert attestation["digest"] == canonical_digest(submission.run_cards.last().document)
    submission.refresh_from_db()
    assert submission.confirmed_revision == submission.run_cards.last()
    assert codes(put_card(api, submission, {}, based_on=2)) == ["status_conflict"]


@pytest.mark.parametrize(
    ("change", "code", "status"),
    [
        ({"accept": False}, "not_accepted", 400),
        ({"scope": "everything"}, "invalid_choice", 400),
        ({"scope": "high"}, "no_such_scope", 422),
        ({"revision": 7}, "stale_card", 422),
        ({"attested_name": " "}, "blank", 400),
        ({"attested_name": "Ada \u202eelpmaxE"}, "bidi_characters", 422),
    ],
)
def test_what_stands_in_the_way_of_confirming(
    api: Client, team: Team, change: dict[str, Any], code: str, status: int
) -> None:
    submission = make_submission(team=team)
    make_run(submission, "s1", submission.benchmark.competitions.first().pk)
    answer = post(api, f"/{submission.public_id}/confirm", confirmation(**change))
    assert answer.status_code == status
    assert codes(answer) == [code]
    assert submission.run_cards.count() == 1, "no attestation without a confirmation"
    submission.refresh_from_db()
    assert submission.status == Status.AWAITING_TEAM


def test_withdrawing(api: Client, team: Team) -> None:
    waiting, busy = make_submission(team=team), make_submission(team=team, status=Status.CHECKING)
    public = make_submission(team=team, status=Status.PUBLISHED, scope="low")
    assert post(api, f"/{waiting.public_id}/withdraw").json()["status"] == "withdrawn"
    for other in (waiting, busy, public):
        assert codes(post(api, f"/{other.public_id}/withdraw")) == ["status_conflict"]


def test_the_limit_on_creation(api: Client, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.throttling import ScopedRateThrottle

    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "create", "2/hour")
    make_benchmark("demo")
    answers = [post(api, "", new(team, "demo", 5)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert codes(answers[2]) == ["throttled"]
    assert int(answers[2]["Retry-After"]) > 0
    assert api.get("/api/v1/submissions").status_code == 200


def test_an_invalid_token(team: Team) -> None:
    answer = Client(headers={"Authorization": "Token nonsense"}).get("/api/v1/submissions")
    assert (answer.status_code, codes(answer)) == (401, ["authentication_failed"])
    assert answer["WWW-Authenticate"] == "Token"
