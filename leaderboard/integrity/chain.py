"""The chain of decisions: each record's hash covers the one before, so that a change or a gap shows. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Link:
    """A decision as it is stored: its number, what it says as plain JSON values, and its two hashes."""

    number: int
    record: Mapping[str, Any]
    previous_hash: str
    hash: str


@dataclass(frozen=True)
class Break:
    """Where the chain does not hold, in a sentence."""

    number: int
    sentence: str


def hash_record(record: Mapping[str, Any], previous_hash: str) -> str:
    """SHA-256 (64 hexadecimal digits) over the previous hash and the record as canonical JSON."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(f"{previous_hash}\n{text}".encode()).hexdigest()


def verify_chain(links: Iterable[Link]) -> list[Break]:
    """Every break, in the order of the links; empty if the chain holds. The first follows the empty hash."""
    breaks, previous = [], ""
    for link in links:
        if link.previous_hash != previous:
            breaks.append(
                Break(link.number, "does not follow the one before it: a decision was deleted or added")
            )
        if link.hash != hash_record(link.record, link.previous_hash):
            breaks.append(Break(link.number, "was edited: its hash does not fit what it says"))
        previous = link.hash
    return breaks
