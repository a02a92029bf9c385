"""Competition and benchmark files, read strictly into specs. docs/add-a-competition.md explains each key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .graders.job import CHECK_NAMES, CHECK_WORDS
from .medals import Direction, Thresholds
from .specs import BenchmarkSpec, CompetitionSpec, IssueKind, KnownIssue, MetricSpec
from .splits import Split
from .strict import Problems, Section, read_toml

LIMIT_NAMES = ("file_bytes", "line_bytes", "columns")
IDS = "a list of column names"


def read_competition(path: Path) -> CompetitionSpec:
    """One competition file. Raises CatalogueError listing everything wrong with it."""
    problems = Problems(path)
    file = Section(read_toml(path), "", problems)
    columns, rules = file.section("columns"), file.section("rules")
    metric, direction = _read_metric(file.section("metric"))
    spec = CompetitionSpec(
        id=_same_as_file(file, "id"),
        title=file.text("title"),
        category=file.text("category"),
        category_source=file.text("category_source"),
        kaggle_url=file.take("kaggle_url", _url, "an https:// address", ""),
        closed_on=file.optional("closed_on", _date, "a date such as 2019-05-31"),
        test_rows=file.optional("test_rows", _count, "a positive whole number"),
        metric=metric,
        direction=direction,
        id_columns=columns.take("id", _names, IDS, ()),
        target_columns=columns.take("target", _names, IDS, ()),
        answer_columns=columns.take("answers", _names, IDS, ()),
        submission_columns=columns.take("submission", _names, IDS, ()),
        answers_format=columns.word("answers_format", ("csv", "jsonl")),
        answers_file=columns.text("answers_file"),
        checks=MappingProxyType(_read_checks(file.optional_section("checks"))),
        limits=MappingProxyType(_read_limits(file.optional_section("limits"))),
        validity=rules.texts("validity"),
        scoring=rules.text("scoring"),
        quirks=rules.texts("quirks"),
        thresholds=_read_thresholds(file.section("thresholds")),
        known_issues=tuple(_read_issue(issue) for issue in file.sections("known_issues")),
        file_digest=hashlib.sha256(path.read_bytes()).hexdigest(),
    )
    _check_columns(spec, problems)
    for section in (file, columns, rules):
        section.close()
    problems.raise_if_any()
    return spec


def read_benchmark(path: Path) -> BenchmarkSpec:
    """One benchmark file. Raises CatalogueError listing everything wrong with it."""
    problems = Problems(path)
    file = Section(read_toml(path), "", problems)
    splits = file.section("splits")
    spec = BenchmarkSpec(
        slug=_same_as_file(file, "slug"),
        title=file.text("title"),
        description=file.text("description"),
        answers_public=file.boolean("answers_public"),
        position=file.take("position", _position, "a whole number from 0", 0),
        splits=MappingProxyType(_read_members(splits)),
    )
    for section in (file, splits):
        section.close()
    problems.raise_if_any()
    return spec


def _read_members(splits: Section) -> dict[str, Split]:
    members: dict[str, Split] = {}
    for split in Split.stored():
        for competition in splits.optional(split.value, _names, "a list of competition ids") or ():
            if competition in members:
                splits.problems.add(
                    splits.key(split.value), f"{competition} is in another split as well; keep one"
                )
            members[competition] = split
    return members


def _read_metric(metric: Section) -> tuple[MetricSpec, Direction]:
    params = metric.optional("params", _params, "a table") or {}
    spec = MetricSpec(metric.text("family"), metric.text("name"), MappingProxyType(params))
    direction = Direction(metric.word("direction", tuple(Direction)))
    metric.close()
    return spec, direction


def _read_checks(checks: Section) -> dict[str, Any]:
    """Only the checks the file states, so that the grader's defaults stay the grader's."""
    found: dict[str, Any] = {}
    for name in CHECK_NAMES:
        if name not in checks.values:
            continue
        if name in CHECK_WORDS:
            found[name] = checks.word(name, CHECK_WORDS[name])
        elif name == "range":
            found[name] = checks.take(name, _interval, "[smallest, largest]", [0.0, 1.0])
        elif name == "id_first":
            found[name] = checks.boolean(name)
        elif name == "scored_where":
            found[name] = checks.optional(name, _numbers_by_name, "{ column = number }")
        else:
            found[name] = checks.take(name, _positive, "a positive number", 1.0)
    checks.taken.update(CHECK_NAMES)
    checks.close()
    return found


def _read_limits(limits: Section) -> dict[str, int]:
    found = {name: limits.optional(name, _count, "a positive whole number") for name in LIMIT_NAMES}
    limits.taken.update(LIMIT_NAMES)
    limits.close()
    return {name: value for name, value in found.items() if value is not None}


def _read_thresholds(table: Section) -> Thresholds:
    thresholds = Thresholds(
        gold=table.number("gold"),
        silver=table.number("silver"),
        bronze=table.number("bronze"),
        median=table.number("median"),
        exact=table.boolean("exact"),
        source=table.text("source"),
        num_teams=table.optional("num_teams", _count, "a positive whole number"),
    )
    table.close()
    return thresholds


def _read_issue(table: Section) -> KnownIssue:
    kind = IssueKind(table.word("kind", tuple(IssueKind)))
    issue = KnownIssue(kind, table.text("summary"), table.text("source"))
    table.close()
    return issue


def _same_as_file(file: Section, key: str) -> str:
    name = file.text(key)
    if name and name != file.problems.path.stem:
        file.problems.add(key, f"is {name!r}; write the name of the file, {file.problems.path.stem!r}")
    return name


def _check_columns(spec: CompetitionSpec, problems: Problems) -> None:
    """Ids and targets must be among the columns a submission has."""
    for key, names in (("columns.id", spec.id_columns), ("columns.target", spec.target_columns)):
        strangers = [name for name in names if name not in spec.submission_columns]
        if strangers and spec.submission_columns:
            problems.add(
                key, f"{', '.join(strangers)} not in columns.submission; add it there or mend the name"
            )


def _url(value: Any) -> str | None:
    return value if isinstance(value, str) and value.startswith("https://") else None


def _date(value: Any) -> date | None:
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _position(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _count(value: Any) -> int | None:
    return value if _position(value) else None


def _positive(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None


def _names(value: Any) -> tuple[str, ...] | None:
    filled = isinstance(value, list) and value and all(isinstance(each, str) and each for each in value)
    return tuple(value) if filled and len(set(value)) == len(value) else None


def _params(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def _interval(value: Any) -> list[float] | None:
    numbers = isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)
    return [float(v) for v in value] if numbers and value[0] < value[1] else None


def _numbers_by_name(value: Any) -> Mapping[str, float] | None:
    good = isinstance(value, dict) and value and all(isinstance(v, int | float) for v in value.values())
    return {name: float(v) for name, v in value.items()} if good else None
