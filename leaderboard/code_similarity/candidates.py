"""Which files of thousands may be much like those of one submission, by their fingerprints alone. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from leaderboard.code_similarity.tokens import Values

# Percent of one file's fingerprints that the other has; below the share that counts, since these are a sample.
WORTH_A_LOOK: Final = 45.0
# Pairs of files with a hash in common that are counted; some 300 MB.
MOST_PAIRS: Final = 10_000_000
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def find_candidates(files: Mapping[int, Values], others: Mapping[int, Values]) -> list[tuple[int, int]]:
    """Pairs of a file and another that share so much, by key, the most alike first. Hashes of each: once, sorted."""
    mine, theirs = _flatten(files), _flatten(others)
    if not len(mine.hashes) or not len(theirs.hashes):
        return []
    pairs, counts = _count_shared(mine, theirs)
    left, right = np.divmod(pairs, len(theirs.keys))
    share = 100 * np.maximum(counts / mine.sizes[left], counts / theirs.sizes[right])
    order = np.lexsort((right, left, -share))
    return [(mine.keys[left[at]], theirs.keys[right[at]]) for at in order if share[at] >= WORTH_A_LOOK]


@dataclass(frozen=True)
class _Flat:
    """All hashes of some files in one array: whose each is, the files' keys, and how many hashes each file has."""

    hashes: Values
    owners: Numbers
    keys: list[int]
    sizes: Numbers


def _flatten(files: Mapping[int, Values]) -> _Flat:
    """Files without any hash are left out."""
    kept = {key: hashes for key, hashes in files.items() if len(hashes)}
    hashes = np.concatenate(list(kept.values())) if kept else np.array([], dtype=np.uint64)
    sizes = np.array([len(each) for each in kept.values()], dtype=np.int64)
    return _Flat(hashes, np.repeat(np.arange(len(kept)), sizes), list(kept), sizes)


def _count_shared(mine: _Flat, theirs: _Flat) -> tuple[Numbers, Numbers]:
    """How many hashes each pair shares that shares any; a pair is `file * number of others + other`."""
    order = np.argsort(mine.hashes, kind="stable")
    hashes, owners = mine.hashes[order], mine.owners[order]
    # One pass over all others drops what no file here has; few are left.
    at = np.searchsorted(hashes, theirs.hashes)
    hit = hashes[np.minimum(at, len(hashes) - 1)] == theirs.hashes
    first, right = at[hit], theirs.owners[hit]
    times = np.searchsorted(hashes, theirs.hashes[hit], side="right") - first
    telling = _without_commonest(first, times)
    first, right, times = first[telling], right[telling], times[telling]
    # For each hit on the right every file on the left that has the hash.
    steps = np.arange(int(times.sum())) - np.repeat(times.cumsum() - times, times)
    left = owners[np.repeat(first, times) + steps]
    right = np.repeat(right, times)
    pairs, counts = np.unique(left * len(theirs.keys) + right, return_counts=True)
    return pairs, counts


def _without_commonest(first: Numbers, times: Numbers) -> Flags:
    """Which hits to count: all, or those of the rarest hashes, so that what everybody writes costs no memory."""
    if int(times.sum()) <= MOST_PAIRS:
        return np.ones(len(first), dtype=np.bool_)
    hashes, which = np.unique(first, return_inverse=True)
    costs = np.bincount(which, weights=times, minlength=len(hashes))
    rarest = np.argsort(costs, kind="stable")
    kept = np.zeros(len(hashes), dtype=np.bool_)
    kept[rarest[costs[rarest].cumsum() <= MOST_PAIRS]] = True
    return kept[which]
