"""Fingerprints of tokens by winnowing. Pure.

Source: Schleimer, Wilkerson & Aiken, Winnowing: Local Algorithms for Document Fingerprinting (2003). What two files
share in RUN + WINDOW - 1 tokens or more is found wherever it stands.
"""

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from leaderboard.code_similarity.tokens import Tokens, Values

# Between one line of code and two, and half as much again: measured in docs/code-similarity.md.
RUN: Final = 12
WINDOW: Final = 6
BASE: Final = np.uint64(0x9E3779B97F4A7C15)
MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
Places = NDArray[np.int64]


def winnow(tokens: Tokens) -> tuple[Values, Places]:
    """The chosen hashes and the token at which each begins, in order. Empty for code shorter than RUN."""
    hashes = hash_runs(tokens.values)
    if len(hashes) == 0:
        return hashes, np.array([], dtype=np.int64)
    windows = sliding_window_view(hashes, min(WINDOW, len(hashes)))
    # Of equal ones the last, as in the paper: the same is then chosen by more windows, and less in all.
    last = windows.shape[1] - 1
    places = np.unique(np.arange(len(windows)) + last - windows[:, ::-1].argmin(axis=1))
    return hashes[places], places


def hash_runs(values: Values) -> Values:
    """One hash for each RUN tokens in a row."""
    count = len(values) - RUN + 1
    if count < 1:
        return np.array([], dtype=np.uint64)
    hashes = np.zeros(count, dtype=np.uint64)
    for step in range(RUN):
        hashes = hashes * BASE + values[step : step + count]
    mixed: Values = (hashes ^ (hashes >> np.uint64(33))) * MIX
    return mixed ^ (mixed >> np.uint64(33))


def pack(hashes: Values) -> bytes:
    """For the database: each once, sorted."""
    return np.unique(hashes).astype("<u8").tobytes()


def unpack(packed: bytes | memoryview) -> Values:
    found: Values = np.frombuffer(packed, dtype="<u8").astype(np.uint64)
    return found
