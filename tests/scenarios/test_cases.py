"""Scenario files, and how what was seen is held against them."""

from typing import Any

import pytest

from tests.scenarios.cases import CASES, BadScenario, parse_scenario, read_scenarios
from tests.scenarios.compare import ABSENT, compare, is_same, pick
from tests.scenarios.made_up import COMPETITIONS, SKILLS, nudge, predict

STEP = {"do": "get", "path": "/"}


def test_every_shipped_file_is_a_scenario_that_expects_something() -> None:
    scenarios = read_scenarios([CASES])
    assert len(scenarios) > 30
    assert all(any(step.expect for step in each.steps) for each in scenarios)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"title": "a", "steps": []}, "unknown keys steps"),
        ({"step": [STEP]}, "needs a title"),
        ({"title": "a"}, "at least one"),
        ({"title": "a", "step": [{"do": "fly"}]}, "step 1: do is 'fly'"),
        ({"title": "a", "step": [STEP, {**STEP, "paht": "/"}]}, "step 2 (get): unknown keys paht"),
    ],
)
def test_what_is_no_scenario_says_where(document: dict[str, Any], says: str) -> None:
    with pytest.raises(BadScenario) as refused:
        parse_scenario("name", document)
    assert says in str(refused.value)


SEEN = {
    "status": "in_review",
    "findings": ["b", "a"],
    "claims": {"llms": "declared"},
    "text": "The whole page",
    "json": {"rows": [{"rank": None, "mean": 100 / 3}]},
}


@pytest.mark.parametrize(
    ("expect", "holds"),
    [
        ({"status": "in_review"}, True),
        ({"status": "published"}, False),
        ({"unheard": "of"}, False),
        ({"findings": ["a", "b"]}, True),
        ({"findings": ["a"]}, False),
        ({"findings_include": ["a"]}, True),
        ({"findings_include": ["c"]}, False),
        ({"findings_exclude": ["a"]}, False),
        ({"findings_exclude": ["c"]}, True),
        ({"claims": {"llms": "declared"}}, True),
        ({"claims": {"cost": "declared"}}, False),
        ({"contains": ["whole"]}, True),
        ({"contains": ["half"]}, False),
        ({"lacks": ["whole"]}, False),
        ({"lacks": ["half"]}, True),
        ({"json": {"rows.0.rank": "null", "rows.#": 1}}, True),
        ({"json": {"rows.0.mean": 33.3333333}}, True),
        ({"json": {"rows.0.mean": 33.3}}, False),
        ({"json": {"rows.1.rank": "null"}}, False),
    ],
)
def test_every_expectation_is_a_line_that_holds_or_not(expect: dict[str, Any], holds: bool) -> None:
    lines = compare(1, expect, SEEN)
    assert lines
    assert all(line.holds for line in lines) is holds


def test_numbers_that_were_kept_as_text_are_the_same() -> None:
    assert is_same("43", 43)
    assert not is_same("43", 44)


def test_what_is_not_there_is_no_null() -> None:
    assert pick({"a": [1]}, "a.3") == ABSENT
    assert not is_same("null", ABSENT)


@pytest.mark.parametrize("competition", COMPETITIONS)
def test_predictions_depend_on_name_and_seed_alone(competition: str) -> None:
    first = predict(competition, "bronze", "a", 0)
    assert first == predict(competition, "bronze", "a", 0)
    assert len({first, predict(competition, "bronze", "b", 0), predict(competition, "bronze", "a", 1)}) == 3
    nudged = nudge(first, "copy").splitlines()
    assert nudged[1:] != first.splitlines()[1:]
    assert {line.split(",")[0] for line in nudged} == {line.split(",")[0] for line in first.splitlines()}
    assert set(SKILLS[competition]) == {"none", "bronze", "gold", "perfect"}
