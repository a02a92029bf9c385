"""For templates that draw a run card."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django import template

from submissions.run_card import Problem, title_of

register = template.Library()
# As `x-required-for` of the run card names them, and their titles.
TRACKS = {"clean": "Clean", "no-private-lb": "No Private LB", "additional": "Additional"}


@register.filter
def of_field(problems: Iterable[Problem], name: str) -> list[Problem]:
    """The problems of one field."""
    return [problem for problem in problems if problem.path == name]


@register.filter
def tracks(slugs: Iterable[str]) -> str:
    """The tracks that ask for an answer, as boards call them."""
    return ", ".join(TRACKS.get(slug, slug) for slug in slugs)


@register.filter
def question(path: str) -> str:
    """What the form calls the question at a dotted path."""
    return title_of(path) if path else "Run card"


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


@dataclass(frozen=True)
class Progress:
    """Of the questions that the strictest track asks: those answered, and those still open."""

    answered: int
    open: int

    @property
    def total(self) -> int:
        return self.answered + self.open


@register.filter
def progress(sections: Any, open_questions: Collection[str]) -> Progress:
    """How far the team is, in one section or in all of a list."""
    each = sections if isinstance(sections, list) else [sections]
    return Progress(
        answered=sum(bool(field.value) for section in each for field in _required(section)),
        open=sum(_is_in(name, section.name) for section in each for name in open_questions),
    )


def _required(section: Any) -> Iterable[Any]:
    for item in section.items:
        fields = [field for row in item.rows for field in row] if is_group(item) else [item]
        yield from (field for field in fields if field.required_for and not field.is_open)


def _is_in(name: str, section: str) -> bool:
    return name == section or name.startswith(f"{section}.")
