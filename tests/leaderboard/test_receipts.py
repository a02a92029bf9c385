"""Receipts: signed once per pin, checkable by the one-file script, and false after any change."""

import base64
import json
import runpy
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.test import Client

from grading.models import Grading
from leaderboard.models import Entry, EntryRun, Receipt, SigningKey
from leaderboard.receipts.issue import issue_receipts
from leaderboard.receipts.key_store import KeyStoreError, make_key, newest_key
from leaderboard.receipts.signing import canonical, key_id, raw_key, sign
from tests.factories import NOW
from tests.leaderboard.boards import make_board_benchmark, make_published, make_reviewed

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_receipts.py"
# The very code that is handed out, so that what it calls genuine is what is tested.
VERDICT = runpy.run_path(str(SCRIPT))["verdict"]
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.55}, "s3": {"comp-low": None}}


def is_genuine(document: Any, signature: str, raw_public: bytes) -> bool:
    keys = {"k": base64.b64encode(raw_public).decode()}
    return bool(VERDICT({"document": document, "signature": signature}, keys) == "genuine")


def test_a_signature_is_of_this_document_by_this_key() -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    document = {"b": 0.1, "a": "ü", "c": None, "key": "k"}
    assert canonical(document) == '{"a":"ü","b":0.1,"c":null,"key":"k"}'.encode()
    signature, public = sign(document, key), raw_key(key.public_key())
    assert is_genuine(document, signature, public)
    assert not is_genuine({**document, "b": 0.2}, signature, public)
    assert not is_genuine(document, signature, raw_key(other.public_key()))
    assert not is_genuine(document, "no base64!", public)
    with pytest.raises(ValueError, match="JSON compliant"):
        sign({"score": float("nan")}, key)


def test_the_newest_key_signs_and_is_closed_to_others(tmp_path: Path) -> None:
    first = newest_key(tmp_path / "keys", NOW)
    assert key_id(newest_key(tmp_path / "keys", NOW).public_key()) == key_id(first.public_key())
    second = make_key(tmp_path / "keys", NOW + timedelta(days=1))
    assert key_id(newest_key(tmp_path / "keys", NOW).public_key()) == key_id(second.public_key())
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "keys").iterdir()} == {0o600}
    (tmp_path / "keys").chmod(0o755)
    with pytest.raises(KeyStoreError, match="chmod 700"):
        newest_key(tmp_path / "keys", NOW)


@pytest.fixture
def keys(tmp_path: Path, settings: Any) -> Path:
    settings.SIGNING_DIR = tmp_path / "keys"
    return tmp_path / "keys"


@pytest.fixture
def entry(db: Any) -> Entry:
    return make_published(make_board_benchmark(), SCORES)


def check(tmp_path: Path, receipts: Any, keys: Any) -> subprocess.CompletedProcess[str]:
    for name, content in (("receipts.json", receipts), ("keys.json", keys)):
        (tmp_path / name).write_text(json.dumps(content))
    arguments = [sys.executable, str(SCRIPT), str(tmp_path / "receipts.json"), str(tmp_path / "keys.json")]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def test_what_is_downloaded_is_verified_offline(
    entry: Entry, keys: Path, client: Client, tmp_path: Path
) -> None:
    handed_in = EntryRun.objects.filter(entry=entry, grading__isnull=False).count()
    assert issue_receipts(keys, NOW) == handed_in == 3
    assert issue_receipts(keys, NOW) == 0
    receipts = client.get(f"/api/v1/entries/{entry.slug}/receipts").json()
    public = client.get("/api/v1/signing-keys").json()
    good = check(tmp_path, receipts, public)
    assert (good.returncode, good.stdout.splitlines()[-1]) == (0, "3 of 3 receipts are genuine")
    assert f"genuine: entry {entry.pk}, seed s1, comp-low: scored 0.91234 gold" in good.stdout

    receipts[0]["document"]["score"] = 0.99999
    forged = check(tmp_path, receipts, public)
    assert (forged.returncode, forged.stdout.count("NOT GENUINE")) == (1, 1)
    public[0]["key_id"] = "0" * 16
    assert "signed by an unknown key" in check(tmp_path, receipts, public).stdout


def test_a_receipt_tells_no_digest_of_predictions_or_answers(entry: Entry, keys: Path) -> None:
    issue_receipts(keys, NOW)
    for receipt in Receipt.objects.select_related("grading__blob"):
        assert receipt.grading.blob.sha256 not in json.dumps(receipt.document)
        assert {"site", "grader_version", "answers_hmac", "bundle_sha256", "key"} <= set(receipt.document)


def test_a_moved_pin_gets_a_receipt_of_its_own_and_keeps_the_old(
    entry: Entry, keys: Path, client: Client
) -> None:
    issue_receipts(keys, NOW)
    run = entry.runs.get(seed="s2", competition="comp-low")
    old = run.grading
    assert old is not None
    run.grading = Grading.objects.create(
        blob=old.blob, competition=old.competition, grader_version="newer", state="done", outcome="scored",
        score=0.75, not_before=NOW, graded_at=NOW,
    )  # fmt: skip
    run.score = 0.75
    run.save()
    assert issue_receipts(keys, NOW) == 1
    scores = [
        each["document"]["score"] for each in client.get(f"/api/v1/entries/{entry.slug}/receipts").json()
    ]
    assert scores == [0.91234, 0.75, None]
    assert Receipt.objects.filter(run=run).count() == 2


def test_before_publication_there_is_none(db: Any, keys: Path, client: Client) -> None:
    reviewed = make_reviewed(make_board_benchmark(), SCORES)
    assert issue_receipts(keys, NOW) == 0
    assert not SigningKey.objects.exists()
    assert client.get(f"/api/v1/entries/{reviewed.slug}/receipts").status_code == 404


def test_rotation_leaves_old_receipts_good(entry: Entry, keys: Path) -> None:
    issue_receipts(keys, NOW)
    call_command("rotate_signing_key", verbosity=0)
    Receipt.objects.filter(run__seed="s3").delete()
    assert issue_receipts(keys, NOW) == 1
    assert SigningKey.objects.count() == 2
    for receipt in Receipt.objects.select_related("key"):
        signed = {"document": receipt.document, "signature": receipt.signature}
        assert VERDICT(signed, {receipt.key.key_id: receipt.key.public_key}) == "genuine"


def test_a_place_that_others_can_read_is_refused(keys: Path) -> None:
    keys.mkdir(mode=0o755)
    with pytest.raises(CommandError, match="Others can read"):
        call_command("rotate_signing_key", verbosity=0)
