"""Django's storage over one bucket, streaming both ways; and one for processes that have no business with a store."""

import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, NoReturn

from django.core.files.base import File
from django.core.files.storage import Storage
from django.utils.deconstruct import deconstructible

from grading.bucket.access import BucketAccess, client_of
from grading.bucket.errors import ConditionFailed, ObjectChanged, StoreRefused, as_ours
from grading.bucket.stream import open_object

DIGEST = re.compile(r"(^|/)[0-9a-f]{64}$")
NO_KEY = (
    "This process was given no credentials for the store '{store}' ({variable}_KEY and {variable}_SECRET). If it "
    "should have them: docs/running.md, Object storage."
)


@deconstructible
class BucketStorage(Storage):
    """Objects of one bucket by key. A key that ends in a SHA-256 is written once, and only with those bytes."""

    writes_once = True

    def __init__(self, access: BucketAccess) -> None:
        self.access = access

    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        if mode != "rb":
            raise ValueError(f"Objects are read whole, not opened as {mode!r}.")
        return File(open_object(self.access, name), name)

    def _save(self, name: str, content: "File[Any]") -> str:
        if not DIGEST.search(name):
            self._put(name, content, _digest(content))
            return name
        digest = _digest(content)
        if not name.endswith(digest.hex()):
            raise ObjectChanged(
                f"What was to be stored in '{self.access.store}' has another digest than its key."
            )
        # Whoever was faster wrote the same bytes: the store has compared theirs with the digest too.
        with suppress(ConditionFailed):
            self._put(name, content, digest, IfNoneMatch="*")
        return name

    def save_once(self, name: str, content: "File[Any]") -> None:
        """Writes a new object. Raises ConditionFailed where there is one."""
        self._put(name, content, _digest(content), IfNoneMatch="*")

    def _put(self, name: str, content: "File[Any]", digest: bytes, **conditions: str) -> None:
        """The store compares what arrives with the digest."""
        self._do(
            "put_object",
            ContentLength=_length(content),
            Key=name,
            Body=content.file or content,
            ChecksumSHA256=base64.b64encode(digest).decode(),
            **conditions,
        )

    def delete(self, name: str) -> None:
        self._do("delete_object", Key=name)

    def exists(self, name: str) -> bool:
        try:
            self._do("head_object", Key=name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        return int(self._do("head_object", Key=name)["ContentLength"])

    def get_modified_time(self, name: str) -> datetime:
        found: datetime = self._do("head_object", Key=name)["LastModified"]
        return found

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        prefix = f"{path.rstrip('/')}/" if path.strip("/") else ""
        folders: list[str] = []
        files: list[str] = []
        for page in self.pages("list_objects_v2", Prefix=prefix, Delimiter="/"):
            folders += [each["Prefix"][len(prefix) : -1] for each in page.get("CommonPrefixes", ())]
            files += [each["Key"][len(prefix) :] for each in page.get("Contents", ())]
        return folders, files

    def written_before(self, moment: datetime) -> Iterator[str]:
        """Keys of objects that were last written before then."""
        for page in self.pages("list_objects_v2"):
            yield from (each["Key"] for each in page.get("Contents", ()) if each["LastModified"] < moment)

    def pages(self, operation: str, **words: Any) -> Iterator[dict[str, Any]]:
        with as_ours(self.access.store):
            yield from (
                client_of(self.access).get_paginator(operation).paginate(Bucket=self.access.bucket, **words)
            )

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """As it is: keys are ours, and writing one again replaces it or changes nothing."""
        return name

    def _do(self, operation: str, **words: Any) -> Any:
        with as_ours(self.access.store):
            return getattr(client_of(self.access), operation)(Bucket=self.access.bucket, **words)


@deconstructible
class RefusingStorage(Storage):
    """A store that this process was given no credentials for: whatever is asked of it says so."""

    def __init__(self, store: str, variable: str) -> None:
        self.store, self.variable = store, variable

    def _refuse(self, *args: Any, **words: Any) -> NoReturn:
        raise StoreRefused(NO_KEY.format(store=self.store, variable=self.variable))

    _open = _save = delete = exists = size = path = listdir = get_modified_time = _refuse


def _digest(content: "File[Any]") -> bytes:
    digest = hashlib.sha256()
    for chunk in content.chunks(1 << 20):
        digest.update(chunk)
    return digest.digest()


def _length(content: "File[Any]") -> int:
    content.seek(0, 2)
    length = int(content.tell())
    content.seek(0)
    return length
