"""Reading the code of a submission from the evidence store, and remembering its fingerprints."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.files.storage import storages

from leaderboard.code_similarity.source import MAX_BYTES, NoCode, code_in, is_code
from leaderboard.code_similarity.tokens import Tokens, tokens_of
from leaderboard.code_similarity.winnow import pack, winnow
from leaderboard.evidence.files import kind_of
from leaderboard.models import CodeFile
from submissions.models import EvidenceFile, Submission


@dataclass(frozen=True)
class ReadCode:
    """What was read: rows of different files, how many files there were, and what was left out (path, reason)."""

    rows: list[CodeFile]
    files: int
    left_out: list[dict[str, str]]


def code_files_of(submission: Submission) -> list[EvidenceFile]:
    """Python and notebooks in the `code/` folders of the bundle, by path."""
    evidence = EvidenceFile.objects.filter(bundle__submission=submission).order_by("path", "pk")
    return [file for file in evidence if kind_of(file.path) == "code" and is_code(file.path)]


def remember_code(submission: Submission, files: list[EvidenceFile], now: datetime) -> ReadCode:
    """Writes a row for each different file. Again, it finds those that are there already."""
    read = ReadCode([], len(files), [])
    first: dict[str, tuple[EvidenceFile, Tokens]] = {}
    copies: Counter[str] = Counter()
    for file, tokens in _read_all(files, read.left_out):
        first.setdefault(tokens.digest, (file, tokens))
        copies[tokens.digest] += 1
    for digest, (file, tokens) in first.items():
        read.rows.append(_remember(submission, file, tokens, copies[digest], now))
    return read


def _read_all(
    files: list[EvidenceFile], left_out: list[dict[str, str]]
) -> Iterator[tuple[EvidenceFile, Tokens]]:
    """Each file that holds code, until the time is over. Equal bytes are read once."""
    ends = time.monotonic() + settings.CODE_READING_S
    known: dict[str, Tokens] = {}
    for file in files:
        if time.monotonic() > ends:
            left_out.append(
                {"path": file.path, "reason": f"the {settings.CODE_READING_S} s for reading were over"}
            )
            continue
        try:
            if file.sha256 not in known:
                known[file.sha256] = tokens_of(read_code(file.path, file.key))
            yield file, known[file.sha256]
        except NoCode as error:
            left_out.append({"path": file.path, "reason": str(error)})


def read_code(path: str, key: str) -> str:
    """The code of a stored file. Raises NoCode, OSError."""
    with storages["evidence"].open(key) as stored:
        return code_in(path, stored.read(MAX_BYTES + 1))


def _remember(
    submission: Submission, file: EvidenceFile, tokens: Tokens, copies: int, now: datetime
) -> CodeFile:
    columns = {
        "competition": file.competition,
        "name": file.path,
        "copies": copies,
        "key": file.key,
        "tokens": len(tokens),
        "prints": pack(winnow(tokens)[0]),
        "read_at": now,
    }
    row, _ = CodeFile.objects.update_or_create(submission=submission, digest=tokens.digest, defaults=columns)
    return row
