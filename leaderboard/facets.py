"""What all rows of a board have to offer: the choices of its form, and the columns that would show anything. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.mask_view import offered_masks

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Facets:
    """Each choice as word and text, by text. `figures`: the figures of a split's result that some row knows."""

    llms: Mapping[str, str]
    organisations: Mapping[str, str]
    gpus: Mapping[str, str]
    categories: Mapping[str, str]
    masks: Mapping[str, str]
    has_seed_scores: bool
    figures: frozenset[str]


FIGURES = ("gold_mean", "above_median_mean")


def find_facets(rows: Sequence[Row]) -> Facets:
    """Looks at every row, so that a large board wants it done once."""
    gpus = {row["gpu_model"] for row in rows if row["gpu_model"]}
    categories = {name for row in rows for name in row["categories"] or ()}
    results = [row["result"] for row in rows if row["result"]]
    return Facets(
        llms=_by_text(_llms(rows)),
        organisations=_by_text({row["organisation_slug"]: row["organisation"] for row in rows}),
        gpus=_by_text({name: name for name in gpus}),
        categories=_by_text({name: name for name in categories}),
        masks=offered_masks(rows),
        has_seed_scores=any(row["seed_scores"] for row in rows),
        figures=frozenset(name for name in FIGURES if any(each.get(name) is not None for each in results)),
    )


def _llms(rows: Sequence[Row]) -> dict[str, str]:
    names = {llm: llm for row in rows for llm in row["llms"]}
    if any(row["no_llm"] for row in rows):
        names["none"] = "none"
    if any(not row["llms"] and not row["no_llm"] for row in rows):
        names["undisclosed"] = "undisclosed"
    return names


def _by_text(texts: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(texts.items(), key=lambda pair: (pair[1].casefold(), pair[0])))
