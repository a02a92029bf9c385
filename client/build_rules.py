"""Puts the server's rules into the package when it is built, file by file, so that the repository holds them once.

What is listed here is all that the client needs: no Django, no stage, no edge. A wheel made from the source
distribution finds them in the package already and adds nothing.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
CHECKOUT = HERE.parent
TARGET = "mlebench_leaderboard/_rules"
PATTERNS = (
    "submissions/__init__.py",
    "submissions/seeds.py",
    "submissions/bundle/*.py",
    "submissions/run_card/*.py",
    "submissions/run_card/schema.json",
    "grading/__init__.py",
    "grading/families.py",
    "grading/medals.py",
    "grading/spec_files.py",
    "grading/spec_rules.py",
    "grading/specs.py",
    "grading/splits.py",
    "grading/strict.py",
    "grading/graders/*.py",
    "grading/competitions/*.toml",
    "grading/benchmarks/*.toml",
)


def rule_files() -> list[Path]:
    """The files of the checkout that the package includes; none outside a checkout. Raises if a pattern is empty."""
    if not (CHECKOUT / "submissions").is_dir():
        return []
    found: list[Path] = []
    for pattern in PATTERNS:
        files = sorted(CHECKOUT.glob(pattern))
        if not files:
            raise FileNotFoundError(f"{pattern} names nothing: was the rule renamed?")
        found += files
    return found


class IncludeRules(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install looks into the checkout itself.
        if version == "editable":
            return
        inside = f"src/{TARGET}" if self.target_name == "sdist" else TARGET
        for path in rule_files():
            build_data["force_include"][str(path)] = f"{inside}/{path.relative_to(CHECKOUT).as_posix()}"
