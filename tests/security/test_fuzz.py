"""Noise and changed good input for every reader: it is read or refused in time and memory, and nothing else.

`corpus/` holds files that once did something else, or nearly; each is tried against every reader of its kind.
"""

import base64
import contextlib
import json
import random
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.graders.fast import NotPlain, read_fast
from grading.graders.precheck import Limits, check_bytes
from grading.graders.reader import UnreadableFile, read_table
from grading.graders.verdict import InvalidSubmission
from leaderboard.grading_reports.claimed import read_claims
from submissions.claimed_report import load_report
from submissions.run_card import RunCardError, normalise, parse_run_card, to_form
from tests.submissions.run_cards import EXAMPLE
from tests.submissions.test_bundle_fuzz import read_or_refuse

CORPUS = Path(__file__).with_name("corpus")
WITHIN_S = 20.0  # Ten times what the worst of these takes on a busy machine.
GROWTH_MB = 400
quick = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def read_csv(data: bytes) -> None:
    """Both readers; the fast one may decline, and where it reads it reads the same number of rows."""
    with contextlib.suppress(InvalidSubmission, UnreadableFile):
        check_bytes(data, Limits(line_bytes=5000))
        exact = read_table(data, lambda name: True)
        with contextlib.suppress(NotPlain):
            assert read_fast(data, lambda name: True).rows == exact.rows


def read_card(data: bytes) -> None:
    for name in ("run_card.yaml", "run_card.json"):
        with contextlib.suppress(RunCardError):
            document = parse_run_card(data, name)
            normalise(document)
            to_form(document)


def read_report(data: bytes) -> None:
    report = load_report(data)
    if report is not None:
        read_claims(report)
        json.dumps(report, allow_nan=False)


READERS: dict[str, Callable[[bytes], None]] = {
    "csv": read_csv,
    "card": read_card,
    "report": read_report,
    "bundle": read_or_refuse,
}
LINE = {"competition_id": "a", "score": 0.5, "gold_medal": True, "submission_path": "s/a/x.csv"}
REPORT = json.dumps({"competition_reports": [LINE] * 3}).encode()
GOOD = {
    "csv": b'id,x,y\na1,1.5,cat\n"a2",-2,"do""g"\na3,NA,\n' * 3,
    "card": EXAMPLE.read_bytes(),
    "report": REPORT,
}
WORDS = {
    "csv": [
        *(b",", b"\n", b"\r\n", b'"', b"NA", b"1e400"),
        *(b"\xef\xbb\xbf", b"\x00", b"\xff", b"inf", b"1_0", "٣".encode()),
    ],
    "card": [
        *(b"&a", b"*a", b"<<:", b"!!python/object/apply:os.system"),
        *(b"!!binary", b"? ", b"{", b"[", b"|", b"\t"),
    ],
    "report": [*(b"{", b"[", b'"', b"NaN", b"1e999"), *(b"\\ud800", b"\\u0000", b"-", b"null", b"9" * 400)],
}


@st.composite
def changed(draw: st.DrawFn, kind: str) -> bytes:
    """Good input with pieces cut out, doubled and put in."""
    data = GOOD[kind]
    for _ in range(draw(st.integers(0, 6))):
        at, end = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        middle = draw(
            st.one_of(st.just(data[at:end] * 2), st.sampled_from(WORDS[kind]), st.binary(max_size=8))
        )
        data = data[:at] + middle + data[end:]
    return data


@quick
@given(changed("csv"))
def test_csv(data: bytes) -> None:
    read_csv(data)


@quick
@given(changed("card"))
def test_run_card(data: bytes) -> None:
    read_card(data)


@quick
@given(changed("report"))
def test_grading_report(data: bytes) -> None:
    read_report(data)


@pytest.mark.parametrize("kind", READERS)
@quick
@given(
    data=st.one_of(
        st.binary(max_size=500), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )
)
def test_noise(kind: str, data: bytes) -> None:
    READERS[kind](data)


def corpus() -> Iterator[Any]:
    for path in sorted(CORPUS.glob("*.*")):
        yield pytest.param(path.suffix[1:], path.read_bytes(), id=path.name)


@pytest.mark.parametrize(("kind", "data"), list(corpus()))
def test_what_was_found_before(kind: str, data: bytes) -> None:
    READERS[kind](data)


def worst() -> dict[str, tuple[str, bytes]]:
    """Small or middling input that costs a careless reader much."""
    names = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]" for n in range(12))
    return {
        "aliases that multiply": ("card", names.encode()),
        "deep yaml": ("card", b"a: " + b"[" * 5000),
        "a long key": ("card", b"a" * 200_000 + b": 1"),
        "many keys": ("card", b"".join(b"k%d: 1\n" % n for n in range(20_000))),
        "many flow maps": ("card", b"[" + b"{a: {b: {c: 1}}}," * 10_000 + b"]"),
        "a number of digits": ("card", b'{"cost": ' + b"9" * 100_000 + b"}"),
        "deep json": ("report", b"[" * 100_000),
        "json of digits": ("report", b"[" + b"9" * 1_000_000 + b"]"),
        "one line": ("csv", b"id,x\n" + b"a" * 20_000_000),
        "commas": ("csv", b"," * 20_000_000),
        "newlines": ("csv", b"id,x\n" + b"\n" * 5_000_000),
        "an open quote": ("csv", b'id,x\n"' + b"a,1\n" * 2_000_000),
        "quotes": ("csv", b"id,x\n" + b'"' * 10_000_000),
        "columns": ("csv", b",".join(b"c%d" % n for n in range(300_000)) + b"\n"),
        "a bundle of nothing": ("bundle", b"\0" * 5_000_000),
    }


@pytest.mark.parametrize("name", worst())
def test_time_and_memory_are_bounded(name: str) -> None:
    kind, data = worst()[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    READERS[kind](data)
    assert time.process_time() - started < WITHIN_S
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < GROWTH_MB


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=30)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = (
    "team",
    "benchmark",
    "filename",
    "size",
    "creation_key",
    "supersedes",
    "what_changed",
    "scope",
    "revision",
    "name",
    "answer",
    "url",
)
bodies = st.one_of(
    json_values.map(json.dumps),
    st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=6).map(json.dumps),
    st.text(max_size=60),
    st.sampled_from(
        [
            "",
            "NaN",
            '{"a": 1e999}',
            "[" * 3000,
            '{"size": ' + "9" * 5000 + "}",
            '"\\ud800"',
            '{"scope": "\\u0000"}',
        ]
    ),
)


@pytest.mark.django_db
def test_bodies_and_cursors_of_the_api_never_make_it_fail(settings: Any) -> None:
    """Many in one test, since each needs rows: seeded, so that a failure comes again."""
    from tests.security.asking import ask, sign_in
    from tests.security.routes import address, all_routes
    from tests.security.world import make_world

    world = make_world()
    client = sign_in(world.people["owner"])
    case = world.cases["published"]
    routes = [route for route in all_routes() if route.name.startswith("api:")]
    paths = [path for route in routes if (path := address(route, world, case))]
    failed = []
    chance = random.Random(5)
    for _number in range(300):
        body = _example(chance)
        path = chance.choice(paths)
        method = chance.choice(("post", "put", "patch", "delete"))
        status = _send(client, method, path, body)
        if status >= 500:
            failed.append(f"{method} {path} {body[:200]!r}: {status}")
    for path in (path for path in paths if path.endswith("/") or "rankings" in path):
        for word in _queries(chance):
            status = _send(client, "get", f"{path}?{word}", "")
            if status >= 500:
                failed.append(f"get {path}?{word[:200]}: {status}")
    assert failed == []
    assert ask(client, "GET", "/api/v1/submissions") == "200"


def _send(client: Any, method: str, path: str, body: str) -> int:
    from django.core.cache import cache
    from django.db import transaction

    cache.clear()
    with transaction.atomic():
        more = (
            {}
            if method == "get"
            else {"data": body.encode("utf-8", "surrogatepass"), "content_type": "application/json"}
        )
        answer = getattr(client, method)(path, **more)
        transaction.set_rollback(True)
    return int(answer.status_code)


def _example(chance: random.Random) -> str:
    """A body that is nearly right: some fields, with values of any kind."""
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        2**70,
        1.5,
        "",
        "x",
        "\0",
        "\ud800",
        "a" * 5000,
        [],
        {},
        [[]],
        {"a": {}},
        "0" * 36,
    ]
    values += ["00000000-0000-0000-0000-000000000000", "low", "all", "bench", "https://example.org/"]
    shape = {chance.choice(FIELDS): chance.choice(values) for _ in range(chance.randint(0, 6))}
    text = json.dumps(shape)
    return chance.choice(
        [text, text[:-1], f"[{text}]", "NaN", "", '"x"', "[" * 2000, '{"size": ' + "9" * 5000 + "}"]
    )


def _queries(chance: random.Random) -> Iterator[str]:
    for position in ("x", "9" * 40, "\0", "1e5", "-1", "2026-01-01", "%"):
        made = base64.b64encode(
            f"p={position}&o={chance.choice(('0', '-1', '9' * 30, 'x'))}&r=1".encode()
        ).decode()
        yield f"cursor={made.replace('+', '%2B')}"
    yield from (
        "cursor=%00",
        "cursor=%ff",
        "limit=0",
        "limit=" + "9" * 50,
        "limit=%D9%A3",
        "page=-1",
        "as_of=9999-99-99",
        "as_of=0001-01-01",
    )
    yield from (
        "as_of=2026-01-01T00:00:00%2B99:99",
        "split=%00",
        "benchmark=%ff",
        "format=x",
        "track[]=1",
        "q=" + "a" * 3000,
    )
