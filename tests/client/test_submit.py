"""Against the real site: a bundle sent in parts through lines that drop, confirmed, followed, and rankings read."""

import hashlib
import io
import json
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test.testcases import LiveServerThread
from mlebench_leaderboard import (
    AlreadySubmitted,
    Client,
    FileChanged,
    NotSignedIn,
    Patience,
    Refused,
    Status,
    pack,
)
from mlebench_leaderboard.answers import read_upload
from mlebench_leaderboard.parts import send_parts

from grading.models import Competition
from submissions.intake import check_bundle, claim_check
from submissions.models import Submission, Team, User
from submissions.tokens import create_token
from submissions.uploads import part_store
from tests.client.conftest import RunClient, write_files
from tests.client.proxy import CuttingProxy
from tests.factories import NOW, make_answers, make_benchmark, make_team, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.enable_socket]
PART = 2**16
TITANIC = "spaceship-titanic"
CARD = b"scaffold:\n  name: Example\n"


@pytest.fixture
def owner(transactional_db: None) -> User:
    return make_user()


@pytest.fixture
def team(owner: User) -> Team:
    return make_team(owner=owner)


@pytest.fixture
def site(settings: Any, team: Team, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The site's address, with a benchmark of one competition; signed in as the team's owner."""
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    settings.UPLOAD_PART_BYTES = PART
    make_benchmark("demo", {TITANIC: "dev"})
    monkeypatch.setenv("MLEB_TOKEN", create_token(team.members.get().user))
    # Not the plugin's: that one lives longer than the folders of a test, which the site must know when it starts.
    server = LiveServerThread("127.0.0.1", lambda application: application, connections_override={})
    server.daemon = True
    server.start()
    server.is_ready.wait()
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


@pytest.fixture
def client(site: str, patience: Patience) -> Iterator[Client]:
    with Client(site, patience=patience) as made:
        yield made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Some ten parts that no compression makes fewer."""
    noise = random.Random(0).randbytes(10 * PART)
    runs = {
        f"0/{TITANIC}/submission.csv": b"id,target\n1,0\n",
        f"0/{TITANIC}/logs/noise": noise,
        "run_card.yaml": CARD,
    }
    return pack([write_files(tmp_path / "runs", runs)], tmp_path / "bundle.tar.gz", "demo").path


def port_of(url: str) -> int:
    return urlsplit(url).port or 0


def stored_digest(submission_id: str) -> str:
    upload = Submission.objects.get(public_id=submission_id).upload
    with part_store().open(upload.key, upload.part_count) as stored:
        return hashlib.sha256(stored.read()).hexdigest()


def read_at_the_site(submission_id: str) -> Submission:
    """What the intake worker does."""
    claim = claim_check(Submission.objects.get(public_id=submission_id), NOW)
    assert claim is not None
    check_bundle(claim, NOW)
    return Submission.objects.get(public_id=submission_id)


def test_parts_sent_at_once_arrive_as_the_file(client: Client, bundle: Path, rings: list[Any]) -> None:
    sent: list[int] = []
    submission = client.submit(bundle, "demo", jobs=4, progress=sent.append)
    assert submission.status is Status.RECEIVED
    assert sum(sent) == bundle.stat().st_size
    assert stored_digest(submission.id) == hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert ("submissions.tasks.check", (submission.id,)) in rings
    assert submission.page == f"{client.site}/submissions/{submission.id}/"


@pytest.mark.parametrize("cuts", [[3 * PART + 500], [PART, 4 * PART, 8 * PART]], ids=["once", "three times"])
def test_a_dropped_line_is_got_over(
    client: Client, bundle: Path, cuts: list[int], patience: Patience, pauses: list[float]
) -> None:
    sent: list[int] = []
    with (
        CuttingProxy(port_of(client.site), list(cuts)) as line,
        Client(line.url, patience=replace(patience, tries=6)) as through,
    ):
        submission = through.submit(bundle, "demo", progress=sent.append)
    assert stored_digest(submission.id) == hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert sum(sent) == bundle.stat().st_size
    assert any(count < 0 for count in sent)
    assert pauses


def test_the_same_command_goes_on_where_it_broke_off(
    site: str, bundle: Path, run: RunClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mlebench_leaderboard.http.Patience.__init__.__defaults__", (1, 0.0, lambda s: None))
    size = bundle.stat().st_size
    with CuttingProxy(port_of(site), [6 * PART]) as line:
        broken = run("submit", bundle, "--benchmark", "demo", "--url", line.url)
        assert broken.code == 4
        assert "Part " in broken.err
        before = line.sent
        done = run("submit", bundle, "--benchmark", "demo", "--url", line.url)
        assert done.code == 0, done.err
        assert "bytes are there already" in done.err
        assert line.sent - before < size - 2 * PART
    found = Submission.objects.get()
    assert str(found.public_id) in done.out
    assert f"/submissions/{found.public_id}/" in done.out
    assert stored_digest(str(found.public_id)) == hashlib.sha256(bundle.read_bytes()).hexdigest()


def test_a_killed_client_goes_on_too(client: Client, bundle: Path) -> None:
    """Nothing of the first process is left but its state file."""

    def die(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.submit(bundle, "demo", jobs=1, progress=die)
    there: list[int] = []
    submission = client.submit(bundle, "demo", began=lambda s, upload: there.append(upload.received_bytes))
    assert Submission.objects.count() == 1
    assert submission.status is Status.RECEIVED


def test_the_same_bundle_is_submitted_once_unless_asked_again(client: Client, bundle: Path) -> None:
    first = client.submit(bundle, "demo")
    with pytest.raises(AlreadySubmitted, match=first.id):
        client.submit(bundle, "demo")
    second = client.submit(bundle, "demo", again=True)
    assert first.id != second.id


def test_a_file_that_changes_on_the_way_is_not_handed_over(client: Client, bundle: Path) -> None:
    def spoil(count: int) -> None:
        bundle.write_bytes(bundle.read_bytes()[:-1] + b"!")

    with pytest.raises(FileChanged):
        client.submit(bundle, "demo", jobs=1, progress=spoil)
    assert Submission.objects.get().status == Submission.Status.UPLOADING


def test_parts_of_another_file_are_told_apart(client: Client, bundle: Path, tmp_path: Path) -> None:
    asked = {"benchmark": "demo", "filename": "b", "size": bundle.stat().st_size}
    plain = client.session.request("POST", "/api/v1/submissions", json=asked).json()
    send_parts(client.session, read_upload(plain["upload"]), bundle, 2, lambda count: None)
    other = tmp_path / "other"
    other.write_bytes(bytes(bundle.stat().st_size))
    again = client.session.get(f"/api/v1/submissions/{plain['id']}/upload").json()
    with pytest.raises(FileChanged, match="not what was sent before"):
        send_parts(client.session, read_upload(again), other, 1, lambda count: None)


def test_from_folder_to_confirmation(site: str, bundle: Path, run: RunClient) -> None:
    sent = run("submit", bundle, "--benchmark", "demo", "--url", site)
    assert sent.code == 0, sent.err
    found = Submission.objects.get()
    early = run("confirm", found.public_id, "--scope", "dev", "--attest", "Ada", "--accept", "--url", site)
    assert early.code == 3
    read_at_the_site(str(found.public_id))
    waiting = run("status", found.public_id, "--watch", "--url", site)
    assert waiting.code == 0
    assert "The team has to look over the run card" in waiting.out
    refused = run("confirm", found.public_id, "--scope", "dev", "--attest", "Ada", "--url", site)
    assert refused.code == 2
    assert "part of the public record" in refused.err
    page = f"{site}/submissions/{found.public_id}/"
    done = run("confirm", page, "--scope", "dev", "--attest", "Ada Example", "--accept", "--url", site)
    assert done.code == 0, done.err
    assert "keep it off the Clean track" in done.err
    found.refresh_from_db()
    assert (found.status, found.scope, found.attested_name) == ("queued", "dev", "Ada Example")
    plain = json.loads(run("status", found.public_id, "--format", "json", "--url", site).out)
    assert (plain["status"], plain["counts"]["seeds"]) == ("queued", 1)
    assert str(found.public_id) in run("status", "--url", site).out


def test_submit_can_confirm_by_itself(
    site: str, bundle: Path, run: RunClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worker(self: Client, submission_id: str, **_: Any) -> Iterator[Any]:
        read_at_the_site(submission_id)
        yield self.submission(submission_id)

    monkeypatch.setattr("mlebench_leaderboard.client.Client.watch", worker)
    options = ("--benchmark", "demo", "--url", site, "--confirm", "--scope", "dev", "--attest", "Ada")
    assert run("submit", bundle, *options).code == 2
    assert Submission.objects.count() == 0
    done = run("submit", bundle, *options, "--accept")
    assert done.code == 0, done.err
    assert Submission.objects.get().status == "queued"


def test_a_bundle_with_problems_is_not_sent(site: str, run: RunClient, tmp_path: Path) -> None:
    (tmp_path / "b.tar").write_bytes(b"hello")
    done = run("submit", tmp_path / "b.tar", "--url", site)
    assert done.code == 1
    assert "Nothing was sent" in done.err
    assert Submission.objects.count() == 0


def test_a_rejected_submission_says_every_reason(site: str, run: RunClient, tmp_path: Path) -> None:
    (tmp_path / "b.tar").write_bytes(b"hello")
    assert run("submit", tmp_path / "b.tar", "--no-check", "--benchmark", "demo", "--url", site).code == 0
    found = Submission.objects.get()
    read_at_the_site(str(found.public_id))
    done = run("status", found.public_id, "--url", site)
    assert done.code == 1
    assert "[not_an_archive]" in done.err


def test_others_see_nothing(site: str, client: Client, bundle: Path) -> None:
    mine = client.submit(bundle, "demo")
    with Client(site, create_token(make_user()), patience=Patience(tries=1)) as stranger:
        assert list(stranger.submissions()) == []
        with pytest.raises(Refused) as caught:
            stranger.submission(mine.id)
    assert caught.value.status == 404
    with Client(site, "wrong", patience=Patience(tries=1)) as nobody, pytest.raises(NotSignedIn):
        list(nobody.submissions())


def test_somebody_in_two_teams_says_for_which(client: Client, bundle: Path, owner: User) -> None:
    other = make_team(owner=owner)
    with pytest.raises(Refused, match="Say for which of your teams"):
        client.submit(bundle, "demo")
    made = client.submit(bundle, "demo", team=str(other.public_id))
    assert made.team == other.name


def test_login_tries_the_token_before_it_keeps_it(
    site: str, run: RunClient, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    good = os.environ["MLEB_TOKEN"]
    monkeypatch.delenv("MLEB_TOKEN")
    monkeypatch.setattr("sys.stdin", io.StringIO("wrong\n"))
    assert run("login", "--url", site).code == 5
    assert not list(own_home.rglob("config.json"))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{good}\n"))
    assert run("login", "--url", site).code == 0
    listed = run("status")
    assert listed.code == 0
    assert "no submissions here" in listed.err


def test_rankings_in_three_formats(site: str, run: RunClient) -> None:
    table = run("rankings", "--benchmark", "demo", "--split", "dev", "--url", site)
    assert table.code == 0, table.err
    assert "Clean · Demo · dev" in table.out
    plain = json.loads(run("rankings", "--format", "json", "--url", site).out)
    assert plain["rows"] == []
    assert run("rankings", "--format", "csv", "--url", site).out.startswith("rank,position,")
    wrong = run("rankings", "--track", "nonsense", "--url", site)
    assert wrong.code == 3
    assert "clean" in wrong.err


def test_shapes_are_fetched_once_and_used_without_a_line(site: str, run: RunClient, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("PassengerId,Transported\n1_01,True\n")
    command = ("check", tmp_path / "s.csv", "--competition", TITANIC, "--url", site)
    absent = run(*command, "--fetch")
    assert absent.code == 2
    assert "the site has no answers of it yet" in absent.err
    answers = make_answers(Competition.objects.get(pk=TITANIC))
    shape = {
        "version": 1,
        "competition": TITANIC,
        "rows": 2,
        "columns": ["PassengerId", "Transported"],
        "cells": {"PassengerId": ["1_01", "2_01"]},
    }
    answers.shape_key = storages["shapes"].save("shape.json", ContentFile(json.dumps(shape).encode()))
    answers.save()
    assert "[row_count]" in run(*command, "--fetch").err
    answers.delete()
    kept = run(*command)
    assert kept.code == 1
    assert "2 are expected" in kept.err


def test_a_site_that_is_not_there(run: RunClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mlebench_leaderboard.http.Patience.__init__.__defaults__", (1, 0.0, lambda s: None))
    done = run("rankings", "--url", "http://127.0.0.1:9")
    assert done.code == 4
    assert "could not be reached" in done.err
