"""Run-length encoded masks, kept as runs: no image is drawn, however large it is said to be.

The text is `start length start length ...`, blank separated, pixels numbered from 1. In which order the
pixels of an image are numbered matters only where pixels have places (volumes.py). Source: the rules of the
benchmark's run-length decoder, with its two oddities: one number alone is an empty mask, and of three numbers
the second is the length of both runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .cells import BadCell

Integers = npt.NDArray[np.int64]

WORD = re.compile(r"\S+")
# Possessive, so that one odd character at the end of a long list is found in linear time.
PLAIN = re.compile(r"\s*+(?:[0-9]{1,18}(?:\s++|\Z))*+", re.ASCII)
# Beyond any image, and small enough for the sum of two.
FAR = 1 << 61


@dataclass(frozen=True)
class Mask:
    """Set pixels of one image as half-open intervals from 0, starts ascending, shape (runs,) each."""

    starts: Integers
    ends: Integers

    @property
    def area(self) -> int:
        """Number of set pixels, if no two runs overlap."""
        return int((self.ends - self.starts).sum())


EMPTY = Mask(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def parse_mask(text: str) -> Mask:
    """The mask in a cell; blank text is the empty one. Raises BadCell.

    Whether runs overlap is not asked here: only inside the image they must not, and its size is not known.
    """
    if not text:
        return EMPTY
    starts, lengths = _starts_and_lengths(_integers(text))
    if (starts[1:] < starts[:-1]).any():
        raise BadCell("the runs are not in ascending order of their starts")
    if (starts < 1).any() or (lengths < 1).any():
        raise BadCell("starts and lengths must be 1 or more")
    if not lengths.size:
        starts = lengths
    return Mask(starts - 1, starts - 1 + lengths)


def cut_mask(mask: Mask, size: int) -> Mask:
    """The part of the mask inside an image of `size` pixels. Raises BadCell if runs overlap there."""
    if not mask.starts.size:
        return mask
    inside = mask.starts < size
    cut = Mask(mask.starts[inside], np.minimum(mask.ends[inside], size))
    if (cut.starts[1:] < cut.ends[:-1]).any():
        raise BadCell("runs overlap")
    return cut


def count_common(left: Mask, right: Mask) -> int:
    """Number of pixels set on both sides; the runs of each side do not overlap."""
    if not left.starts.size or not right.starts.size:
        return 0
    return int((_count_before(right, left.ends) - _count_before(right, left.starts)).sum())


def merge_masks(parts: Sequence[Mask]) -> Mask:
    """The union of several masks, as runs that do not overlap."""
    parts = [part for part in parts if part.starts.size]
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    starts = np.concatenate([part.starts for part in parts])
    ends = np.concatenate([part.ends for part in parts])
    order = np.argsort(starts, kind="stable")
    starts, reach = starts[order], np.maximum.accumulate(ends[order])
    fresh = np.ones(len(starts), dtype=np.bool_)
    fresh[1:] = starts[1:] > reach[:-1]
    return Mask(starts[fresh], reach[np.append(fresh[1:], True)])


def expand_mask(mask: Mask) -> Integers:
    """The set pixels one by one, ascending, shape (area,)."""
    lengths = mask.ends - mask.starts
    skipped = mask.starts - np.concatenate(([0], np.cumsum(lengths)))[:-1]
    return np.repeat(skipped, lengths) + np.arange(mask.area)


def _count_before(mask: Mask, positions: Integers) -> Integers:
    """Number of set pixels below each position."""
    lengths = mask.ends - mask.starts
    before = np.concatenate(([0], np.cumsum(lengths)))
    run = np.searchsorted(mask.starts, positions, side="right") - 1
    reached = np.clip(positions - mask.starts[run], 0, lengths[run])
    return np.where(run < 0, 0, before[run] + reached)


def _starts_and_lengths(numbers: Integers) -> tuple[Integers, Integers]:
    starts, lengths = numbers[0::2], numbers[1::2]
    if len(numbers) == 3:
        return starts, np.repeat(lengths, 2)
    if len(numbers) % 2 and len(numbers) > 1:
        raise BadCell("the number of words is odd; write a start and a length for each run")
    return starts, lengths


def _integers(text: str) -> Integers:
    if PLAIN.fullmatch(text):
        return np.fromstring(text, dtype=np.int64, sep=" ") if text.strip() else np.zeros(0, dtype=np.int64)
    return np.fromiter((_integer(word.group()) for word in WORD.finditer(text)), dtype=np.int64)


def _integer(word: str) -> int:
    try:
        return max(-FAR, min(int(word), FAR))
    except ValueError:
        raise BadCell("a word is no whole number") from None
