"""The chain of decisions held against what was signed about it: it may have grown since, and nothing else. Pure.

Whoever can write the database can rewrite every decision and its hash, but cannot sign, nor reach copies kept
elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.integrity.chain import Break, Link
from leaderboard.receipts.signing import is_genuine

FORMAT = "mle-bench-leaderboard/checkpoint/1"


class NoCheckpoint(Exception):
    """For whoever gave the file: why it holds no checkpoint that can be read."""


@dataclass(frozen=True)
class Signed:
    """A checkpoint as it is handed out."""

    document: Mapping[str, Any]
    signature: str


def verify_checkpoints(
    links: Sequence[Link], signed: Iterable[Signed], keys: Mapping[str, str]
) -> list[Break]:
    """Every checkpoint that is not genuine or that the chain contradicts. `keys`: base64 public keys by id."""
    found = (_verify(links, each, keys) for each in signed)
    return [each for each in found if each]


def _verify(links: Sequence[Link], signed: Signed, keys: Mapping[str, str]) -> Break | None:
    said = signed.document
    count, number = said["count"], said["number"]
    if not is_genuine(said, signed.signature, keys.get(said["key"], "")):
        return Break(number, "is named by a checkpoint that no known key has signed")
    if not 0 < count <= len(links):
        return Break(number, f"was the newest of {count} on {said['signed_at']}; only {len(links)} are left")
    link = links[count - 1]
    if (link.number, link.hash) != (number, said["hash"]):
        return Break(
            number, f"is not what was signed on {said['signed_at']}: it, or one before it, was replaced"
        )
    return None


def read_signed(content: Any) -> tuple[list[Signed], dict[str, str]]:
    """The checkpoints and public keys of a download, or of a single checkpoint. Raises NoCheckpoint."""
    try:
        rows = content.get("checkpoints", [content])
        keys = {key["key_id"]: key["public_key"] for key in content.get("keys", ())}
        signed = [Signed(row["document"], row["signature"]) for row in rows]
    except (AttributeError, KeyError, TypeError) as error:
        raise NoCheckpoint(
            "It is not a download of /decisions/checkpoints.json, nor one checkpoint of it."
        ) from error
    if not signed or not all(_is_readable(each) for each in signed):
        raise NoCheckpoint("It holds no checkpoint, or one that lacks count, number, hash, key or time.")
    return signed, keys


def _is_readable(signed: Signed) -> bool:
    said = signed.document
    if not isinstance(said, Mapping) or not isinstance(signed.signature, str):
        return False
    whole = all(type(said.get(name)) is int for name in ("count", "number"))
    return whole and all(isinstance(said.get(name), str) for name in ("hash", "key", "signed_at"))
