"""What must hold between the keys of one competition file: columns, metric and cut-offs must fit each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .families import FAMILIES, TARGETS, Family, known_params
from .graders.job import EVERY_OTHER, Checks
from .medals import Direction
from .specs import CompetitionSpec
from .strict import Problems, meant


def check_order(spec: CompetitionSpec, problems: Problems) -> None:
    """Gold is hardest to reach, then silver, bronze and the median, by the metric's direction."""
    if problems.touch("thresholds") or problems.touch("metric"):
        return
    cutoffs = [spec.thresholds.gold, spec.thresholds.silver, spec.thresholds.bronze, spec.thresholds.median]
    is_higher = spec.direction is Direction.HIGHER
    if cutoffs != sorted(cutoffs, reverse=is_higher):
        sign = " >= " if is_higher else " <= "
        problems.add(
            "thresholds",
            f"{spec.direction} is better, so write {sign.join(('gold', 'silver', 'bronze', 'median'))}, "
            "or mend metric.direction",
        )


def check_columns(spec: CompetitionSpec, problems: Problems) -> None:
    """Ids, targets and labels are columns of the files they are said to be in, and no column is two of them."""
    both = [name for name in spec.target_columns if name in spec.id_columns]
    if both:
        problems.add(
            "columns.target", f"{', '.join(both)} is in columns.id as well; a column is one of the two"
        )
    for key, names in (("columns.id", spec.id_columns), ("columns.target", spec.target_columns)):
        _require_among(problems, key, names, "columns.submission", spec.submission_columns)
    if spec.answers_format == "jsonl":  # Its columns are made while it is read.
        return
    answers = (problems, "columns.answers", spec.answer_columns)
    _require_in_answers(*answers, "columns.id", spec.id_columns)
    labels = _texts(spec.metric.params.get("labels"))
    if labels:
        _require_in_answers(*answers, "metric.params.labels", labels)
    else:
        _require_in_answers(*answers, "columns.target", spec.target_columns)
    _require_in_answers(*answers, "metric.params.reads", _texts(spec.metric.params.get("reads")))
    _require_in_answers(*answers, "checks.scored_where", tuple(spec.checks.get("scored_where") or ()))


def _require_in_answers(
    problems: Problems, where: str, answers: tuple[str, ...], key: str, names: tuple[str, ...]
) -> None:
    # `*` in columns.answers leaves open which others there are; ids are always named.
    if EVERY_OTHER not in answers or key == "columns.id":
        _require_among(problems, key, names, where, answers)


def _require_among(
    problems: Problems, key: str, names: Iterable[str], where: str, columns: tuple[str, ...]
) -> None:
    strangers = [name for name in names if name not in columns]
    if strangers and columns:
        near = meant(strangers[0], columns)
        problems.add(key, f"{', '.join(strangers)} not in {where}; add it there or mend the name{near}")


def check_metric(spec: CompetitionSpec, problems: Problems) -> None:
    """Parameters, targets and values are such as the family's grader can work with."""
    family = FAMILIES.get(spec.metric.family)
    if family is None:
        return
    _check_params(family, spec, problems)
    _check_targets(family, spec, problems)
    values = spec.checks.get("values", Checks().values)
    if family.values and values not in family.values:
        problems.add(
            "checks.values", f"is {values!r}; {spec.metric.family} takes one of {', '.join(family.values)}"
        )


def _check_params(family: Family, spec: CompetitionSpec, problems: Problems) -> None:
    params, known = spec.metric.params, known_params(family)
    for name in params:
        if name not in known:
            mend = (
                f"unknown parameter of {spec.metric.family}; remove it or mend its name{meant(name, known)}"
            )
            problems.add(f"metric.params.{name}", f"{mend} (known: {', '.join(known)})")
    for name in family.needs:
        if name not in params:
            problems.add(f"metric.params.{name}", f"missing; {spec.metric.family} needs it")
    for name in ("reads", "labels"):
        if name in params and not _texts(params[name]):
            problems.add(f"metric.params.{name}", f"is {params[name]!r}; write a list of column names")
    reads = _texts(params.get("reads"))
    if family.reads and reads and len(reads) != family.reads:
        number = TARGETS[family.reads]
        problems.add(
            "metric.params.reads", f"names {len(reads)} columns; {spec.metric.family} takes {number}"
        )


def _check_targets(family: Family, spec: CompetitionSpec, problems: Problems) -> None:
    targets = spec.target_columns
    if family.targets is None or not targets:
        return
    if EVERY_OTHER in targets or len(targets) != family.targets:
        problems.add(
            "columns.target",
            f"is {list(targets)!r}; {spec.metric.family} takes {TARGETS[family.targets]}, each by its name",
        )


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts; empty for anything else."""
    is_list = isinstance(value, list) and all(isinstance(each, str) and each for each in value)
    return tuple(value) if is_list else ()
