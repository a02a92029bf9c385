"""Taking one file for a check: what is refused at once, and the row and the bytes of what is not."""

import logging
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from django.conf import settings
from django.core.files.storage import storages
from django.db import transaction

from grading.bucket import StoreRefused, StoreSilent
from grading.catalogue import shipped_competitions
from grading.graders.precheck import Limits
from grading.graders.registry import OWN_GRADERS, is_implemented
from grading.models import AnswersVersion, Competition
from submissions.models import User, ValidityCheck
from submissions.uploads import UploadError

log = logging.getLogger(__name__)
NO_SHAPE = (
    "This competition's answers are not loaded here yet, so its files cannot be checked. "
    "A maintainer loads them; nothing is wrong with your file."
)
SILENT = "The store for files is not answering. Nothing was stored; try again in a minute."
NO_GRADER = "This competition has no grader here yet, so its files cannot be checked."


class CheckRefused(UploadError):
    """Shown to the sender: nothing was stored."""


class SentFile(Protocol):
    """A file as Django hands it on."""

    name: str | None
    size: int | None

    def chunks(self) -> Iterator[bytes]: ...


def size_limit(competition_id: str) -> int:
    """Bytes one file may have: those of the competition's reader, or fewer where the site says so."""
    spec = shipped_competitions().get(competition_id)
    of_competition = Limits(**spec.limits).file_bytes if spec else Limits().file_bytes
    return min(of_competition, settings.VALIDITY_MAX_BYTES)


def require_checkable(competition: Competition) -> AnswersVersion:
    """The answers whose shape is used. Raises CheckRefused where this competition cannot be checked here."""
    if not (is_implemented(competition.metric_family) or competition.pk in OWN_GRADERS):
        raise CheckRefused("not_implemented", NO_GRADER, status=409)
    newest = AnswersVersion.objects.filter(competition=competition).order_by("-number").first()
    if newest is None or competition.pk not in shipped_competitions():
        raise CheckRefused("answers_not_loaded", NO_SHAPE, status=409)
    return newest


def require_size(competition_id: str, size: int) -> None:
    """Raises CheckRefused for an empty file, and for one that is larger than is read."""
    limit = size_limit(competition_id)
    if size < 1:
        raise CheckRefused("empty_file", "The file is empty.")
    if size > limit:
        raise CheckRefused(
            "too_large", f"The file has {size:,} bytes; for this competition {limit:,} are read.", status=413
        )


def begin_check(user: User, competition: Competition, file: SentFile, now: datetime) -> ValidityCheck:
    """The new check, waiting. Raises CheckRefused."""
    answers = require_checkable(competition)
    require_size(competition.pk, file.size or 0)
    _require_room(user)  # Before the file is stored; what counts is asked again below.
    key = _store(file)
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)  # Of many at once, one after the other.
            _require_room(user)
            return ValidityCheck.objects.create(
                user=user,
                competition=competition,
                answers=answers,
                filename=(file.name or "submission.csv")[-255:],
                size=file.size or 0,
                key=key,
                not_before=now,
                created_at=now,
            )
    except CheckRefused:
        storages["validity"].delete(key)
        raise


def _store(file: SentFile) -> str:
    """The key of the stored file. Raises CheckRefused where the store is away."""
    try:
        return storages["validity"].save(uuid.uuid4().hex, file)  # type: ignore[arg-type]  # Any such file will do.
    except (StoreSilent, StoreRefused) as error:
        log.error("%s", error)
        raise CheckRefused("storage_silent", SILENT, status=503) from error


def _require_room(user: User) -> None:
    """One queue serves everybody: who has several files waiting waits for those first."""
    waiting = ValidityCheck.objects.of(user).exclude(state=ValidityCheck.State.DONE).count()
    if waiting >= settings.VALIDITY_WAITING:
        raise CheckRefused(
            "too_many_waiting",
            f"{waiting} of your files wait to be checked. Send the next one when they are done.",
            status=429,
        )
