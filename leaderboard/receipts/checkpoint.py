"""Signing where the chain of decisions ends, and keeping what was signed out of the database's reach as well.

<signing directory>/checkpoints-<database>.jsonl    one checkpoint a line, as it is handed out; lines are only added
"""

import hashlib
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from grading.fault_points import fault_point
from leaderboard.integrity.checkpoints import FORMAT, Signed
from leaderboard.integrity.models import ChainHead
from leaderboard.models import Checkpoint, Decision
from leaderboard.receipts.issue import known_key
from leaderboard.receipts.key_store import newest_key
from leaderboard.receipts.signing import sign

CHECKPOINT_RECORDED = fault_point("checkpoint_recorded")
ANEW = "If this database was begun anew on purpose, move {path} away."


class ChainContradicted(Exception):
    """The chain does not hold what was signed before. A new signature would cover that up."""


def sign_checkpoint(directory: Path, now: datetime) -> Checkpoint | None:
    """The checkpoint of the chain as it ends now; None if that was signed before, or there is no decision.

    Raises KeyStoreError, and ChainContradicted where the chain is not the one that was signed, only longer.
    """
    head = ChainHead.objects.filter(pk=ChainHead.ONLY).first()
    newest = Checkpoint.objects.order_by("-count").first()
    if head is None or head.count == 0 or (newest and newest.document["hash"] == head.hash):
        return None
    private = newest_key(directory, now)
    try:
        _require_growth(head, [*([newest.document] if newest else []), *_last_kept(directory)])
    except ChainContradicted as error:
        raise ChainContradicted(f"{error} {ANEW.format(path=kept_path(directory))}") from error
    return _sign(head, private, directory, now)


def _require_growth(head: ChainHead, signed: list[dict[str, Any]]) -> None:
    """Each must be a link of the chain still, with as many before it as when it was signed; so must the head."""
    ends = {"count": head.count, "number": head.number, "hash": head.hash}
    for said in [*signed, ends]:
        stands = Decision.objects.filter(pk=said["number"], hash=said["hash"]).exists()
        if not stands or Decision.objects.filter(pk__lte=said["number"]).count() != said["count"]:
            raise ChainContradicted(
                f"decision {said['number']} is not the {said['count']}th with hash {said['hash']}. "
                "Run manage.py verify_decisions."
            )


def _sign(head: ChainHead, private: Ed25519PrivateKey, directory: Path, now: datetime) -> Checkpoint | None:
    key = known_key(private, now)
    document = {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "key": key.key_id,
        "signed_at": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "count": head.count,
        "number": head.number,
        "hash": head.hash,
    }
    signature = sign(document, private)
    try:
        with transaction.atomic():
            checkpoint = Checkpoint.objects.create(
                count=head.count, key=key, document=document, signature=signature, signed_at=now
            )
    except IntegrityError:
        return None  # Another worker signed it a moment ago.
    CHECKPOINT_RECORDED.reach()
    _keep(directory, {"document": document, "signature": signature})
    return checkpoint


def kept_path(directory: Path) -> Path:
    """The file of this database, by its address: sites may share a signing directory."""
    where = connection.settings_dict
    address = f"{where.get('HOST', '')}:{where.get('PORT', '')}/{where['NAME']}"
    return directory / f"checkpoints-{hashlib.sha256(address.encode()).hexdigest()[:12]}.jsonl"


def set_aside(directory: Path, now: datetime) -> None:
    """Where a database begins anew: what was signed of the one before it is kept under another name."""
    path = kept_path(directory)
    if path.exists():
        path.rename(path.with_suffix(f".{now:%Y%m%dT%H%M%S}.old"))


def _keep(directory: Path, signed: dict[str, Any]) -> None:
    descriptor = os.open(kept_path(directory), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(signed, ensure_ascii=False, allow_nan=False) + "\n")


def read_kept(directory: Path) -> Iterator[Signed]:
    """What was signed here, oldest first; nothing where the directory is out of reach, as it is for most processes."""
    try:
        text = kept_path(directory).read_text(encoding="utf-8")
    except OSError:
        return
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue  # Half a line: the process died while it wrote, and the database has the whole one.
        yield Signed(row["document"], row["signature"])


def _last_kept(directory: Path) -> list[dict[str, Any]]:
    kept = list(read_kept(directory))
    return [dict(kept[-1].document)] if kept else []
