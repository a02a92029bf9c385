"""A bundle that came in one piece, put through the same steps as one in parts."""

import hashlib
import io
from datetime import datetime
from typing import Protocol

from submissions.models import Upload, User
from submissions.uploads import DIRECT_ONLY, UploadError, complete_upload, is_direct, store_part


class Seekable(Protocol):
    """An open file, uploaded or not."""

    def seek(self, offset: int, /) -> int: ...
    def read(self, size: int, /) -> bytes: ...


def store_whole(upload: Upload, source: Seekable, user: User, now: datetime) -> None:
    """Stores the parts that are missing and hands the bundle to intake. One part is in memory at a time.

    Parts that are there already are compared, so a changed file is refused (UploadError).
    """
    if is_direct():
        raise UploadError("direct_only", DIRECT_ONLY, status=409)
    here = set(upload.parts.values_list("number", flat=True))
    # Those that are here come first: a part of a wrong file, once stored, would keep the right one out.
    for number in sorted(range(1, upload.part_count + 1), key=lambda number: number not in here):
        source.seek((number - 1) * upload.part_size)
        part = source.read(upload.size_of(number))
        store_part(upload, number, io.BytesIO(part), len(part), hashlib.sha256(part).hexdigest())
    complete_upload(upload, user, now)
