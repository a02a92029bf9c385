"""The words of a ranking's address, for its documentation and for refusing others."""

from drf_spectacular.utils import OpenApiParameter

from leaderboard.api.lists import LIMIT, format_parameter
from leaderboard.columns import COLUMNS, DATED
from leaderboard.filters import BOUNDED, MASK_WORDS, WORDS

MANY = {"explode": True, "style": "form"}


def _word(name: str, description: str, kind: type = str, **more: object) -> OpenApiParameter:
    return OpenApiParameter(name, kind, description=description, **more)  # type: ignore[arg-type]


BOUNDS = [
    _word(
        f"{name}_{end}",
        f"{what}{f' in {unit}' if unit else ''}: {words}. Undisclosed does not answer.",
        float,
    )
    for name, (_, what, unit) in BOUNDED.items()
    for end, words in (("min", "at least"), ("max", "at most"))
]
FLAG = ["0", "1"]
PARAMETERS = [
    _word("benchmark", "Slug; the first benchmark if left out."),
    _word("split", "low, medium, high, all or dev; the benchmark's main one if left out."),
    _word("exact", "1 leaves entries of stricter tracks out and ranks anew.", enum=FLAG),
    _word("as_of", "The board as it stood at the end of a day (2026-03-01) or at a time (2026-03-01T12:00:00Z)."),
    _word("q", "Text: every word must occur in agent, version, organisation, llms, GPU or slug."),
    _word("llm", "An llm as declared, or `none`, or `undisclosed`; several: any of them.", many=True),
    _word("organisation", "Slug or name; several: any of them.", many=True),
    _word("gpu", "A part of the GPU's name, such as H100."),
    *BOUNDS,
    _word("open_code", "1: code available; 0: said not to be.", enum=FLAG),
    _word("graded_here", "1: graded here; 0: imported.", enum=FLAG),
    _word("date_from", f"Dated this day or later. The date is {DATED}."),
    _word("date_to", "Dated this day or earlier."),
    _word("category", "Figures over the competitions of a category alone, such as Tabular."),
    _word("mask", f"Figures without competitions of which something is known. {MASK_WORDS}"),
    _word("sort", "A column, with - before it to turn it round; undisclosed is last either way.",
          enum=[sign + name for name in COLUMNS for sign in ("", "-")]),
    _word("fields", "Fields of the rows, with commas; all if left out."),
    _word("columns", "Columns of the page, with commas, in place of `fields`."),
    LIMIT,
    _word("cursor", "Where to go on: take it from `next`, never make one."),
    format_parameter("json", "csv", "parquet"),
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag you have: 304 if it holds."),
]  # fmt: skip
KNOWN = {*WORDS, "benchmark", "split", "exact", "as_of", "fields"}
