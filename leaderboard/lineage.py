"""Which submissions of one organisation are of one agent, whatever it is called from time to time. Pure."""

import re
from collections.abc import Iterable, Sequence

# Numbers at the end are versions: "Ada 2", "ada-v2.1" and "ADA" are one agent.
VERSION = re.compile(r"[\W_]*\bv?\d+(?:[._]\d+)*$|[\W_]*v\d+(?:[._]\d+)*$")
NOT_WORD = re.compile(r"[\W_]+")


def plain_name(name: str) -> str:
    """The name without case, signs and version; the name itself where nothing else would be left."""
    plain = name.casefold().strip()
    shorter = NOT_WORD.sub("", VERSION.sub("", plain))
    return shorter or plain


def in_line_of(last: int, marks: Sequence[frozenset[str]]) -> set[int]:
    """Places of those that share a mark with the one at `last`, or with one that does, and so on."""
    found, left = {last}, set(marks[last])
    while left:
        joined = {at for at, each in enumerate(marks) if at not in found and each & left}
        left = {mark for at in joined for mark in marks[at]}
        found |= joined
    return found


def marks_of(name: str, others: Iterable[tuple[str, str]]) -> frozenset[str]:
    """What tells an agent: its name, and what else is known of its code, each as kind and text."""
    told = {f"{kind}:{text}" for kind, text in others if text}
    return frozenset(told | ({f"name:{plain_name(name)}"} if name else set()))
