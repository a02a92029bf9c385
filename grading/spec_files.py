"""Competition and benchmark files, read strictly into specs. docs/add-a-competition.md explains each key."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .families import FAMILIES, known_params
from .graders.job import CHECK_NAMES, CHECK_WORDS
from .medals import Direction, Thresholds
from .spec_rules import check_columns, check_metric, check_order
from .specs import BenchmarkSpec, CompetitionSpec, IssueKind, KnownIssue, MetricSpec
from .splits import Split
from .strict import CatalogueError, Problems, Section, meant, read_toml

LIMIT_NAMES = ("file_bytes", "line_bytes", "columns")
NAMES = "a list of column names, each once"
NO_NAMES: tuple[str, ...] = ()
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
IDENTIFIER_WORDS = "letters, digits, - and _, beginning with a letter or digit"
ADDRESS = re.compile(r"https://[^\s/]+\.[^\s/.]+(/\S*)?")


def read_competition(path: Path) -> CompetitionSpec:
    """One competition file. Raises CatalogueError listing everything wrong with it."""
    problems = Problems(path)
    values = read_toml(path)
    if "splits" in values and "metric" not in values:
        raise CatalogueError(f"{path.name}: this is a benchmark file; move it to benchmarks/")
    file = Section(values, "", problems)
    columns, rules = file.section("columns"), file.section("rules")
    metric, direction = _read_metric(file.section("metric"))
    spec = CompetitionSpec(
        id=_same_as_file(file, "id"),
        title=file.text("title", 200),
        category=file.text("category", 100),
        category_source=file.text("category_source"),
        kaggle_url=file.take("kaggle_url", _url, "an address such as https://example.org/page", ""),
        closed_on=file.optional("closed_on", _date, "a date such as 2019-05-31"),
        test_rows=file.optional("test_rows", _count, "a positive whole number"),
        metric=metric,
        direction=direction,
        **_read_columns(columns),
        checks=MappingProxyType(_read_checks(file.optional_section("checks"))),
        limits=MappingProxyType(_read_limits(file.optional_section("limits"))),
        validity=rules.texts("validity"),
        scoring=rules.text("scoring"),
        quirks=rules.texts("quirks"),
        thresholds=_read_thresholds(file.section("thresholds")),
        plausible_margin=file.optional("plausible_margin", _positive, "a positive number"),
        known_issues=tuple(_read_issue(issue) for issue in file.sections("known_issues")),
        file_digest=hashlib.sha256(path.read_bytes()).hexdigest(),
    )
    check_metric(spec, problems)
    check_columns(spec, problems)
    check_order(spec, problems)
    for section in (file, columns, rules):
        section.close()
    problems.raise_if_any()
    return spec


def _read_columns(columns: Section) -> dict[str, Any]:
    """The fields of a competition that its table of columns fills."""
    return {
        "id_columns": columns.take("id", _names, NAMES, NO_NAMES),
        "target_columns": columns.take("target", _names, NAMES, NO_NAMES),
        "answer_columns": columns.take("answers", _names, NAMES, NO_NAMES),
        "submission_columns": columns.take("submission", _names, NAMES, NO_NAMES),
        "answers_format": columns.word("answers_format", ("csv", "jsonl")),
        "answers_file": columns.take(
            "answers_file", _file_name, "the plain name of a file, without a folder", ""
        ),
        "repeated_ids": columns.optional("repeated_ids", _boolean, "true or false") or False,
    }


def read_benchmark(path: Path) -> BenchmarkSpec:
    """One benchmark file. Raises CatalogueError listing everything wrong with it."""
    problems = Problems(path)
    values = read_toml(path)
    if "metric" in values and "splits" not in values:
        raise CatalogueError(f"{path.name}: this is a competition file; move it to competitions/")
    file = Section(values, "", problems)
    splits = file.section("splits")
    spec = BenchmarkSpec(
        slug=_same_as_file(file, "slug"),
        title=file.text("title", 200),
        description=file.text("description"),
        answers_public=file.boolean("answers_public"),
        position=file.take("position", _place, "a whole number from 0 to 32767", 0),
        splits=MappingProxyType(_read_members(splits)),
    )
    for section in (file, splits):
        section.close()
    problems.raise_if_any()
    return spec


def _read_members(splits: Section) -> dict[str, Split]:
    members: dict[str, Split] = {}
    wanted = "a list of competition ids, each once; leave the key out where there is none"
    for split in Split.stored():
        for competition in splits.optional(split.value, _names, wanted) or ():
            if competition in members:
                splits.problems.add(
                    splits.key(split.value), f"{competition} is in another split as well; keep one"
                )
            members[competition] = split
    if not splits.values and not splits.absent:
        stored = ", ".join(Split.stored())
        splits.problems.add(splits.name, f"names no competition; add a list of ids to one of {stored}")
    return members


def _read_metric(metric: Section) -> tuple[MetricSpec, Direction]:
    params = metric.optional("params", _params, "a table") or {}
    spec = MetricSpec(metric.text("family"), metric.text("name", 200), MappingProxyType(params))
    direction = Direction(metric.word("direction", tuple(Direction)))
    family = FAMILIES.get(spec.family)
    if spec.family and family is None:
        known = ", ".join(FAMILIES)
        metric.problems.add(
            metric.key("family"), f"is {spec.family!r}; write one of {known}{meant(spec.family, FAMILIES)}"
        )
    metric.close(dict.fromkeys(known_params(family) if family else (), "[metric.params]"))
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
            found[name] = checks.take(name, _interval, "[smallest, largest], two numbers", [0.0, 1.0])
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
    name = file.text(key, 100)
    if name and not IDENTIFIER.fullmatch(name):
        file.problems.add(key, f"is {name!r}; write {IDENTIFIER_WORDS}, and name the file so")
    elif name and name != file.problems.path.stem:
        file.problems.add(key, f"is {name!r}; write the name of the file, {file.problems.path.stem!r}")
    return name


def _url(value: Any) -> str | None:
    return value if isinstance(value, str) and ADDRESS.fullmatch(value) else None


def _boolean(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _file_name(value: Any) -> str | None:
    is_plain = (
        isinstance(value, str) and value and not value.startswith(".") and not set(value) & set("/\\\0")
    )
    return value if is_plain else None


def _date(value: Any) -> date | None:
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _position(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _place(value: Any) -> int | None:
    place = _position(value)
    return None if place is None or place > 32767 else place


def _count(value: Any) -> int | None:
    return value if _position(value) else None


def _positive(value: Any) -> float | None:
    return value if _is_number(value) and 0 < value < math.inf else None


def _names(value: Any) -> tuple[str, ...] | None:
    filled = isinstance(value, list) and value and all(isinstance(each, str) and each for each in value)
    return tuple(value) if filled and len(set(value)) == len(value) else None


def _params(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def _interval(value: Any) -> list[float] | None:
    numbers = isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
    return [float(v) for v in value] if numbers and value[0] < value[1] else None


def _numbers_by_name(value: Any) -> Mapping[str, float] | None:
    good = isinstance(value, dict) and value and all(map(_is_number, value.values()))
    return {name: float(v) for name, v in value.items()} if good else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
