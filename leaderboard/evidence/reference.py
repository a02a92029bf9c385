"""docs/evidence.md, written from the patterns by `python -m leaderboard.evidence.reference`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from leaderboard.evidence.patterns import Pattern, load_patterns

INTRODUCTION: Final = Path(__file__).with_name("introduction.md")
KIND: Mapping[str, str] = {"log": "logs", "code": "code"}


def evidence_reference() -> str:
    """The page as Markdown."""
    return INTRODUCTION.read_text(encoding="utf-8") + "\n".join(
        line for pattern in load_patterns() for line in _section(pattern)
    )


def _section(pattern: Pattern) -> Iterator[str]:
    yield f"### {pattern.title} (`{pattern.code}`)"
    yield ""
    yield pattern.meaning
    yield ""
    yield f"- Weight {pattern.severity}; looked for in {' and '.join(KIND[kind] for kind in pattern.reads)}"
    if pattern.implies:
        yield f"- In the log of a run it speaks of {', '.join(f'`{each}`' for each in pattern.implies)}"
    yield f"- For example: {_code(pattern.fires[0])}"
    yield f"- But not: {_code(pattern.leaves[0])}"
    yield ""


def _code(line: str) -> str:
    """As Markdown's code, whatever backticks it holds."""
    return f"`` {line.strip()} ``"


if __name__ == "__main__":
    print(evidence_reference(), end="")
