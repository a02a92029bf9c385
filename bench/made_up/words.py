"""Ids and texts, drawn by a random generator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

Rng = np.random.Generator

PART = re.compile(r"\{(\w+)(?::(\d+))?\}")
SYLLABLES = (
    "ba",
    "cor",
    "den",
    "fi",
    "gul",
    "hem",
    "ir",
    "jo",
    "kal",
    "lum",
    "ne",
    "or",
    "pra",
    "quil",
    "ros",
)
WORDS = tuple(
    a + b + c
    for a in SYLLABLES
    for b in ("", *SYLLABLES[::2])
    for c in ("", "n", "s", "th")
    if len(a + b + c) > 2
)


def make_ids(pattern: str, rows: int, first: int, rng: Rng) -> list[str]:
    """`rows` ids; distinct, as long as one part of the pattern is. The parts are explained in `rows.toml`."""
    parts = [_make_part(name, int(size or 0), rows, first, rng) for name, size in PART.findall(pattern)]
    template = PART.sub("%s", pattern.replace("%", "%%"))
    return [template % values for values in zip(*parts, strict=True)] if parts else [pattern] * rows


def make_numbers(digits: int, rows: int, rng: Rng) -> np.ndarray:
    """Distinct integers of exactly so many digits, in no order."""
    low, span = 10 ** (digits - 1), 9 * 10 ** (digits - 1)
    step, start = 2_147_483_647 % span | 1, int(rng.integers(span))
    while np.gcd(step, span) != 1:
        step += 2
    return np.array([low + (start + step * i) % span for i in range(rows)], dtype=np.int64)


def make_hex(digits: int, rows: int, rng: Rng) -> list[str]:
    """Distinct hexadecimal numbers of exactly so many digits, in no order."""
    own = min(digits, 12)
    # Multiplying by an odd number modulo a power of two meets every value once.
    step, start = (rng.integers(1 << 62, dtype=np.uint64) for _ in range(2))
    low = (np.arange(rows, dtype=np.uint64) * (step | np.uint64(1)) + start) & np.uint64((1 << 4 * own) - 1)
    rest = digits - own
    tail = rng.bytes((rest * rows + 1) // 2).hex()
    return [f"{n:0{own}x}{tail[i * rest : (i + 1) * rest]}" for i, n in enumerate(low.tolist())]


def make_texts(lengths: np.ndarray, rng: Rng) -> list[list[str]]:
    """One list of words for each length."""
    drawn = np.array(WORDS, dtype=object)[rng.integers(len(WORDS), size=int(lengths.sum()))].tolist()
    ends = np.cumsum(lengths).tolist()
    return [drawn[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def make_filler(characters: int, rows: int, rng: Rng) -> list[str]:
    """Texts of about so many characters, cut from one long text; some hold a comma or a quote."""
    text = (
        " ".join(make_texts(np.array([4000 + characters]), rng)[0])
        .replace("cor ", 'cor, "')
        .replace("fin ", "fin.\n")
    )
    starts = rng.integers(4000, size=rows).tolist()
    lengths = rng.integers(max(1, characters // 2), characters * 3 // 2 + 1, size=rows).tolist()
    return [text[start : start + length] for start, length in zip(starts, lengths, strict=True)]


def change_words(texts: Iterable[list[str]], share: float, rng: Rng) -> list[list[str]]:
    """The texts with one word replaced, dropped or added in so many of them."""
    rows = list(texts)
    for i in np.flatnonzero(rng.random(len(rows)) < share).tolist():
        place, words = int(rng.integers(len(rows[i]) + 1)), list(rows[i])
        words[place : place + int(rng.integers(2))] = [WORDS[int(rng.integers(len(WORDS)))]][
            : int(rng.integers(2))
        ]
        rows[i] = words
    return rows


def _make_part(name: str, size: int, rows: int, first: int, rng: Rng) -> Iterable[object]:
    numbers = range(first, first + rows)
    makers: dict[str, Callable[[], Iterable[object]]] = {
        "n": lambda: [f"{n:0{size}}" if size else n for n in numbers],
        "hex": lambda: make_hex(size, rows, rng),
        "digits": lambda: make_numbers(size, rows, rng).tolist(),
        "words": lambda: map(" ".join, make_texts(np.full(rows, size), rng)),
        "block": lambda: [n // size for n in numbers],
        "within": lambda: [n % size for n in numbers],
        # A page of so many columns: page, row and column of each pixel, as the answers number them.
        "pixel": lambda: (f"{n // (420 * size) + 1}_{n // size % 420 + 1}_{n % size + 1}" for n in numbers),
    }
    return makers[name]()
