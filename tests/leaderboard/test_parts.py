"""Figures over a part of the competitions, made from the bits that a standing keeps."""

import json

import numpy as np
import pytest

from leaderboard.aggregation import mean_and_sem
from leaderboard.parts import Parts, read_bits, read_named, write_bits
from leaderboard.row_text import dump_row, join_rows


def bits(*competitions: int) -> str:
    return write_bits(sum(1 << at for at in competitions).to_bytes(3, "little"))


def test_bits_are_those_that_were_packed() -> None:
    has = np.random.default_rng(1).random(75) < 0.3
    packed = write_bits(np.packbits(has, bitorder="little").tobytes())
    assert [bool(read_bits(packed) >> at & 1) for at in range(75)] == has.tolist()


NAMED = read_named({"Tabular": bits(0, 1, 2, 3), "Text": bits(4, 5), "Audio": bits(20)})


def test_figures_are_those_of_the_part() -> None:
    parts = Parts(NAMED, [bits(0, 1, 4), bits(0), bits(0, 1, 2, 3, 20)], None)
    tabular = mean_and_sem([50.0, 25.0, 100.0])
    assert parts["Tabular"] == {"mean": tabular.mean, "sem": tabular.sem, "competitions": 4}
    assert parts["Text"]["mean"] == pytest.approx(100 / 6)
    assert list(parts) == ["Tabular", "Text", "Audio"]
    assert json.loads(json.dumps(dict(parts)))["Audio"]["competitions"] == 1


def test_one_seed_has_no_sem() -> None:
    assert Parts(NAMED, [bits(0)], None)["Tabular"] == {"mean": 25.0, "sem": None, "competitions": 4}


def test_what_is_masked_does_not_count_and_a_part_of_nothing_is_not_there() -> None:
    parts = Parts(NAMED, [bits(1), bits(1, 2)], bits(1, 2, 4, 5))
    assert parts["Tabular"] == {"mean": 75.0, "sem": 25.0, "competitions": 2}
    assert (list(parts), len(parts)) == (["Tabular", "Text"], 2)
    assert "Audio" not in parts


def test_a_board_of_before_has_no_parts() -> None:
    assert read_named(None) == {}
    assert dict(Parts({}, [bits(0)], None)) == {}


def test_rows_are_joined_as_texts() -> None:
    one, other = {"b": [1, None], "a": "}{"}, {"c": {"d": 0.1}}
    assert json.loads(join_rows(dump_row(one), dump_row(other))) == {**one, **other}
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON compliant"):
            dump_row({"a": number})
