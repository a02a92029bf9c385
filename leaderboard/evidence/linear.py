"""Expressions matched in a time that is linear in the text, whatever both are: RE2's. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import re2

SIEVE_MEMORY: Final = 64 << 20


def options(memory: int = 8 << 20, captures: bool = False) -> Any:
    """Bytes as they come, and no word on stderr for an expression of somebody else's. `memory`: of one expression.

    Without captures the fastest of RE2's machines can do the work.
    """
    made = re2.Options()
    made.encoding = re2.Options.Encoding.LATIN1
    made.log_errors = False
    made.never_capture = not captures
    made.max_mem = memory
    return made


def compile_any(expressions: Iterable[str], captures: bool = False) -> Any:
    """One expression that matches where any of these does. Raises re2.error."""
    joined = "|".join(f"(?:{each})" for each in expressions)
    return re2.compile(joined.encode(), options(captures=captures))


class Sieve:
    """Which of many expressions a text holds, in one go. Whatever it says may be said again by a closer look."""

    def __init__(self, expressions: Sequence[str]) -> None:
        made = options(memory=SIEVE_MEMORY)
        self._any = re2.compile("|".join(f"(?:{each})" for each in expressions).encode(), made)
        self._set = re2.Set.SearchSet(made)
        for each in expressions:
            self._set.Add(each.encode())
        self._set.Compile()

    def has_any(self, text: bytes) -> bool:
        return self._any.search(text) is not None

    def which(self, text: bytes) -> list[int]:
        """Their places in the list, in order."""
        return sorted(self._set.Match(text) or ())
