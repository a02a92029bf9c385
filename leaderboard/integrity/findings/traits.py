"""What of a run card tells who wrote it: answers that two parties hardly give alike by chance. Pure."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from submissions.run_card import is_placeholder

Card = Mapping[str, Any]
ADDRESSES: Final = ("scaffold.source_url", "scaffold.report_url")
DIGESTS: Final = ("scaffold.commit", "scaffold.archive_sha256")
NAMES: Final = ("attestation.name",)
# Which scaffold it is, whatever the agent is called.
LINEAGE: Final = ("scaffold.commit", "scaffold.archive_sha256", "scaffold.source_url")
# A shorter text can be the same by chance, and a shorter commit is no commit.
FREE_TEXT, DIGEST = 40, 7
SCHEME = re.compile(r"^https?://(www\.)?")


def traits_of(card: Card) -> dict[str, str]:
    """By path, the answers that count, written one way. Texts of any field count if they are long enough."""
    found = {}
    for path, text in _texts(card, ""):
        if (plain := plain_answer(path, text)) and not is_placeholder(text):
            found[path] = plain
    return found


def plain_answer(path: str, text: str) -> str:
    """The answer without what does not matter; empty where it tells nothing."""
    plain = " ".join(text.casefold().split())
    if path in ADDRESSES:
        return SCHEME.sub("", plain).rstrip("/").removesuffix(".git")
    if path in DIGESTS:
        return plain if len(plain) >= DIGEST else ""
    return plain if path in NAMES or len(plain) >= FREE_TEXT else ""


def digest_of(path: str, plain: str) -> str:
    return hashlib.sha256(f"{path}\0{plain}".encode()).hexdigest()


def _texts(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Every text with its path; of a list's items the first."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for each in reversed(value):
            yield from _texts(each, path)
