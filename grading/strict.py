"""Reading hand-written TOML strictly: all unknown keys, missing keys and wrong types in one error."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")


class CatalogueError(Exception):
    """A competition or benchmark file is wrong. The message lists everything wrong with it, and the mend."""


class Problems:
    """What is wrong with one file so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []

    def add(self, key: str, mend: str) -> None:
        self.lines.append(f"{self.path.name}: {key}: {mend}")

    def raise_if_any(self) -> None:
        if self.lines:
            raise CatalogueError("\n".join(self.lines))


def read_toml(path: Path) -> dict[str, Any]:
    """The file as plain values. Raises CatalogueError if it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{path.name}: not TOML: {error}") from None


class Section:
    """One table of a file. Taking a key checks it; `close` reports the keys nobody took."""

    def __init__(self, values: Mapping[str, Any], name: str, problems: Problems) -> None:
        self.values, self.name, self.problems = values, name, problems
        self.taken: set[str] = set()

    def key(self, name: str) -> str:
        return f"{self.name}.{name}" if self.name else name

    def take(self, name: str, check: Callable[[Any], Value | None], expected: str, default: Value) -> Value:
        """The checked value; the default, with the problem noted, where it is missing or not as expected."""
        self.taken.add(name)
        if name not in self.values:
            self.problems.add(self.key(name), f"missing; add {expected}")
            return default
        value = check(self.values[name])
        if value is None:
            self.problems.add(self.key(name), f"is {self.values[name]!r}; write {expected}")
            return default
        return value

    def optional(self, name: str, check: Callable[[Any], Value | None], expected: str) -> Value | None:
        """The checked value, or None where the key is absent."""
        return self.take(name, check, expected, None) if name in self.values else None

    def text(self, name: str) -> str:
        return self.take(name, _text, "a text in quotes", "")

    def texts(self, name: str) -> tuple[str, ...]:
        return self.take(name, _texts, "a list of texts", ())

    def number(self, name: str) -> float:
        return self.take(name, _number, "a number", 0.0)

    def boolean(self, name: str) -> bool:
        return self.take(name, lambda v: v if isinstance(v, bool) else None, "true or false", False)

    def word(self, name: str, words: tuple[str, ...]) -> str:
        return self.take(name, lambda v: v if v in words else None, f"one of {', '.join(words)}", words[0])

    def section(self, name: str) -> Section:
        """A table inside; an empty one, with the problem noted, if it is absent."""
        return Section(
            self.take(name, _table, f"a table [{self.key(name)}]", {}), self.key(name), self.problems
        )

    def optional_section(self, name: str) -> Section:
        """A table inside; an empty one if it is absent."""
        return Section(self.optional(name, _table, "a table") or {}, self.key(name), self.problems)

    def sections(self, name: str) -> list[Section]:
        """An array of tables; empty if it is absent."""
        tables = self.optional(name, lambda v: v if isinstance(v, list) else None, "tables [[...]]") or []
        return [
            Section(_table(t) or {}, f"{self.key(name)}[{i}]", self.problems) for i, t in enumerate(tables)
        ]

    def close(self) -> None:
        """Notes every key that was not taken."""
        for name in self.values:
            if name not in self.taken:
                known = ", ".join(sorted(self.taken))
                self.problems.add(self.key(name), f"unknown key; remove it or mend its name (known: {known})")


def _text(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(v, str) and v for v in value) else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
