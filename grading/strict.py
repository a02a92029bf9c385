"""Reading hand-written TOML strictly: all unknown keys, missing keys and wrong types in one error."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
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

    def touch(self, key: str) -> bool:
        """Whether something is wrong with this key or below it."""
        names = (f"{self.path.name}: {key}:", f"{self.path.name}: {key}.")
        return any(line.startswith(names) for line in self.lines)

    def raise_if_any(self) -> None:
        if self.lines:
            raise CatalogueError("\n".join(self.lines))


def read_toml(path: Path) -> dict[str, Any]:
    """The file as plain values. Raises CatalogueError if it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{path.name}: not TOML: {error}") from None


def meant(word: str, words: Iterable[str], cutoff: float = 0.75) -> str:
    """`` (did you mean auroc?)`` where one of the words is near this one, else nothing."""
    by_small = {each.casefold(): each for each in words}
    near = get_close_matches(word.casefold(), by_small, n=1, cutoff=cutoff)
    return f" (did you mean {by_small[near[0]]}?)" if near else ""


class Section:
    """One table of a file. Taking a key checks it; `close` reports the keys nobody took.

    Of a table that is `absent`, which was reported, no key is missed as well.
    """

    def __init__(
        self, values: Mapping[str, Any], name: str, problems: Problems, absent: bool = False
    ) -> None:
        self.values, self.name, self.problems, self.absent = values, name, problems, absent
        self.taken: set[str] = set()

    def key(self, name: str) -> str:
        return f"{self.name}.{name}" if self.name else name

    def take(self, name: str, check: Callable[[Any], Value | None], expected: str, default: Value) -> Value:
        """The checked value; the default, with the problem noted, where it is missing or not as expected."""
        self.taken.add(name)
        if name not in self.values:
            if not self.absent:
                self.problems.add(self.key(name), f"missing; add {expected}")
            return default
        value = check(self.values[name])
        if value is None:
            self.problems.add(self.key(name), f"is {self.values[name]!r}; write {expected}")
            return default
        return value

    def optional(self, name: str, check: Callable[[Any], Value | None], expected: str) -> Value | None:
        """The checked value, or None where the key is absent."""
        self.taken.add(name)
        return self.take(name, check, expected, None) if name in self.values else None

    def text(self, name: str, most: int = 0) -> str:
        """A text that is not blank, of at most so many characters unless 0."""
        if not most:
            return self.take(name, _text, "a text in quotes", "")
        wanted = f"a text in quotes of at most {most} characters"
        return self.take(
            name, lambda v: text if (text := _text(v)) and len(text) <= most else None, wanted, ""
        )

    def texts(self, name: str) -> tuple[str, ...]:
        return self.take(name, _texts, "a list of texts (may be [])", ())

    def number(self, name: str) -> float:
        return self.take(name, _number, "a finite number", 0.0)

    def boolean(self, name: str) -> bool:
        return self.take(name, lambda v: v if isinstance(v, bool) else None, "true or false", False)

    def word(self, name: str, words: tuple[str, ...]) -> str:
        near = meant(str(self.values.get(name)), words)
        return self.take(
            name, lambda v: v if v in words else None, f"one of {', '.join(words)}{near}", words[0]
        )

    def section(self, name: str) -> Section:
        """A table inside; an empty one, with the problem noted, if it is absent."""
        table: dict[str, Any] = self.take(name, _table, f"a table [{self.key(name)}]", {})
        is_absent = not isinstance(self.values.get(name), dict)
        return Section(table, self.key(name), self.problems, is_absent)

    def optional_section(self, name: str) -> Section:
        """A table inside; an empty one if it is absent."""
        return Section(self.optional(name, _table, "a table") or {}, self.key(name), self.problems)

    def sections(self, name: str) -> list[Section]:
        """An array of tables; empty if it is absent."""
        tables = self.optional(name, lambda v: v if isinstance(v, list) else None, "tables [[...]]") or []
        return [
            Section(_table(t) or {}, f"{self.key(name)}[{i}]", self.problems) for i, t in enumerate(tables)
        ]

    def close(self, elsewhere: Mapping[str, str] | None = None) -> None:
        """Notes every key that was not taken. `elsewhere`: the tables where keys of these names belong."""
        for name in self.values:
            if name in self.taken:
                continue
            if elsewhere and name in elsewhere:
                self.problems.add(self.key(name), f"unknown key here; it belongs into {elsewhere[name]}")
                continue
            known = ", ".join(sorted(self.taken))
            mend = f"unknown key; remove it or mend its name{meant(name, self.taken)} (known: {known})"
            self.problems.add(self.key(name), mend)


def _text(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(v, str) and v for v in value) else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


def _table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
