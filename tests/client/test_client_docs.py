"""docs/client.md names every command, option of consequence and exit code there is."""

import argparse
import re
from pathlib import Path

from mlebench_leaderboard import Exit
from mlebench_leaderboard.cli.parser import build_parser

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text()


def test_every_command_is_described() -> None:
    subparsers = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert [name for name in subparsers.choices if f"`{name}" not in PAGE and f" {name} " not in PAGE] == []


def test_every_exit_code_is_described() -> None:
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == {*Exit}
