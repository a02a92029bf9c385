"""For every comparison: medals that are far outside and medals that are not, and what too little is."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest

from leaderboard.contamination.groups import TooFew, contrast
from leaderboard.contamination.lines import AgentEntry, Known, Line, compare_all
from leaderboard.contamination.pairs import gap
from leaderboard.contamination.raising import parse_cutoff
from leaderboard.contamination.signals import SIGNALS
from leaderboard.contamination.tally import Tally, expected_rates, rate_of

OLD = [f"old-{at}" for at in range(12)]
NEW = [f"new-{at}" for at in range(12)]
LEAKY = frozenset(OLD[:4])
DATES = {**dict.fromkeys(OLD, date(2018, 1, 1)), **dict.fromkeys(NEW, date(2023, 1, 1))}
CUTOFF = date(2021, 6, 30)


def medals(old: Sequence[int], new: Sequence[int], runs: int = 3) -> dict[str, Tally]:
    """Medals of the competitions in turn, as often as needed."""
    return {
        competition: Tally(row[at % len(row)], runs)
        for row, names in ((old, OLD), (new, NEW))
        for at, competition in enumerate(names)
    }


EVEN = medals([0, 1, 2], [0, 1, 2])
OTHERS = [EVEN, medals([1], [1]), medals([0, 2], [0, 2]), medals([2, 1], [1, 2])]
NEVER = medals([0], [0])


def known(own: Mapping[str, Tally], **columns: Any) -> Known:
    given: dict[str, Any] = {
        "prompt": "original",
        "others": OTHERS,
        "closed_on": DATES,
        "leaky": LEAKY,
        "cutoff": CUTOFF,
    }
    return Known(medals=own, **{**given, **columns})


def lines(given: Known) -> dict[str, Line]:
    return {line.kind: line for line in compare_all(given)}


ONLY_LEAKY = {each: Tally(3 if each in LEAKY else 0, 3) for each in DATES}
OBFUSCATED = AgentEntry("entry 7", NEVER, "obfuscated")
ORIGINAL = AgentEntry("entry 8", medals([3], [3]), "original")
EARLIER = AgentEntry("entry 9", NEVER)

FAR = {
    "all medals on the old ones": ("before-date", known(medals([3], [0]))),
    "more on the old ones": ("before-date", known(medals([3, 2], [0, 1]))),
    "divided at the median where the cut-off is after all": (
        "before-date",
        known(medals([3], [0]), cutoff=date(2025, 1, 1)),
    ),
    "divided at the median where no cut-off is stated": ("before-date", known(medals([3], [0]), cutoff=None)),
    "medals where it leaks": ("leaky", known(ONLY_LEAKY)),
    "worse when obfuscated": ("prompt", known(medals([3], [3]), same_agent=[OBFUSCATED])),
    "worse when obfuscated, the other way round": (
        "prompt",
        known(NEVER, prompt="obfuscated", same_agent=[ORIGINAL]),
    ),
    "from none to all": ("jump", known(medals([3], [3]), same_agent=[EARLIER])),
    "from none to one in three": ("jump", known(medals([1], [1]), same_agent=[EARLIER])),
}
NEAR = {
    "as others": ("before-date", known(EVEN)),
    "better everywhere": ("before-date", known(medals([3], [3]))),
    "better on the new ones": ("before-date", known(medals([0], [3]))),
    "a little better on the old ones": ("before-date", known(medals([1, 2], [1, 1]))),
    "old ones are easier for all": (
        "before-date",
        known(medals([3], [0]), others=[medals([3], [0]), medals([3], [0]), medals([3], [0])]),
    ),
    "as others where it leaks": ("leaky", known(EVEN)),
    "one medal where it leaks": ("leaky", known({**EVEN, OLD[0]: Tally(3, 3)})),
    "better everywhere, also where it leaks": ("leaky", known(medals([3], [3]))),
    "as good when obfuscated": (
        "prompt",
        known(EVEN, same_agent=[AgentEntry("entry 7", EVEN, "obfuscated")]),
    ),
    "better when obfuscated": (
        "prompt",
        known(NEVER, same_agent=[AgentEntry("entry 7", medals([3], [3]), "obfuscated")]),
    ),
    "as before": ("jump", known(EVEN, same_agent=[AgentEntry("entry 9", EVEN)])),
    "worse than before": ("jump", known(NEVER, same_agent=[ORIGINAL])),
    "one medal more": ("jump", known({**NEVER, OLD[0]: Tally(3, 3)}, same_agent=[EARLIER])),
}


@pytest.mark.parametrize("case", FAR)
def test_it_is_far_outside(case: str) -> None:
    kind, given = FAR[case]
    assert lines(given)[kind].is_far


@pytest.mark.parametrize("case", NEAR)
def test_it_is_not(case: str) -> None:
    kind, given = NEAR[case]
    line = lines(given)[kind]
    assert line.missing == ""
    assert not line.is_far


def test_every_signal_has_both_kinds_of_cases() -> None:
    codes = {signal.code.removeprefix("contamination-") for signal in SIGNALS}
    assert {kind for kind, _ in FAR.values()} == {kind for kind, _ in NEAR.values()} == codes


TOO_LITTLE = {
    "no date": ("before-date", known(EVEN, closed_on={}), "no closing date is known"),
    "two other entries": ("before-date", known(EVEN, others=OTHERS[:2]), "2 other entries, fewer than 3"),
    "two dates": ("before-date", known(EVEN, closed_on={OLD[0]: CUTOFF, NEW[0]: CUTOFF}), "0 competitions"),
    "no leak": ("leaky", known(EVEN, leaky=frozenset()), "0 competitions against 24"),
    "two leaks": ("leaky", known(EVEN, leaky=frozenset(OLD[:2])), "2 competitions against 22"),
    "few in common": (
        "jump",
        known(EVEN, same_agent=[AgentEntry("entry 9", {OLD[0]: Tally(1, 1)})]),
        "1 competitions in common",
    ),
}


@pytest.mark.parametrize("case", TOO_LITTLE)
def test_too_little_is_said_and_never_far(case: str) -> None:
    kind, given, missing = TOO_LITTLE[case]
    line = lines(given)[kind]
    assert missing in line.missing
    assert not line.is_far
    assert line.figures == {}


def test_there_is_a_line_for_what_the_agent_has_alone() -> None:
    assert set(lines(known(EVEN))) == {"before-date", "leaky"}
    assert set(lines(known(EVEN, same_agent=[AgentEntry("e", EVEN, is_earlier=False)]))) == {
        "before-date",
        "leaky",
    }
    assert set(lines(known(EVEN, prompt="", same_agent=[OBFUSCATED]))) == {"before-date", "leaky", "jump"}


def test_competitions_without_a_date_are_counted() -> None:
    some = {**DATES, **dict.fromkeys(OLD[:5])}
    assert (
        "5 of 24 competitions have no known date"
        in lines(known(EVEN, closed_on=some))["before-date"].sentence
    )


@pytest.mark.parametrize("given", [given for _, given in {**FAR, **NEAR}.values()])
def test_sentences_tell_no_rate_of_an_entry_that_is_not_public(given: Known) -> None:
    """A maintainer reads them before the decision. `own` and `one` stand in the figures, which the page then hides."""
    for line in compare_all(given):
        json.dumps(line.as_json(), allow_nan=False)
        assert "% medals" not in line.sentence
        if line.kind in ("prompt", "jump") and line.figures:
            assert f"{line.figures['difference']:+.0f}" not in line.sentence


def test_the_difference_is_that_of_the_differences_to_others() -> None:
    found = contrast(medals([3], [0]), OTHERS, set(OLD), set(NEW))
    own = found.own[0] - found.own[1]
    others = found.others[0] - found.others[1]
    assert found.own == (100, 0)
    assert found.difference == pytest.approx(own - others)
    assert found.interval is not None
    assert found.interval[0] <= found.difference <= found.interval[1]
    assert found.sizes == (12, 12)


def test_there_is_no_interval_where_all_competitions_came_out_alike() -> None:
    alike = [medals([1], [1])] * 3
    found = contrast(medals([3], [0]), alike, set(OLD), set(NEW))
    assert found.interval is None
    assert found.is_far
    assert "95 %" not in lines(known(medals([3], [0]), others=alike))["before-date"].sentence


def test_it_comes_out_the_same_each_time() -> None:
    assert lines(known(ONLY_LEAKY)) == lines(known(ONLY_LEAKY))


def test_chance_is_seldom_called_far() -> None:
    """Among 200 agents that differ by chance alone the rule speaks up for three at most (1 % would be two)."""
    draw = np.random.default_rng(5)
    far = 0
    for _ in range(200):
        own = {each: Tally(int(draw.binomial(3, 0.4)), 3) for each in DATES}
        far += contrast(own, OTHERS, set(OLD), set(NEW)).is_far
    assert far <= 3


def test_gap_is_paired_and_takes_other_numbers_of_seeds() -> None:
    found = gap(medals([3], [0]), medals([0], [0], runs=5))
    assert (found.one, found.other, found.shared, found.difference) == (50, 0, 24, 50)
    assert found.p_value == pytest.approx(2 / 2**12)
    with pytest.raises(TooFew):
        gap(EVEN, {})


def test_expected_rates_want_enough_entries() -> None:
    assert expected_rates([{"a": Tally(1, 2)}, {"a": Tally(0, 2), "b": Tally(1, 1)}], 2) == {"a": 25.0}
    assert rate_of({"a": Tally(1, 2), "b": Tally(3, 3)}, ["a", "b"]) == 75.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 29)),
        ("2024-10-05", date(2024, 10, 5)),
        ("2024-13", None),
        ("2024-02-30", None),
        ("0000", None),
        ("October 2024", None),
        ("", None),
    ],
)
def test_a_cutoff_is_the_last_day_it_may_mean(text: str, expected: date | None) -> None:
    assert parse_cutoff(text) == expected
