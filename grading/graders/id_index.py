"""Finding the answer of each id at once: a hash table over the ids of the answers, made when they are digested.

Ids are compared as 64-bit words: a number is one word, a text as many as it fills, padded with zero bytes, which no
id holds. A hash only says where to begin to look; the words themselves decide, so that no two ids are ever taken
for one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .columns import ABSENT, Column, Kind, Rows
from .packed import PackedColumn, Words
from .threads import THREADS, WORTH_A_THREAD, map_in_threads

BLOCK = 1 << 15  # What is worked on at once stays near the processor.
HOMES_PER_ID = 1.5
FACTORS = tuple(np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64))
EMPTY = np.uint64(2**64 - 1)  # Stands where a row would: as a signed number, ABSENT.
HALF = np.uint64(32)


@dataclass(frozen=True)
class IdIndex:
    """`slots`: shape (slots, words + 1), each the words of one id and its row, or EMPTY.

    Ids lie in order of their hash, each in its home slot (one of `homes`) or in the next that is free behind it.
    """

    kind: Kind
    homes: int
    slots: Words

    def find(self, ids: Column) -> Rows | None:
        """For each id the row of the answers that has it; None if one is not there, or cannot be looked up so."""
        found = self.locate(ids)
        return None if found is None or (found == ABSENT).any() else found

    def locate(self, ids: Column) -> Rows | None:
        """For each id the row of the answers that has it, or ABSENT; None if they cannot be looked up so."""
        words = words_of(ids, self.slots.shape[1] - 1) if ids.kind is self.kind else None
        if words is None:
            return None
        found = np.empty(len(words), dtype=np.intp)
        starts = np.arange(0, len(words), BLOCK)
        parts = np.array_split(starts, THREADS) if len(words) > WORTH_A_THREAD else [starts]
        map_in_threads(lambda part: self._locate_blocks(words, found, part), parts)
        return found

    def _locate_blocks(self, words: Words, found: Rows, starts: Rows) -> None:
        for start in starts.tolist():
            self._locate_block(words[start : start + BLOCK], found[start : start + BLOCK])

    def _locate_block(self, words: Words, found: Rows) -> None:
        """Writes the rows of these ids into `found`."""
        at = home_slots(hash_words(words), self.homes)
        slots = self.slots.take(at, axis=0)
        found[:] = slots[:, -1].view(np.int64)
        left = rows = _places_missed(slots, words)
        while left.size:
            words, at = words.take(left, axis=0), at.take(left) + 1
            slots = self.slots.take(at, axis=0)
            found[rows] = slots[:, -1].view(np.int64)
            left = _places_missed(slots, words)
            rows = rows.take(left)


def index_ids(ids: Column) -> IdIndex | None:
    """The index of these ids. None where they repeat, are missing, too long, or neither text nor whole numbers."""
    words = None if ids.missing.any() or not len(ids) else words_of(ids)
    if words is None:
        return None
    hashes = hash_words(words)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    if (ordered[1:] == ordered[:-1]).any():  # The same id twice; or, once in a blue moon, two of one hash.
        return None
    homes = int(len(ids) * HOMES_PER_ID)
    number = np.arange(len(ids))
    # At home, or right behind the id before it.
    at = number + np.maximum.accumulate(home_slots(ordered, homes) - number)
    slots = np.full((max(homes, int(at[-1]) + 1) + 1, words.shape[1] + 1), EMPTY)
    slots[at, :-1] = words[order]
    slots[at, -1] = order
    return IdIndex(ids.kind, homes, slots)


def words_of(ids: Column, width: int | None = None) -> Words | None:
    """The words of each id, shape (ids, words). None where they have none, or more than `width`."""
    if ids.kind is Kind.INTEGER and ids.values.dtype == np.int64:
        return ids.values.view(np.uint64).reshape(-1, 1)
    if not isinstance(ids, PackedColumn) or ids.missing.any():
        return None
    return ids.words(width)


def hash_words(words: Words) -> Words:
    """One 64-bit hash of each row of words."""
    first, second, third = FACTORS
    mixed: Words = words[:, 0] * first
    for i in range(1, words.shape[1]):
        mixed ^= mixed >> np.uint64(29)
        mixed += words[:, i]
        mixed *= second
    mixed ^= mixed >> HALF
    mixed *= third
    return mixed


def home_slots(hashes: Words, homes: int) -> Rows:
    """The home of each hash, below `homes`; never falling where hashes rise."""
    return ((hashes >> HALF) * np.uint64(homes) >> HALF).astype(np.intp)


def _places_missed(slots: Words, words: Words) -> Rows:
    """Where the slot holds another id, so that this one may be in the next."""
    return np.flatnonzero(_differ(slots, words) & (slots[:, -1] != EMPTY))


def _differ(slots: Words, words: Words) -> npt.NDArray[np.bool_]:
    # Word by word: numpy is slow at reducing rows as short as these.
    differs: npt.NDArray[np.bool_] = slots[:, 0] != words[:, 0]
    for i in range(1, words.shape[1]):
        differs |= slots[:, i] != words[:, i]
    return differs
