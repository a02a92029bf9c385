"""Validity checks in the real sandbox: blind to labels, and unharmed by what strangers send."""

import gzip
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from grading.answers import load_answers
from grading.catalogue import shipped_competitions
from grading.models import AnswersVersion, Competition
from grading.sandbox import runner
from grading.sandbox.errors import SandboxError
from grading.sandbox.policy import Mount
from grading.sandbox.result import Outcome as Ended
from grading.sandbox.result import SandboxResult
from grading.vault import Vault
from grading.verdict import GraderFault
from submissions.models import User, ValidityCheck
from submissions.validity import execute as executing
from submissions.validity import tasks
from submissions.validity.execute import execute, read_found
from submissions.validity.request import begin_check
from submissions.validity.stage import Found
from tests.factories import NOW, make_competition, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]
MIB = 2**20
CACTUS = "aerial-cactus-identification"
VENTILATOR = "ventilator-pressure-prediction"
TOXIC = "jigsaw-toxic-comment-classification-challenge"
TOXIC_HEAD = "id,toxic,severe_toxic,obscene,threat,insult,identity_hate\n"


def prepare(competition_id: str, text: str, folder: Path) -> AnswersVersion:
    """Answers loaded as a maintainer loads them; another text becomes the next version."""
    spec = shipped_competitions()[competition_id]
    source = folder / spec.answers_path
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    (loaded,) = load_answers({spec.id: spec}, folder, Vault(folder / "vault"))
    assert loaded.rows
    return AnswersVersion.objects.filter(competition_id=competition_id).latest("number")


def make_known(competition_id: str) -> Competition:
    return make_competition(
        competition_id, metric_family=shipped_competitions()[competition_id].metric.family
    )


def find(user: User, answers: AnswersVersion, content: bytes, name: str = "submission.csv") -> Found:
    """What a check of this file against the shape of these answers finds."""
    check = begin_check(user, answers.competition, ContentFile(content, name=name), NOW)  # type: ignore[arg-type]
    ValidityCheck.objects.filter(pk=check.pk).update(
        answers=answers, state="done", outcome="valid", checked_at=NOW
    )
    check.answers = answers
    return execute(check)


@pytest.fixture
def cactus(tmp_path: Path) -> AnswersVersion:
    make_known(CACTUS)
    return prepare(CACTUS, "id,has_cactus\nb,1\na,0\nc,1\n", tmp_path)


LABELS = [
    (
        CACTUS,
        "id,has_cactus\nb,1\na,0\nc,1\n",
        "id,has_cactus\na,1\nb,0\nc,0\n",
        ["id,has_cactus\na,1\nb,0\nc,1\n", "id,has_cactus\na,1\nb,\nc,2\n", "id,has_cactus\na,1\nd,0\n"],
    ),
    (
        VENTILATOR,
        "id,u_out,pressure\n2,0,1.5\n1,1,2\n3,0,3\n",
        "id,u_out,pressure\n2,0,9\n1,1,8\n3,0,-7\n",
        ["id,pressure\n1,x\n2,1\n3,1\n", "id,pressure\n1,5\n2,1\n3,inf\n", "id,pressure\n1,5\n2,1\n3,4\n"],
    ),
    (
        TOXIC,
        TOXIC_HEAD + "b,1,0,1,0,1,0\na,0,1,0,1,0,1\nd,0,0,0,0,0,0\n",
        TOXIC_HEAD + "b,-1,-1,-1,-1,-1,-1\na,0,0,0,1,0,0\nd,1,1,1,0,1,1\n",
        [
            TOXIC_HEAD + "a,1,1,1,1,1,x\nb,0,0,0,0,0,0\nd,0,0,0,0,0,0\n",
            TOXIC_HEAD + "a,1,1,1,1,1,1\nc,,,,,,\nd,0,0,0,0,0,0\n",
        ],
    ),
]


@pytest.mark.parametrize(
    ("competition_id", "text", "swapped", "files"), LABELS, ids=lambda each: str(each)[:20]
)
def test_swapping_labels_changes_nothing(
    competition_id: str, text: str, swapped: str, files: Sequence[str], owner: User, tmp_path: Path
) -> None:
    """Equal bytes of the shape, and equal outcomes and sentences: nothing else of the answers is there to be told."""
    make_known(competition_id)
    first, second = (prepare(competition_id, each, tmp_path) for each in (text, swapped))
    assert first.number != second.number
    shapes = []
    for answers in (first, second):
        with storages["shapes"].open(answers.shape_key) as stored:
            shapes.append(stored.read())
    assert shapes[0] == shapes[1]
    found = [[find(owner, answers, each.encode()) for each in files] for answers in (first, second)]
    assert found[0] == found[1]
    assert {each.outcome for each in found[0]} <= {"valid", "invalid"}


def test_the_vault_is_never_opened(
    owner: User, cactus: AnswersVersion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even found: it may be gone. Into the sandbox go graders, CSV and shape."""
    mounted: list[Mount] = []
    real: Callable[..., SandboxResult] = runner.run_sandboxed

    def record(command: Sequence[str], **given: Any) -> SandboxResult:
        mounted.extend(given["mounts"])
        return real(command, **given)

    monkeypatch.setattr(executing, "run_sandboxed", record)
    (tmp_path / "vault").rename(tmp_path / "away")
    assert find(owner, cactus, b"id,has_cactus\na,1\nb,0\nc,1\n") == Found("valid")
    assert [each.target for each in mounted] == [
        "/app/grading/graders",
        "/in/submission.csv",
        "/in/outline.json",
    ]
    assert not any(str(each.source).startswith(str(tmp_path / "away")) for each in mounted)
    assert os.listdir(executing.work_folder()) == []


def columns(count: int) -> bytes:
    return b"id," + b",".join(b"c%d" % i for i in range(count)) + b"\na" + b",1" * count + b"\n"


def bomb(kind: str, mib: int) -> bytes:
    if kind == "zstd":
        return zstandard.ZstdCompressor().compress(bytes(mib * MIB))
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
        for _ in range(mib):
            file.write(b"1" * MIB)
    return packed.getvalue()


GOOD = b"id,has_cactus\na,0.5\nb,0.25\nc,1\n"
HOSTILE = [
    ("plain.csv", GOOD, ""),
    ("packed.csv.gz", gzip.compress(GOOD), ""),
    ("packed.CSV.ZST", zstandard.ZstdCompressor().compress(GOOD), ""),
    ("two streams.csv.gz", gzip.compress(GOOD[:20]) + gzip.compress(GOOD[20:]), ""),
    ("packed, not named so.csv", gzip.compress(GOOD), "not_csv"),
    ("named so, not packed.csv.gz", GOOD, "nested_corrupt"),
    ("cut.csv.gz", gzip.compress(GOOD)[:-9], "nested_corrupt"),
    ("junk behind.csv.gz", gzip.compress(GOOD) + b"junk", "nested_corrupt"),
    ("bomb.csv.gz", bomb("gzip", 40), "file_too_large"),
    ("bomb.csv.zst", bomb("zstd", 40), "file_too_large"),
    ("nul.csv", GOOD + b"\x00", "nul_byte"),
    ("utf-16.csv", GOOD.decode().encode("utf-16"), "not_utf8"),
    ("quote.csv", b'id,has_cactus\na,"0.5\n' + b"b,0.25\n" * 100_000, "row_too_long"),
    ("open quote.csv", b'id,has_cactus\na,"0.5\nb,0.25\n', "unclosed_quote"),
    ("columns.csv", columns(5000), "too_many_columns"),
    ("million columns.csv", columns(10**6), "line_too_long"),
    ("one line.csv", b"x" * (10 * MIB), "line_too_long"),
    ("newlines.csv", b"\n" * (10 * MIB), "empty_file"),
    ("../../etc/passwd\n.csv", b"id\n", "column_missing"),
]


@pytest.mark.parametrize(("name", "content", "code"), HOSTILE, ids=[case[0] for case in HOSTILE])
def test_hostile_files(
    name: str, content: bytes, code: str, owner: User, cactus: AnswersVersion, settings: Any
) -> None:
    settings.VALIDITY_MAX_BYTES = 32 * MIB
    found = find(owner, cactus, content, name)
    assert [reason["code"] for reason in found.reasons][:1] == ([code] if code else [])
    assert all(reason["message"] for reason in found.reasons)
    assert found.outcome == ("invalid" if code else "valid")
    assert os.listdir(executing.work_folder()) == []


def test_a_ratio_no_real_file_has(owner: User, cactus: AnswersVersion, settings: Any) -> None:
    """Above the floor of bundles, the proportion alone tells."""
    settings.VALIDITY_MAX_BYTES = 100 * MIB
    found = find(owner, cactus, bomb("gzip", 60), "bomb.csv.gz")
    assert [reason["code"] for reason in found.reasons] == ["nested_ratio_exceeded"]
    assert "bomb" not in found.reasons[0]["message"]


def test_the_task_checks_and_deletes(
    owner: User, cactus: AnswersVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "require_isolation", lambda now: None)
    check = begin_check(owner, cactus.competition, ContentFile(GOOD, name="a.csv"), NOW)  # type: ignore[arg-type]
    tasks.check(str(check.public_id))
    tasks.check(str(check.public_id))
    check.refresh_from_db()
    assert (check.outcome, check.attempts, check.key) == ("valid", 1, "")


@pytest.mark.parametrize("fault", [SandboxError("no"), GraderFault("no"), OSError("no")])
def test_a_fault_of_the_machine_leaves_it_queued(
    fault: Exception, owner: User, cactus: AnswersVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(tasks, "require_isolation", lambda now: None)
    monkeypatch.setattr(executing, "run_sandboxed", fail)
    check = begin_check(owner, cactus.competition, ContentFile(GOOD, name="a.csv"), NOW)  # type: ignore[arg-type]
    tasks.check(str(check.public_id))
    check.refresh_from_db()
    assert (check.state, check.outcome, check.attempts) == ("queued", "", 1)


@pytest.mark.parametrize(
    ("payload", "outcome"),
    [
        (b'{"outcome": "valid", "reasons": []}', "valid"),
        (b'{"outcome": "out_of_memory", "reasons": []}', "out_of_memory"),
        (b'{"outcome": "invalid", "reasons": [{"code": "a", "message": "b"}]}', "invalid"),
        (b'{"outcome": "invalid", "reasons": []}', None),
        (b'{"outcome": "valid", "reasons": [{"code": "a", "message": "b"}]}', None),
        (b'{"outcome": "scored", "score": 1.0, "reasons": []}', None),
        (b'{"outcome": "valid"}', None),
        (b"[]", None),
        (b"", None),
    ],
)
def test_what_the_sandbox_says_is_read_strictly(payload: bytes, outcome: str | None) -> None:
    result = SandboxResult(Ended.FINISHED, payload, 0, 0.1, 20, b"")
    if outcome is None:
        with pytest.raises(GraderFault):
            read_found(result)
    else:
        assert read_found(result).outcome == outcome


@pytest.mark.parametrize(
    ("ended", "outcome"), [(Ended.TIMED_OUT, "timed_out"), (Ended.OUT_OF_MEMORY, "out_of_memory")]
)
def test_a_limit_is_told(ended: Ended, outcome: str) -> None:
    found = read_found(SandboxResult(ended, b"", None, 1.0, 20, b""))
    assert (found.outcome, found.reasons[0]["code"]) == (outcome, outcome)
    with pytest.raises(GraderFault):
        read_found(SandboxResult(Ended.CRASHED, b"", 1, 1.0, 20, b""))


def test_memory_is_bounded(owner: User, cactus: AnswersVersion, settings: Any) -> None:
    settings.GRADING_MEMORY_MB = 48
    assert find(make_user(), cactus, b"id,has_cactus\n" + b"a,1\n" * (6 * MIB)).outcome == "out_of_memory"
