"""Loading answers on a grading host: into the vault go the answers, into the database only that they are there.

They are digested on the way, so that the first grading need not.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction

from grading.answers_bucket import AnswersBucket
from grading.catalogue import CompetitionSpec
from grading.digests import ready_answers
from grading.graders.verdict import AnswersError
from grading.models import AnswersVersion
from grading.shape import shape_of_answers
from grading.usable import require_usable
from grading.vault import Vault


class Loaded(StrEnum):
    LOADED = "loaded"
    UNCHANGED = "unchanged"
    MISSING = "missing"
    REFUSED = "refused"


@dataclass(frozen=True)
class LoadResult:
    """What became of one competition's answers; rows without the header.

    `version` is 0 where there is none. `reason` says why they were refused, or where they were looked for.
    """

    competition_id: str
    loaded: Loaded
    rows: int = 0
    reason: str = ""
    version: int = 0


def load_answers(
    specs: Mapping[str, CompetitionSpec], prepared: Path, vault: Vault, bucket: AnswersBucket | None = None
) -> Iterator[LoadResult]:
    """Loads what the benchmark's prepare command left under `prepared`, one result per competition as it goes.

    Answers that no good file could be graded against are refused: grading/usable.py. `bucket`: where other grading
    hosts fetch them.
    """
    if bucket:
        bucket.share_key(vault)
    for spec in specs.values():
        result = _load_one(spec, prepared / spec.answers_path, vault)
        if bucket and result.version:
            bucket.publish(vault, spec.id, result.version)
        yield result


def _load_one(spec: CompetitionSpec, source: Path, vault: Vault) -> LoadResult:
    if not source.is_file():
        return LoadResult(spec.id, Loaded.MISSING, reason=f"there is no file {source}")
    newest = AnswersVersion.objects.filter(competition_id=spec.id).order_by("-number").first()
    fingerprint = vault.fingerprint(source)
    if newest and newest.hmac == fingerprint and vault.exists(spec.id, newest.number):
        return LoadResult(spec.id, Loaded.UNCHANGED, newest.rows, version=newest.number)
    try:
        require_usable(spec, source)
        shape = shape_of_answers(spec, source)
    except AnswersError as error:
        return LoadResult(spec.id, Loaded.REFUSED, reason=str(error))
    if newest and newest.hmac == fingerprint:
        vault.store(spec.id, newest.number, source)  # Another vault, or a restored one: the record stands.
        ready_answers(vault, spec, newest.number, fingerprint)
        return LoadResult(spec.id, Loaded.LOADED, newest.rows, version=newest.number)
    number = newest.number + 1 if newest else 1
    vault.store(spec.id, number, source)
    ready_answers(vault, spec, number, fingerprint)
    return _record(spec, number, fingerprint, shape)


def small_key(shape_key: str) -> str:
    """Where the compressed shape lies beside the plain one."""
    return f"{shape_key}.gz"


def _record(spec: CompetitionSpec, number: int, fingerprint: str, shape: Mapping[str, object]) -> LoadResult:
    document = json.dumps(shape, allow_nan=False).encode()
    key = storages["shapes"].save(f"{spec.id}/{number}.json", ContentFile(document))
    storages["shapes"].delete(small_key(key))  # Left by a loading that was cut off.
    storages["shapes"].save(small_key(key), ContentFile(gzip.compress(document, mtime=0)))
    rows = int(str(shape["rows"]))
    with transaction.atomic():
        AnswersVersion.objects.create(
            competition_id=spec.id, number=number, rows=rows, hmac=fingerprint, shape_key=key
        )
    return LoadResult(spec.id, Loaded.LOADED, rows, version=number)
