"""Parts that go straight into a bucket: presigned addresses out, sizes and checksums back, one object in the end.

The site itself never sees their bytes: it signs for each part its number, length and SHA-256, and the store refuses
whatever else comes to that address.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from grading.bucket import BucketAccess
from grading.bucket.access import client_of
from grading.bucket.errors import as_ours
from grading.bucket.stream import open_object
from submissions.part_store import PartTarget

CHECKSUM = "x-amz-checksum-sha256"
ADDRESS_VALID_S = 900
PREFIX = "bundle/"


@dataclass(frozen=True)
class ArrivedPart:
    """A part as the store lists it. `sha256` is empty where the store checked it but does not list it."""

    number: int
    size: int
    etag: str
    sha256: str = ""


@dataclass(frozen=True)
class StoredObject:
    """What the store made of the parts. `version` is empty where it keeps none."""

    version: str
    etag: str
    size: int


@dataclass(frozen=True)
class OpenUpload:
    """A multipart upload that was begun and neither completed nor given up."""

    key: str
    upload_id: str
    begun_at: datetime


class BucketParts:
    """The multipart uploads of one bucket. Raises StoreSilent and StoreRefused."""

    def __init__(self, access: BucketAccess) -> None:
        self.access = access

    def begin(self, key: str) -> str:
        """The store's name for a new upload under the key."""
        return str(self._do("create_multipart_upload", Key=key, ChecksumAlgorithm="SHA256")["UploadId"])

    def target(self, key: str, upload_id: str, number: int, size: int, sha256: str) -> PartTarget:
        """Where to send one part within a quarter of an hour; for these bytes and no others."""
        checksum = base64.b64encode(bytes.fromhex(sha256)).decode()
        signed = {"content-length": str(size), CHECKSUM: checksum}
        url = _presigned(
            self.access, key, {"partNumber": str(number), "uploadId": upload_id}, signed, ADDRESS_VALID_S
        )
        # The length is not among the headers: senders add it themselves, and browsers let nobody else.
        return PartTarget(url=url, headers={CHECKSUM: checksum})

    def arrived(self, key: str, upload_id: str) -> list[ArrivedPart]:
        """All parts that are here. Raises FileNotFoundError for an upload that is completed or was given up."""
        pages = self._pages("list_parts", Key=key, UploadId=upload_id)
        return [_arrived(part) for page in pages for part in page.get("Parts", ())]

    def complete(self, key: str, upload_id: str, parts: Sequence[ArrivedPart]) -> StoredObject:
        """The object of these parts, each with its announced SHA-256. Twice is once.

        Raises ObjectChanged where the store holds another part than announced, FileNotFoundError as `arrived`.
        """
        listed = [
            {
                "PartNumber": part.number,
                "ETag": part.etag,
                "ChecksumSHA256": base64.b64encode(bytes.fromhex(part.sha256)).decode(),
            }
            for part in parts
        ]
        answer = self._do(
            "complete_multipart_upload", Key=key, UploadId=upload_id, MultipartUpload={"Parts": listed}
        )
        return StoredObject(answer.get("VersionId") or "", answer["ETag"], sum(part.size for part in parts))

    def completed(self, key: str) -> StoredObject | None:
        """The object under the key, from the list of objects: this needs no right to read it."""
        versions = [each for each in self._versions(key) if "Size" in each]
        if not versions:
            return None
        first = min(versions, key=lambda each: each["LastModified"])
        version = "" if first.get("VersionId") == "null" else first.get("VersionId", "")
        return StoredObject(version, first["ETag"], int(first["Size"]))

    def open(self, key: str, version: str, etag: str) -> BinaryIO:
        """That version of the object as a stream, or ObjectChanged where it is no longer what was completed."""
        return open_object(self.access, key, version, etag)

    def abort(self, key: str, upload_id: str) -> None:
        """Frees what has arrived; nothing where the upload is not there (any more)."""
        try:
            self._do("abort_multipart_upload", Key=key, UploadId=upload_id)
        except FileNotFoundError:
            return

    def delete(self, key: str, upload_id: str) -> None:
        """Deletes the upload's parts, and every version of its object."""
        if upload_id:
            self.abort(key, upload_id)
        for each in list(self._versions(key)):
            self._do("delete_object", Key=key, VersionId=each["VersionId"])

    def open_uploads(self) -> Iterator[OpenUpload]:
        """Every upload of the bucket that is neither completed nor given up."""
        for page in self._pages("list_multipart_uploads", Prefix=PREFIX):
            for each in page.get("Uploads", ()):
                yield OpenUpload(each["Key"], each["UploadId"], each["Initiated"])

    def _versions(self, key: str) -> Iterator[dict[str, Any]]:
        for page in self._pages("list_object_versions", Prefix=key):
            found = (*page.get("Versions", ()), *page.get("DeleteMarkers", ()))
            yield from (each for each in found if each["Key"] == key)

    def _do(self, operation: str, **words: Any) -> Any:
        with as_ours(self.access.store):
            return getattr(client_of(self.access), operation)(Bucket=self.access.bucket, **words)

    def _pages(self, operation: str, **words: Any) -> Iterator[Any]:
        with as_ours(self.access.store):
            pages = client_of(self.access).get_paginator(operation)
            yield from pages.paginate(Bucket=self.access.bucket, **words)


def _arrived(part: Mapping[str, Any]) -> ArrivedPart:
    checksum = part.get("ChecksumSHA256", "")
    sha256 = base64.b64decode(checksum).hex() if checksum else ""
    return ArrivedPart(part["PartNumber"], part["Size"], part["ETag"], sha256)


def _presigned(
    access: BucketAccess, key: str, query: Mapping[str, str], headers: Mapping[str, str], valid_s: int
) -> str:
    """The signed address of a PUT with these headers.

    By the library's signer alone: going through its model of the whole service takes ten times as long, and a
    bundle of 20 GB needs thousands of these.
    """
    from botocore.auth import S3SigV4QueryAuth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    request = AWSRequest("PUT", access.url_of(key), headers=dict(headers), params=dict(query))
    signer = S3SigV4QueryAuth(Credentials(access.key_id, access.secret), "s3", access.region, expires=valid_s)
    signer.add_auth(request)
    return str(request.url)
