"""For every signal: submissions it must speak up about, and ones it must leave alone."""

import json
from pathlib import Path

import pytest

from grading.medals import Medal
from leaderboard.integrity.findings import (
    SIGNALS,
    Alike,
    CompetitionFacts,
    EarlierSubmission,
    Pair,
    Run,
    SubmissionFacts,
    Twin,
    find_all,
)
from leaderboard.integrity.findings.probing import count_kept
from leaderboard.integrity.findings.reference import findings_reference

HIGHER = CompetitionFacts(lower_is_better=False, gold=0.9, median=0.7)
LOWER = CompetitionFacts(lower_is_better=True, gold=0.1, median=0.3)
SOLVED = CompetitionFacts(lower_is_better=False, gold=1.0, median=0.9)
NO_ERROR = CompetitionFacts(lower_is_better=True, gold=0.0, median=0.1)
UNBOUNDED = CompetitionFacts(lower_is_better=False, gold=-6.4, median=-6.9)
FLAT = CompetitionFacts(lower_is_better=False, gold=0.5, median=0.5)
LEAKY = CompetitionFacts(lower_is_better=False, gold=0.9, median=0.7, has_known_leak=True)
BARE = CompetitionFacts(lower_is_better=False)
STRICT = CompetitionFacts(lower_is_better=False, gold=0.9, median=0.7, plausible_margin=0.02)
GENEROUS = CompetitionFacts(lower_is_better=True, gold=0.1, median=0.3, plausible_margin=0.5)
STRICT_WITHOUT_MEDIAN = CompetitionFacts(lower_is_better=True, gold=0.1, plausible_margin=0.02)


def run(seed="0", score=0.8, medal=Medal.NONE, competition="a", csv="", above=True, note="") -> Run:
    return Run(seed, competition, csv or f"{seed}-{competition}-{score}", score, medal, above, note)


def facts(*runs: Run, a: CompetitionFacts = HIGHER, earlier=(), twins=(), alike=()) -> SubmissionFacts:
    return SubmissionFacts(tuple(runs), {"a": a, "b": HIGHER}, tuple(earlier), tuple(twins), tuple(alike))


PAIR = Pair("0/a", "1/a", 0.9999)


def near(of: str, name: str = "another", pairs=(PAIR,)) -> Alike:
    return Alike(of, name, tuple(pairs))


def before(name="first", **csvs: str) -> EarlierSubmission:
    """`a0="x"`: file x of seed 0 on competition a."""
    return EarlierSubmission(name, {(key[1:], key[0]): csv for key, csv in csvs.items()})


TWIN = Twin("another", "csv", ("0/a",))
GOLD, SILVER, BRONZE = Medal.GOLD, Medal.SILVER, Medal.BRONZE

FIRES = [
    ("perfect-score", facts(run(score=1.0))),
    ("perfect-score", facts(run(score=0.0), a=LOWER)),
    ("beyond-gold", facts(run(score=1.15))),
    ("beyond-gold", facts(run(score=-0.15), a=LOWER)),
    ("beyond-gold", facts(run(score=-5.8), a=UNBOUNDED)),
    ("beyond-gold", facts(run(score=0.93), a=STRICT)),
    ("beyond-gold", facts(run(score=0.07), a=STRICT_WITHOUT_MEDIAN)),
    ("odd-form", facts(run(note="rows_left_out"))),
    ("gold-on-leaky", facts(run(medal=GOLD), a=LEAKY)),
    ("cloned-seeds", facts(run("0", csv="x"), run("1", csv="x"))),
    ("cloned-seeds", facts(run("0", csv="x"), run("1", csv="y"), run("2", csv="y"))),
    ("same-predictions", facts(run(), twins=[TWIN])),
    ("same-bundle", facts(run(), twins=[Twin("another", "bundle")])),
    ("near-duplicates", facts(run(), alike=[near("stranger")])),
    ("near-clones", facts(run(), alike=[near("seed", "")])),
    ("near-earlier", facts(run(), alike=[near("earlier")])),
    ("same-run-card", facts(run(), twins=[Twin("another", "card", ("scaffold.commit",))])),
    ("same-people", facts(run(), twins=[Twin("Another", "people", ("ada",))])),
    ("probing", facts(run("0", csv="x"), run("1", csv="z"), earlier=[before(a0="x", a1="y")])),
    ("probing", facts(run("0", csv="x"), run("1", csv="z"), earlier=[before(a1="x", a0="y")])),  # other labels
    ("resent", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a0="x", a1="y")])),
    ("resent", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a1="x", a0="y")])),  # labels changed
    ("resent", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a0="x")])),  # one was added
    ("stitched", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a0="x"), before("second", a1="y")])),
    ("stitched", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a5="x"), before("second", b7="y")])),
    ("no-spread", facts(*(run(seed, csv=seed) for seed in "012"))),
    ("wild-spread", facts(run("0", 0.95, GOLD), run("1", 0.6, above=False))),
]  # fmt: skip
QUIET = [
    ("perfect-score", facts(run(score=0.99999))),
    ("perfect-score", facts(run(score=1.0), a=SOLVED)),  # where gold is perfect, so may others be
    ("perfect-score", facts(run(score=0.0), a=NO_ERROR)),
    ("perfect-score", facts(run(score=0.0))),
    ("perfect-score", facts(run(score=1.0), a=UNBOUNDED)),  # that scale does not end at 1
    ("perfect-score", facts(run(score=1.0), a=BARE)),
    ("perfect-score", facts(run(score=None))),
    ("beyond-gold", facts(run(score=1.05))),
    ("beyond-gold", facts(run(score=0.0), a=LOWER)),
    ("beyond-gold", facts(run(score=0.99), a=FLAT)),
    ("beyond-gold", facts(run(score=9.0), a=BARE)),
    ("beyond-gold", facts(run(score=None))),
    ("beyond-gold", facts(run(score=0.91), a=STRICT)),
    ("beyond-gold", facts(run(score=-0.3), a=GENEROUS)),
    ("odd-form", facts(run(note="labels_read_as_text"), run("1", None, note="rows_left_out"))),
    ("gold-on-leaky", facts(run(medal=SILVER), a=LEAKY)),
    ("gold-on-leaky", facts(run(medal=GOLD))),
    ("cloned-seeds", facts(run("0", csv="x"), run("0", csv="x", competition="b"))),
    ("same-predictions", facts(run(), twins=[Twin("another", "bundle")])),
    ("same-bundle", facts(run(), twins=[TWIN])),
    ("near-duplicates", facts(run(), alike=[near("earlier"), near("stranger", pairs=())])),
    ("near-clones", facts(run(), alike=[near("stranger")])),
    ("near-earlier", facts(run(), alike=[near("seed", "")])),
    ("same-run-card", facts(run(), twins=[TWIN])),
    ("same-people", facts(run(), twins=[TWIN])),
    ("probing", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a0="x", a1="y")])),  # all kept
    ("probing", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a1="x", a0="y")])),  # labels changed
    ("probing", facts(run("0", csv="x"), earlier=[before(a0="y")])),  # all changed
    ("probing", facts(run("0", csv="x"), run("1", csv="y"), earlier=[before(a0="x")])),  # one was added
    ("resent", facts(run("0", csv="x"), earlier=[before(a0="y")])),  # all changed
    ("resent", facts(run("0", csv="x"), run("1", csv="z"), earlier=[before(a0="x", a1="y")])),  # told as probing
    ("resent", facts(run("0", csv="x"))),
    ("stitched", facts(run("0", csv="x"), earlier=[before(a0="x"), before("second", a0="x")])),  # kept throughout
    ("stitched", facts(run("0", csv="x"), earlier=[before(a0="x"), before("second", a0="y")])),
    ("no-spread", facts(*(run(seed, csv=seed) for seed in "01"))),  # too few to say
    ("no-spread", facts(*(run(seed, csv="x") for seed in "012"))),  # clones, said elsewhere
    ("no-spread", facts(*(run(seed, None, csv=seed) for seed in "012"))),
    ("no-spread", facts(run("0", 0.8), run("1", 0.8), run("2", 0.81))),
    ("wild-spread", facts(run("0", 0.95, GOLD), run("1", None, above=False))),
    ("wild-spread", facts(run("0", 0.85, BRONZE), run("1", 0.6, above=False))),
    ("wild-spread", facts(run("0", 0.95, GOLD), run("1", 0.6, competition="b", above=False))),
]  # fmt: skip


def codes(given: SubmissionFacts) -> set[str]:
    return {signal.code for signal, _ in find_all(given)}


@pytest.mark.parametrize(("code", "given"), FIRES)
def test_it_speaks_up(code: str, given: SubmissionFacts) -> None:
    assert code in codes(given)


@pytest.mark.parametrize(("code", "given"), QUIET)
def test_it_leaves_alone(code: str, given: SubmissionFacts) -> None:
    assert code not in codes(given)


def test_every_signal_has_both_kinds_of_cases() -> None:
    assert {code for code, _ in FIRES} == {code for code, _ in QUIET} == {signal.code for signal in SIGNALS}


@pytest.mark.parametrize("given", [given for _, given in FIRES])
def test_what_is_found_is_plain_and_holds_no_score(given: SubmissionFacts) -> None:
    scores = {f"{each.score}" for each in given.runs if each.score not in (None, 0.0, 1.0)}
    for _, found in find_all(given):
        said = found.sentence + json.dumps(found.evidence, allow_nan=False)
        assert found.sentence.endswith(".")
        assert not any(score in said for score in scores)


NOW = {("0", "a"): "x", ("1", "a"): "y", ("2", "a"): "z"}
COUNTED = [
    ({("0", "a"): "x", ("1", "a"): "y", ("2", "a"): "z"}, (3, 0)),
    ({("0", "a"): "z", ("1", "a"): "x", ("2", "a"): "y"}, (3, 0)),  # the seeds were renamed
    ({("0", "a"): "x", ("1", "a"): "w", ("9", "a"): "z"}, (2, 1)),
    ({("0", "a"): "v", ("1", "a"): "w", ("2", "a"): "u"}, (0, 3)),
    ({("0", "a"): "x"}, (1, 0)),  # two were added
    ({("0", "a"): "w"}, (0, 1)),
    ({("0", "b"): "x"}, (0, 0)),  # another competition
    ({("0", "a"): "x", ("1", "a"): "x", ("2", "a"): "x"}, (1, 2)),  # one file counts once
    ({}, (0, 0)),
]


@pytest.mark.parametrize(("earlier", "expected"), COUNTED)
def test_kept_and_changed_runs_are_counted(
    earlier: dict[tuple[str, str], str], expected: tuple[int, int]
) -> None:
    assert count_kept(NOW, earlier) == expected


def test_the_page_is_written_from_the_registry() -> None:
    page = Path(__file__).parents[3] / "docs" / "findings.md"
    assert page.read_text() == findings_reference()
