"""From an upload to a row of the ranking, with every request sent and every ring delivered twice.

Real stages, real answers, the real grader; only its isolation is left out.
"""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.module_loading import import_string

from demo.scores import BUNDLE, score_bundle
from demo.split import read_split, write_split
from grading.graders.entry import run_job
from grading.models import Grading
from grading.sandbox.result import Outcome, SandboxResult
from leaderboard.models import Decision, Entry, Placement
from submissions.models import Bundle, Event, Submission, User
from tests.factories import make_maintainer, make_team, make_user
from tests.submissions.test_permissions import READ, TEAM, ask, signed_in
from tests.submissions.uploading import put_part

pytestmark = pytest.mark.django_db
Rings = list[tuple[str, tuple[Any, ...]]]
Deliver = Callable[[], list[str]]
Send = Callable[..., Any]
COMPETITION = "spaceship-titanic"
SCORES = score_bundle()
GROUNDS = {
    "track": "clean",
    "reason": "Three seeds, a complete run card, graded here.",
    "rule": "Tracks and rules, Clean",
    "evidence_url": "https://example.org/evidence",
}


class InProcess:
    """What a pool of sandboxes would answer, from the same grader on the same two files."""

    kind = "none"

    def run(self, job: Any, submission: int, answers: int, limits: Any) -> SandboxResult:
        verdict = run_job({"competition": job, "submission": submission, "answers": answers})
        payload = json.dumps(verdict.as_dict()).encode()
        return SandboxResult(Outcome.FINISHED, payload, 0, wall_s=0.1, peak_memory_mb=60, log=b"")

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def unisolated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.tasks.isolated_pool", lambda now, slot: InProcess())


@pytest.fixture(autouse=True)
def catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """All competitions, and the real answers of one, in a vault of this test's own."""
    monkeypatch.setenv("MLEB_VAULT", str(tmp_path_factory.mktemp("vault") / "vault"))
    prepared = tmp_path_factory.mktemp("prepared")
    write_split(read_split(), prepared)
    call_command("load_catalogue", verbosity=0)
    call_command("load_answers", "--from", str(prepared), "--only", COMPETITION, verbosity=0)


@pytest.fixture
def deliver(rings: Rings, django_capture_on_commit_callbacks: Any) -> Deliver:
    """Runs every task that was rung, twice each, and those they ring, until nothing rings. Returns their names."""

    def run_all() -> list[str]:
        names = []
        while rings:
            name, arguments = rings.pop(0)
            names.append(name)
            for _ in range(2):
                with django_capture_on_commit_callbacks(execute=True):
                    import_string(name)(*arguments)
        return names

    return run_all


@pytest.fixture
def send(django_capture_on_commit_callbacks: Any) -> Send:
    """Sends a request twice, as JSON, and returns the second answer's body; rings go out in between."""

    def request(client: Client, method: str, path: str, body: Any = None) -> Any:
        for _ in range(2):
            with django_capture_on_commit_callbacks(execute=True):
                answer = client.generic(method, path, json.dumps(body or {}), content_type="application/json")
            assert answer.status_code < 300, answer.content
        return answer.json()

    return request


def test_from_upload_to_ranking(deliver: Deliver, send: Send) -> None:
    member, maintainer = make_user(), make_maintainer()
    team = make_team(owner=member)
    client = signed_in(member)

    submission = upload(send, client)
    assert_hidden(submission)
    send(client, "POST", f"{api(submission)}/complete")
    assert set(deliver()) == {"submissions.tasks.check"}
    assert status(submission) == "awaiting_team"
    assert_hidden(submission)

    confirm(send, client, submission)
    assert status(submission) == "queued"
    names = deliver()
    assert status(submission) == "in_review"
    assert names.count("grading.tasks.grade") == 3
    assert names.count("leaderboard.tasks.review") == 1
    assert_hidden(submission)
    assert_scores_unseen(client, submission)
    assert ranking() == []

    publish(maintainer, submission)
    assert_shown(submission)
    (row,) = ranking()
    assert row["seed_scores"] == SCORES
    assert (row["rank"], row["organisation"]) == (1, team.organisation.name)
    assert row["result"]["seeds"] == 3
    assert_once()


def api(submission: Submission) -> str:
    return f"/api/v1/submissions/{submission.public_id}"


def status(submission: Submission) -> str:
    return Submission.objects.values_list("status", flat=True).get(pk=submission.pk)


def upload(send: Send, client: Client) -> Submission:
    """The submission whose one part has arrived, announced and sent twice."""
    content = BUNDLE.read_bytes()
    asked = {
        "benchmark": "demo",
        "filename": BUNDLE.name,
        "size": len(content),
        "creation_key": str(uuid.uuid4()),
    }
    made = send(client, "POST", "/api/v1/submissions", asked)
    submission = Submission.objects.get(public_id=made["id"])
    for _ in range(2):
        assert put_part(client, submission, 1, content).status_code == 200
    return submission


def confirm(send: Send, client: Client, submission: Submission) -> None:
    card = client.get(f"{api(submission)}/run-card").json()
    said = {"scope": "dev", "attested_name": "Ada Example", "revision": card["number"], "accept": True}
    send(client, "POST", f"{api(submission)}/confirm", said)


def publish(maintainer: User, submission: Submission) -> None:
    """By the docket's form, sent twice."""
    client = signed_in(maintainer)
    for _ in range(2):
        answer = client.post(f"/docket/{submission.public_id}/publish/", GROUNDS)
        assert answer.status_code == 302


def ranking() -> list[dict[str, Any]]:
    answer = Client().get("/api/v1/rankings/clean", {"benchmark": "demo", "split": "dev"})
    rows: list[dict[str, Any]] = answer.json()["rows"]
    return rows


def assert_hidden(submission: Submission) -> None:
    """Nobody outside the team finds it by any route, nor the entry it may have by then."""
    entry = Entry.objects.filter(submission=submission).first()
    for outsider in (signed_in(None), signed_in(make_team().members.get().user)):
        for name, method in (*READ, *TEAM):
            assert ask(outsider, name, method, submission).status_code == 404, name
        if entry:
            for path in entry_paths(entry):
                assert outsider.get(path).status_code == 404, path


def entry_paths(entry: Entry) -> list[str]:
    return [f"/entries/{entry.slug}/", f"/entries/{entry.pk}/", f"/api/v1/entries/{entry.slug}"]


def assert_scores_unseen(client: Client, submission: Submission) -> None:
    """Not by the team either, on any page it has."""
    for name, method in READ:
        answer = ask(client, name, method, submission)
        assert answer.status_code == 200
        for score in SCORES.values():
            assert f"{score:.5f}"[:5] not in answer.content.decode(), name


def assert_shown(submission: Submission) -> None:
    """Everybody may read submission and entry, and change nothing."""
    anybody, entry = signed_in(None), Entry.objects.get(submission=submission)
    for name, method in READ:
        assert ask(anybody, name, method, submission).status_code == 200, name
    for name, method in TEAM:
        assert ask(anybody, name, method, submission).status_code == 404, name
    page = anybody.get(f"/entries/{entry.slug}/").content.decode()
    for score in SCORES.values():
        assert f"{score:.5f}" in page


def assert_once() -> None:
    """Everything was asked for twice, delivered twice, and done once."""
    gradings = Grading.objects.values_list("state", "outcome", "attempts")
    assert list(gradings) == [("done", "scored", 1)] * 3
    for made in (Submission, Bundle, Entry, Decision, Placement):
        assert made.objects.count() == 1, made
    changes = Event.objects.filter(kind="status").values_list("after", flat=True)
    assert len(changes) == len(set(changes))
