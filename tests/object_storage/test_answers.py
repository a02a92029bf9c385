"""Answers that are loaded on one machine and graded on another."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from grading.answers_bucket import AnswersBucket, fetch_missing
from grading.bucket import BucketAccess, BucketStorage, StoreRefused
from grading.vault import Vault, VaultError
from tests.services.s3 import S3Server

ANSWERS = b"id,target\n1,0\n2,1\n"


@pytest.fixture
def access(server: S3Server) -> BucketAccess:
    """As whoever loads answers, in a bucket that is empty."""
    store = BucketStorage(server.access("answers"))
    for page in store.pages("list_objects_v2"):
        for each in page.get("Contents", ()):
            store.delete(each["Key"])
    return server.access("answers", "operator")


@pytest.fixture
def loaded(access: BucketAccess, tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "here")
    AnswersBucket(access).share_key(vault)
    vault.store("titanic", 1, ANSWERS)
    AnswersBucket(access).publish(vault, "titanic", 1)
    return vault


def test_another_host_fetches_what_it_lacks(server: S3Server, loaded: Vault, tmp_path: Path) -> None:
    vault = Vault(tmp_path / "there")
    fetch_missing(server.access("answers", "grading"), vault, "titanic", 1)
    path = vault.checked_path("titanic", 1, loaded.fingerprint(ANSWERS))
    assert path.read_bytes() == ANSWERS
    assert (path.stat().st_mode & 0o777, vault.root.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [each.name for each in vault.root.iterdir() if each.name.startswith(".")] == []


def test_what_the_bucket_lacks_the_vault_lacks(server: S3Server, loaded: Vault, tmp_path: Path) -> None:
    vault = Vault(tmp_path / "there")
    fetch_missing(server.access("answers", "grading"), vault, "titanic", 2)
    with pytest.raises(VaultError, match="holds no answers 2"):
        vault.path("titanic", 2)


def test_changed_answers_are_not_taken(server: S3Server, loaded: Vault, tmp_path: Path) -> None:
    BucketStorage(server.access("answers")).save("answers/titanic/1.csv", ContentFile(ANSWERS + b"3,1\n"))
    vault = Vault(tmp_path / "there")
    with pytest.raises(VaultError, match="not what its manifest says"):
        fetch_missing(server.access("answers", "grading"), vault, "titanic", 1)
    assert not vault.exists("titanic", 1)


def test_a_vault_with_another_key_says_how_to_mend_it(
    server: S3Server, loaded: Vault, tmp_path: Path
) -> None:
    vault = Vault(tmp_path / "there")
    vault.key()
    with pytest.raises(VaultError, match="empty place"):
        fetch_missing(server.access("answers", "grading"), vault, "titanic", 1)


def test_publishing_twice_is_once_and_other_answers_are_refused(
    access: BucketAccess, loaded: Vault, tmp_path: Path
) -> None:
    AnswersBucket(access).publish(loaded, "titanic", 1)
    other = Vault(tmp_path / "other")
    AnswersBucket(access).share_key(other)
    other.store("titanic", 1, ANSWERS + b"3,1\n")
    with pytest.raises(VaultError, match="with other content"):
        AnswersBucket(access).publish(other, "titanic", 1)


@pytest.mark.parametrize("process", ["web", "intake", "evidence", "housekeeping", "validity"])
def test_no_other_process_can_fetch_answers(
    server: S3Server, loaded: Vault, tmp_path: Path, process: str
) -> None:
    with pytest.raises(StoreRefused):
        fetch_missing(server.access("answers", process), Vault(tmp_path / "there"), "titanic", 1)
