"""The team's own report: kept where any database keeps it, left out where not."""

import json
from typing import Any

import pytest

from submissions.claimed_report import MAX_DEPTH, load_report

DEEPEST = b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1)


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b'{"any_medal": 1.5, "runs": [1, null, true]}', {"any_medal": 1.5, "runs": [1, None, True]}),
        (b'{"a": 1e308}', {"a": 1e308}),
        (b'"a \\\\u0000 of letters"', "a \\u0000 of letters"),
        (b'"\\ud83d\\ude00"', "\N{GRINNING FACE}"),
        (DEEPEST, json.loads(DEEPEST)),
        (None, None),
        (b"", None),
        (b"{", None),
        (b"\xff", None),
        (b'{"a": NaN}', None),
        (b'[{"a": [Infinity]}]', None),
        (b"-Infinity", None),
        (b'{"a": 1e999}', None),
        (b'{"a": -1e999}', None),
        (b"9" * 5000, None),
        (b'"\\u0000"', None),
        (b'{"\\u0000": 1}', None),
        (b'["\\ud800"]', None),
        (b'{"\\udfff": 1}', None),
        (b"[" + DEEPEST + b"]", None),
        (b"[" * 100_000, None),
        (b'{"a":' * 900 + b"1" + b"}" * 900, None),
    ],
)
def test_reports(content: bytes | None, kept: Any) -> None:
    assert load_report(content) == kept
