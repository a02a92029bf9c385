"""Run cards made by code: the complete example, changed copies, malformed files and what is said of them."""

import copy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from submissions.run_card import parse_run_card

EXAMPLE = Path(__file__).parents[2] / "docs" / "run_card.example.yaml"


def complete() -> dict[str, Any]:
    """A fresh copy of the example: meets every disclosure rule of Clean, three seeds labelled 0, 1, 2."""
    return copy.deepcopy(_example())


@cache
def _example() -> dict[str, Any]:
    return parse_run_card(EXAMPLE.read_bytes(), EXAMPLE.name)


def having(changes: dict[str, Any], document: dict[str, Any] | None = None) -> dict[str, Any]:
    """The complete run card with other answers at dotted paths, such as `llms.0.id`; None takes one out."""
    changed = copy.deepcopy(complete() if document is None else document)
    for path, value in changes.items():
        _put(changed, path.split("."), value)
    return changed


def lacking(*paths: str) -> dict[str, Any]:
    """The complete run card without these answers."""
    return having(dict.fromkeys(paths))


def _put(node: Any, path: list[str], value: Any) -> None:
    for part in path[:-1]:
        node = node[int(part)] if isinstance(node, list) else node.setdefault(part, {})
    key: Any = int(path[-1]) if isinstance(node, list) else path[-1]
    if value is None:
        del node[key]
    else:
        node[key] = value


class Malformed(NamedTuple):
    """A file and one problem that must be among those found."""

    data: bytes
    code: str
    path: str
    line: int | None
    says: str


DEEP = b"a: " + b"[" * 25 + b"]" * 25

MALFORMED_YAML = {
    "version read as a number": Malformed(
        b"scaffold:\n  version: 1.10\n", "type", "scaffold.version", 2, '"1.10" in quotes'
    ),
    "commit read as a number": Malformed(
        b"scaffold:\n  commit: 1234567\n", "type", "scaffold.commit", 2, '"1234567" in quotes'
    ),
    "commit read as octal": Malformed(
        b"scaffold:\n  commit: 01234567\n", "ambiguous", "scaffold.commit", 2, "quote it"
    ),
    "commit read with an exponent": Malformed(
        b"scaffold:\n  commit: 1234e56\n", "ambiguous", "scaffold.commit", 2, "quote it"
    ),
    "norwegian prompt": Malformed(b"prompt: no\n", "ambiguous", "prompt", 1, "true or false"),
    "off": Malformed(
        b"compute:\n  default:\n    network_access: off\n",
        "ambiguous",
        "compute.default.network_access",
        3,
        "write true or false",
    ),
    "exponent": Malformed(b"cost:\n  usd: 1e3\n", "ambiguous", "cost.usd", 2, "plain digits"),
    "sixties": Malformed(
        b"compute: {default: {hours_used: 12:30}}\n", "ambiguous", "compute.default.hours_used", 1, "sixties"
    ),
    "underscores": Malformed(b"cost: {tokens_in: 1_000}\n", "ambiguous", "cost.tokens_in", 1, "plain digits"),
    "infinity": Malformed(b"cost: {usd: .inf}\n", "ambiguous", "cost.usd", 1, "not finite"),
    "overlong number": Malformed(
        b"cost: {tokens_in: %s}\n" % (b"9" * 5000), "ambiguous", "cost.tokens_in", 1, "digits"
    ),
    "point in time": Malformed(
        b"attestation: {date: 2026-03-01 10:00:00}\n", "ambiguous", "attestation.date", 1, "quote it"
    ),
    "no such day": Malformed(
        b"attestation:\n  date: 2026-02-30\n", "format", "attestation.date", 2, "calendar"
    ),
    "date the other way": Malformed(
        b"attestation: {date: 01.03.2026}\n", "pattern", "attestation.date", 1, "year-month-day"
    ),
    "unknown key": Malformed(
        b"scaffold:\n  name: a\n  comit: abc\n", "unknown_key", "scaffold.comit", 3, "did you mean 'commit'?"
    ),
    "unknown key in a row": Malformed(
        b"llms:\n  - role: a\n  - rolle: b\n", "unknown_key", "llms.1.rolle", 3, "did you mean 'role'?"
    ),
    "unknown section": Malformed(b"zzz:\n  a: 1\n", "unknown_key", "zzz", 1, "known here: scaffold, llms"),
    "unknown choice": Malformed(
        b"integrity: {test_set_signal: scores}\n",
        "enum",
        "integrity.test_set_signal",
        1,
        "did you mean 'score'?",
    ),
    "number as text": Malformed(b"cost: {usd: '12 USD'}\n", "type", "cost.usd", 1, "without quotes, units"),
    "half a token": Malformed(b"cost: {tokens_in: 1.5}\n", "type", "cost.tokens_in", 1, "whole number"),
    "negative": Malformed(b"cost: {usd: -1}\n", "minimum", "cost.usd", 1, "at least 0"),
    "rows not a list": Malformed(b"llms:\n  role: coder\n", "type", "llms", 1, "must be a list"),
    "section not fields": Malformed(b"compute: 36\n", "type", "compute", 1, "fields of its own"),
    "script in a link": Malformed(
        b"scaffold: {source_url: 'javascript:alert(1)'}\n", "pattern", "scaffold.source_url", 1, "https://"
    ),
    "overlong text": Malformed(
        b"scaffold: {name: %s}\n" % (b"a" * 201), "maxLength", "scaffold.name", 1, "at most 200"
    ),
    "duplicate key": Malformed(
        b"prompt: original\nprompt: original\n", "duplicate_key", "prompt", 2, "twice"
    ),
    "number as key": Malformed(b"scaffold: {1: a}\n", "key", "scaffold.1", 1, "quotes"),
    "list as key": Malformed(b"? [a]\n: b\n", "key", "", 1, "text"),
    "anchor": Malformed(b"prompt: &x original\n", "anchor", "prompt", 1, "write the value out"),
    "alias": Malformed(
        b"scaffold: &x {name: a}\ncompute: *x\n", "anchor", "compute", 2, "write the value out"
    ),
    "alias bomb": Malformed(
        b"a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n",
        "anchor",
        "c.3",
        3,
        "write the value out",
    ),
    "object tag": Malformed(b"prompt: !!python/object/apply:os.getcwd []\n", "tag", "prompt", 1, "type tag"),
    "too deep": Malformed(DEEP, "too_deep", "", 1, "20 levels"),
    "very deep": Malformed(b"[" * 100_000, "too_deep", "", 1, "20 levels"),
    "too many values": Malformed(b"a: [%s]" % (b"b," * 20_000), "too_many", "", 1, "20,000 values"),
    "two documents": Malformed(b"prompt: original\n--- {}\n", "documents", "", 2, "one document"),
    "broken": Malformed(b"prompt: 'original\n", "syntax", "", 2, "is not YAML"),
    "NUL": Malformed(b"prompt: original\n\x00", "syntax", "", 2, "characters"),
    "escaped NUL": Malformed(
        b'scaffold:\n  name: "a\\0b"\n', "control_characters", "scaffold.name", 2, "control characters"
    ),
    "C1 control": Malformed(
        b'scaffold:\n  name: "a\\x85b"\n', "control_characters", "scaffold.name", 2, "remove them"
    ),
    "line separator": Malformed(
        b'scaffold:\n  name: "a\\Lb"\n', "control_characters", "scaffold.name", 2, "remove them"
    ),
    "turned direction": Malformed(
        "scaffold:\n  name: a\u202eb\n".encode(), "bidi_characters", "scaffold.name", 2, "direction of text"
    ),
    "turned direction in a label": Malformed(
        "seeds:\n  labels: [a, b\u2066]\n".encode(), "bidi_characters", "seeds.labels.1", 2, "direction"
    ),
    "turned direction in a key": Malformed(
        'seeds:\n  run_groups: {"a\u200f": b}\n'.encode(),
        "bidi_characters",
        "seeds.run_groups.a\ufffd",
        2,
        "direction",
    ),
    "invisible": Malformed(
        "scaffold:\n  name: a\u200bb\n".encode(), "invisible_characters", "scaffold.name", 2, "zero width"
    ),
    "not UTF-8": Malformed(b"prompt: original\n# \xff\n", "encoding", "", 2, "UTF-8"),
    "too large": Malformed(b"#" * (256 * 1024 + 1), "too_large", "", None, "262,144"),
    "empty": Malformed(b"# nothing\n", "empty", "", None, "empty"),
    "a list": Malformed(b"- prompt\n", "type", "", 1, "fields of its own"),
}

MALFORMED_JSON = {
    "duplicate key": Malformed(
        b'{"prompt": "original",\n"prompt": "original"}', "duplicate_key", "prompt", 2, "twice"
    ),
    "NaN": Malformed(b'{"cost": {"usd": NaN}}', "not_finite", "cost.usd", 1, "leave it out"),
    "infinite": Malformed(b'{"cost":\n{"usd": 1e999}}', "ambiguous", "cost.usd", 2, "too many digits"),
    "minus infinity": Malformed(
        b'{"cost": {"usd": -Infinity}}', "syntax", "cost.usd", 1, "value was expected"
    ),
    "number as version": Malformed(
        b'{"scaffold": {\n"version": 1.10}}', "type", "scaffold.version", 2, '"1.10" in quotes'
    ),
    "unknown key": Malformed(b'{"promt":\n"original"}', "unknown_key", "promt", 2, "did you mean 'prompt'?"),
    "trailing comma": Malformed(b'{"prompt": "original",}', "syntax", "", 1, "was expected"),
    "trailing comma in a list": Malformed(b'{"llms": [{},]}', "syntax", "llms.1", 1, "was expected"),
    "something after": Malformed(b"{}\n{}", "syntax", "", 2, "after its end"),
    "cut off": Malformed(b'{"prompt": "orig', "syntax", "prompt", 1, "does not end"),
    "half a surrogate pair": Malformed(
        b'{"scaffold": {"name": "\\ud800"}}', "control_characters", "scaffold.name", 1, "control characters"
    ),
    "too deep": Malformed(b"[" * 30 + b"]" * 30, "too_deep", "", 1, "20 levels"),
    "very deep": Malformed(b"[" * 100_000, "too_deep", "", 1, "20 levels"),
    "too many values": Malformed(b"[%s0]" % (b"0," * 20_000), "too_many", "", 1, "20,000 values"),
    "single quotes": Malformed(b"{'prompt': 'original'}", "syntax", "", 1, "was expected"),
    "null": Malformed(b"null", "empty", "", None, "empty"),
    "empty": Malformed(b"", "syntax", "", 1, "value was expected"),
}
