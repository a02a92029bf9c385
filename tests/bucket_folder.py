"""A bucket's folder as if it were a bucket, so that each test has one of its own on a server that all share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.utils.deconstruct import deconstructible

from grading.bucket import BucketStorage
from grading.bucket.access import BucketAccess
from tests.services.s3 import S3Server

# Parts of bundles lie in the site's folder, or go to a bucket by another protocol: tests/object_storage.
STORES = ("blobs", "evidence", "shapes", "validity")


@deconstructible
class BucketFolder(BucketStorage):
    def __init__(self, access: BucketAccess, folder: str) -> None:
        super().__init__(access)
        self.folder = folder

    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        return super()._open(f"{self.folder}/{name}", mode)

    def _do(self, operation: str, **words: Any) -> Any:
        return super()._do(operation, **{**words, "Key": f"{self.folder}/{words['Key']}"})

    def pages(self, operation: str, **words: Any) -> Iterator[dict[str, Any]]:
        begin = f"{self.folder}/"
        for page in super().pages(operation, **{**words, "Prefix": begin + words.get("Prefix", "")}):
            # The server shows a folder that is empty again as an object.
            rows = [row for row in page.get("Contents", ()) if row["Key"] != begin]
            folders = page.get("CommonPrefixes", ())
            yield {
                **page,
                "Contents": [{**row, "Key": row["Key"].removeprefix(begin)} for row in rows],
                "CommonPrefixes": [{"Prefix": row["Prefix"].removeprefix(begin)} for row in folders],
            }


def bucket_stores(server: S3Server, test: Path) -> dict[str, dict[str, Any]]:
    backend = f"{BucketFolder.__module__}.{BucketFolder.__qualname__}"
    folder = f"{test.parent.name}-{test.name}"
    return {
        store: {"BACKEND": backend, "OPTIONS": {"access": server.access(store), "folder": folder}}
        for store in STORES
    }
