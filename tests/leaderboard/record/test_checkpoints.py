"""Signed checkpoints: a record rewritten together with its own head shows, here and elsewhere."""

import base64
import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from leaderboard.integrity.chain import Link, hash_record
from leaderboard.integrity.checkpoints import NoCheckpoint, Signed, read_signed, verify_checkpoints
from leaderboard.integrity.decide import flag_entry, move_entry
from leaderboard.integrity.ledger import to_record, verify_decisions
from leaderboard.integrity.models import ChainHead, DecisionIsPermanent
from leaderboard.models import Checkpoint, Decision, SigningKey
from leaderboard.receipts.checkpoint import (
    ChainContradicted,
    kept_path,
    read_kept,
    set_aside,
    sign_checkpoint,
)
from leaderboard.receipts.key_store import KeyStoreError
from leaderboard.receipts.signing import key_id, raw_key, sign
from leaderboard.tasks import sign_chain
from submissions.models import Event
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import NOW, Cast, after, grounds, track
from tests.leaderboard.test_ledger import chain

SCRIPT = Path(__file__).parents[3] / "docs" / "verify_checkpoints.py"
KEY = Ed25519PrivateKey.generate()
ID = key_id(KEY.public_key())


def public(key: Ed25519PrivateKey = KEY) -> dict[str, str]:
    return {key_id(key.public_key()): base64.b64encode(raw_key(key.public_key())).decode()}


def signed(link: Link, count: int, by: Ed25519PrivateKey = KEY, **said: Any) -> Signed:
    document = {
        "count": count,
        "number": link.number,
        "hash": link.hash,
        "key": ID,
        "signed_at": "then",
        **said,
    }
    return Signed(document, sign(document, by))


# The rule.

LINKS = chain(4)
OTHER = Ed25519PrivateKey.generate()


@pytest.mark.parametrize(
    ("checkpoint", "says"),
    [
        (signed(LINKS[0], 1), ""),
        (signed(LINKS[3], 4), ""),
        (signed(LINKS[3], 5), "was the newest of 5 on then; only 4 are left"),
        (signed(LINKS[3], 0), "was the newest of 0"),
        (signed(LINKS[2], 4), "is not what was signed on then"),
        (signed(LINKS[3], 4, hash="0" * 64), "is not what was signed on then"),
        (signed(LINKS[3], 4, OTHER), "that no known key has signed"),
        (signed(LINKS[3], 4, key="unknown"), "that no known key has signed"),
        (Signed(signed(LINKS[0], 1).document, "no base64!"), "that no known key has signed"),
        (
            Signed({**signed(LINKS[0], 1).document, "signed_at": "now"}, signed(LINKS[0], 1).signature),
            "no known key",
        ),
    ],
)
def test_what_a_checkpoint_shows(checkpoint: Signed, says: str) -> None:
    found = verify_checkpoints(LINKS, [checkpoint], public())
    assert [each.sentence for each in found if says in each.sentence] == [each.sentence for each in found]
    assert bool(found) == bool(says)


@pytest.mark.parametrize(
    "content",
    [[], "x", None, 1, {}, {"checkpoints": []}, {"checkpoints": [{}]},
     {"checkpoints": [{"document": {}, "signature": ""}]},
     {"document": {"count": True, "number": 1, "hash": "", "key": "", "signed_at": ""}, "signature": ""},
     {"document": signed(LINKS[0], 1).document, "signature": None}],
)  # fmt: skip
def test_a_file_that_holds_none(content: Any) -> None:
    with pytest.raises(NoCheckpoint):
        read_signed(content)


# The record.


@pytest.fixture
def keys(tmp_path: Path, settings: Any) -> Path:
    settings.SIGNING_DIR = tmp_path / "keys"
    return tmp_path / "keys"


def rewrite(people: Cast, reason: str) -> None:
    """What an intruder with the whole database does: every hash anew, the head and the events as well."""
    previous = ""
    with connection.cursor() as cursor:
        for decision in Decision.objects.order_by("pk"):
            if decision.kind == "move":
                decision.reason = reason
            decision.previous_hash = previous
            previous = hash_record(to_record(decision), previous)
            cursor.execute(
                "UPDATE leaderboard_decision SET reason = %s, previous_hash = %s, hash = %s WHERE id = %s",
                [decision.reason, decision.previous_hash, previous, decision.pk],
            )
            for event in Event.objects.filter(kind="decision", detail__number=decision.pk):
                Event.objects.filter(pk=event.pk).update(detail={**event.detail, "hash": previous})
    ChainHead.objects.update(hash=previous)


@pytest.fixture
def moved(people: Cast) -> Cast:
    move_entry(people.entry, track("additional"), GROUNDS, people.maintainer, after(1))
    return people


def test_signed_once_for_each_end(moved: Cast, keys: Path) -> None:
    first = sign_checkpoint(keys, after(1))
    assert first is not None
    newest = Decision.objects.order_by("pk").last()
    assert newest is not None
    said = {name: first.document[name] for name in ("count", "number", "hash", "signed_at")}
    assert said == {"count": 2, "number": newest.pk, "hash": newest.hash, "signed_at": "2026-05-02T12:00:00Z"}
    assert sign_checkpoint(keys, after(2)) is None
    flag_entry(moved.entry, GROUNDS, moved.maintainer, after(2))
    sign_chain()
    assert [each.count for each in Checkpoint.objects.all()] == [2, 3]
    assert [each.document["count"] for each in read_kept(keys)] == [2, 3]
    assert kept_path(keys).stat().st_mode & 0o777 == 0o600
    call_command("verify_decisions")
    for changed in (first.delete, first.save, Checkpoint.objects.all().delete):
        with pytest.raises(DecisionIsPermanent):
            changed()


def test_without_decisions_nothing_is_signed(db: None, keys: Path) -> None:
    assert sign_checkpoint(keys, NOW) is None
    assert not SigningKey.objects.exists()


def test_an_intruder_who_rewrites_everything_is_found_by_a_signature(moved: Cast, keys: Path) -> None:
    sign_checkpoint(keys, after(1))
    rewrite(moved, "Kind words.")
    assert verify_decisions() == [], "the chain alone does not show it"
    with pytest.raises(CommandError, match="is not what was signed on 2026-05-02T12:00:00Z"):
        call_command("verify_decisions")


@pytest.mark.parametrize("kept", ["here", "elsewhere"])
def test_deleting_the_checkpoints_as_well_does_not_help(
    moved: Cast, keys: Path, kept: str, client: Client, tmp_path: Path
) -> None:
    sign_checkpoint(keys, after(1))
    copy = tmp_path / "copy.json"
    copy.write_bytes(client.get("/decisions/checkpoints.json").content)
    rewrite(moved, "Kind words.")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leaderboard_checkpoint")
        cursor.execute("DELETE FROM leaderboard_signingkey")
    if kept == "elsewhere":
        kept_path(keys).unlink()
        call_command("verify_decisions")
        arguments = ["--checkpoint", str(copy)]
    else:
        # Housekeeping does not sign the new history either.
        with pytest.raises(ChainContradicted):
            sign_checkpoint(keys, after(2))
        arguments = []
    with pytest.raises(CommandError, match=r"is not what was signed|no known key"):
        call_command("verify_decisions", *arguments)


def test_a_chain_cut_short_is_not_signed_over(moved: Cast, keys: Path) -> None:
    sign_checkpoint(keys, after(1))
    first = Decision.objects.order_by("pk")[0]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leaderboard_placement WHERE decision_id <> %s", [first.pk])
        cursor.execute("DELETE FROM leaderboard_decision WHERE id <> %s", [first.pk])
    Event.objects.filter(kind="decision").exclude(detail__number=first.pk).delete()
    ChainHead.objects.update(count=1, number=first.pk, hash=first.hash)
    assert verify_decisions() == []
    with pytest.raises(ChainContradicted):
        sign_checkpoint(keys, after(2))
    with pytest.raises(CommandError, match="was the newest of 2 on 2026-05-02T12:00:00Z; only 1 are left"):
        call_command("verify_decisions")


def test_the_chain_may_grow_after_a_copy(
    moved: Cast, keys: Path, client: Client, tmp_path: Path, capsys: Any
) -> None:
    sign_checkpoint(keys, after(1))
    copy = tmp_path / "copy.json"
    copy.write_bytes(client.get("/decisions/checkpoints.json").content)
    flag_entry(moved.entry, GROUNDS, moved.maintainer, after(2))
    call_command("verify_decisions", "--checkpoint", str(copy))
    assert "3 decisions, the chain holds, and 2 signed checkpoints agree" in capsys.readouterr().out
    copy.write_text("{}")
    with pytest.raises(CommandError, match="cannot be used"):
        call_command("verify_decisions", "--checkpoint", str(copy))


def test_a_database_begun_anew_is_not_bound_by_the_one_before(moved: Cast, keys: Path) -> None:
    sign_checkpoint(keys, after(1))
    rewrite(moved, "Another site's words.")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leaderboard_checkpoint")
    with pytest.raises(ChainContradicted, match=f"begun anew on purpose, move {kept_path(keys)} away"):
        sign_checkpoint(keys, after(2))
    for _ in range(2):
        set_aside(keys, after(2))
    assert sign_checkpoint(keys, after(2)) is not None
    assert len(list(keys.glob("checkpoints-*.old"))) == 1
    call_command("verify_decisions")


def test_each_database_has_a_file_of_its_own(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = kept_path(keys)
    monkeypatch.setitem(connection.settings_dict, "NAME", "/another/db.sqlite3")
    assert kept_path(keys) != here


def test_half_a_line_is_passed_over(moved: Cast, keys: Path) -> None:
    sign_checkpoint(keys, after(1))
    with kept_path(keys).open("a") as file:
        file.write('{"document": {"cou')
    assert len(list(read_kept(keys))) == 1


def test_a_key_that_others_can_read_signs_nothing(moved: Cast, keys: Path, caplog: Any) -> None:
    keys.mkdir(mode=0o755)
    with pytest.raises(KeyStoreError):
        sign_checkpoint(keys, NOW)
    sign_chain()
    assert "no checkpoint can be signed" in caplog.text
    assert not Checkpoint.objects.exists()


# The download, and the script that is handed out.


def test_the_download_is_public_and_asked_again_by_etag(moved: Cast, keys: Path, client: Client) -> None:
    assert client.get("/decisions/checkpoints.json").json() == {"keys": [], "checkpoints": []}
    sign_checkpoint(keys, after(1))
    answer = client.get("/decisions/checkpoints.json")
    assert [each["document"]["count"] for each in answer.json()["checkpoints"]] == [2]
    again = {"if-none-match": answer["ETag"]}
    assert client.get("/decisions/checkpoints.json", headers=again).status_code == 304
    assert client.get("/docs/verify_checkpoints.py").content.decode() == SCRIPT.read_text()


def run_script(tmp_path: Path, content: Any, table: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "checkpoints.json").write_text(json.dumps(content))
    (tmp_path / "decisions.csv").write_text(table, newline="")
    arguments = [
        sys.executable,
        str(SCRIPT),
        str(tmp_path / "checkpoints.json"),
        str(tmp_path / "decisions.csv"),
    ]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def forge(content: Any, rows: list[dict[str, str]]) -> None:
    content["checkpoints"][0]["document"]["count"] = 1


def replace(content: Any, rows: list[dict[str, str]]) -> None:
    rows[0]["hash"] = "0" * 64


def relink(content: Any, rows: list[dict[str, str]]) -> None:
    rows[0]["previous_hash"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "says", "status"),
    [
        (None, "everything that can be compared agrees", 0),
        (forge, "NOT GENUINE", 1),
        (replace, "is not the one signed on 2026-05-02T12:00:00Z", 1),
        (relink, "does not follow decision", 1),
    ],
)
def test_the_script_says_what_does_not_hold(
    moved: Cast,
    keys: Path,
    client: Client,
    tmp_path: Path,
    change: Callable[..., None] | None,
    says: str,
    status: int,
) -> None:
    sign_checkpoint(keys, after(1) + timedelta(seconds=0))
    content = client.get("/decisions/checkpoints.json").json()
    text = client.get("/api/v1/decisions/?format=csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    if change:
        change(content, rows)
    out = io.StringIO()
    table = csv.DictWriter(out, fieldnames=list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    done = run_script(tmp_path, content, out.getvalue())
    assert says in done.stdout
    assert done.returncode == status


def test_details_of_decisions_are_in_the_chain(people: Cast) -> None:
    flag_entry(people.entry, grounds("A"), people.maintainer, NOW)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE leaderboard_decision SET is_self_reported = %s WHERE kind = 'flag'", [True])
    assert any("was edited" in each.sentence for each in verify_decisions())
