"""Files in buckets: written once, read as a stream, and opened by those alone who have the key."""

import hashlib
import io
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from grading.bucket import BucketAccess, BucketStorage, ObjectChanged, StoreRefused, StoreSilent
from grading.bucket import access as bucket_access
from grading.bucket.stream import ObjectStream
from leaderboard.bucket_policies import RIGHTS
from leaderboard.object_storage import KEYS_OF
from submissions.uploads import UploadError, announce_parts
from tests.object_storage.sending import begin, sha256
from tests.services.processes import free_port
from tests.services.s3 import S3Server

Become = Callable[..., None]


def test_sixteen_at_once_write_one_blob(server: S3Server) -> None:
    store, content = BucketStorage(server.access("blobs", "intake")), b"id,target\n1,0\n" * 1000
    key = f"csv/race/{hashlib.sha256(content).hexdigest()}"
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(lambda _: store.save(key, ContentFile(content)), range(16))) == {key}
    assert store.open(key).read() == content
    assert BucketStorage(server.access("blobs")).listdir("csv/race") == ([], [key.rpartition("/")[2]])


def test_other_bytes_than_the_key_says_are_not_stored(server: S3Server) -> None:
    store = BucketStorage(server.access("blobs"))
    key = f"csv/other/{hashlib.sha256(b'said').hexdigest()}"
    with pytest.raises(ObjectChanged):
        store.save(key, ContentFile(b"stored"))
    assert not store.exists(key)


def test_files_come_and_go(server: S3Server) -> None:
    store = BucketStorage(server.access("shapes", "operator"))
    assert store.save("come/go/1.json", ContentFile(b"one")) == "come/go/1.json"
    store.save("come/go/1.json", ContentFile(b"another"))
    assert (store.size("come/go/1.json"), store.open("come/go/1.json").read()) == (7, b"another")
    assert store.listdir("come") == (["go"], [])
    store.delete("come/go/1.json")
    store.delete("come/go/1.json")
    assert not store.exists("come/go/1.json")
    with pytest.raises(FileNotFoundError):
        store.open("come/go/1.json")


@pytest.mark.parametrize("process", RIGHTS)
@pytest.mark.parametrize("store", KEYS_OF)
def test_a_process_reads_only_the_stores_it_has_to(server: S3Server, process: str, store: str) -> None:
    BucketStorage(server.access(store)).save("there", ContentFile(b"content"))
    opened = BucketStorage(server.access(store, process))
    rights = RIGHTS[process].get(store)
    if rights and "GetObject" in rights.objects:
        assert opened.open("there").read() == b"content"
        return
    with pytest.raises(StoreRefused):
        opened.open("there")


@pytest.mark.parametrize("process", ["web", "evidence", "grading", "validity"])
@pytest.mark.parametrize("store", ["answers", "blobs"])
def test_nobody_else_writes(server: S3Server, process: str, store: str) -> None:
    with pytest.raises(StoreRefused):
        BucketStorage(server.access(store, process)).save("written", ContentFile(b"content"))


def test_a_process_without_a_key_is_told_so(become: Become) -> None:
    become("web")
    with pytest.raises(StoreRefused, match="MLEB_S3_BLOBS_KEY"):
        storages["blobs"].open("any")


def test_a_store_that_is_away_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = BucketAccess("blobs", "b", "k", "s", endpoint=f"http://127.0.0.1:{free_port()}")
    with pytest.raises(StoreSilent, match="not answering"):
        BucketStorage(gone).open("any")


@pytest.mark.django_db
def test_a_sender_is_told_that_the_store_is_away(become: Become) -> None:
    submission = begin()
    become("web", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(UploadError) as silent:
        announce_parts(submission.upload, {1: sha256(b"x")})
    assert (silent.value.code, silent.value.status) == ("storage_silent", 503)


class Cut:
    """A connection that ends early."""

    def __init__(self, body: object, after: int) -> None:
        self.body, self.left = body, after

    def read(self, size: int) -> bytes:
        piece: bytes = self.body.read(min(size, self.left))  # type: ignore[attr-defined]
        self.left -= len(piece)
        return piece

    def close(self) -> None:
        self.body.close()  # type: ignore[attr-defined]


def test_a_cut_connection_is_taken_up_where_it_broke(
    server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.bucket.stream.PAUSE_S", 0)
    content = bytes(range(256)) * 8192
    access = server.access("bundles")
    BucketStorage(access).save("cut", ContentFile(content))
    stream = ObjectStream(access, "cut")
    stream._body = Cut(stream._body, 1_000_000)
    assert io.BufferedReader(stream).read() == content


def test_what_changes_while_it_is_read_is_not_read_on(
    server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.bucket.stream.PAUSE_S", 0)
    access = server.access("blobs")
    BucketStorage(access).save("changing", ContentFile(b"a" * 100_000))
    stream = ObjectStream(access, "changing")
    stream._body = Cut(stream._body, 1000)
    BucketStorage(access).save("changing", ContentFile(b"b" * 100_000))
    with pytest.raises(ObjectChanged):
        io.BufferedReader(stream).read()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One try, and clients of its own."""
    monkeypatch.setattr(bucket_access, "TRIES", 1)
    bucket_access.client_of.cache_clear()
    yield
    bucket_access.client_of.cache_clear()
