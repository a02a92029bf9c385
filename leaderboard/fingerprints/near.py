"""Which of many stored predictions are so near to new ones that hardly both were made independently. Pure.

How near honest predictions come differs by competition: on some any two good ones correlate to four digits. So a
distance is held against others of the same competition: what the rest of the organisations come to, and how far the
submission's own other seeds lie apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .sketch import BUCKETS, HALVES, Sketch

# 1 - cosine. With many organisations to compare with, with few, and with nothing at all.
NEAR_AMONG_MANY, NEAR_AMONG_FEW, NEAR_ALONE = 0.05, 0.02, 0.005
MANY = 4
# Nearer by so much than the others are.
TIMES_NEARER = 10.0
# Seeds of one agent are alike by nature: only what is all but equal is told, by rank alone.
NEAR_SEED = 2e-4
# Below this the rounding of sketches is larger than what they differ by.
SAME = 1e-4

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Stock:
    """All sketches of a competition. `numbers` and `owners` are those of fingerprints and organisations."""

    numbers: Numbers
    owners: Numbers
    sketches: Sketch

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Near:
    """One stored fingerprint that is near. `distance`: in the half in which it is nearer."""

    number: int
    owner: int
    distance: float

    @property
    def likeness(self) -> float:
        """1 for the same predictions, 0 for unrelated ones."""
        return round(1 - self.distance, 4)


def unpack(sketches: Sequence[bytes]) -> Sketch:
    """Shape (sketches, HALVES * BUCKETS)."""
    return np.frombuffer(b"".join(sketches), dtype=np.int8).reshape(-1, HALVES * BUCKETS)


def distances(sketches: Sketch, one: Sketch) -> Floats:
    """1 - cosine of each with the one, shape (sketches, HALVES)."""
    found = np.empty((len(sketches), HALVES), dtype=np.float32)
    for half in range(HALVES):
        part = slice(half * BUCKETS, (half + 1) * BUCKETS)
        many, single = sketches[:, part].astype(np.float32), one[part].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", many, many)) * np.linalg.norm(single)
        found[:, half] = 1 - many @ single / lengths
    return np.maximum(found, 0)


def near_strangers(
    stock: Stock, found: Floats, owner: int, own_seeds: Floats | None, most: int
) -> list[Near]:
    """Of each other organisation the nearest fingerprint, if that is too near; at most so many, nearest first.

    `found`: distances of the stock; `own_seeds`: those of the submission's other seeds on the competition.
    """
    strange = np.flatnonzero(stock.owners != owner)
    # All of one owner together: sorted once for both halves.
    strange = strange[np.argsort(stock.owners[strange], kind="stable")]
    near: dict[int, Near] = {}
    for half in range(HALVES):
        owners, firsts = nearest_of_each(stock.owners[strange], found[strange, half])
        places, best = strange[firsts], found[strange[firsts], half]
        for at in np.flatnonzero(too_near(best, _own(own_seeds, half))):
            one = Near(int(stock.numbers[places[at]]), int(owners[at]), float(best[at]))
            near[one.owner] = min(near.get(one.owner, one), one, key=lambda each: each.distance)
    return sorted(near.values(), key=lambda each: each.distance)[:most]


def _own(own_seeds: Floats | None, half: int) -> float | None:
    if own_seeds is None or not len(own_seeds):
        return None
    return float(own_seeds[:, half].min())


def nearest_of_each(owners: Numbers, found: Floats) -> tuple[Numbers, npt.NDArray[np.intp]]:
    """Every owner once, and where its smallest distance stands. All of one owner must stand together."""
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    if not len(starts):
        return owners[starts], starts
    best = np.minimum.reduceat(found, starts)
    counts = np.diff(starts, append=len(owners))
    smallest = np.flatnonzero(found == np.repeat(best, counts))
    return owners[starts], smallest[np.searchsorted(smallest, starts)]


def too_near(best: Floats, own: float | None) -> npt.NDArray[np.bool_]:
    """For the nearest predictions of every other organisation, whether they are.

    They are where most of the others lie ten times farther off. What most of many organisations have alike is common
    property. `own`: how far the nearest other seed lies; a stranger is not to be nearer than that.
    """
    nearby = np.searchsorted(np.sort(best), np.maximum(best * TIMES_NEARER, SAME), side="right")
    farther = len(best) - nearby
    most = np.where(farther >= MANY, NEAR_AMONG_MANY, NEAR_AMONG_FEW)
    # Seeds that are themselves all but equal say nothing of how far honest predictions lie apart.
    if own is not None and own > NEAR_SEED:
        alone, most = min(NEAR_AMONG_FEW, own / TIMES_NEARER), np.minimum(most, own)
    else:
        alone = NEAR_ALONE
    is_common = (len(best) >= MANY) & (nearby > farther)
    near: npt.NDArray[np.bool_] = ~is_common & (best <= np.where(farther > 0, most, alone))
    return near


def near_own(stock: Stock, found: Floats, owner: int, most: int) -> list[Near]:
    """The organisation's own fingerprints that are all but equal, nearest first."""
    places = np.flatnonzero((stock.owners == owner) & (found[:, 0] <= NEAR_SEED))
    places = places[np.argsort(found[places, 0], kind="stable")][:most]
    return [Near(int(stock.numbers[at]), owner, float(found[at, 0])) for at in places]


def is_near_sample(sample: Sketch | None, one: Sketch) -> bool:
    """Whether it is the sample submission, or nearly."""
    return sample is not None and bool((distances(sample[None], one) <= NEAR_AMONG_FEW).any())
