"""Digested answers: the same table as the file gives, found again without reading all of it, and never executed."""

import errno
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from grading.catalogue import job_for, shipped_competitions
from grading.digests import ready_answers
from grading.graders.columns import ABSENT, Column, Kind, all_rows, infer_column
from grading.graders.container import MAGIC, Array, is_container, pack, unpack
from grading.graders.grade import Reading, digest_answers, grade_files, read_answers
from grading.graders.id_index import IdIndex, index_ids
from grading.graders.ids import Pairing, pair_joined, pair_ranked, pair_sorted
from grading.graders.job import Job
from grading.graders.packed import PackedColumn, pack_text
from grading.graders.repeated_ids import pair_superset
from grading.graders.verdict import AnswersError, InvalidSubmission, Outcome
from grading.vault import Vault, VaultError

CACTUS = shipped_competitions()["aerial-cactus-identification"]
SPEECH = shipped_competitions()["tensorflow-speech-recognition-challenge"]
CSV = b"id,has_cactus\na,1\nb,0\nc,1\n"
JOB = Job.from_dict(job_for(CACTUS))


def column(*cells: str) -> Column:
    return infer_column(np.array(cells, dtype=np.dtypes.StringDType()))


def packed(*cells: str) -> Column:
    plain = column(*cells)
    if plain.kind is not Kind.TEXT:
        return plain
    return PackedColumn(pack_text(np.array(cells, dtype=np.dtypes.StringDType())), plain.missing)


def write(path: Path, data: bytes | Iterator[bytes | memoryview]) -> Path:
    with path.open("wb") as file:
        file.writelines([data] if isinstance(data, bytes) else data)
    return path


@pytest.mark.parametrize(
    "values",
    [
        ("1", "2", "-3"),
        ("1.5", "", "2"),
        ("true", "FALSE", "True"),
        ("true", "NA", "false"),
        ("yes", "no", ""),
        ("né", "", "日本語"),
        ("9223372036854775808", "1", "2"),
        ("", "NA", "nan"),
    ],
)
def test_a_digest_holds_what_the_file_says(tmp_path: Path, values: tuple[str, ...]) -> None:
    text = "fname,label,extra\n" + "".join(f"a{i},{value},9\n" for i, value in enumerate(values))
    job = Job.from_dict(job_for(SPEECH))
    answers = write(tmp_path / "answers.csv", text.encode())
    digest = write(tmp_path / "answers.digest", digest_answers(job, answers))
    whole, quick = read_answers(job, answers), read_answers(job, digest)
    assert (quick.names, quick.rows) == (whole.names, whole.rows)
    for name in ("fname", "label"):
        one, other = quick.column(name), whole.column(name)
        assert (one.kind, one.values.dtype) == (other.kind, other.values.dtype)
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.missing, other.missing)
    assert "extra" not in quick


@pytest.mark.parametrize(
    "text",
    [
        "fname,label\n" + "".join(f"a{i},{i}\n" for i in range(300)),
        "fname,label\n" + "".join(f"a{i},{i / 8}\n" for i in range(300)),
        "fname,label\n" + "".join(f"a{i},né{i % 3}\n" for i in range(300)),
        "fname,label\n" + "".join(f"a{i},\n" if i % 2 else f"a{i},yes\n" for i in range(300)),
        "fname,label\r\n" + "".join(f"a{i},{i}\r\n\r\n" for i in range(300)),
        'fname,label\n"a,1","b\n2"\na2,c\n',
        "\ufefffname,label\na,1\nb,2\n",
        "fname,label\na,1\x00\nb,2\n",
    ],
    ids=["whole", "numbers", "words", "missing", "blank lines", "quotes", "mark", "zero byte"],
)
def test_answers_are_digested_alike_both_ways(tmp_path: Path, text: str) -> None:
    job, answers = Job.from_dict(job_for(SPEECH)), write(tmp_path / "answers.csv", text.encode())
    ways = [b"".join(digest_answers(job, answers, each)) for each in (Reading.FAST, Reading.EXACT)]
    assert ways[0] == ways[1]


@pytest.mark.parametrize("reading", Reading)
def test_answers_that_are_no_utf8_are_our_fault(tmp_path: Path, reading: Reading) -> None:
    answers = write(tmp_path / "answers.csv", b"id,has_cactus\n" + b"a\xff,1\n" * 30_000)
    with pytest.raises(AnswersError, match="cannot be read"):
        b"".join(digest_answers(JOB, answers, reading))


def test_answers_without_rows(tmp_path: Path) -> None:
    answers = write(tmp_path / "answers.csv", b"id,has_cactus\n")
    digest = write(tmp_path / "answers.digest", digest_answers(JOB, answers))
    assert read_answers(JOB, digest).rows == 0


def test_files_may_be_open_descriptors(tmp_path: Path) -> None:
    answers = write(tmp_path / "answers.csv", CSV)
    digest = write(tmp_path / "answers.digest", digest_answers(JOB, answers))
    submission = write(tmp_path / "submission.csv", b"id,has_cactus\nc,0.9\nb,0.1\na,0.8\n")
    with submission.open("rb") as first, digest.open("rb") as second, answers.open("rb") as third:
        for file in (first, second):
            file.seek(5)
        for source in (second.fileno(), third.fileno(), digest, answers):
            assert grade_files(JOB, first.fileno(), source).score == 1.0


@pytest.mark.parametrize("size", [0, 10, 60, 200])
def test_a_digest_cut_short_is_our_fault(tmp_path: Path, size: int) -> None:
    answers = write(tmp_path / "answers.csv", CSV)
    whole = b"".join(digest_answers(JOB, answers))
    digest = write(tmp_path / "answers.digest", whole[: len(MAGIC) + size])
    verdict = grade_files(JOB, write(tmp_path / "submission.csv", CSV), digest)
    assert (verdict.outcome, verdict.code) == (Outcome.GRADER_ERROR, "answers_unusable")


def test_a_container_takes_plain_arrays_only() -> None:
    arrays: dict[str, Array] = {
        "a": np.arange(6, dtype=np.int32).reshape(2, 3),
        "b": np.array([], dtype=np.float64),
    }
    found = unpack(b"".join(pack({"x": [1]}, arrays)))
    assert found.facts == {"x": [1]}
    for name, array in arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)
    assert not found.arrays["a"].flags.writeable
    with pytest.raises(TypeError):
        b"".join(pack({}, {"a": np.array([object()])}))
    assert not is_container(pickle.dumps(arrays))


IDS = [
    ["b", "a", "c"],
    ["", "1", "12345678", "123456789", "1" * 64],
    ["né", "ne", "n"],
    ["5", "-3", "9223372036854775807", "0"],
    [f"{i}_{i % 7}" for i in range(70_000)],
]


@pytest.mark.parametrize("ids", IDS, ids=["short", "lengths", "characters", "numbers", "many"])
def test_every_id_is_found_and_no_other(ids: list[str]) -> None:
    index = index_ids(without_missing(packed(*ids)))
    assert index is not None
    order = np.random.default_rng(0).permutation(len(ids))
    found = index.find(without_missing(packed(*(ids[i] for i in order))))
    assert found is not None
    np.testing.assert_array_equal(found, order)
    for other in ("x", "11", "1234567", "né ", "70000_0"):
        mixed = without_missing(packed(*ids[1:], other))
        assert index.find(mixed) is None
        if mixed.kind is index.kind and len(other) <= max(map(len, ids)):
            located = index.locate(mixed)
            assert located is not None
            assert located.tolist() == [*range(1, len(ids)), ABSENT]


def without_missing(ids: Column) -> Column:
    """The empty text is an id here like any other."""
    return PackedColumn(ids.cells, np.zeros_like(ids.missing)) if isinstance(ids, PackedColumn) else ids


@pytest.mark.parametrize("ids", [["a", "b", "a"], ["1", "1"], ["1.5", "2"], ["1" * 65, "2x"], ["a", ""], []])
def test_ids_without_an_index(ids: list[str]) -> None:
    assert index_ids(packed(*ids)) is None


def test_ids_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ids hash alike but for the last bits, which choose no slot."""
    monkeypatch.setattr(
        "grading.graders.id_index.hash_words", lambda words: words[:, 0] & np.uint64(0xFFFFFFFF)
    )
    ids = [f"id{i}" for i in range(50)]
    index = index_ids(packed(*ids))
    assert isinstance(index, IdIndex)
    assert index.find(packed(*ids[::-1])).tolist() == list(range(50))[::-1]  # type: ignore[union-attr]
    assert index.find(packed("id50")) is None


def digested(*cells: str) -> Column:
    ids = packed(*cells)
    object.__setattr__(ids, "finder", index_ids(ids))
    return ids


@pytest.mark.parametrize(
    ("given", "places"),
    [
        (("a", "b", "c"), [0, 1, 2]),
        (("c", "a", "b"), [1, 2, 0]),
        (("c", "a", "a"), None),
        (("c", "a", "d"), None),
        (("c", "a", ""), None),
        (("c", "a"), None),
        (("c", "a", "b", "b"), None),
        (("1", "2", "3"), None),
    ],
)
def test_rows_are_paired_as_without_an_index(given: tuple[str, ...], places: list[int] | None) -> None:
    if places is None:
        messages = []
        for answers in (column("a", "b", "c"), digested("a", "b", "c")):
            with pytest.raises(InvalidSubmission) as caught:
                pair_sorted("id", packed(*given), answers)
            messages.append(caught.value.message)
        assert messages[0] == messages[1]
        return
    pairing = pair_sorted("id", packed(*given), digested("a", "b", "c"))
    assert pairing.submission.tolist() == places
    assert pairing.answers is all_rows(3)


@pytest.mark.parametrize("given", ["abc", "cab", "caa", "cad", "bxa", "aab"])
def test_ids_are_ranked_as_without_an_index(given: str) -> None:
    pairings = [pair_ranked(packed(*given), answers) for answers in (column(*"bca"), digested(*"bca"))]
    assert pairs_of(pairings[0]) == pairs_of(pairings[1])


@pytest.mark.parametrize("given", ["cab", "xcyabz", "cabb", "ccab", "caax", "x", "acx"])
def test_what_is_asked_for_is_found_as_without_an_index(given: str) -> None:
    found = []
    for answers in (column(*"bca"), digested(*"bca")):
        try:
            found.append(pairs_of(pair_superset("id", packed(*given), answers)))
        except InvalidSubmission as reason:
            found.append({(reason.code, reason.message)})
    assert found[0] == found[1]


def pairs_of(pairing: Pairing) -> set[tuple[object, object]]:
    return set(zip(pairing.submission.tolist(), pairing.answers.tolist(), strict=True))


def test_repeats_are_joined_as_without_an_index() -> None:
    for answers in (column("7", "8"), digested("7", "8")):
        assert pair_joined("id", packed("8", "7", "8"), answers).answers.tolist() == [1, 0, 1]
        with pytest.raises(InvalidSubmission, match=r"1 id is absent \(7\)"):
            pair_joined("id", packed("8", "8"), answers)


@pytest.mark.parametrize(
    "cells", [["b", "a", "ab", "", "é", "z", "a"], ["x" * 30 + c for c in "cabca"], ["a", "1" * 99]]
)
def test_packed_text_sorts_as_text_does(cells: list[str]) -> None:
    expected = np.argsort(np.array(cells, dtype=np.dtypes.StringDType()), kind="stable")
    np.testing.assert_array_equal(packed(*cells).sorted_rows(), expected)


@pytest.mark.parametrize("cells", [["b", "", "né", "NA"], ["1", "2", "x", "3"]])
def test_packed_text_is_cleared_as_text_is(cells: list[str]) -> None:
    where = np.array([True, False, False, True])
    one, other = packed(*cells).cleared(where), column(*cells).cleared(where)
    assert one.values.tolist() == other.values.tolist() == ["0", *cells[1:3], "0"]
    assert one.missing.tolist() == other.missing.tolist()


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def test_a_digest_is_made_once_and_kept_private(vault: Vault) -> None:
    stored = vault.store(CACTUS.id, 1, CSV)
    path = ready_answers(vault, CACTUS, 1, stored.hmac)
    made = path.stat()
    assert path.suffix == ".digest"
    assert made.st_mode & 0o777 == 0o600
    assert sorted(os.listdir(path.parent)) == ["1.csv", "1.digest"]
    assert ready_answers(vault, CACTUS, 1, stored.hmac) == path
    assert path.stat() == made


@pytest.mark.parametrize("changed", [0, 40, -40, -1])
def test_a_changed_digest_is_made_anew(vault: Vault, changed: int) -> None:
    stored = vault.store(CACTUS.id, 1, CSV)
    path = ready_answers(vault, CACTUS, 1, stored.hmac)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[changed] ^= 1
    path.write_bytes(damaged)
    assert ready_answers(vault, CACTUS, 1, stored.hmac).read_bytes() == whole


def test_a_digest_serves_nothing_else(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number, other answers, another competition or other code: the digest is made from the answers."""
    first, second = vault.store(CACTUS.id, 1, CSV), vault.store(CACTUS.id, 2, CSV.replace(b"1", b"0"))
    one, two = (ready_answers(vault, CACTUS, n, each.hmac) for n, each in ((1, first), (2, second)))
    content = one.read_bytes()
    one.write_bytes(two.read_bytes())
    assert ready_answers(vault, CACTUS, 1, first.hmac).read_bytes() == content
    monkeypatch.setattr("grading.digests.grader_version", lambda: "another")
    written = one.stat().st_mtime_ns
    ready_answers(vault, CACTUS, 1, first.hmac)
    assert one.stat().st_mtime_ns > written


def test_answers_must_be_those_on_record(vault: Vault) -> None:
    stored = vault.store(CACTUS.id, 1, CSV)
    stored.path.write_bytes(CSV + b"d,1\n")
    with pytest.raises(VaultError, match="are not those on record"):
        ready_answers(vault, CACTUS, 1, stored.hmac)


def test_answers_that_cannot_be_digested_are_given_as_they_are(vault: Vault) -> None:
    stored = vault.store(CACTUS.id, 1, b"no,such,columns\n1,2,3\n")
    assert ready_answers(vault, CACTUS, 1, stored.hmac) == stored.path


def test_a_vault_that_takes_no_more_files_is_graded_from_all_the_same(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = vault.store(CACTUS.id, 1, CSV)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr("grading.vault.os.replace", full)
    assert ready_answers(vault, CACTUS, 1, stored.hmac) == stored.path
    assert [path.name for path in stored.path.parent.iterdir()] == ["1.csv"]


def test_unchanged_files_are_read_once(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = vault.store(CACTUS.id, 1, CSV)
    assert vault.verify(CACTUS.id, 1, stored.hmac)
    monkeypatch.setattr("grading.vault._read", lambda file, size: pytest.fail("read again"))
    assert vault.verify(CACTUS.id, 1, stored.hmac)
