"""Which seed a folder is, and which two would be one."""

import pytest

from submissions.seeds import find_collisions, seed_map

SAME = {"a": "s", "b": "s"}


@pytest.mark.parametrize(
    ("places", "seeds", "named"),
    [
        ([("a", "one", None), ("b", "one", None)], {}, []),
        ([("a", "one", None), ("b", "one", None)], SAME, ["both hold one. "]),
        ([("a", "one", None), ("s", "one", None)], {"a": "s"}, ["both hold one. "]),
        ([("a", "one", None), ("b", "two", None)], SAME, []),
        ([("a", "one", 5.0), ("b", "one", 5.0)], SAME, ["the checkpoint of one at 5 hours. "]),
        ([("a", "one", 5.0), ("b", "one", 5.5)], SAME, []),
        ([("a", "one", 5.0), ("b", "one", None)], SAME, []),
        (
            [(folder, "one", hours) for folder in "ab" for hours in (None, 0.25)],
            SAME,
            ["the checkpoint of one at 0.25 hours. ", "both hold one. "],
        ),
    ],
)
def test_collisions_are_named(
    places: list[tuple[str, str, float | None]], seeds: dict[str, str], named: list[str]
) -> None:
    found = find_collisions(places, seeds)
    assert len(found) == len(named)
    for sentence, part in zip(found, named, strict=True):
        assert part in sentence
        assert "seed s" in sentence


@pytest.mark.parametrize("seeds", [None, [], {"run_groups": []}, {"run_groups": {"a": None, "b": ""}}])
def test_a_map_that_says_nothing_maps_nothing(seeds: object) -> None:
    assert seed_map({"seeds": seeds}) == {}
