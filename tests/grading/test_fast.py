"""The fast reader: it returns what the exact one returns, or says that it must not be used."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grading.graders.columns import Column, Kind
from grading.graders.fast import NotPlain, read_fast
from grading.graders.precheck import Limits, check_bytes
from grading.graders.reader import read_table
from grading.graders.verdict import InvalidSubmission


def plain(column: Column) -> tuple[Kind, str, list[str], list[bool]]:
    """All there is to a column, NaN and minus zero told apart."""
    return (
        column.kind,
        str(column.values.dtype),
        list(map(repr, column.values.tolist())),
        column.missing.tolist(),
    )


def compare(data: bytes) -> bool:
    """Whether the fast reader took the file; if so, it must have read what the exact one reads."""
    try:
        check_bytes(data, Limits(line_bytes=1000))
        fast = read_fast(data, lambda name: name != "unwanted")
    except (InvalidSubmission, NotPlain):
        return False
    exact = read_table(data, lambda name: name != "unwanted")
    assert (fast.names, fast.rows) == (exact.names, exact.rows)
    for name in fast.typed:
        assert plain(fast.column(name)) == plain(exact.column(name)), name
    assert set(fast.typed) == set(exact.cells)
    return True


def rows(*cells: str, head: str = "id,x") -> bytes:
    return (head + "\n" + "".join(f"a{i},{cell}\n" for i, cell in enumerate(cells))).encode()


def hidden(usual: str, *odd: str) -> bytes:
    """Odd cells where no sample is taken, as only the first and the last row are here."""
    return rows(*[usual] * 50, *odd, *[usual] * 50)


@pytest.fixture(autouse=True, scope="module")
def few_samples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grading.graders.fast.SAMPLED_LINES", 2)
        yield


TAKEN = {
    "integers": rows("1", "-2", "003", "-0"),
    "blanks around numbers": rows(" 1", "2 ", "\t3"),
    "floats": rows("1.5", ".5", "5.", "1e5", "-0.0", "1E-7"),
    "floats from far down on": hidden("1", "2.5"),
    "a plus sign far down, and a float": hidden("1", "+2.5"),
    "missing integers": rows("1", "", "NA", "3"),
    "missing floats": rows("1.5", "null", "-nan", "3"),
    "the smallest integer beside a missing one": rows("-9223372036854775808", "NA"),
    "all missing": rows("", "NA", "nan"),
    "tiny numbers": rows("1e-400", "4.9e-324", "0.1000000000000000055511151231257827021181583404541015625"),
    "text": rows("cat", "dog", "NA", "", " NA"),
    "text of numbers and one word": rows("1", "2", "three", "4.5"),
    "one word far down": hidden("1", "three"),
    "true and false": rows("True", "false", "TRUE"),
    "true, false and missing": rows("True", "NA"),
    "quotes": rows('"a, b"', '"say ""so"""', 'in"side', '"x"y', '""'),
    "quoted numbers and words": rows('"1"', '"2"3', '"NA"'),
    "line ends of two characters": b"id,x\r\na,1\r\nb,2\r\n",
    "no last line end": b"id,x\na,1\nb,2",
    "no last line end behind a quote": b'id,x\na,1\nb,"2"',
    "not ASCII": rows("né", "日本", "x"),
    "names that repeat": b"id,x,x,\na,1,2,3\n",
    "columns not asked for": b"id,unwanted,x\na,1,2\nb,x,3\n",
    "more than one block": rows(*map(str, range(60_000))),
    "a minus and a word behind an integer beyond 63 bits": rows("9223372036854775808", "NA", "-x"),
    "infinity behind a word": rows("word", "inf", "1e400"),
    "infinity seen in time": rows("1.5", "inf"),
    "hexadecimal seen in time": rows("1", "0x10"),
    "hexadecimal ids among floats": rows("0x1", "1.5", head="x,id"),
}
REFUSED = {
    "nothing": b"",
    "no rows": b"id,x\n",
    "one column": b"id\n1\n2\n",
    "blank lines": b"id,x\na,1\n\nb,2\n",
    "a line of blanks": b"id,x\na,1\n  \nb,2\n",
    "blank first line": b"\nid,x\na,1\n",
    "lone carriage returns": b"id,x\ra,1\rb,2\r",
    "one lone carriage return": b"id,x\na,1\rb,2\nc,3\n",
    "a carriage return for a blank line": b'id,x\na,1\n\nb,"2\r3"\n',
    "short row": b"id,x\na,1\nb\n",
    "long row": b"id,x\na,1\nb,2,3\n",
    "short row far down": rows(*["1"] * 50) + b"b\n" + rows(*["1"] * 50, head="a,2"),
    "row labels": b"id,x\n1,a,1\n2,b,2\n",
    "line break in quotes": b'id,x\na,"1\n2"\nb,3\n',
    "line break in quotes far down": hidden("1", '"1\n2"'),
    "line break in quotes for a blank line": b'id,x\na,"1\n2"\nb,3\n\n',
    "line break in the header": b'"id\n",x\na,1\n',
    "a quote never closed": b'id,x\na,1\nb,"2\nc,3\n',
    "a quote never closed in the last row": b'id,x\na,1\nb,"2',
    "a quote never closed in the last row, with line end": b'id,x\na,1\nb,"2\n',
    "a plus sign among integers": rows("1", "+2"),
    "a plus sign far down": hidden("1", "+2"),
    "infinity far down": hidden("1.5", "-Infinity"),
    "a word Arrow takes for NaN": hidden("1.5", "NAN"),
    "too large": hidden("1.5", "1e400"),
    "an integer beyond 63 bits": hidden("1", "9223372036854775808"),
    "an integer beyond 63 bits before a float": hidden("1", "99999999999999999999", "1.5"),
    "hexadecimal far down": hidden("1", "0x10"),
    "hexadecimal capital": hidden("1", "0X1f"),
    "only digits in one column, another of hexadecimal ids": b"id,x\n0x1,1\n0x2,2\n",
}


@pytest.mark.parametrize("data", TAKEN.values(), ids=TAKEN)
def test_taken_and_equal(data: bytes) -> None:
    assert compare(data)


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_left_to_the_exact_reader(data: bytes) -> None:
    with pytest.raises(NotPlain):
        read_fast(data, lambda name: True)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("one lone carriage return", "carriage return"),
        ("a carriage return for a blank line", "carriage return"),
        ("a quote never closed in the last row", "unclosed_quote"),
        ("line break in quotes far down", "rows of several lines"),
        ("short row far down", "cannot split"),
        ("too large", "not finite"),
        ("hexadecimal far down", "hexadecimal"),
    ],
)
def test_the_reason_is_told(name: str, told: str) -> None:
    with pytest.raises(NotPlain, match=told):
        read_fast(REFUSED[name], lambda name: True)


@pytest.mark.parametrize(("limit", "is_taken"), [(None, True), (3, True), (2, False)])
def test_more_rows_than_may_be_are_not_read(limit: int | None, is_taken: bool) -> None:
    data = rows("1", "2", "3")
    if is_taken:
        assert read_fast(data, lambda name: True, limit).rows == 3
    else:
        with pytest.raises(NotPlain, match="more rows"):
            read_fast(data, lambda name: True, limit)


ODD = [
    *["", "NA", "nan", "-NaN", "NAN", "null", "None", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e-400"],
    *[
        "1",
        "007",
        "-0",
        "+7",
        " 7",
        "7 ",
        "\t7",
        "\v7",
        "1.",
        ".5",
        ".",
        "1e5",
        "1e",
        "1_0",
        "1d5",
        "0x10",
        "0X1",
    ],
    *["9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616"],
    *[
        "1" * 30,
        "-" + "1" * 30,
        "-x",
        "- 1",
        "--1",
        "١",
        "1\xa0",
        "true",
        "True",
        "FALSE",
        "word",
        "née",
        "a b",
    ],
    *[
        '"1"',
        '"1"2',
        '"a,b"',
        '"a\nb"',
        '"a""b"',
        '"',
        '""',
        'x"y',
        '"x"y',
        "\r",
        "a\rb",
        "NaN",
        "0.1",
        "2.50",
    ],
]
MOSTLY = ["1", "2.5", "word", "true", "", "12_3", '"q"', "-5"]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A CSV of columns that are mostly of one kind, with some odd cells and rows here and there."""
    width, length = draw(st.integers(2, 3)), draw(st.integers(1, 400))
    kinds = draw(st.lists(st.sampled_from(MOSTLY), min_size=width, max_size=width))
    lines = [kinds[:] for _ in range(length)]
    for _ in range(draw(st.integers(0, 4))):
        row, column = draw(st.integers(0, length - 1)), draw(st.integers(0, width - 1))
        lines[row][column] = draw(st.sampled_from(ODD))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1]))):
        lines.insert(
            draw(st.integers(0, length)), draw(st.sampled_from([[], [" "], ["1"], ["1"] * 4, ['"x']]))
        )
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    text = end.join([",".join("abc"[:width]), *map(",".join, lines)])
    return (text + draw(st.sampled_from([end, end, ""]))).encode()


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(files())
@example(b'a,b\n1,2\n\n1,"2\r3"\n')
def test_equal_or_refused(data: bytes) -> None:
    compare(data)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(ODD), min_size=1, max_size=5), st.integers(0, 300), st.sampled_from(MOSTLY))
def test_equal_or_refused_in_one_column(odd: list[str], before: int, usual: str) -> None:
    compare(rows(*[usual] * before, *odd, usual, *odd[:1]))


PIECES = [
    "1,2\n",
    "x,.5\n",
    "3,\n",
    '"a",4\n',
    '"a,b",5\r\n',
    '6,"7"\n',
    " 8,9\n",
    '"',
    ",",
    "\n",
    "x",
    "\r\n",
]


def test_random_files() -> None:
    """Short files of rows and of what breaks rows, by the thousand."""
    chance = random.Random(1)
    taken = [
        compare(("a,b\n1,2\n" + "".join(chance.choices(PIECES, [4] * 7 + [1] * 5, k=6))).encode())
        for _ in range(3000)
    ]
    assert 300 < sum(taken) < 2700


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50), st.integers(1, 17)
)
def test_numbers_are_rounded_as_the_exact_reader_rounds(numbers: list[float], digits: int) -> None:
    compare(rows(*(f"{number:.{digits}g}" for number in numbers), "0.5"))


def values_of(data: bytes) -> Any:
    return read_fast(data, lambda name: True).column("x").values


def test_values_are_ordinary_arrays() -> None:
    assert values_of(TAKEN["text"]).tolist() == ["cat", "dog", "NA", "", " NA"]
    assert values_of(TAKEN["integers"]).dtype == np.int64


UNASKED_FOR = """
import sys
from pathlib import Path

class Watcher:
    asked = []
    def find_spec(self, name, path=None, target=None):
        self.asked.append(name)

sys.meta_path.insert(0, Watcher())
sys.path.insert(0, {root!r})
from grading.graders.grade import Reading, digest_answers, grade_files
from grading.graders.job import Checks, Job

job = Job("made-up", "accuracy", {{}}, "csv", ("id",), ("y",), Checks(values="as_text"))
file, digest = Path({file!r}), Path({file!r} + ".digest")
digest.write_bytes(b"".join(digest_answers(job, file, Reading.FAST)))
assert grade_files(job, file, digest, Reading.FAST).outcome.value == "scored"
assert "pyarrow" in Watcher.asked
assert "pandas" not in Watcher.asked
"""


@pytest.mark.parametrize("cells", [["1", "2"], ["1.5", ""], ["yes", "no"]], ids=["whole", "numbers", "words"])
def test_pandas_is_never_looked_for(tmp_path: Path, cells: list[str]) -> None:
    """Arrow would load it, if it is installed, which takes longer than most gradings."""
    file = tmp_path / "file.csv"
    file.write_text("id,y\n" + "".join(f"b{i},{cells[i % 2]}\n" for i in range(50)))
    code = UNASKED_FOR.format(root=str(Path(__file__).parents[2]), file=str(file))
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
