"""Issuing receipts for published runs that have none for what they are pinned to. Housekeeping alone does it."""

import base64
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db.models import Exists, F, OuterRef, Q

from grading.fault_points import fault_point
from leaderboard.models import EntryRun, Receipt, SigningKey
from leaderboard.public import public_entries
from leaderboard.receipts.document import receipt_of
from leaderboard.receipts.key_store import newest_key
from leaderboard.receipts.signing import key_id, raw_key, sign

RECEIPTS_SIGNED = fault_point("receipts_signed")
RECEIPTS_WRITTEN = fault_point("receipts_written")
AT_ONCE = 1000


def issue_receipts(directory: Path, now: datetime) -> int:
    """How many were issued; called again it issues what is still missing. Raises KeyStoreError."""
    runs = find_unsigned()
    if not runs:
        return 0
    private = newest_key(directory, now)
    key = known_key(private, now)
    receipts = [_sign(run, private, key, now) for run in runs]
    RECEIPTS_SIGNED.reach()
    Receipt.objects.bulk_create(receipts, ignore_conflicts=True)
    RECEIPTS_WRITTEN.reach()
    return len(receipts)


def find_unsigned() -> Sequence[EntryRun]:
    """Published runs, some at a time, without a receipt for the grading and the thresholds they stand on."""
    same = Q(thresholds=OuterRef("thresholds")) | Q(thresholds=None, run__thresholds=None)
    signed = Receipt.objects.filter(same, run=OuterRef("pk"), grading=OuterRef("grading"))
    runs = EntryRun.objects.filter(
        ~Exists(signed), grading__isnull=False, entry__in=public_entries().values("pk")
    )
    related = ("grading__answers", "thresholds", "entry__benchmark", "entry__submission__bundle")
    return list(runs.select_related(*related).order_by("pk")[:AT_ONCE])


def current_receipts(entry_id: int) -> list[Receipt]:
    """The receipts of what an entry's runs are pinned to, by seed and competition."""
    pinned = Q(grading=F("run__grading")) & (
        Q(thresholds=F("run__thresholds")) | Q(thresholds=None, run__thresholds=None)
    )
    found = Receipt.objects.filter(pinned, run__entry=entry_id).select_related("key")
    return list(found.order_by("run__seed", "run__competition_id"))


def known_key(private: Ed25519PrivateKey, now: datetime) -> SigningKey:
    """The public half as the database keeps it, from the first use of the key on."""
    public = private.public_key()
    key, _ = SigningKey.objects.get_or_create(
        key_id=key_id(public),
        defaults={"public_key": base64.b64encode(raw_key(public)).decode(), "first_used_at": now},
    )
    return key


def _sign(run: EntryRun, private: Ed25519PrivateKey, key: SigningKey, now: datetime) -> Receipt:
    document = receipt_of(run, key.key_id, now)
    return Receipt(
        run=run,
        grading=run.grading,
        thresholds=run.thresholds,
        key=key,
        document=document,
        signature=sign(document, private),
        issued_at=now,
    )
