"""What a fingerprint does not see, what it hardly sees, and what it tells apart."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grading.graders.columns import STRING, infer_column
from leaderboard.fingerprints.hashes import hash_cells
from leaderboard.fingerprints.sketch import mean_ranks, plain_word
from tests.leaderboard.fingerprints.files import (
    BY_PLACE,
    BY_RANK,
    CLASSES,
    LABELS,
    NUMBERS,
    ROWS,
    TWO_IDS,
    WORDS,
    apart,
    csv_of,
    guesses,
    ids,
    print_of,
)

SHUFFLED = np.random.default_rng(5).permutation(ROWS).tolist()
OWN = guesses(1)


def numbers(values: Any, **columns: Any) -> bytes:
    return csv_of({"id": ids(), "has_cactus": values, **columns})


SAME = {
    "rows in another order": csv_of({"id": ids(), "has_cactus": OWN.tolist()}, SHUFFLED),
    "columns in another order": csv_of({"has_cactus": OWN.tolist(), "id": ids()}),
    "numbers written otherwise": numbers([f"{value:.25e}" for value in OWN]),
    "a column nobody asked for": numbers(OWN.tolist(), extra=range(ROWS)),
    "quotes around cells": numbers([f'"{value!r}"' for value in OWN.tolist()]),
}


@pytest.mark.parametrize("other", SAME.values(), ids=SAME)
def test_the_same_predictions_are_the_same(tmp_path: Path, other: bytes) -> None:
    one, two = (print_of(tmp_path, NUMBERS, content) for content in (numbers(OWN.tolist()), other))
    assert (one.content, one.sketch, one.rows) == (two.content, two.sketch, ROWS)


NOISE = np.random.default_rng(7).normal(size=ROWS)
NEARLY = {
    "fewer digits": [f"{value:.4f}" for value in OWN],
    "rescaled": (OWN * 0.4 + 0.3).tolist(),
    "bent": (OWN**3).tolist(),
    "as odds": np.log(OWN / (1 - OWN)).tolist(),
    "a little noise": (OWN + NOISE * 1e-3).tolist(),
    "one cell changed": [0.5, *OWN.tolist()[1:]],
}


@pytest.mark.parametrize("other", NEARLY.values(), ids=NEARLY)
def test_nearly_the_same_predictions_are_near(tmp_path: Path, other: list[object]) -> None:
    one, two = print_of(tmp_path, NUMBERS, numbers(OWN.tolist())), print_of(tmp_path, NUMBERS, numbers(other))
    assert one.content != two.content
    assert min(apart(one, two)) < 0.005


@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_predictions_made_independently_are_far(tmp_path: Path, noise: float) -> None:
    one, two = (print_of(tmp_path, NUMBERS, numbers(guesses(seed, noise=noise).tolist())) for seed in (1, 2))
    assert min(apart(one, two)) > 0.01


def test_labels_agree_as_far_as_they_do(tmp_path: Path) -> None:
    words = (guesses(1) > 0.5).tolist()
    few = [not word if at % 100 == 0 else word for at, word in enumerate(words)]
    others = (guesses(2) > 0.5).tolist()
    one, copy, other = (
        print_of(tmp_path, LABELS, csv_of({"PassengerId": ids(), "Transported": each}))
        for each in (words, few, others)
    )
    as_numbers = print_of(tmp_path, LABELS, csv_of({"PassengerId": ids(), "Transported": map(int, words)}))
    assert one.content == as_numbers.content
    assert max(apart(one, copy)) < 0.05 < 0.1 < min(apart(one, other))


def test_texts_are_compared_word_by_word(tmp_path: Path) -> None:
    def said(words: list[str]) -> bytes:
        return csv_of({"id": range(ROWS), "after": words})

    first = [f"number {at % 7 + 1} of {at % 11}" for at in range(ROWS)]
    shouted = [f"NUMBER  {at % 7 + 1}.0001 of {at % 11}" for at in range(ROWS)]
    others = [f"number {at % 5} or {at % 13}" for at in range(ROWS)]
    one, copy, other = (print_of(tmp_path, WORDS, said(each)) for each in (first, shouted, others))
    assert max(apart(one, copy)) < 1e-6 < 0.2 < min(apart(one, other))


def test_classes_may_stand_in_any_order_but_not_change_places(tmp_path: Path) -> None:
    names = ("healthy", "multiple_diseases", "rust", "scab")
    columns = {name: guesses(at).tolist() for at, name in enumerate(names, start=1)}
    turned = dict(zip(names, reversed(columns.values()), strict=True))
    prints = [
        print_of(tmp_path, CLASSES, csv_of({"image_id": ids(), **each}))
        for each in (columns, dict(reversed(columns.items())), turned)
    ]
    assert prints[0].content == prints[1].content
    assert prints[0].sketch == prints[1].sketch
    assert prints[0].content != prints[2].content
    assert min(apart(prints[0], prints[2])) > 0.05


def test_rows_are_told_apart_as_the_grader_does(tmp_path: Path) -> None:
    values = OWN.tolist()
    ranked = [
        print_of(tmp_path, BY_RANK, csv_of({"key": range(start, start + ROWS), "fare_amount": values}, order))
        for start, order in ((0, None), (700, SHUFFLED))
    ]
    assert ranked[0].sketch == ranked[1].sketch  # whatever the ids are, by rank they are the same
    placed = [
        print_of(
            tmp_path,
            BY_PLACE,
            csv_of({"id": range(ROWS), "formation_energy_ev_natom": each, "bandgap_energy_ev": values[::-1]}),
        )
        for each in (values, values[::-1])
    ]
    assert min(apart(*placed)) > 0.05


def test_several_id_columns_make_one_id(tmp_path: Path) -> None:
    def at(trips: list[str]) -> bytes:
        place = {"LatitudeDegrees": OWN.tolist(), "LongitudeDegrees": OWN.tolist()[::-1]}
        return csv_of({"tripId": trips, "UnixTimeMillis": range(ROWS), **place})

    one, two = (print_of(tmp_path, TWO_IDS, at([trip] * ROWS)) for trip in ("a", "b"))
    assert min(apart(one, two)) > 0.5


STATES = {
    "constant": (numbers([0.5] * ROWS), "constant"),
    "no rows": (b"id,has_cactus\n", "unreadable"),
    "no such column": (b"id,other\n1,2\n", "unreadable"),
    "not a csv": (b"\x1f\x8b\x08\x00", "unreadable"),
    "open quote": (b'id,has_cactus\n1,"2\n', "unreadable"),
    "numbers that are none": (numbers([float("nan")] * ROWS), "constant"),
    "infinite and one other": (numbers(["inf"] * (ROWS - 1) + [0.5]), "constant"),
    "too large to square": (numbers([1e300, -1e300] * (ROWS // 2)), "constant"),
}


@pytest.mark.parametrize(("content", "state"), STATES.values(), ids=STATES)
def test_what_tells_nothing_has_no_sketch(tmp_path: Path, content: bytes, state: str) -> None:
    found = print_of(tmp_path, NUMBERS, content)
    assert (found.state, found.sketch) == (state, b"")


def test_how_long_the_longest_id_is_does_not_show(tmp_path: Path) -> None:
    """Ids are hashed eight bytes at a time, as many as the longest of them needs."""

    def typed(*cells: str) -> Any:
        return hash_cells(infer_column(np.array(cells, dtype=STRING)))

    assert typed("ab", "c")[0] == typed("ab", "c" * 30)[0]
    assert typed("7", "8")[0] == typed("7.0", "8.5")[0] == typed("007", "9")[0]
    assert typed("-0.0", "8.5")[0] == typed("0", "1")[0]
    assert typed("9007199254740993", "1")[0] != typed("9007199254740992", "1")[0]
    assert len({*typed("a", "b", "ä", "a" * 90, "true"), *typed("0", "1", "-1")}) == 8


def test_equal_numbers_share_their_ranks() -> None:
    assert mean_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [1.0, -1.5, 1.0, -0.5]


@pytest.mark.parametrize(
    ("word", "plain"),
    [("Cat", "cat"), ("0.12345", "0.123"), ("123456", "1.23e+05"), ("1_0", "10"), ("nan", "nan")],
)
def test_words_are_written_one_way(word: str, plain: str) -> None:
    assert plain_word(word) == plain
