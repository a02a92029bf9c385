"""What can be wrong with a run card, said to the team that wrote it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

Path = tuple[str | int, ...]

MAX_PROBLEMS = 200
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Problem:
    """One fault: a stable code, dotted path, line (if from a file), what is wrong and how to mend it."""

    code: str
    path: str
    line: int | None
    message: str

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line else []
        where += [self.path] if self.path else []
        return f"{', '.join(where)}: {self.message}" if where else self.message


class RunCardError(Exception):
    """The run card is malformed; holds every problem found, for the team to read."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


def dotted(path: Path) -> str:
    """The path as people and form fields write it: `llms.0.role`. Overlong names are cut."""
    return ".".join(shorten(str(part)) for part in path)


def shorten(text: str) -> str:
    """The text in one line without control characters, cut to 60 characters, fit for a message."""
    visible = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return visible if len(visible) <= _LONGEST_NAME else f"{visible[: _LONGEST_NAME - 1]}…"


def capped(problems: Iterable[Problem]) -> list[Problem]:
    """The first 200 problems in order of line, and one that says if there were more."""
    found = list(islice(problems, MAX_PROBLEMS + 1))
    kept = sorted(found[:MAX_PROBLEMS], key=lambda problem: problem.line or 0)
    if len(found) > MAX_PROBLEMS:
        kept.append(Problem("more", "", None, f"there are more; the first {MAX_PROBLEMS} are listed"))
    return kept
