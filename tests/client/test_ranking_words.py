"""The client's table says of llms what the board says."""

from collections.abc import Mapping
from typing import Any

import pytest
from mlebench_leaderboard.cli.boards import _llms


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"llms": ["o3", "GPT-5"], "no_llm": False}, "o3, GPT-5"),
        ({"llms": [], "no_llm": True}, "none"),
        ({"llms": [], "no_llm": False}, "undisclosed"),
        ({}, "undisclosed"),
    ],
)
def test_llms(row: Mapping[str, Any], said: str) -> None:
    assert _llms(row) == said
