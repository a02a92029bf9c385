"""Answers side by side, each line knowing whether they differ; and run cards as such lines. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from submissions.run_card.form import Field, Group, form_fields

NO_CARD: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Line:
    """One question with an answer for each entry, "" where there is none."""

    label: str
    answers: tuple[str, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.answers)) > 1


@dataclass(frozen=True)
class Part:
    """Lines under one heading; those on which all agree stand apart."""

    title: str
    lines: tuple[Line, ...]

    @property
    def different(self) -> list[Line]:
        return [line for line in self.lines if line.differs]

    @property
    def equal(self) -> list[Line]:
        return [line for line in self.lines if not line.differs and any(line.answers)]


def compare_cards(documents: Sequence[Mapping[str, Any]]) -> list[Part]:
    """The parts of the form with every question that any card answers."""
    # Sections are those of the schema, the same for every card.
    drawn = [form_fields(document, blank_rows=0) for document in documents]
    return [
        Part(sections[0].label, tuple(_lines([section.items for section in sections])))
        for sections in zip(*drawn, strict=True)
    ]


def _lines(items: Sequence[Sequence[Field | Group]]) -> Iterator[Line]:
    for alike in zip(*items, strict=True):
        line = Line(alike[0].label, tuple(_said(item) for item in alike))
        if any(line.answers):
            yield line


def _said(item: Field | Group) -> str:
    """The answer in words; of rows one line each."""
    if isinstance(item, Field):
        return _answer(item)
    return "\n".join(_row(row) for row in item.rows)


def _row(fields: Iterable[Field]) -> str:
    return "; ".join(f"{field.label}: {_answer(field)}" for field in fields if field.value)


def _answer(field: Field) -> str:
    labels = {choice.value: choice.label for choice in field.choices}
    return labels.get(field.value, field.value)
