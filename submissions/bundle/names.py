"""Names of members: what is refused, and how names are compared."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from .problems import Code

MAX_PARTS = 32
MAX_PART_BYTES = 255

# Unicode Standard Annex #9, "Explicit directional formatting characters" and the marks.
BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
DRIVE = re.compile(r"[A-Za-z]:")


def find_name_faults(name: str, limit: int) -> Iterator[tuple[Code, str]]:
    """(code, what is wrong and how to mend it) for each fault of a name; `limit` in bytes of UTF-8."""
    yield from _find_length_faults(name, limit)
    yield from _find_character_faults(name)
    yield from _find_path_faults(name)


def split_name(name: str) -> list[str]:
    """The parts of a name, without the './' that `tar -C folder .` puts in front and a folder's last '/'."""
    parts = name.removesuffix("/").split("/")
    return parts[1:] if parts[0] == "." else parts


def fingerprint(*texts: bytes) -> int:
    """128 bits that stand for `texts`: remembering 50,000 names of any length takes little memory."""
    return int.from_bytes(hashlib.blake2b(b"\0".join(texts), digest_size=16).digest())


def fold(path: str) -> str:
    """What file systems that ignore case or normalise Unicode would take `path` for."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _find_length_faults(name: str, limit: int) -> Iterator[tuple[Code, str]]:
    parts = name.split("/")
    if not set(parts) - {"", "."}:
        yield Code.NAME_EMPTY, "has no name. Make the archive anew with tar or zip"
    elif len(name.encode()) > limit or max(len(part.encode()) for part in parts) > MAX_PART_BYTES:
        yield (
            Code.NAME_TOO_LONG,
            f"has a name over {limit} bytes, or a part over {MAX_PART_BYTES}. Shorten it",
        )
    if len(parts) > MAX_PARTS:
        yield Code.NAME_TOO_DEEP, f"lies more than {MAX_PARTS} folders deep. Move it up, or leave it out"


def _find_character_faults(name: str) -> Iterator[tuple[Code, str]]:
    # isprintable is false for every category refused here, and far quicker for all the others.
    categories = set() if name.isprintable() else {unicodedata.category(character) for character in name}
    if categories & {"Cc", "Zl", "Zp"}:
        yield Code.NAME_CONTROL_CHARACTER, "has a control character or line break in its name. Rename it"
    if BIDI.search(name):
        yield (
            Code.NAME_BIDI_CHARACTER,
            "has a character in its name that turns the direction of text. Rename it",
        )
    elif "Cf" in categories:
        yield Code.NAME_INVISIBLE_CHARACTER, "has an invisible character in its name. Rename it"
    if "\\" in name:
        yield Code.NAME_BACKSLASH, "has a backslash in its name. Write paths with '/', as tar and zip do"


def _find_path_faults(name: str) -> Iterator[tuple[Code, str]]:
    if name.startswith("/"):
        yield (
            Code.NAME_ABSOLUTE,
            "has an absolute path. Pack from inside the folder: tar -C FOLDER -cf x.tar .",
        )
    if DRIVE.match(name):
        yield Code.NAME_DRIVE, "starts with a drive letter. Pack from inside the folder, with relative paths"
    parts = split_name(name.lstrip("/"))
    if ".." in parts:
        yield Code.NAME_PARENT, "leaves its folder by '..'. Pack from inside the folder, with plain paths"
    if set(name.split("/")) - {"", "."} and ("." in parts or "" in parts):
        yield Code.NAME_DOT_PART, "has an empty or '.' part in its path. Write the path plainly"
