"""What a step should show beside what it showed. Pure."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

ABSENT = "(nothing)"


@dataclass(frozen=True)
class Line:
    """One expectation of one step, and whether it came true."""

    step: int
    what: str
    expected: Any
    seen: Any
    holds: bool


def compare(step: int, expect: Mapping[str, Any], seen: Mapping[str, Any]) -> list[Line]:
    """A line for each expectation: `contains`, `lacks`, `…_include`, `…_exclude`, nested tables, or equality."""
    return [Line(step, *found) for key, wanted in expect.items() for found in _judge(key, wanted, seen)]


def _judge(key: str, wanted: Any, seen: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, bool]]:
    if key in ("contains", "lacks"):
        text = seen.get("text", "")
        for word in wanted:
            found = word in text
            yield f"{key} “{word}”", key == "contains", found, found is (key == "contains")
    elif key.endswith(("_include", "_exclude")):
        name, _, rule = key.rpartition("_")
        had = seen.get(name, [])
        for one in wanted:
            yield f"{name} {rule}", one, had, (one in had) is (rule == "include")
    elif isinstance(wanted, Mapping):
        for path, value in wanted.items():
            shown = pick(seen.get(key), path) if key == "json" else (seen.get(key) or {}).get(path, ABSENT)
            yield f"{key} {path}", value, shown, is_same(value, shown)
    else:
        shown = seen.get(key, ABSENT)
        if isinstance(wanted, list) and isinstance(shown, list):
            wanted, shown = sorted(wanted, key=str), sorted(shown, key=str)
        yield key, wanted, shown, is_same(wanted, shown)


def pick(document: Any, path: str) -> Any:
    """The value at a dotted path such as `rows.0.rank`; `rows.#` is how many there are."""
    for part in path.split("."):
        if isinstance(document, list):
            if part == "#":
                return len(document)
            if not part.lstrip("-").isdigit() or int(part) >= len(document):
                return ABSENT
            document = document[int(part)]
        elif isinstance(document, Mapping) and part in document:
            document = document[part]
        else:
            return ABSENT
    return document


def is_same(wanted: Any, shown: Any) -> bool:
    """Equal; numbers to six digits; "null" stands for what TOML cannot write, and what was kept is text."""
    if wanted == "null":
        return shown is None
    if isinstance(wanted, str) and isinstance(shown, int):
        return wanted == str(shown)
    if isinstance(wanted, float) and isinstance(shown, int | float) and not isinstance(shown, bool):
        return math.isclose(wanted, shown, rel_tol=1e-6, abs_tol=1e-9)
    return bool(wanted == shown)
