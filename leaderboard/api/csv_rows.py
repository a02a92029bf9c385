"""A board as CSV: one line per entry, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

# A cell that begins so is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PLAIN = (
    "rank", "position", "entry", "slug", "url", "agent", "version", "organisation", "llms", "no_llm", "run_on",
    "track", "scope", "source_text", "answers_public",
)  # fmt: skip
RESULT = (
    "any_medal_mean", "any_medal_sem", "seeds", "gold_mean", "silver_mean", "bronze_mean", "above_median_mean",
    "valid_mean", "submitted_mean", "padded",
)  # fmt: skip
WITH_WHAT = ("hours", "vcpus", "ram_gb", "gpus", "gpu_model", "cost_usd")


class CSVRenderer(BaseRenderer):
    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> str:
        """The rows of a board, or of an error its message."""
        if "rows" not in data:
            return to_csv(["status", "detail"], [[data.get("status"), data.get("detail")]])
        splits = data["splits"]
        header = [*PLAIN, *RESULT, *(f"{split}_{part}" for split in splits for part in ("mean", "sem"))]
        header += [*WITH_WHAT, "competition", "seed_scores", "warning", "decision"]
        return to_csv(header, [_cells(row, splits) for row in data["rows"]])


def _cells(row: Mapping[str, Any], splits: list[str]) -> list[Any]:
    result, warning = row["result"] or {}, row["warning"] or {}
    parts = [row["results"][split] or {} for split in splits]
    scores = "; ".join(f"{seed}: {score}" for seed, score in row["seed_scores"].items())
    return [
        *("; ".join(row[name]) if name == "llms" else row[name] for name in PLAIN),
        *(result.get(name) for name in RESULT),
        *(part.get(name) for part in parts for name in ("any_medal_mean", "any_medal_sem")),
        *(row[name] for name in WITH_WHAT),
        row["competition"],
        scores,
        warning.get("reason"),
        warning.get("decision"),
    ]


def to_csv(header: list[str], rows: list[list[Any]]) -> str:
    """The table as CSV text (RFC 4180). None is an empty cell; numbers stay numbers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def safe_cell(cell: Any) -> Any:
    """The cell, with an apostrophe before a text that a spreadsheet would run."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell
