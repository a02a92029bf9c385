"""A whole table of predictions as a short vector: alike tables have vectors at a small angle. Pure.

Every row is thrown into one of a few buckets, with a sign, both drawn from its id: so the order of rows and columns
does not matter, and the cosine of two sketches is that of the two tables, with a relative error of the *distance*
(1 - cosine) of about sqrt(2 / BUCKETS), however small that distance is.

There are two halves. `ranks` holds each number as its rank in its column, so that it stays what it is when all
numbers are rescaled, however bent; `values` holds the numbers themselves, less mean and by standard deviation, since
noise that is far too small to matter can still shuffle ranks where most numbers are nearly alike. Text is in both, as
the words of its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from grading.graders.columns import Column

from .hashes import Hashes, hash_text, mix, remembering

VERSION = 1
BUCKETS = 64
HALVES = 2
LARGEST = 127
OUTLIER = 10.0
TOKENS_AT_MOST = 4_000_000
FEWEST_TOKENS = 8
Floats = npt.NDArray[np.float64]
Sketch = npt.NDArray[np.int8]
BYTES = BUCKETS * HALVES


@dataclass(frozen=True)
class Part:
    """What one column adds: a number for each place, and the values that stand there in either half."""

    places: Hashes
    ranks: Floats
    values: Floats


def sketch_of(ids: Hashes, columns: Mapping[str, Column]) -> Sketch | None:
    """Shape (HALVES * BUCKETS,), the largest number of each half being 127. None where all rows are alike."""
    total = np.zeros((HALVES, BUCKETS))
    with np.errstate(over="ignore", invalid="ignore"):  # Numbers too large to be squared are left out.
        for part in _parts(ids, columns):
            total += [_throw(part.places, part.ranks), _throw(part.places, part.values)]
    largest = np.abs(total).max(axis=1, keepdims=True)
    if not largest.all():
        return None
    scaled: Sketch = np.rint(total / largest * LARGEST).astype(np.int8).ravel()
    return scaled


def _parts(ids: Hashes, columns: Mapping[str, Column]) -> Iterable[Part]:
    for name, column in columns.items():
        at = mix(ids ^ np.uint64(hash_text(name)))
        part = _numbers(at, column) if column.is_numeric else _words(at, column)
        if part is not None:
            yield part


def _throw(places: Hashes, values: Floats) -> Floats:
    """The sum of each bucket."""
    buckets = (places % np.uint64(BUCKETS)).astype(np.intp)
    signs = 1.0 - 2.0 * ((places >> np.uint64(63)).astype(np.float64))
    sums: Floats = np.bincount(buckets, weights=values * signs, minlength=BUCKETS).astype(np.float64)
    return sums


def _numbers(places: Hashes, column: Column) -> Part | None:
    """None for a constant column."""
    numbers = column.floats()
    known = np.isfinite(numbers)
    if not known.all():
        places, numbers = places[known], numbers[known]
    if not len(numbers) or numbers.min() == numbers.max():
        return None
    spread = numbers - numbers.mean()
    deviation = spread.std()
    if not 0 < deviation < np.inf:
        return None
    values = np.clip(spread / deviation, -OUTLIER, OUTLIER)
    return Part(places, _unit(mean_ranks(numbers)), _unit(values))


def mean_ranks(numbers: Floats) -> Floats:
    """From 0, equal numbers sharing the mean of their ranks; less the mean of all."""
    _, at, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = ((ends - counts) + (ends - 1)) / 2 - (len(numbers) - 1) / 2
    return ranks[at]


def _unit(values: Floats) -> Floats:
    values = values - values.mean()
    length = np.linalg.norm(values)
    return values / length if length else values


def _words(places: Hashes, column: Column) -> Part | None:
    """Each cell counts the same, however many words it has. None where all cells are the same."""
    cells = [str(cell) for cell in column.values.tolist()]
    if len(set(cells)) < 2:
        return None
    most = max(FEWEST_TOKENS, TOKENS_AT_MOST // len(cells))
    once = remembering(lambda word: hash_text(plain_word(word)))
    found = [[once(word) for word in cell.split(maxsplit=most)[:most]] or [0] for cell in cells]
    counts = np.fromiter(map(len, found), dtype=np.intp, count=len(found))
    words = np.fromiter((word for cell in found for word in cell), dtype=np.uint64, count=counts.sum())
    weights = np.repeat(1 / np.sqrt(counts * len(cells)), counts)
    return Part(mix(np.repeat(places, counts) ^ words), weights, weights)


def plain_word(word: str) -> str:
    """A word without case; a number with three digits, so that a little more or less is the same."""
    try:
        return f"{float(word):.3g}"
    except ValueError:
        return word.casefold()
