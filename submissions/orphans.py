"""Files that no row names: what checks have left behind that were killed, or whose bundle was rejected in the end."""

import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.storage import storages

from grading.bucket import BucketStorage
from grading.models import Blob
from submissions.models import EvidenceFile, Submission

# Where intake puts what it reads, and whose rows name it: the store, its first folder, the rows.
STORED = (("blobs", "csv", Blob), ("evidence", "evidence", EvidenceFile))
# Far longer than anybody looks at a copy.
COPIES_KEPT_S = 3600
# A killed check is tried again and finds what it has stored; only of these nothing is read any more.
OVER = frozenset({Submission.Status.REJECTED, Submission.Status.ABANDONED})


def spool_prefix(submission: Submission, token: int) -> str:
    """By which the folder of a check can be told from those of lost ones."""
    return f"{submission.public_id}.{token}."


def delete_lost_spools() -> int:
    """Deletes folders of checks whose claim is not the present one. Returns how many."""
    folders = _folders(settings.VAR_DIR / "spool")
    held = Submission.objects.filter(status=Submission.Status.CHECKING)
    present = {f"{public_id}.{token}" for public_id, token in held.values_list("public_id", "fencing_token")}
    lost = [folder for folder in folders if folder.name.rpartition(".")[0] not in present]
    for folder in lost:
        shutil.rmtree(folder, ignore_errors=True)
    return len(lost)


def delete_old_copies() -> int:
    """Deletes files beside these folders that were copied for a look and left by a killed process. Returns how many."""
    oldest, parent = time.time() - COPIES_KEPT_S, settings.VAR_DIR / "spool"
    files = [path for path in parent.iterdir() if path.is_file()] if parent.is_dir() else []
    old = [path for path in files if _changed_at(path) < oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _changed_at(path: Path) -> float:
    """Now, for a file that was deleted a moment ago."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def _folders(parent: Path) -> list[Path]:
    return [path for path in parent.iterdir() if path.is_dir()] if parent.is_dir() else []


def delete_orphans(*, in_buckets: bool) -> int:
    """Deletes stored files of bundles that were rejected, where no row names them. Returns how many.

    In folders or in buckets: different processes may look and delete there.
    """
    deleted = 0
    for store, kind, rows in STORED:
        if isinstance(storages[store], BucketStorage) != in_buckets:
            continue
        for folder in _over(_listed(store, kind)[0]):
            keys = [f"{kind}/{folder}/{name}" for name in _listed(store, f"{kind}/{folder}")[1]]
            named = set(rows.objects.filter(key__in=keys).values_list("key", flat=True))
            for key in set(keys) - named:
                storages[store].delete(key)
                deleted += 1
    return deleted


def _over(folders: Iterable[str]) -> Iterator[str]:
    """Those of the folders, named by submissions, that nobody will read into again."""
    known = {name for name in folders if _is_uuid(name)}
    over = Submission.objects.filter(public_id__in=known, status__in=OVER)
    yield from (str(public_id) for public_id in over.values_list("public_id", flat=True))


def _is_uuid(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True


def _listed(store: str, path: str) -> tuple[list[str], list[str]]:
    """Folders and files; nothing where the store has no such folder yet."""
    try:
        return storages[store].listdir(path)
    except FileNotFoundError:
        return [], []
