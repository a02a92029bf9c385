"""The shipped competition and benchmark files, and how a wrong one is refused."""

import re
from collections import Counter
from pathlib import Path

import pytest

from grading.catalogue import (
    CatalogueError,
    CompetitionSpec,
    IssueKind,
    job_for,
    load_benchmarks,
    load_competitions,
    shipped_benchmarks,
    shipped_competitions,
)
from grading.families import FAMILIES, table_lines
from grading.graders.job import Job
from grading.graders.registry import GRADERS, is_implemented
from grading.management.commands.check_oracle import grade_folder
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


def official() -> dict[str, CompetitionSpec]:
    """The benchmark's own competitions: others may be added, and are not counted here."""
    return {name: shipped_competitions()[name] for name in shipped_benchmarks()["mle-bench-v1"].splits}


def test_all_competitions_are_shipped() -> None:
    splits = shipped_benchmarks()["mle-bench-v1"].splits
    assert splits.keys() <= shipped_competitions().keys()
    assert Counter(splits.values()) == {Split.LOW: 22, Split.MEDIUM: 38, Split.HIGH: 15, Split.DEV: 7}


def test_the_demo_is_public_and_comes_last() -> None:
    first, demo = (shipped_benchmarks()[slug] for slug in ("mle-bench-v1", "demo"))
    assert first.position < demo.position
    assert (first.answers_public, demo.answers_public) == (False, True)
    assert demo.splits == {"spaceship-titanic": Split.DEV}


def test_known_issues_have_kind_and_source() -> None:
    issues = [(spec.id, issue) for spec in official().values() for issue in spec.known_issues]
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
    assert sum(spec.thresholds.exact for spec in official().values()) == 21


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
        (
            "range = [0, 1]",
            "range = [1, 0]",
            "checks.range: is [1, 0]; write [smallest, largest], two numbers",
        ),
        ("range = [0, 1]", "range = [nan, 1]", "checks.range: is [nan, 1]; write [smallest, largest]"),
        ("range = [0, 1]", 'range = ["0", "1"]', "checks.range: is ['0', '1']; write [smallest, largest]"),
        ("range = [0, 1]", "scored_where = 3", "checks.scored_where: is 3"),
        ("range = [0, 1]", "rang = [0, 1]", "checks.rang: unknown key"),
        ('target = ["y"]', 'target = ["z"]', "columns.target: z not in columns.submission"),
        ('id = ["id"]', "id = []", "columns.id: is []; write a list of column names"),
        ("gold = 0.1", 'gold = "high"', "thresholds.gold: is 'high'; write a finite number"),
        ("gold = 0.1", "gold = inf", "thresholds.gold: is inf; write a finite number"),
        ("gold = 0.1", "gold = nan", "thresholds.gold: is nan; write a finite number"),
        (
            "gold = 0.1",
            "gold = 0.25",
            "thresholds: lower is better, so write gold <= silver <= bronze <= median, or mend metric.direction",
        ),
        (
            'direction = "lower"',
            'direction = "higher"',
            "thresholds: higher is better, so write gold >= silver >= bronze >= median",
        ),
        ("exact = true", "exact = 1", "thresholds.exact: is 1; write true or false"),
        ('kind = "leak"', 'kind = "rumour"', "known_issues[0].kind: is 'rumour'; write one of leak, grading"),
        ("[thresholds]", "[cutoffs]", "thresholds: missing; add a table [thresholds]"),
        ("[rules]", "[limits]\nline_bytes = -1\n[rules]", "limits.line_bytes: is -1"),
        ("[rules]", "[rules", "not TOML"),
        ("quirks = []", "", "rules.quirks: missing; add a list of texts (may be [])"),
        ('title = "Made up"', 'titel = "Made up"', "(did you mean title?)"),
        ("https://example.org/c/made-up", "https://", "kaggle_url: is 'https://'; write an address such as"),
        ('family = "rmse"', 'family = "rmsee"', "metric.family: is 'rmsee'; write one of accuracy, auroc,"),
        ('family = "rmse"', 'family = "RMSE"', "(did you mean rmse?)"),
        ('family = "rmse"', 'family = "map_at_k"', "metric.params.k: missing; map_at_k needs it"),
        (
            'family = "rmse"',
            'family = "map_at_k"',
            "checks.values: is 'numbers'; map_at_k takes one of text,",
        ),
        ('values = "numbers"', 'values = "labels"', "checks.values: is 'labels'; rmse takes one of numbers,"),
        ('name = "RMSE"', 'name = "RMSE"\nreads = ["y"]', "metric.reads: unknown key here; it belongs into"),
        ('name = "RMSE"', 'name = "RMSE"\nparms = {}', "(known: direction, family, name, params)"),
        (
            'name = "RMSE"',
            'name = "RMSE"\nparams = { read = ["y"] }',
            "metric.params.read: unknown parameter",
        ),
        (
            'name = "RMSE"',
            'name = "RMSE"\nparams = { reads = "y" }',
            "metric.params.reads: is 'y'; write a list",
        ),
        (
            'name = "RMSE"',
            'name = "RMSE"\nparams = { reads = ["z"] }',
            "metric.params.reads: z not in columns.",
        ),
        (
            'name = "RMSE"',
            'name = "RMSE"\nparams = { labels = ["z"] }',
            "metric.params.labels: z not in columns.",
        ),
        ("range = [0, 1]", "scored_where = { z = 1 }", "checks.scored_where: z not in columns.answers"),
        ('answers = ["id", "y"]', 'answers = ["id", "why"]', "columns.target: y not in columns.answers"),
        ('answers = ["id", "y"]', 'answers = ["Id", "y"]', "or mend the name (did you mean Id?)"),
        ('target = ["y"]', 'target = ["id"]', "columns.target: id is in columns.id as well"),
        ('target = ["y"]', 'target = ["y", "y"]', "write a list of column names, each once"),
        ('target = ["y"]', 'target = ["*"]', "columns.target: is ['*']; rmse takes 1, each by its name"),
        (
            '"test.csv"',
            '"/etc/passwd"',
            "columns.answers_file: is '/etc/passwd'; write the plain name of a file",
        ),
        ('"test.csv"', '"../test.csv"', "columns.answers_file: is '../test.csv'; write the plain name"),
        ('"test.csv"', '".."', "columns.answers_file: is '..'; write the plain name"),
    ],
)
def test_a_wrong_file_is_told_how_to_mend(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in load(tmp_path, GOOD.replace(old, new, 1))


@pytest.mark.parametrize("name", ["Shop returns", "shop/returns", "-shop", "shöp", "shop.returns", "s" * 101])
def test_an_id_is_such_that_pages_can_be_named_by_it(tmp_path: Path, name: str) -> None:
    error = load(tmp_path, GOOD.replace('id = "made-up"', f'id = "{name}"', 1))
    assert error.startswith("made-up.toml: id: is ")
    assert "letters, digits, - and _" in error or "at most 100 characters" in error


def test_two_targets_of_a_metric_that_takes_one(tmp_path: Path) -> None:
    text = GOOD.replace('["id", "y"]', '["id", "y", "z"]').replace('target = ["y"]', 'target = ["y", "z"]')
    assert "columns.target: is ['y', 'z']; rmse takes 1" in load(tmp_path, text)
    assert load(tmp_path, text.replace('"rmse"', '"mcrmse"')) != ""
    assert load(tmp_path, text.replace('"rmse"', '"mean_rmsle"')) == ""


def test_an_absent_table_is_one_line(tmp_path: Path) -> None:
    text = GOOD.replace(GOOD[GOOD.index("[thresholds]") : GOOD.index("[[known")], "")
    assert load(tmp_path, text) == "made-up.toml: thresholds: missing; add a table [thresholds]"


def test_a_file_in_the_wrong_folder_is_one_line(tmp_path: Path) -> None:
    assert load(tmp_path, BENCHMARK) == "made-up.toml: this is a benchmark file; move it to benchmarks/"
    (tmp_path / "made-up.toml").write_text(GOOD)
    with pytest.raises(CatalogueError, match=r"this is a competition file; move it to competitions/$"):
        load_benchmarks(tmp_path)


def test_a_file_that_would_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.TOML").write_text("")
    assert load(tmp_path, GOOD) == "other.TOML: is not read; name it other.toml"


def test_every_grader_has_its_line_and_no_other() -> None:
    assert FAMILIES.keys() == GRADERS.keys()


def test_the_document_has_the_table_of_families() -> None:
    assert "\n".join(table_lines()) in PAGE.read_text(), "Paste what `python -m grading.families` prints."


def test_all_errors_of_all_files_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "another.toml").write_text('id = "another"')
    error = load(
        tmp_path, GOOD.replace("gold = 0.1", "gold = true").replace('true\nsource = "a test"', "true")
    )
    assert "made-up.toml: thresholds.gold" in error
    assert "made-up.toml: thresholds.source" in error
    assert "another.toml: metric: missing" in error


PAGE = Path(__file__).parents[2] / "docs" / "add-a-competition.md"


def blocks(language: str) -> list[str]:
    """The blocks of the page in this language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_examples_of_the_docs_load(tmp_path: Path) -> None:
    competition, benchmark = blocks("toml")
    (tmp_path / "made-up-forecast.toml").write_text(competition)
    competitions = load_competitions(tmp_path)
    assert list(competitions) == ["made-up-forecast"]
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "in-house.toml").write_text(benchmark)
    (in_house,) = load_benchmarks(tmp_path / "benchmarks", competitions=competitions).values()
    assert in_house.splits == {"made-up-forecast": Split.LOW}


def test_the_cases_of_the_docs_agree(tmp_path: Path) -> None:
    competition, _ = blocks("toml")
    (tmp_path / "made-up-forecast.toml").write_text(competition)
    (spec,) = load_competitions(tmp_path).values()
    shown = re.findall(r"/tmp/cases/made-up-forecast/(\w+\.csv) +(\S+)  (\S+)  (\S+)", PAGE.read_text())
    assert len(shown) == 3
    for name, *lines in shown:
        (tmp_path / name).write_text("\n".join(lines))
    (cases,) = blocks("json")
    (tmp_path / "cases.json").write_text(cases)
    assert [case.as_difference() for case in grade_folder(tmp_path, spec) if not case.agrees] == []


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
        (
            "dev =",
            "hard =",
            "splits.hard: unknown key; remove it or mend its name (known: dev, high, low, medium)",
        ),
        ("dev =", "hihg =", "(did you mean high?)"),
        ('["two"]', "[]", "splits.dev: is []; write a list of competition ids, each once; leave the key out"),
        ('["two"]', '["two", "two"]', "write a list of competition ids, each once"),
        (
            'low = ["one"]\ndev = ["two"]',
            "",
            "splits: names no competition; add a list of ids to one of low,",
        ),
        ("position = 0", "position = -1", "position: is -1"),
        ("position = 0", "position = 40000", "position: is 40000; write a whole number from 0 to 32767"),
        ('slug = "small"', 'slug = "big"', "slug: is 'big'"),
    ],
)
def test_a_wrong_benchmark(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "small.toml").write_text(BENCHMARK.replace(old, new))
    with pytest.raises(CatalogueError) as caught:
        load_benchmarks(tmp_path, competitions={})
    assert told in str(caught.value)


def test_rules_say_what_happens_here() -> None:
    """A team reads them beside its outcome: what other versions of other programs would make of it is not for there."""
    others = re.compile(r"reference environment|newest stack|pandas|scikit-learn", re.IGNORECASE)
    told = [
        (spec.id, text)
        for spec in shipped_competitions().values()
        for text in (*spec.validity, spec.scoring, *spec.quirks)
        if others.search(text)
    ]
    assert told == []


def test_two_benchmarks_have_two_places(tmp_path: Path) -> None:
    for slug in ("big", "small"):
        (tmp_path / f"{slug}.toml").write_text(BENCHMARK.replace("small", slug))
    with pytest.raises(CatalogueError) as caught:
        load_benchmarks(tmp_path)
    assert str(caught.value) == (
        "small.toml: position: is 0, as in big.toml; write another number, such as 1"
    )


def test_a_benchmark_names_known_competitions(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(BENCHMARK)
    with pytest.raises(CatalogueError, match="no competition file for one, two"):
        load_benchmarks(tmp_path, competitions={})
