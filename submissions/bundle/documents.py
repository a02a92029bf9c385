"""The run card and the grading report, held in memory until it is known which folder wraps the bundle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .budget import Budget
from .layout import Kind
from .problems import Code, MemberFault, shown, size_text

# Copies inside folders may turn out to be the right ones, or not; so many are held.
MAX_HELD = 8


@dataclass(frozen=True, slots=True)
class Document:
    """One held file. `top`: the folder it lies in, None at the top of the archive."""

    kind: Kind
    path: str
    name: str
    top: str | None
    content: bytes


class Documents:
    """Run cards and grading reports met so far."""

    def __init__(self, budget: Budget) -> None:
        self._limits = {
            Kind.RUN_CARD: (budget.run_card_bytes, Code.RUN_CARD_TOO_LARGE, "run card"),
            Kind.GRADING_REPORT: (
                budget.grading_report_bytes,
                Code.GRADING_REPORT_TOO_LARGE,
                "grading report",
            ),
        }
        self._held: list[Document] = []

    def has_room(self, top: str | None) -> bool:
        return top is None or len(self._held) < MAX_HELD

    def hold(self, kind: Kind, path: str, top: str | None, pieces: Iterator[bytes]) -> None:
        """Read one file whole. Raises MemberFault if it is too large."""
        content = self._read(kind, path, pieces)
        self._held.append(Document(kind, path, path.rpartition("/")[2], top, content))

    def choose(self, kind: Kind, top: str | None) -> tuple[list[Document], list[Document]]:
        """Those of `kind` at the top of the archive or in the folder `top` that wraps it, and the others."""
        mine = [document for document in self._held if document.kind is kind]
        return _split(mine, {None, top})

    def _read(self, kind: Kind, path: str, pieces: Iterator[bytes]) -> bytes:
        limit, code, what = self._limits[kind]
        content = bytearray()
        for piece in pieces:
            content += piece
            if len(content) > limit:
                raise MemberFault(
                    code,
                    f"'{shown(path)}' is over {size_text(limit)}, the limit for a {what}. "
                    "Link to long texts instead of including them.",
                    shown(path),
                )
        return bytes(content)


def _split(documents: Iterable[Document], tops: set[str | None]) -> tuple[list[Document], list[Document]]:
    chosen: list[Document] = []
    others: list[Document] = []
    for document in documents:
        (chosen if document.top in tops else others).append(document)
    return chosen, others
