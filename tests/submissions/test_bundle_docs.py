"""The page on the format names every reason and the limits as they are."""

import re
from pathlib import Path

from submissions.bundle import Code
from tests.submissions import bundles as b

PAGE = (Path(__file__).parents[2] / "docs" / "bundle-format.md").read_text()


def test_every_code_is_explained_once() -> None:
    rows = [
        row.split("|")[1]
        for row in PAGE.partition("## What is refused")[2].splitlines()
        if row.startswith("| `")
    ]
    explained = [code for row in rows for code in re.findall("`([a-z0-9_]+)`", row)]
    assert sorted(explained) == sorted(Code)


def test_the_limits_are_those_of_the_budget() -> None:
    budget = b.budget()
    assert f"| files and folders | {budget.members:,} |" in PAGE
    assert f"| seeds, or run groups | {budget.seeds:,} |" in PAGE
    assert f"all it expands to | {budget.total_bytes >> 30} GB |" in PAGE
    assert f"after decompression | {budget.member_bytes >> 30} GB |" in PAGE
    assert f"| run card | {budget.run_card_bytes >> 10} KB |" in PAGE
    assert f"{budget.ratio} times, once over {budget.ratio_floor_bytes >> 20} MB" in PAGE
    assert f"{budget.path_bytes:,} bytes" in PAGE
    assert f"| {budget.streams:,} |" in PAGE
