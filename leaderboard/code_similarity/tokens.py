"""The tokens of Python code without what can be changed at will: names, numbers, texts, comments, layout. Pure.

Pygments reads the code, so that files with errors of syntax count as well. Names from elsewhere stay: methods and
attributes (`.groupby`, `.fit_transform`) and built-ins, which a copy cannot rename. Imports are left out, since
everybody's are the same.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, String, Text, _TokenType

Values = NDArray[np.uint64]
Lines = NDArray[np.int32]
LEXER = PythonLexer()
OWN, TEXT, NUMBER = "V", "S", "N"
# A trailing comma is layout, and so is a semicolon.
LAYOUT = frozenset({",", ";", "\\"})


@dataclass(frozen=True)
class Tokens:
    """Tokens as numbers, equal where tokens are, and the line of each, from 1."""

    values: Values
    lines: Lines

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the tokens: files that differ in names, comments and layout alone have the same."""
        return hashlib.sha256(self.values.astype("<u8").tobytes()).hexdigest()


def tokens_of(code: str) -> Tokens:
    """Empty for code that says nothing but imports."""
    found = list(_plain(_without_imports(_read(code))))
    return Tokens(
        np.array([_number(token) for token, _ in found], dtype=np.uint64),
        np.array([line for _, line in found], dtype=np.int32),
    )


class _Sort(Enum):
    """What a token is good for."""

    LAYOUT = auto()
    IMPORT = auto()
    TEXT = auto()
    NUMBER = auto()
    NAME = auto()
    DEFINED = auto()
    WORD = auto()


class _Read(NamedTuple):
    sort: _Sort
    text: str
    line: int


def _read(code: str) -> Iterator[_Read]:
    line = 1
    for _, kind, text in LEXER.get_tokens_unprocessed(code):
        yield _Read(_Sort.LAYOUT if text in LAYOUT else _sort_of(kind), text, line)
        line += text.count("\n")


@lru_cache(maxsize=1024)
def _sort_of(kind: _TokenType) -> _Sort:
    """Of a kind of Pygments; the first that holds."""
    rules = (
        (String.Doc, _Sort.LAYOUT),
        (Text, _Sort.LAYOUT),
        (Comment, _Sort.LAYOUT),
        (Keyword.Namespace, _Sort.IMPORT),
        (String, _Sort.TEXT),
        (Number, _Sort.NUMBER),
        (Name.Function, _Sort.DEFINED),
        (Name.Class, _Sort.DEFINED),
        (Name.Builtin.Pseudo, _Sort.NAME),
        (Name.Builtin, _Sort.WORD),
        (Name, _Sort.NAME),
    )
    return next((sort for wider, sort in rules if kind in wider), _Sort.WORD)


def _without_imports(read: Iterator[_Read]) -> list[_Read]:
    """From `import` or `from` to the end of the line, or of the bracket that is open there."""
    kept: list[_Read] = []
    inside, depth = False, 0
    for token in read:
        if token.sort is _Sort.IMPORT:
            inside, depth = True, 0
        elif inside:
            depth += token.text.count("(") - token.text.count(")")
            inside = depth > 0 or not ("\n" in token.text or token.text == ";")
        if not inside:
            kept.append(token)
    return kept


def _plain(read: list[_Read]) -> Iterator[tuple[str, int]]:
    """Each token that counts in its plain form, with its line. Texts beside each other are one."""
    code = [token for token in read if token.sort is not _Sort.LAYOUT]
    own = _own_names(code)
    before = ""
    for token in code:
        text = _plain_text(token, before, own)
        if not (text == before == TEXT):
            yield text, token.line
        before = text


def _own_names(code: list[_Read]) -> frozenset[str]:
    """Names of functions and classes the file defines, and attributes it sets: those a copy could rename."""
    defined = {token.text for token in code if token.sort is _Sort.DEFINED}
    triples = zip(code, code[1:], code[2:], strict=False)
    set_here = {name.text for dot, name, sign in triples if dot.text == "." and sign.text == "="}
    return frozenset(defined | set_here)


def _plain_text(token: _Read, before: str, own: frozenset[str]) -> str:
    if token.sort in PLAIN:
        return PLAIN[token.sort]
    if token.sort is _Sort.NAME and before == "." and token.text not in own:
        return token.text
    return OWN if token.sort in (_Sort.NAME, _Sort.DEFINED) else token.text


PLAIN = {_Sort.TEXT: TEXT, _Sort.NUMBER: NUMBER}


@lru_cache(maxsize=2**16)
def _number(token: str) -> int:
    """The same in every process, which Python's own hash is not."""
    return int.from_bytes(hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=8).digest(), "little")
