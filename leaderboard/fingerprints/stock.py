"""The sketches of a competition out of the database: most of them packed in blocks, the newest one by one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import QuerySet

from leaderboard.fingerprints.near import Numbers, Stock, unpack
from leaderboard.fingerprints.sketch import VERSION, Sketch
from leaderboard.models import Fingerprint, FingerprintBlock, SampleFingerprint

# A block is written once, when there is enough for one: small enough to make, large enough to read few.
BLOCK = 1024
INT64 = np.dtype("<i8")


def load_stock(competition: str) -> Stock:
    """Every fingerprint with a sketch, in two queries."""
    of_competition = {"competition": competition, "version": VERSION}
    # First the loose ones: what is packed meanwhile is then read twice, and not missed.
    loose = _rows(
        Fingerprint.objects.filter(**of_competition, state=Fingerprint.State.MADE, block=None)
        .order_by("pk")
        .values_list("pk", "organisation_id", "sketch")
    )
    blocks = _rows(
        FingerprintBlock.objects.filter(**of_competition)
        .order_by("pk")
        .values_list("numbers", "owners", "sketches")
    )
    return Stock(
        numbers=_joined([bytes(numbers) for numbers, _, _ in blocks], [pk for pk, _, _ in loose]),
        owners=_joined([bytes(owners) for _, owners, _ in blocks], [owner for _, owner, _ in loose]),
        sketches=unpack([bytes(sketches) for _, _, sketches in [*blocks, *loose]]),
    )


def _rows(asked: QuerySet[Any, Any]) -> list[Any]:
    """As the database has them: PostgreSQL would otherwise write bytes as text of twice the length."""
    if connection.vendor != "postgresql":
        return list(asked)
    import psycopg

    connection.ensure_connection()
    # Not Django's own kind of cursor, which writes parameters into the text and so has no binary answers.
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(*asked.query.sql_with_params(), binary=True)
        found: list[Any] = cursor.fetchall()
    return found


def load_sample(competition: str) -> Sketch | None:
    """The sketch of the sample submission, if a maintainer has loaded it."""
    found = SampleFingerprint.objects.filter(competition=competition, version=VERSION).first()
    return unpack([bytes(found.sketch)])[0] if found else None


def pack_loose(competition: str) -> int:
    """Moves what is loose into blocks, as far as it fills any. Returns how many blocks were written."""
    written = 0
    while _pack_one(competition):
        written += 1
    return written


@transaction.atomic
def _pack_one(competition: str) -> bool:
    loose = Fingerprint.objects.filter(
        competition=competition, version=VERSION, state=Fingerprint.State.MADE, block=None
    )
    if loose.count() < BLOCK:
        return False
    rows = list(loose.order_by("pk").values_list("pk", "organisation_id", "sketch")[:BLOCK])
    numbers = [pk for pk, _, _ in rows]
    block = FingerprintBlock.objects.create(
        competition_id=competition,
        version=VERSION,
        count=len(rows),
        numbers=_packed(numbers),
        owners=_packed([owner for _, owner, _ in rows]),
        sketches=b"".join(bytes(sketch) for _, _, sketch in rows),
    )
    if loose.filter(pk__in=numbers).update(block=block) == len(rows):
        return True
    transaction.set_rollback(True)  # Somebody else packed some of them meanwhile.
    return False


def _packed(numbers: Sequence[int]) -> bytes:
    return np.array(numbers, dtype=INT64).tobytes()


def _joined(blocks: Sequence[bytes], loose: Sequence[int]) -> Numbers:
    return np.frombuffer(b"".join(blocks) + _packed(loose), dtype=INT64)
