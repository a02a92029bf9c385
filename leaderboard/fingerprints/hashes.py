"""Cells as 64-bit numbers that look random and are the same everywhere. Pure.

No secrets: whoever wants two cells to have one number can find them. It would only make their own file stand out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from grading.graders.columns import Column, Kind
from grading.graders.packed import PackedColumn, pack_text

Hashes = npt.NDArray[np.uint64]
EXACT_INTEGERS = 2.0**53
REMEMBERED = 1 << 20


def mix(numbers: Hashes) -> Hashes:
    """The numbers scrambled, each for itself, so that every bit depends on every bit (the finaliser of SplitMix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def hash_text(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def remembering(function: Callable[[str], int]) -> Callable[[str], int]:
    """The same, quicker for texts that come again; bounded, since a file may hold millions that do not."""
    known: dict[str, int] = {}

    def asked(text: str) -> int:
        found = known.get(text)
        if found is None:
            found = function(text)
            if len(known) < REMEMBERED:
                known[text] = found
        return found

    return asked


def hash_cells(column: Column) -> Hashes:
    """One number for each cell. Numbers are alike however they are written, true is 1, and 7.0 is 7."""
    if column.kind is Kind.TEXT or not column.is_numeric:
        return _hash_texts(column)
    floats = column.floats() + 0.0  # Minus zero becomes zero.
    exact = np.isfinite(floats) & (np.abs(floats) < EXACT_INTEGERS)
    if column.kind is Kind.INTEGER and not exact.all():
        return mix(column.values.astype(np.uint64, copy=False))
    bits = np.where(np.isnan(floats), np.nan, floats).view(np.uint64)
    return mix(bits)


def _hash_texts(column: Column) -> Hashes:
    packed = _packed(column)
    words = packed.words() if packed is not None else None
    if words is None:
        once = remembering(hash_text)
        return np.array([once(str(cell)) for cell in column.values.tolist()], dtype=np.uint64)
    found = np.zeros(len(column), dtype=np.uint64)
    for word in words.T:
        # Zero pads the shorter cells: how long the longest one is must not show.
        found = np.where(word == 0, found, mix(found ^ word))
    return found


def _packed(column: Column) -> PackedColumn | None:
    if isinstance(column, PackedColumn):
        return column
    try:
        return PackedColumn(pack_text([str(cell) for cell in column.values.tolist()]), column.missing)
    except OverflowError:
        return None
