"""Validity checks as rows and at the edges: who may ask, who may see, what is refused, what is lost and found."""

import gzip
import json
import os
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle

from grading.answers import small_key
from grading.models import AnswersVersion, Competition
from submissions.api import validity
from submissions.models import User, ValidityCheck, ValidityHost
from submissions.tokens import create_token
from submissions.validity import host, request, stage, tasks
from submissions.validity.request import begin_check, size_limit
from submissions.validity.stage import Found, claim_check, extend_check, give_back, record_found, take_unrung
from tests.factories import NOW, make_answers, make_competition, make_maintainer, make_user

pytestmark = pytest.mark.django_db
CACTUS = "aerial-cactus-identification"
Outcome, State = ValidityCheck.Outcome, ValidityCheck.State
VALID = Found(Outcome.VALID)
INVALID = Found(
    Outcome.INVALID, [{"code": "row_count", "message": "The file has 1 data row; 3 are expected."}]
)


@pytest.fixture
def competition() -> Competition:
    return make_competition(CACTUS, metric_family="auroc")


@pytest.fixture
def answers(competition: Competition) -> AnswersVersion:
    return make_answers(competition)


def program(user: User) -> Client:
    token = create_token(user)
    return Client(headers={"Authorization": f"Token {token}"})


def person(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def csv(content: bytes = b"id,has_cactus\na,1\n", name: str = "submission.csv") -> ContentFile:  # type: ignore[type-arg]
    return ContentFile(content, name=name)


def make_check(user: User, competition: Competition, now: Any = NOW) -> ValidityCheck:
    return begin_check(user, competition, csv(), now)  # type: ignore[arg-type]


def send(client: Client, file: Any, query: str = "") -> Any:
    return client.post(f"/api/v1/competitions/{CACTUS}/validate{query}", {"file": file})


def codes(answer: Any) -> list[str]:
    assert answer["Content-Type"] == "application/problem+json"
    return [error["code"] for error in answer.json()["errors"]]


# Rows


def test_one_claim_at_a_time(owner: User, competition: Competition, answers: AnswersVersion) -> None:
    check = make_check(owner, competition)
    assert claim_check(str(check.public_id), NOW) is not None
    assert claim_check(str(check.public_id), NOW) is None


def test_a_killed_worker_is_taken_over_and_its_result_dropped(
    owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    check = make_check(owner, competition)
    first = claim_check(str(check.public_id), NOW)
    later = NOW + settings.VALIDITY_LEASE + timedelta(seconds=1)
    assert take_unrung(NOW) == []
    assert take_unrung(later) == [str(check.public_id)]
    second = claim_check(str(check.public_id), later)
    assert first is not None
    assert second is not None
    assert not extend_check(first, later)
    record_found(first, VALID, later)
    check.refresh_from_db()
    assert (check.state, check.outcome) == (State.RUNNING, "")
    record_found(second, INVALID, later)
    check.refresh_from_db()
    assert (check.state, check.outcome, check.reasons) == (State.DONE, Outcome.INVALID, INVALID.reasons)


def test_a_file_that_kills_its_workers_is_parked(
    owner: User, competition: Competition, answers: AnswersVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "require_isolation", lambda now: None)
    check = make_check(owner, competition)
    ValidityCheck.objects.filter(pk=check.pk).update(
        state=State.RUNNING, lease_until=NOW, attempts=settings.VALIDITY_ATTEMPTS
    )
    tasks.check(str(check.public_id))
    check.refresh_from_db()
    assert (check.state, check.outcome, check.is_valid) == (State.DONE, Outcome.FAILED, None)


def test_a_fault_of_ours_is_tried_again_and_then_told(
    owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    check, now = make_check(owner, competition), NOW
    for attempt in range(1, settings.VALIDITY_ATTEMPTS + 1):
        claim = claim_check(str(check.public_id), now)
        assert claim is not None
        assert not claim.is_spent
        give_back(claim, now)
        check.refresh_from_db()
        assert check.is_done is (attempt == settings.VALIDITY_ATTEMPTS)
        now += timedelta(minutes=1)
    assert [reason["code"] for reason in check.reasons] == ["failed"]
    assert not storages["validity"].exists(check.key or "gone")


def test_the_file_is_deleted_with_the_outcome(
    owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    check = make_check(owner, competition)
    assert storages["validity"].exists(check.key)
    claim = claim_check(str(check.public_id), NOW)
    assert claim is not None
    record_found(claim, VALID, NOW)
    assert storages["validity"].listdir("")[1] == []
    assert ValidityCheck.objects.get().key == ""


def test_files_go_after_an_hour_and_rows_after_a_week(
    owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    check = make_check(owner, competition)
    assert stage.give_up_old(NOW + timedelta(minutes=59)) == 0
    assert stage.give_up_old(NOW + timedelta(minutes=61)) == 1
    assert storages["validity"].listdir("")[1] == []
    check.refresh_from_db()
    assert (check.state, check.outcome) == (State.DONE, Outcome.FAILED)
    assert stage.forget_old(NOW + timedelta(days=6)) == 0
    assert stage.forget_old(NOW + timedelta(days=8)) == 1
    assert not ValidityCheck.objects.exists()


def test_what_a_killed_process_left_is_deleted(tmp_path: Path) -> None:
    for name, age_s in (("old", 3700), ("new", 60)):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (time.time() - age_s,) * 2)
    assert stage.delete_strays(tmp_path) == 1
    assert os.listdir(tmp_path) == ["new"]
    assert stage.delete_strays(tmp_path / "nowhere") == 0


def test_the_sweep_rings_what_waits(
    owner: User,
    competition: Competition,
    answers: AnswersVersion,
    rings: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    check = make_check(owner, competition)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
        tasks.sweep()
    assert rings == [("submissions.validity.tasks.check", (str(check.public_id),))]


def test_a_worker_that_sees_a_vault_checks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLEB_VAULT", str(tmp_path))
    monkeypatch.setattr(host, "_last_good", None)
    with pytest.raises(host.SandboxUnavailable, match="sees a vault"):
        host.require_isolation(NOW)
    recorded = ValidityHost.objects.get()
    assert not recorded.is_isolated
    page = Client().get("/status/").content.decode()
    assert "not checking" in page
    assert "sees a vault" in page


# Programs


def test_from_the_file_to_the_answer(
    owner: User,
    competition: Competition,
    answers: AnswersVersion,
    rings: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = program(owner)
    with django_capture_on_commit_callbacks(execute=True):
        sent = send(client, csv())
    body = sent.json()
    assert (sent.status_code, sent["Location"], body["state"]) == (202, body["url"], "queued")
    assert (body["valid"], body["outcome"], body["answers_version"]) == (None, "", answers.number)
    assert rings == [("submissions.validity.tasks.check", (body["id"],))]
    claim = claim_check(body["id"], timezone.now())
    assert claim is not None
    record_found(claim, INVALID, timezone.now())
    told = client.get(body["url"]).json()
    assert (told["state"], told["valid"], told["reasons"]) == ("done", False, INVALID.reasons)
    assert not {"score", "medal"} & told.keys()


@pytest.mark.parametrize("who", ["owner", "stranger", "maintainer", "anonymous", "token of a stranger"])
def test_only_its_sender_sees_a_check(
    who: str, owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    check = make_check(owner, competition, timezone.now())
    clients = {
        "owner": lambda: person(owner),
        "stranger": lambda: person(make_user()),
        "maintainer": lambda: person(make_maintainer()),
        "anonymous": Client,
        "token of a stranger": lambda: program(make_user()),
    }
    client = clients[who]()
    addresses = [reverse(name, args=[check.public_id]) for name in ("api:validity-check", "validity-check")]
    wanted = 200 if who == "owner" else 404
    assert [client.get(each).status_code for each in addresses] == [wanted, wanted]


def test_whoever_is_not_signed_in_sends_nothing(competition: Competition, answers: AnswersVersion) -> None:
    assert send(Client(), csv()).status_code == 401
    page = Client().post(f"/competitions/{CACTUS}/validate/", {"file": csv()})
    assert page.status_code == 302
    assert page["Location"].startswith("/account/login/")
    assert not ValidityCheck.objects.exists()


def test_without_answers_nothing_is_checked(owner: User, competition: Competition) -> None:
    answer = send(program(owner), csv())
    assert (answer.status_code, codes(answer)) == (409, ["answers_not_loaded"])
    page = person(owner).get(f"/competitions/{CACTUS}/validate/")
    assert "not loaded here yet" in page.content.decode()
    assert b"<form class" not in page.content


def test_an_unknown_competition_is_not_there(owner: User) -> None:
    assert send(program(owner), csv()).status_code == 404
    assert person(owner).get(f"/competitions/{CACTUS}/validate/").status_code == 404


@pytest.mark.parametrize(
    ("form", "code"), [({}, "required"), ({"file": "text"}, "invalid"), ({"file": csv(b"")}, "empty_file")]
)
def test_a_form_without_a_file(
    form: dict[str, Any], code: str, owner: User, competition: Competition, answers: AnswersVersion
) -> None:
    answer = program(owner).post(f"/api/v1/competitions/{CACTUS}/validate", form)
    assert (answer.status_code, codes(answer)) == (400, [code])


def test_a_file_that_is_too_large(
    owner: User, competition: Competition, answers: AnswersVersion, settings: Any
) -> None:
    settings.VALIDITY_MAX_BYTES = 100
    client = program(owner)
    for size, status in ((100, 202), (101, 413), (80_000, 413), (3_000_000, 413)):
        answer = send(client, csv(b"x" * size))
        assert answer.status_code == status
        assert status == 202 or codes(answer) == ["too_large"]
    assert ValidityCheck.objects.count() == 1
    page = person(owner).post(f"/competitions/{CACTUS}/validate/", {"file": csv(b"x" * 101)})
    assert page.status_code == 413
    assert "for this competition 100 are read" in page.content.decode()


def test_a_competition_may_read_less(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(request.shipped_competitions()[CACTUS], limits={"file_bytes": 1000})
    monkeypatch.setattr(request, "shipped_competitions", lambda: {CACTUS: spec})
    assert size_limit(CACTUS) == 1000
    settings.VALIDITY_MAX_BYTES = 10
    assert size_limit(CACTUS) == 10


def test_too_many_in_an_hour(
    owner: User, competition: Competition, answers: AnswersVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page and API count together."""
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "validity", "2/hour")
    assert send(program(owner), csv()).status_code == 202
    page = person(owner)
    assert page.post(f"/competitions/{CACTUS}/validate/", {"file": csv()}).status_code == 302
    refused = page.post(f"/competitions/{CACTUS}/validate/", {"file": csv()})
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 60
    answer = send(program(owner), csv())
    assert (answer.status_code, codes(answer)) == (429, ["throttled"])
    assert int(answer["Retry-After"]) > 60
    assert send(program(make_user()), csv()).status_code == 202


def test_several_waiting(
    owner: User, competition: Competition, answers: AnswersVersion, settings: Any
) -> None:
    settings.VALIDITY_WAITING = 2
    client = program(owner)
    statuses = [send(client, csv()).status_code for _ in range(3)]
    assert statuses == [202, 202, 429]
    assert send(program(make_user()), csv()).status_code == 202


def test_waiting_for_a_check_that_is_done(
    owner: User, competition: Competition, answers: AnswersVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_at_once(task: str, public_id: str) -> None:
        claim = claim_check(public_id, timezone.now())
        assert claim is not None
        record_found(claim, VALID, timezone.now())

    monkeypatch.setattr(validity, "ring", check_at_once)
    answer = send(program(owner), csv(), "?wait=5")
    assert (answer.status_code, answer.json()["valid"]) == (200, True)


# Pages


def test_the_page_follows_a_check(owner: User, competition: Competition, answers: AnswersVersion) -> None:
    client = person(owner)
    sent = client.post(f"/competitions/{CACTUS}/validate/", {"file": csv(name="mine.csv")}, follow=True)
    page = sent.content.decode()
    check = ValidityCheck.objects.get()
    address = reverse("validity-check", args=[check.public_id])
    assert "Waiting to be checked" in page
    assert f'hx-get="{address}?seen=queued"' in page
    assert f'<noscript><p><a class="btn" href="{address}">' in page
    assert client.get(f"{address}?seen=queued", headers={"HX-Request": "true"}).status_code == 204
    claim = claim_check(str(check.public_id), timezone.now())
    assert claim is not None
    record_found(claim, INVALID, timezone.now())
    part = client.get(f"{address}?seen=queued", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "hx-get" not in part
    assert "row_count" in part
    assert "3 are expected" in part
    listed = client.get(f"/competitions/{CACTUS}/validate/").content.decode()
    assert "mine.csv" in listed
    assert "score_not_finite" in listed
    assert "mine.csv" not in person(make_user()).get(f"/competitions/{CACTUS}/validate/").content.decode()


def test_the_competition_page_leads_here(client: Client, competition: Competition) -> None:
    page = client.get(f"/competitions/{CACTUS}/").content.decode()
    assert f'href="/competitions/{CACTUS}/validate/"' in page


# The shape


def store_shape(answers: AnswersVersion, compressed: bool) -> bytes:
    document = json.dumps({"rows": 1, "cells": {"id": ["a"]}}).encode()
    storages["shapes"].save(answers.shape_key, ContentFile(document))
    if compressed:
        storages["shapes"].save(small_key(answers.shape_key), ContentFile(gzip.compress(document)))
    return document


@pytest.mark.parametrize("compressed", [True, False])
def test_the_shape_is_public_and_small(
    compressed: bool, client: Client, competition: Competition, answers: AnswersVersion
) -> None:
    document = store_shape(answers, compressed)
    address = f"/api/v1/competitions/{CACTUS}/shape"
    small = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert (small.status_code, small["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(b"".join(small)) == document
    plain = client.get(address)
    assert b"".join(plain) == document
    assert plain["ETag"] != small["ETag"]
    assert "public" in plain["Cache-Control"]
    assert client.get(address, headers={"If-None-Match": plain["ETag"]}).status_code == 304


def test_no_shape(client: Client, competition: Competition) -> None:
    answer = client.get(f"/api/v1/competitions/{CACTUS}/shape")
    assert (answer.status_code, codes(answer)) == (409, ["answers_not_loaded"])
    assert client.get("/api/v1/competitions/nowhere/shape").status_code == 404
