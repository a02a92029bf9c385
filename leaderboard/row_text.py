"""Rows of a board as the JSON texts that standings keep. Pure."""

import json
from collections.abc import Mapping
from typing import Any

# One for all rows: making it anew would be a third of the work.
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def dump_row(row: Mapping[str, Any]) -> str:
    """Raises ValueError on a number that is not finite."""
    return _ENCODER.encode(row)


def join_rows(row: str, more: str) -> str:
    """The text of one object with the keys of both, neither of which is empty."""
    return f"{row[:-1]},{more[1:]}"
