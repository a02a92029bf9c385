"""For templates that draw a run card."""

from collections.abc import Iterable
from typing import Any

from django import template

from submissions.run_card import Problem

register = template.Library()


@register.filter
def of_field(problems: Iterable[Problem], name: str) -> list[Problem]:
    """The problems of one field."""
    return [problem for problem in problems if problem.path == name]


@register.filter
def spoken(value: Any) -> str:
    """An answer as people read it; "no answer" for None."""
    if value is None:
        return "no answer"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


@register.filter
def is_group(item: Any) -> bool:
    """Whether an item of a section is rows of equal questions."""
    return hasattr(item, "rows")


@register.filter
def answer(field: Any) -> str:
    """The label of a chosen answer, or the text as given."""
    labels = {choice.value: choice.label for choice in field.choices}
    return str(labels.get(field.value, field.value))
