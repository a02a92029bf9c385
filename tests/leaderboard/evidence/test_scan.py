"""What is kept of lines, what must not be, and files that want to keep the worker busy."""

import io
import os
import time
import tracemalloc

import pytest

from leaderboard.evidence.blocks import BLOCK, Unreadable, read_blocks
from leaderboard.evidence.facts import from_json, to_json
from leaderboard.evidence.scan import CUT, KEPT, MOST_MATCHED, WITHHELD
from tests.leaderboard.evidence.logs import HONEST, facts_of, read

GRADED = "mlebench grade-sample submission.csv spaceship-titanic"


def test_a_line_is_kept_with_two_neighbours_on_either_side() -> None:
    (line,) = read(f"1\n2\n3\n{GRADED}\n5\n6\n7\n").lines
    assert (line.number, line.text, line.before, line.after) == (4, GRADED, ["2", "3"], ["5", "6"])


def test_neighbours_are_found_across_blocks() -> None:
    filler = "x" * 99 + "\n"
    rows = BLOCK // 100
    log = filler * rows + "before\n" + f"{GRADED}\n" + "after\n" + filler * rows
    (line,) = read(log).lines
    assert line.number == rows + 2
    assert (line.before[-1], line.after[0]) == ("before", "after")
    for shift in range(0, 60, 7):
        (line,) = read("y" * (BLOCK - 30 - shift) + "\nbefore\n" + f"{GRADED}\nafter\n").lines
        assert (line.number, line.before[-1], line.after) == (3, "before", ["after"])


def test_a_match_across_the_cut_of_a_long_line_is_found_and_counted_once() -> None:
    for at in (BLOCK - 40, BLOCK - 5, BLOCK, BLOCK + 7):
        facts = facts_of("x" * (at - 1) + " " + GRADED + " " + "y" * BLOCK)
        assert facts.seen["grading-command"].lines >= 1, at
        assert facts.lines == 1


def test_a_line_is_cut_around_the_match_and_cleaned() -> None:
    line = (
        b"a" * 500
        + b" \x00\x1b[31m\xe2\x80\xae\xff "
        + GRADED.encode()
        + b" <script>alert(1)</script> "
        + b"b" * 500
    )
    (kept,) = read(line).lines
    assert GRADED in kept.text
    assert len(kept.text) <= CUT + 2
    assert kept.text.startswith("…")
    assert kept.text.endswith("…")
    assert all(character.isprintable() for character in kept.text)
    assert "<script>" in kept.text  # Escaped by the template, not here.


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-0123456789abcdefABCD",
        "hf_0123456789abcdefABCD",
        "AKIA0123456789ABCDEF",
        "Authorization: Bearer 0123456789.abcdef",
        'OPENAI_API_KEY="0123456789abcdef"',
        "eyJhbGciOiJIUzI1NiJ9.eyJ0123456789In0.abc",
    ],
)
def test_keys_that_were_forgotten_in_a_log_are_not_kept(secret: str) -> None:
    (line,) = read(f"before {secret}\n{secret} {GRADED} {secret}\nafter {secret}\n").lines
    for text in (*line.before, line.text, *line.after):
        assert "[key]" in text
        assert "0123456789" not in text
    assert GRADED in line.text


def test_no_more_than_twenty_lines_of_a_pattern_are_kept_and_all_are_counted() -> None:
    gathering = read(f"{GRADED}\n" * 50, f"{GRADED}\n" * 50)
    assert len(gathering.lines) == KEPT
    assert gathering.facts().seen["grading-command"].lines == 100


ANSWERS = "0013_01,True\n0018_01,False\n"
READ_PRIVATE = [
    f"$ head /private/data/x/prepared/private/test.csv\n{ANSWERS}",
    '{"command": "head /private/data/private/test.csv", "output": "0013_01,True\\n0018_01,False"}\n',
    f"print(open('/private/data/answers.csv').read())\n{ANSWERS}{GRADED}\n{ANSWERS}",
    f"{GRADED}\n$ cat prepared/private/test.csv\n{ANSWERS}",
    f"{GRADED}\nx\n$ cat prepared/private/test.csv\n{ANSWERS}",
    f"cat prepared/private/test.csv 0013_01,True {GRADED} 0018_01,False\n",
]


@pytest.mark.parametrize("log", READ_PRIVATE)
def test_what_may_be_an_answer_is_not_kept(log: str) -> None:
    gathering = read(HONEST + log)
    assert "private-read" in gathering.facts().seen
    for line in gathering.lines:
        shown = " ".join([*line.before, line.text, *line.after])
        assert "0018_01" not in shown
        assert WITHHELD in line.after


def test_neighbours_are_kept_again_further_down() -> None:
    log = READ_PRIVATE[0] + "filler\n" * 60 + f"before\n{GRADED}\nafter\n"
    kept = [line for line in read(log).lines if line.code == "grading-command"]
    assert [(line.before[-1], line.after) for line in kept] == [("before", ["after"])]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
    ],
)
def test_what_is_no_plain_text_is_named_and_not_read(start: bytes, said: str) -> None:
    facts = facts_of(start + GRADED.encode())
    assert (facts.files, len(facts.unread)) == (0, 1)
    assert said in facts.unread[0].reason


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"file_bytes": 70_000}, "only its first 70,000 bytes were read"),
        ({"total_bytes": 70_000}, "the limit of 70,000 bytes for all files together"),
        ({"lines": 2}, "the limit of 2 lines for all files together"),
        ({"seconds": 0.0}, "the limit of 0 seconds for all files together"),
    ],
)
def test_limits_are_kept_and_named(limits: dict[str, float], said: str) -> None:
    gathering = read("x" * 99 + "\n" + ("y" * 99 + "\n") * 2_000 + GRADED, **limits)
    facts = gathering.facts()
    assert said in facts.unread[0].reason
    assert facts.bytes < 140_000
    assert "grading-command" not in facts.seen


def test_a_file_of_exactly_the_limit_is_read_whole() -> None:
    facts = facts_of(b"x" * 100, file_bytes=100)
    assert (facts.bytes, facts.unread) == (100, ())


def test_facts_survive_being_kept() -> None:
    facts = facts_of(READ_PRIVATE[2], HONEST, b"PK\x03\x04")
    assert from_json(to_json(facts)) == facts
    assert from_json({}, is_given_up=True).is_given_up


MIB = 1 << 20
HOSTILE = {
    "no newline": b"x" * (8 * MIB),
    "newlines": b"\n" * (2 * MIB),
    "one long line full of matches": f"{GRADED} ".encode() * 20_000,
    "every line matches": f"{GRADED}\n".encode() * 4_000,
    "every line forbids": f"do not never do not {GRADED}\n".encode() * 4_000,
    "ids without end": b"gpt-4" + b"-mini" * 500_000,
    "one id again and again": b"gpt-4o " * 100_000,
    "many ids": b"".join(b"using gpt-%d-2024-08-%02d\n" % (4 + n % 5, n % 28 + 1) for n in range(4_000)),
    "times": b"2026-03-01 10:00:00\n" * 200_000,
    "keys of times": b'"timestamp"  :  ' * 200_000,
    "beginnings of matches": b"curl cat open POST mlebench " * 100_000,
    "a late end": b"cat " * 500_000 + b"/private/data",
    "zeros": b"\x00" * (4 * MIB),
    "not UTF-8": b"\xff\xc0\xaf " * MIB,
    "random": os.urandom(2 * MIB),
    "deep JSON": b'{"a":' * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_read_in_bounded_time_and_memory(name: str) -> None:
    data = HOSTILE[name]
    read(data[: 2 * BLOCK])  # RE2's own tables are made once.
    tracemalloc.start()
    began = time.process_time()
    try:
        facts = facts_of(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert facts.bytes == len(data)
    assert peak < 24 * MIB
    # Traced memory slows everything down; without it the slowest takes half a second.
    assert time.process_time() - began < 10


def test_when_too_many_lines_match_the_rest_is_only_timed_and_that_is_said() -> None:
    facts = facts_of(f"{GRADED}\n" * (MOST_MATCHED + 5_000))
    assert facts.seen["grading-command"].lines == MOST_MATCHED
    assert "20,000 lines match" in facts.unread[0].reason


def test_blocks_are_whole_lines_and_nothing_is_lost() -> None:
    data = b"".join(b"%d %s\n" % (number, b"z" * (number % 300)) for number in range(3_000))
    blocks = list(read_blocks(io.BytesIO(data), len(data)))
    assert b"".join(block.data for block in blocks) == data
    for block in blocks:
        assert block.data.split(b" ", 1)[0] == b"%d" % (block.first - 1)


def test_an_unreadable_file_raises_before_anything_is_given() -> None:
    with pytest.raises(Unreadable, match="gzip"):
        next(read_blocks(io.BytesIO(b"\x1f\x8b"), 10))
