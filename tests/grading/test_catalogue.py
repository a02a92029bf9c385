"""The shipped competition and benchmark files, and how a wrong one is refused."""

from collections import Counter
from pathlib import Path

import pytest

from grading.catalogue import (
    CatalogueError,
    IssueKind,
    job_for,
    load_benchmarks,
    load_competitions,
    shipped_benchmarks,
    shipped_competitions,
)
from grading.graders.job import Job
from grading.graders.registry import is_implemented
from grading.medals import Direction, Medal, award_medal
from grading.splits import Split

GOOD = """
id = "made-up"
title = "Made up"
category = "Tabular"
category_source = "a test"
kaggle_url = "https://example.org/c/made-up"
closed_on = 2019-05-31

[metric]
family = "rmse"
name = "RMSE"
direction = "lower"

[columns]
id = ["id"]
target = ["y"]
submission = ["id", "y"]
answers = ["id", "y"]
answers_format = "csv"
answers_file = "test.csv"

[checks]
values = "numbers"
range = [0, 1]

[rules]
validity = ["every value lies in [0, 1]"]
scoring = "root mean squared error"
quirks = []

[thresholds]
gold = 0.1
silver = 0.2
bronze = 0.3
median = 0.4
exact = true
source = "a test"

[[known_issues]]
kind = "leak"
summary = "the labels are in the file names"
source = "https://example.org/issues/1"
"""


def load(tmp_path: Path, text: str) -> str:
    """The error a file with this text gives; empty if it loads."""
    (tmp_path / "made-up.toml").write_text(text)
    try:
        load_competitions(tmp_path)
    except CatalogueError as error:
        return str(error)
    return ""


def test_all_competitions_are_shipped() -> None:
    competitions = shipped_competitions()
    splits = shipped_benchmarks()["mle-bench-v1"].splits
    assert len(competitions) == 82
    assert set(splits) == set(competitions)
    assert Counter(splits.values()) == {Split.LOW: 22, Split.MEDIUM: 38, Split.HIGH: 15, Split.DEV: 7}


def test_the_demo_is_public_and_comes_last() -> None:
    benchmarks = list(shipped_benchmarks().values())
    assert [benchmark.slug for benchmark in benchmarks] == ["mle-bench-v1", "demo"]
    assert (benchmarks[0].answers_public, benchmarks[1].answers_public) == (False, True)
    assert benchmarks[1].splits == {"spaceship-titanic": Split.DEV}


def test_known_issues_have_kind_and_source() -> None:
    issues = [(spec.id, issue) for spec in shipped_competitions().values() for issue in spec.known_issues]
    leaks = {competition for competition, issue in issues if issue.kind is IssueKind.LEAK}
    assert leaks == {
        "hubmap-kidney-segmentation",
        "multi-modal-gesture-recognition",
        "random-acts-of-pizza",
        "smartphone-decimeter-2022",
    }
    assert all(issue.source and issue.summary for _, issue in issues)


def test_thresholds_agree_with_the_direction() -> None:
    for spec in shipped_competitions().values():
        t = spec.thresholds
        ordered = sorted([t.gold, t.silver, t.bronze, t.median], reverse=spec.direction is Direction.HIGHER)
        assert ordered == [t.gold, t.silver, t.bronze, t.median], spec.id
        assert award_medal(t.gold, t, spec.direction).medal is Medal.GOLD, spec.id


def test_exact_thresholds_are_counted() -> None:
    assert sum(spec.thresholds.exact for spec in shipped_competitions().values()) == 21


def test_every_spec_makes_a_job() -> None:
    for spec in shipped_competitions().values():
        assert Job.from_dict(job_for(spec)).competition == spec.id


def test_graded_competitions_state_their_checks() -> None:
    assert [
        s.id for s in shipped_competitions().values() if is_implemented(s.metric.family) and not s.checks
    ] == []


def test_a_good_file_loads(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD) == ""
    spec = load_competitions(tmp_path)["made-up"]
    assert (spec.direction, str(spec.closed_on), len(spec.file_digest)) == (Direction.LOWER, "2019-05-31", 64)
    assert job_for(spec)["checks"] == {"values": "numbers", "range": [0.0, 1.0]}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'id = "made-up"',
            'id = "other"',
            "made-up.toml: id: is 'other'; write the name of the file, 'made-up'",
        ),
        ('title = "Made up"', "", "title: missing; add a text in quotes"),
        ('title = "Made up"', 'titel = "Made up"', "titel: unknown key; remove it or mend its name"),
        ('title = "Made up"', "title = 3", "title: is 3; write a text in quotes"),
        (
            "closed_on = 2019-05-31",
            'closed_on = "May"',
            "closed_on: is 'May'; write a date such as 2019-05-31",
        ),
        (
            'direction = "lower"',
            'direction = "down"',
            "metric.direction: is 'down'; write one of higher, lower",
        ),
        ('values = "numbers"', 'values = "figures"', "checks.values: is 'figures'; write one of numbers,"),
        ("range = [0, 1]", "range = [1, 0]", "checks.range: is [1, 0]; write [smallest, largest]"),
        ("range = [0, 1]", "scored_where = 3", "checks.scored_where: is 3"),
        ("range = [0, 1]", "rang = [0, 1]", "checks.rang: unknown key"),
        ('target = ["y"]', 'target = ["z"]', "columns.target: z not in columns.submission"),
        ('id = ["id"]', "id = []", "columns.id: is []; write a list of column names"),
        ("gold = 0.1", 'gold = "high"', "thresholds.gold: is 'high'; write a number"),
        ("exact = true", "exact = 1", "thresholds.exact: is 1; write true or false"),
        ('kind = "leak"', 'kind = "rumour"', "known_issues[0].kind: is 'rumour'; write one of leak, grading"),
        ("[thresholds]", "[cutoffs]", "thresholds: missing; add a table [thresholds]"),
        ("[rules]", "[limits]\nline_bytes = -1\n[rules]", "limits.line_bytes: is -1"),
        ("[rules]", "[rules", "not TOML"),
    ],
)
def test_a_wrong_file_is_told_how_to_mend(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in load(tmp_path, GOOD.replace(old, new, 1))


def test_all_errors_of_all_files_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "another.toml").write_text('id = "another"')
    error = load(
        tmp_path, GOOD.replace("gold = 0.1", "gold = true").replace('true\nsource = "a test"', "true")
    )
    assert "made-up.toml: thresholds.gold" in error
    assert "made-up.toml: thresholds.source" in error
    assert "another.toml: metric: missing" in error


def test_the_example_of_the_docs_loads(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "add-a-competition.md"
    example = page.read_text().split("```toml\n")[1].split("```")[0]
    (tmp_path / "made-up-forecast.toml").write_text(example)
    assert list(load_competitions(tmp_path)) == ["made-up-forecast"]


BENCHMARK = """
slug = "small"
title = "Small"
description = "Two made-up ones."
answers_public = false
position = 0
[splits]
low = ["one"]
dev = ["two"]
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"two"', '"one"', "splits.dev: one is in another split as well"),
        ("dev =", "hard =", "splits.hard: unknown key"),
        ("position = 0", "position = -1", "position: is -1"),
        ('slug = "small"', 'slug = "big"', "slug: is 'big'"),
    ],
)
def test_a_wrong_benchmark(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "small.toml").write_text(BENCHMARK.replace(old, new))
    with pytest.raises(CatalogueError) as caught:
        load_benchmarks(tmp_path, competitions={})
    assert told in str(caught.value)


def test_a_benchmark_names_known_competitions(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(BENCHMARK)
    with pytest.raises(CatalogueError, match="no competition file for one, two"):
        load_benchmarks(tmp_path, competitions={})
