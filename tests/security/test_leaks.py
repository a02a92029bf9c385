"""Canaries: values planted among the hidden answers and among the secrets, looked for everywhere they must not be."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings as configured
from django.core import serializers
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.grade import request_grading
from grading.models import Competition, Grading
from grading.sandbox.result import Outcome, SandboxResult
from grading.tasks import grade
from leaderboard.notices.webhooks import create_webhook
from submissions.models import Submission
from submissions.people import invite
from submissions.tokens import create_token
from submissions.validity.request import begin_check
from submissions.validity.tasks import check
from tests import factories as make
from tests.test_flow import InProcess

pytestmark = pytest.mark.django_db
COMPETITION = "petfinder-pawpularity-score"
LABELS = ("73.1926485", "41.8830217", "88.4417093", "12.6650184")
ANSWERS = "Id,Pawpularity\n" + "".join(f"row{n},{label}\n" for n, label in enumerate(LABELS))
GUESS = "Id,Pawpularity\n" + "".join(f"row{n},50.5\n" for n in range(len(LABELS)))
FILES = {
    "good": GUESS,
    "other ids": GUESS.replace("row3", "row9"),
    "a row twice": GUESS.replace("row3", "row2"),
    "a row short": GUESS.replace("row3,50.5\n", ""),
    "text": GUESS.replace("row1,50.5", "row1,many"),
    "nan": GUESS.replace("row1,50.5", "row1,nan"),
    "out of range": GUESS.replace("row1,50.5", "row1,5000"),
    "another column": GUESS.replace("Pawpularity", "paw"),
    "no csv": "\x00\x01\x02",
    "nothing": "Id,Pawpularity\n",
}


class Talkative(InProcess):
    """A grader that broke in the middle of the answers, with all of them on its lips."""

    def __init__(self, outcome: Outcome, code: int, payload: bytes) -> None:
        self.ended = outcome, code, payload

    def run(self, job: Any, submission: int, answers: int, limits: Any) -> SandboxResult:
        outcome, code, payload = self.ended
        return SandboxResult(outcome, payload, code, wall_s=0.1, peak_memory_mb=60, log=ANSWERS.encode())


BROKEN = {
    "crash": Talkative(Outcome.FINISHED, 1, ANSWERS.encode()),
    "no JSON": Talkative(Outcome.FINISHED, 0, ANSWERS.encode()),
    "JSON of another kind": Talkative(Outcome.FINISHED, 0, json.dumps({"outcome": ANSWERS}).encode()),
    "a score that is text": Talkative(
        Outcome.FINISHED, 0, json.dumps({"outcome": "scored", "score": LABELS[0]}).encode()
    ),
    "too slow": Talkative(Outcome.TIMED_OUT, 9, ANSWERS.encode()),
    "too large": Talkative(Outcome.OUT_OF_MEMORY, 9, ANSWERS.encode()),
}


@pytest.fixture(autouse=True)
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """All that any logger says, however quiet the settings keep it."""
    quiet = [
        name for name, logger in logging.root.manager.loggerDict.items() if isinstance(logger, logging.Logger)
    ]
    before = {name: logging.getLogger(name).level for name in quiet}
    for name in quiet:
        logging.getLogger(name).setLevel(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Competition:
    """The competition with the planted answers in a vault outside the site."""
    monkeypatch.setenv("MLEB_VAULT", str(tmp_path_factory.mktemp("vault") / "vault"))
    competition = make.make_competition(COMPETITION)
    prepared = tmp_path_factory.mktemp("prepared")
    file = prepared / COMPETITION / "prepared" / "private" / "test.csv"
    file.parent.mkdir(parents=True)
    file.write_text(ANSWERS)
    call_command("load_answers", "--from", str(prepared), "--only", COMPETITION)
    return competition


def tables() -> str:
    """Every row of every table, as text."""
    return "".join(
        serializers.serialize("json", model._default_manager.all())
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    )


def stored(root: Path) -> str:
    """Every file the site keeps: mail, logs, and stores, be they folders or buckets. The vault is elsewhere."""
    here = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
    names = set(configured.STORAGES) - {"staticfiles"}
    return b"".join([*here, *(content for name in names for content in contents(storages[name]))]).decode(
        "latin-1"
    )


def contents(store: Storage, folder: str = "") -> Iterator[bytes]:
    try:
        folders, files = store.listdir(folder)
    except FileNotFoundError:  # Nothing was stored yet.
        return
    for name in files:
        with store.open(f"{folder}{name}") as file:
            yield file.read()
    for name in folders:
        yield from contents(store, f"{folder}{name}/")


def pages_of(people: list[Any], paths: list[str]) -> str:
    shown = []
    for user in people:
        client = Client(raise_request_exception=False)
        if user:
            client.force_login(user)
        shown += [body_of(client.get(path)) for path in paths]
    return "".join(shown)


def body_of(answer: Any) -> str:
    parts = answer.streaming_content if answer.streaming else [answer.content]
    return b"".join(parts).decode()


def tries() -> list[tuple[bytes, InProcess]]:
    """Every file with the real grader, and a file of its own for each that breaks."""
    broken = [(GUESS.replace("50.5", f"51.{n}"), pool) for n, pool in enumerate(BROKEN.values())]
    return [
        (content.encode(), pool)
        for content, pool in [*((each, InProcess()) for each in FILES.values()), *broken]
    ]


def run_all(submission: Submission, monkeypatch: pytest.MonkeyPatch) -> list[Grading]:
    """The gradings, each tried until it is given up."""
    gradings = []
    for number, (content, pool) in enumerate(tries()):
        blob = make.make_blob(submission.team, content)
        storages["blobs"].save(blob.key, ContentFile(content))
        monkeypatch.setattr("grading.tasks.isolated_pool", lambda now, slot, pool=pool: pool)
        grading = request_grading(blob, COMPETITION, ("x", "y"), timezone.now())
        waiting = Grading.objects.filter(pk=grading.pk, state=Grading.State.QUEUED)
        for _ in range(configured.GRADING_ATTEMPTS + 1):
            waiting.update(not_before=timezone.now())
            grade(grading.pk)
        make.make_run(submission, f"s{number}", COMPETITION, blob=blob, grading=grading)
        grading.refresh_from_db()
        gradings.append(grading)
    return gradings


def test_no_hidden_answer_appears_anywhere(
    loaded: Competition,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    rings: list[Any],
    mailoutbox: list[Any],
) -> None:
    benchmark = make.make_benchmark("bench", {COMPETITION: "low"})
    member, maintainer = make.make_user(), make.make_maintainer()
    submission = make.make_submission(
        make.make_team(owner=member), benchmark, Submission.Status.GRADED, "low"
    )
    gradings = run_all(submission, monkeypatch)
    outcomes = {grading.outcome for grading in gradings}
    assert {"scored", "invalid", "grader_error", "timed_out", "out_of_memory"} <= outcomes
    entry = make.make_reviewed(submission)
    call_command("regrade", "--competition", COMPETITION)
    paths = [
        reverse("submission", args=[submission.public_id]),
        reverse("api:submission", args=[submission.public_id]),
        reverse("docket-case", args=[submission.public_id]),
        reverse("api:case", args=[submission.public_id]),
        reverse("competition", args=[COMPETITION]),
        reverse("api:competition", args=[COMPETITION]),
        reverse("api:competition-shape", args=[COMPETITION]),
        reverse("status"),
        reverse("readyz"),
        "/admin/grading/grading/",
        *(f"/admin/grading/grading/{grading.pk}/change/" for grading in gradings),
        "/admin/grading/answersversion/",
        reverse("entry", args=[entry.slug]),
    ]
    said = capfd.readouterr()
    everywhere = {
        "pages": pages_of([None, member, maintainer], paths),
        "tables": tables(),
        "files": stored(tmp_path),
        "log": caplog.text + "".join(str(vars(record)) for record in caplog.records),
        "terminal": said.out + said.err,
        "messages": str(rings),
        "mail": "".join(str(mail.message()) for mail in mailoutbox),
    }
    assert all(everywhere[place] for place in ("pages", "tables", "files", "log", "terminal"))
    found = [(place, label) for place, text in everywhere.items() for label in LABELS if label in text]
    assert found == []


@pytest.mark.sandbox
@pytest.mark.enable_socket
def test_a_validity_check_has_no_answers_to_give_away(
    loaded: Competition,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MLEB_VAULT", str(tmp_path / "none"))  # As where checks run: no vault is in sight.
    user = make.make_user()
    make.make_team(owner=user)
    ended = []
    for name in ("good", "other ids", "text", "no csv"):
        file: Any = ContentFile(FILES[name].encode(), name=f"{LABELS[0][:2]}.csv")
        begun = begin_check(user, loaded, file, timezone.now())
        check(str(begun.public_id))
        begun.refresh_from_db()
        ended.append(begun.outcome)
    assert set(ended) == {"valid", "invalid"}
    paths = [
        reverse("validity-check", args=[begun.public_id]),
        reverse("api:validity-check", args=[begun.public_id]),
    ]
    said = capfd.readouterr()
    text = "".join([pages_of([user], paths), tables(), stored(tmp_path), caplog.text, said.out, said.err])
    assert [label for label in LABELS if label in text] == []


SECRETS = {
    "SECRET_KEY": "canary-secret-key-" + "k" * 40,
    "EMAIL_HOST_PASSWORD": "canary-mail-password",
    "SECOND_READING_KEY": "canary-llm-key",
}
TYPED = "canary-password-typed"


def test_no_secret_appears_in_logs_pages_tables_or_messages(
    settings: Any,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: Any,
    rings: list[Any],
    monkeypatch: Any,
) -> None:
    """Those of the settings, of people and of programs, while each is used and while a page breaks over it."""
    for name, value in SECRETS.items():
        setattr(settings, name, value)
    user, maintainer = make.make_user(), make.make_maintainer()
    user.set_password(TYPED)
    user.save()
    team = make.make_team(owner=user)
    token = create_token(user)
    invitation = invite(team, user, timezone.now())
    _, hook_secret = create_webhook(
        user, team, "https://example.org/hook", ["entry.decision"], timezone.now()
    )
    client = Client(raise_request_exception=False)
    client.post(reverse("account_login"), {"login": user.email, "password": TYPED + "-wrong"})
    client.post(reverse("account_login"), {"login": user.email, "password": TYPED})
    assert client.get("/account/").status_code == 200
    program = Client(headers={"Authorization": f"Token {token}"}, raise_request_exception=False)
    assert program.get("/api/v1/submissions").status_code == 200
    break_pages(monkeypatch)
    broken = [
        client.get("/account/"),
        program.get("/api/v1/submissions"),
        client.post("/account/", {"password": TYPED}),
    ]
    assert 500 in [answer.status_code for answer in broken]
    session = client.cookies["sessionid"].value
    secrets = [*SECRETS.values(), TYPED, token, invitation, hook_secret, hook_secret.removeprefix("whsec_")]
    said = capfd.readouterr()
    everywhere = {
        "log": caplog.text
        + "".join(str(record.getMessage()) for record in caplog.records)
        + said.out
        + said.err,
        "pages": "".join(answer.content.decode() for answer in broken)
        + pages_of([None, maintainer, user], ["/status/", "/readyz", "/docket/audit/", "/docs/running/"]),
        "tables": tables(),
        "messages": str(rings),
        "files": stored(tmp_path),
    }
    found = [(place, secret) for place, text in everywhere.items() for secret in secrets if secret in text]
    assert found == []
    assert session not in everywhere["log"] + everywhere["messages"]


def break_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        secret_in_reach = TYPED  # noqa: F841  # What an error report with local variables would send on.
        raise RuntimeError("made to fail")

    monkeypatch.setattr("submissions.views.account.tokens_of", fail)
    monkeypatch.setattr("submissions.api.views.SubmissionList.get", fail)


def test_a_setting_that_is_refused_is_named_and_a_secret_one_is_not_repeated() -> None:
    """Errors of settings quote the value; what is secret is never checked by its form."""
    source = (Path(configured.BASE_DIR) / "leaderboard/settings.py").read_text()
    secret = re.findall(r'env\.(\w+)\("(\w*(?:KEY|PASSWORD|SECRET|TOKEN))"', source)
    assert secret
    assert {method for method, _ in secret} == {"text"}
