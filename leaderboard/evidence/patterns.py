"""What is looked for in logs and code: `patterns.toml`, and whatever a maintainer's own file adds. Pure.

Matched by RE2, whose time is linear in the text whatever the expression: the text is a stranger's.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import re2

from grading.strict import Problems, Section, read_toml
from leaderboard.evidence.linear import compile_any
from leaderboard.integrity.checks.base import Severity

SHIPPED: Final = Path(__file__).with_name("patterns.toml")
KINDS: Final = ("log", "code")
# What a line in a log can speak of: rungs of the ladder of held-out signals, outside material, the web.
SIGNALS: Final = ("validity_only", "medal_or_threshold", "score")
MATERIAL: Final = ("competition_data", "competition_solutions")
IMPLIED: Final = (*SIGNALS, *MATERIAL, "web")
# A rule that forbids something names it as well: in the same sentence, before it or behind.
FORBIDS: Final = (
    r"(?i)\b(do not|don't|never|must not|mustn't|may not|not allowed to|forbidden to)\b"
    r"""[^.;!"\\\n]{0,100}$"""
)
FORBIDDEN: Final = (
    r"""(?i)^[^.;!"\\\n]{0,60}\b(is|are|be) (not allowed|forbidden|prohibited|banned|out of bounds)\b"""
)
# How much of a line beside a match is looked at for what spares it.
NEAR: Final = 120
COMPETITION: Final = "{competition}"
ANY_COMPETITION: Final = r"[a-z0-9._-]{1,80}"
CODE: Final = r"[a-z0-9]+(-[a-z0-9]+)*"


@dataclass(frozen=True)
class Pattern:
    """One thing looked for. `reads`: log, code. `implies`: what it says of the run, where it stands in its log.

    A match with `spares` near it is left alone. `counts`: its lines are calls of the validity check. Without
    `has_context` neither what follows the match nor any neighbouring line is kept: it may be an answer.
    `{competition}` in an expression is the id of the run's competition.
    """

    code: str
    title: str
    severity: Severity
    meaning: str
    reads: tuple[str, ...]
    expressions: tuple[str, ...]
    spares: tuple[str, ...] = ()
    implies: tuple[str, ...] = ()
    counts: bool = False
    has_context: bool = True
    fires: tuple[str, ...] = field(default=(), compare=False)
    leaves: tuple[str, ...] = field(default=(), compare=False)


class Matcher:
    """One pattern, ready for the files of one competition; of any where `competition` is empty."""

    def __init__(self, pattern: Pattern, competition: str) -> None:
        self.pattern = pattern
        name = re2.escape(competition) if competition else ANY_COMPETITION
        self._search = compile_any(each.replace(COMPETITION, name) for each in pattern.expressions).search
        self._spares = compile_any(pattern.spares).search if pattern.spares else lambda text: None

    def find(self, line: bytes) -> tuple[int, int] | None:
        """Where in the line the first match is that nothing near it spares."""
        start = 0
        for _ in range(10):
            found = self._search(line, start)
            if found is None:
                return None
            begin, end = found.span()
            if not self._is_spared(line, begin, end):
                return begin, end
            start = max(end, begin + 1)
        return None

    def _is_spared(self, line: bytes, begin: int, end: int) -> bool:
        before, after = line[max(0, begin - NEAR) : begin], line[end : end + NEAR]
        if _forbids().search(before) or _is_forbidden().search(after):
            return True
        return bool(self._spares(before + line[begin:end] + after))


@cache
def _forbids() -> Any:
    return compile_any([FORBIDS])


@cache
def _is_forbidden() -> Any:
    return compile_any([FORBIDDEN])


def matchers(patterns: Iterable[Pattern], competition: str) -> tuple[Matcher, ...]:
    return tuple(_matcher(pattern, _named(pattern, competition)) for pattern in patterns)


def sieve_expression(pattern: Pattern) -> str:
    """Matches wherever the pattern does, for whatever competition."""
    return "|".join(f"(?:{each.replace(COMPETITION, ANY_COMPETITION)})" for each in pattern.expressions)


def _named(pattern: Pattern, competition: str) -> str:
    """So that what does not depend on the competition is made once."""
    return competition if any(COMPETITION in each for each in pattern.expressions) else ""


@lru_cache(maxsize=512)
def _matcher(pattern: Pattern, competition: str) -> Matcher:
    return Matcher(pattern, competition)


@lru_cache(maxsize=8)
def load_patterns(extra: Path | None = None) -> tuple[Pattern, ...]:
    """Those shipped, without those the extra file switches off, and its own. Raises CatalogueError with all faults."""
    shipped = read_patterns(SHIPPED)[0]
    if extra is None:
        return shipped
    own, off = read_patterns(extra, taken={pattern.code for pattern in shipped})
    return (*(pattern for pattern in shipped if pattern.code not in off), *own)


def read_patterns(path: Path, taken: Iterable[str] = ()) -> tuple[tuple[Pattern, ...], frozenset[str]]:
    """The patterns of one file, and the codes of shipped ones it switches off. Raises CatalogueError."""
    problems = Problems(path)
    top = Section(read_toml(path), "", problems)
    taken = set(taken)
    off = frozenset(top.optional("off", _texts, "a list of codes") or ())
    for code in sorted(off - taken):
        problems.add("off", f"{code} is no pattern that is shipped")
    found = [_pattern(section) for section in top.sections("pattern")]
    top.close()
    for pattern in found:
        if pattern.code in taken:
            problems.add("pattern", f"the code {pattern.code} is taken; choose another")
        taken.add(pattern.code)
        _check(pattern, problems)
    problems.raise_if_any()
    return tuple(found), off


def _pattern(section: Section) -> Pattern:
    pattern = Pattern(
        code=section.take("code", _code, "a code such as my-pattern, of 32 characters or fewer", ""),
        title=section.text("title", 100),
        severity=Severity(section.word("severity", tuple(Severity))),
        meaning=section.text("meaning"),
        reads=section.take("reads", _of(KINDS), "a list of log, code", ()),
        expressions=section.texts("expressions"),
        spares=section.optional("spares", _texts, "a list of expressions") or (),
        implies=section.optional("implies", _of(IMPLIED), f"a list of {', '.join(IMPLIED)}") or (),
        counts=section.optional("counts", _flag, "true or false") or False,
        has_context=section.optional("context", _flag, "true or false") is not False,
        fires=section.texts("fires"),
        leaves=section.texts("leaves"),
    )
    section.close()
    return pattern


def _check(pattern: Pattern, problems: Problems) -> None:
    """Notes expressions that RE2 does not take, and examples that the pattern does not bear out."""
    try:
        matcher = Matcher(pattern, "spaceship-titanic")
    except re2.error as error:
        problems.add(f"pattern {pattern.code}", f"RE2 does not take an expression: {_said(error)}")
        return
    for line in pattern.fires:
        if matcher.find(line.encode()) is None:
            problems.add(f"pattern {pattern.code}.fires", f"it does not match: {line}")
    for line in pattern.leaves:
        if matcher.find(line.encode()) is not None:
            problems.add(f"pattern {pattern.code}.leaves", f"it matches: {line}")


def _said(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(v, str) and v for v in value) else None


def _of(words: Sequence[str]) -> Callable[[Any], tuple[str, ...] | None]:
    def check(value: Any) -> tuple[str, ...] | None:
        texts = _texts(value)
        return texts if texts and set(texts) <= set(words) else None

    return check


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _code(value: Any) -> str | None:
    is_code = isinstance(value, str) and len(value) <= 32 and re2.fullmatch(CODE, value)
    return value if is_code else None
