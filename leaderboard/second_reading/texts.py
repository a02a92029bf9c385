"""The texts of a submission's logs and code, cut into pieces."""

import logging
from collections.abc import Iterator

from django.conf import settings
from django.core.files.storage import storages

from leaderboard.code_similarity.source import NoCode, cells_of
from leaderboard.evidence.blocks import UNREADABLE
from leaderboard.evidence.files import kind_of
from leaderboard.second_reading.pieces import Piece, cut, most_telling_first
from submissions.models import EvidenceFile, Submission

log = logging.getLogger(__name__)
# Of one file: what lies beyond it is not read. A log of this size is some three hundred pieces.
FILE_BYTES = 8 * 2**20


def pieces_of(submission: Submission) -> list[Piece]:
    """All pieces, those first that tell most. Each content once, however often the bundle holds it."""
    files = EvidenceFile.objects.filter(bundle__submission=submission).order_by("path", "pk")
    different = {file.sha256: file for file in reversed(files)}
    chosen = sorted(different.values(), key=lambda file: (file.path, file.pk))
    return most_telling_first(piece for file in chosen for piece in _pieces(file))


def _pieces(file: EvidenceFile) -> Iterator[Piece]:
    with storages["evidence"].open(file.key) as stored:
        content = stored.read(FILE_BYTES)
    text = _text(file.path, content)
    yield from cut(file.path, kind_of(file.path), text, settings.SECOND_READING_PIECE_CHARS)


def _text(path: str, content: bytes) -> str:
    """Empty for what is no text. Of a notebook its code, since the rest of its JSON would be most of the cost."""
    if b"\0" in content[:4096] or any(content.startswith(magic) for magic, _ in UNREADABLE):
        return ""
    text = content.decode("utf-8", "replace").replace("\0", "").replace("\r\n", "\n")
    if not path.lower().endswith(".ipynb"):
        return text
    try:
        return cells_of(text)
    except NoCode:
        return text
