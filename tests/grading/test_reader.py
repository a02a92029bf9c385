"""Reading a CSV: the byte checks, the splitting into rows and the types of columns, as tables of cases.

Expected values were probed on the benchmark's reader (pandas 2.2.3, `float_precision="round_trip"`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grading.graders import utf8
from grading.graders.columns import Column, Kind
from grading.graders.precheck import Limits, read_checked
from grading.graders.reader import Table, UnreadableFile, name_columns, read_table
from grading.graders.verdict import InvalidSubmission

SMALL = Limits(file_bytes=1000, line_bytes=100, columns=5)


def read(text: str) -> Table:
    return read_table(text.encode())


def column(*cells: str) -> Column:
    quoted = (cell.replace('"', '""') for cell in cells)
    return read("k,x\n" + "".join(f'0,"{cell}"\n' for cell in quoted)).column("x")


def plain(column: Column) -> list[Any]:
    cells = zip(column.values.tolist(), column.missing.tolist(), strict=True)
    return [None if missing else value for value, missing in cells]


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ("a,b\n1,2\n", ["a", "b"], [["1", "2"]]),
        ("a,b\n1,2", ["a", "b"], [["1", "2"]]),
        ("a,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]),
        ("a,b\r1,2\r3,4\r", ["a", "b"], [["1", "2"], ["3", "4"]]),
        ("\n\n \t\na,b\n\n1,2\n  \n3,4\n\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
        (" a,b \n1, 2\n", [" a", "b "], [["1", " 2"]]),
        ("a,b\n1\n2,3\n", ["a", "b"], [["1", ""], ["2", "3"]]),
        ("a,b\n,\n1,2\n", ["a", "b"], [["", ""], ["1", "2"]]),
        ('a,b\n""\n', ["a", "b"], [["", ""]]),
        ('a\n" "\n', ["a"], [[" "]]),
        ("a\n  x\n", ["a"], [["  x"]]),
        ('"a\nb",c\n1,"x\r\ny"\n', ["a\nb", "c"], [["1", "x\r\ny"]]),
        ('a,b\n1,"x""y"\n', ["a", "b"], [["1", 'x"y']]),
        ('a,b\n1,"x"z"w\n', ["a", "b"], [["1", 'xz"w']]),
        ('a,b\n1,x"y"\n', ["a", "b"], [["1", 'x"y"']]),
        ("a;b\n1;2\n", ["a;b"], [["1;2"]]),
        # The first data row is longer than the header: leading fields are row labels.
        ("a,b\n1,2,3\n4,5,6\n", ["a", "b"], [["2", "3"], ["5", "6"]]),
        ("a,b\n1,2,\n4,5,\n", ["a", "b"], [["2", ""], ["5", ""]]),
        ("a,b\n1,2,3,4\n5,6\n", ["a", "b"], [["3", "4"], ["", ""]]),
        ("a,b,\n1,2\n", ["a", "b", "Unnamed: 2"], [["1", "2", ""]]),
        ("a,b\n", ["a", "b"], []),
    ],
)
def test_rows(text: str, names: list[str], rows: list[list[str]]) -> None:
    table = read(text)
    assert table.names == names
    assert table.rows == len(rows)
    cells = [table.cells[name].tolist() for name in names]
    assert [list(row) for row in zip(*cells, strict=True)] == rows


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["a", "a"], ["a", "a.1"]),
        (["a", "a", "a.1"], ["a", "a.2", "a.1"]),
        (["a.1", "a", "a"], ["a.1", "a", "a.2"]),
        (["", "b"], ["Unnamed: 0", "b"]),
        (["Unnamed: 1", ""], ["Unnamed: 1", "Unnamed: 1.1"]),
    ],
)
def test_names_are_made_unique(header: list[str], names: list[str]) -> None:
    assert name_columns(header) == names


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", "empty_file", "first line must name"),
        ("\n \n", "empty_file", "first line must name"),
        ("a,b\n1,2\n3,4,5\n", "too_many_fields", "Data row 2 has 3 fields where 2 are expected"),
        ("a,b\n1\n2,3,4\n", "too_many_fields", "Data row 2"),
        ('a,b\n"1,2\n', "unclosed_quote", "never closed"),
        ('a,"b\n1,2\n', "unclosed_quote", "never closed"),
        ('a,b\n1,2\n"', "unclosed_quote", "never closed"),
    ],
)
def test_unreadable(text: str, code: str, told: str) -> None:
    with pytest.raises(UnreadableFile, match=told) as caught:
        read(text)
    assert caught.value.code == code


def test_a_row_too_long_is_found_beyond_the_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.graders.reader.BLOCK_ROWS", 2)
    with pytest.raises(UnreadableFile, match="Data row 5"):
        read("a\n1\n2\n3\n4\n5,6\n")


BLANK_LINES = {
    "lf": "\n" * 400,
    "crlf": " \t\r\n" * 100,
    "cr": "\r" * 400,
    "mixed": "\n \r\r\n" * 90,
    "few": "\n" * 9,
}


@pytest.mark.parametrize("blank", BLANK_LINES.values(), ids=BLANK_LINES)
@pytest.mark.parametrize("first", ["1", '"1"'])
def test_long_runs_of_blank_lines_are_stepped_over(blank: str, first: str) -> None:
    table = read(f"{blank}a,b\n{blank}{first},2\r\n{blank}  3,4\n{blank}")
    assert (table.rows, table.names) == (2, ["a", "b"])
    assert table.cells["a"].tolist() == ["1", "  3"]


def test_blank_lines_within_quotes_belong_to_their_field() -> None:
    blank = "\n" * 400 + "  "
    assert read(f'a,b\n"{blank}",2\n\n3,4\n').cells["a"].tolist() == [blank, "3"]


@pytest.mark.parametrize("row", ["1,2\n", '"1",2\n'])
def test_more_rows_than_may_be_are_not_all_read(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.graders.reader.BLOCK_ROWS", 2)
    monkeypatch.setattr("grading.graders.reader.BLOCK_CHARACTERS", 8)
    for rows, is_cut in ((3, False), (9, True)):
        table = read_table(("a,b\n" + row * rows).encode(), rows_at_most=3)
        assert table.is_cut == is_cut
        assert (table.rows > 3) == is_cut
        assert table.rows < 8


def test_a_row_is_bounded_over_all_its_lines() -> None:
    text = 'a,b\n1,"x\ny\nz"\n'
    assert read_table(text.encode(), record_characters=9).rows == 1
    with pytest.raises(UnreadableFile, match="quote that is never closed"):
        read_table(text.encode(), record_characters=7)


def test_blocks_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.graders.reader.BLOCK_ROWS", 2)
    monkeypatch.setattr("grading.graders.columns.BLOCK_CELLS", 2)
    assert plain(read("a\n1\n2\nNA\n4\n5\n").column("a")) == [1.0, 2.0, None, 4.0, 5.0]


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (("1", "-2", "+3"), Kind.INTEGER, [1, -2, 3]),
        (("007", " 5", "6\t", "1\x0b"), Kind.INTEGER, [7, 5, 6, 1]),
        (("00000000000000000000000001",), Kind.INTEGER, [1]),
        (("1", ""), Kind.FLOAT, [1.0, None]),
        (("", "NA"), Kind.FLOAT, [None, None]),
        (("1.", ".5", "1e5", "1E-1"), Kind.FLOAT, [1.0, 0.5, 100000.0, 0.1]),
        ((" 1.5", "1.5\x0c"), Kind.FLOAT, [1.5, 1.5]),
        (("inf", "-INFINITY", "+Inf"), Kind.FLOAT, [float("inf"), float("-inf"), float("inf")]),
        (("1e-400", "-0"), Kind.FLOAT, [0.0, -0.0]),
        (("-1e400", "1"), Kind.FLOAT, [float("-inf"), 1.0]),
        (("True", "false", "TRUE"), Kind.BOOLEAN, [True, False, True]),
        (("true", "null"), Kind.BOOLEAN, [True, None]),
        (("true", "1"), Kind.TEXT, ["true", "1"]),
        (("true ", "false"), Kind.TEXT, ["true ", "false"]),
        ((" inf", "1"), Kind.TEXT, [" inf", "1"]),
        ((" nan", "1"), Kind.TEXT, [" nan", "1"]),
        (("1_0", "2"), Kind.TEXT, ["1_0", "2"]),
        (("1d5",), Kind.TEXT, ["1d5"]),
        (("0x10",), Kind.TEXT, ["0x10"]),
        (("1,5",), Kind.TEXT, ["1,5"]),
        (("1e",), Kind.TEXT, ["1e"]),
        ((".",), Kind.TEXT, ["."]),
        (("1\n2",), Kind.TEXT, ["1\n2"]),
        (("\u0661",), Kind.TEXT, ["\u0661"]),
        (("1\xa0",), Kind.TEXT, ["1\xa0"]),
        (("a", "None", "<NA>", "-1.#IND"), Kind.TEXT, ["a", None, None, None]),
        # Overflow, in the order the benchmark's reader meets it.
        (("1e400", "1"), Kind.TEXT, ["1e400", "1"]),
        (("9223372036854775808", "1"), Kind.INTEGER, [9223372036854775808, 1]),
        (("9223372036854775808", "1.5"), Kind.FLOAT, [9.223372036854776e18, 1.5]),
        (("9223372036854775808", "-1"), Kind.TEXT, ["9223372036854775808", "-1"]),
        (("9223372036854775808", "NA"), Kind.TEXT, ["9223372036854775808", "NA"]),
        (("-9223372036854775809", "1"), Kind.TEXT, ["-9223372036854775809", "1"]),
        (("18446744073709551616", "1.5"), Kind.TEXT, ["18446744073709551616", "1.5"]),
        (("1.5", "18446744073709551616"), Kind.FLOAT, [1.5, 1.8446744073709552e19]),
        (("-9223372036854775808", ""), Kind.FLOAT, [pytest.approx(float("nan"), nan_ok=True), None]),
    ],
)
def test_types(cells: tuple[str, ...], kind: Kind, values: list[Any]) -> None:
    typed = column(*cells)
    assert typed.kind is kind
    assert plain(typed) == values


def test_a_long_run_of_digits_costs_no_quadratic_time() -> None:
    assert column("1" * 60_000 + "x").kind is Kind.TEXT
    assert column("1" * 60_000).kind is Kind.TEXT
    assert column("1.5", "-" + "1" * 60_000).values.tolist() == [1.5, float("-inf")]


@pytest.mark.parametrize(
    ("data", "code", "told"),
    [
        (b"\x1f\x8b\x08rest", "not_csv", "gzip"),
        (b"PK\x03\x04rest", "not_csv", "zip"),
        (b"\x28\xb5\x2f\xfdrest", "not_csv", "zstd"),
        (b"PAR1rest", "not_csv", "Parquet"),
        ("a,b\n1,2\n".encode("utf-16"), "not_utf8", "UTF-16"),
        (b"a,b\n1,2\n3,\x00\n", "nul_byte", "Line 3"),
        (b"a,b\n1,\xff\n", "not_utf8", "not UTF-8"),
        (b"a\n" + b"x" * 101 + b"\n", "line_too_long", "Line 2 is longer than 100 bytes"),
        (b"a\r" + b"1\r" * 60 + b"x" * 101, "line_too_long", "Line 62"),
        (b"a,b,c,d,e,f\n", "too_many_columns", "6 columns"),
        (b'a,"\n",b,c,\n\r\n1,2,3,4,5,6\n', "too_many_columns", "Data row 1 has 6 columns"),
        (b"a,b\r\n \t\r\n1,2,3,4,5,6\r\n7", "too_many_columns", "Data row 1 has 6 columns"),
        (b"a,b\n1,2,3,4,5,6\n7", "too_many_columns", "Data row 1 has 6 columns"),
        (b"a,b\n1,2,3,4,5,6", "too_many_columns", "Data row 1 has 6 columns"),
        (b"\n\na,b,c,d,e,f\n" + b"x" * 101 + b",\n", "line_too_long", "Line 4"),
        (b'\n\na,b,"\n",c,"\n",d', "too_many_columns", "The header has 6 columns"),
        (b'a,"' + b"b\n" * 60 + b'"\n1,2\n', "row_too_long", "line breaks inside quotes"),
        (b"a\n" * 501, "file_too_large", "1002 bytes"),
    ],
)
def test_bytes_that_are_no_csv(tmp_path: Path, data: bytes, code: str, told: str) -> None:
    path = tmp_path / "submission.csv"
    path.write_bytes(data)
    with pytest.raises(InvalidSubmission, match=told) as caught:
        read_checked(path, SMALL)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfa,b\n1,2\n", "é,b\n1,2\n".encode(), b"", b"a\n" + b"x" * 100 + b"\n", b"a,b,c,d,e\r1,2\r"],
)
def test_bytes_that_pass(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "submission.csv"
    path.write_bytes(data)
    assert read_checked(path, SMALL) == data.removeprefix(b"\xef\xbb\xbf")


def test_lines_are_bounded_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grading.graders.precheck.CHUNK", 16)
    path = tmp_path / "submission.csv"
    path.write_bytes(b"x" * 40 + b"\n" + b"y" * 40 + "é".encode() + b"\n" + b"z" * 101)
    with pytest.raises(InvalidSubmission, match="Line 3"):
        read_checked(path, SMALL)


@pytest.mark.parametrize("is_utf8", [utf8._arrow_agrees, utf8._decodes])
@pytest.mark.parametrize(
    ("data", "good"),
    [
        ("é日本😀".encode(), True),
        (b"\xef\xbf\xbf\xf4\x8f\xbf\xbf", True),
        (b"abc\xff", False),
        (b"\xc3", False),
        (b"\x80", False),
        (b"\xc0\xaf", False),
        (b"\xe0\x80\xaf", False),
        (b"\xed\xa0\x80", False),
        (b"\xf4\x90\x80\x80", False),
        (b"a" * 100 + b"\xe6\x97", False),
    ],
)
def test_utf8_is_strict_with_arrow_and_without(
    is_utf8: Callable[[bytes], bool], data: bytes, good: bool
) -> None:
    assert is_utf8(data) is good
    assert utf8.is_utf8(data) is good
