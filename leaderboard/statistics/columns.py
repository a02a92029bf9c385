"""What the boards of a split are reckoned from, as columns over all its entries. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Columns:
    """Of `n` entries in rising order of their numbers.

    `figures`: Any Medal as printed, NaN where there is none; `days`: when each was run; `seeds`: 0 where the runs are
    not known; `medals` and `counted`: shape (n, competitions), by competition how many seeds have a medal and whether
    it counts; `resampled`: the figures on every resample, of the entries at the places of `moving` alone; `masked`:
    shape (n, masks), NaN where nothing counts.
    """

    entries: Places
    tracks: NDArray[np.str_]
    figures: Floats
    days: Places
    seeds: Places
    medals: NDArray[np.int16]
    counted: Flags
    moving: Places
    resampled: NDArray[np.int16]
    masked: Floats

    def on(self, tracks: Collection[str]) -> Places:
        """The places of the entries that stand on these tracks."""
        return np.flatnonzero(np.isin(self.tracks, list(tracks)))
