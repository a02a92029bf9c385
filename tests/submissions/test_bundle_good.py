"""Bundles that are read: the same files give the same runs, however they are packed."""

import gzip
import hashlib
import io
import json

import pytest
import zstandard

from submissions.bundle import BundleError, Code, IgnoredMember, Kind, Manifest, Member, read_bundle
from tests.submissions import bundles as b

SHA_CSV = hashlib.sha256(b.CSV).hexdigest()
GOOD = b.good_files()


@pytest.fixture(scope="module", params=b.FORMATS)
def packed(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    return request.param, b.FORMATS[request.param](GOOD)


def members_by_path(manifest: Manifest) -> dict[str, Member]:
    return {member.path: member for member in manifest.members}


def test_reads_every_format_alike(packed: tuple[str, bytes]) -> None:
    name, data = packed
    manifest = b.read(data)
    assert (manifest.format, manifest.size) == (name, len(data))
    assert manifest.sha256 == hashlib.sha256(data).hexdigest()
    assert manifest.members == b.read(b.tar(GOOD)).members
    assert manifest.ignored == (IgnoredMember("README.md", "not a place of the layout"),)
    assert (manifest.run_card, manifest.run_card_name) == (b.RUN_CARD, "run_card.yaml")
    assert (manifest.grading_report, manifest.run_groups) == (b"{}", ())


def test_predictions_are_hashed_as_they_are_after_decompression() -> None:
    members = members_by_path(b.read(b.tar(GOOD)))
    plain, packed = members[b.RUN], members["2/spaceship-titanic/submission.csv.zst"]
    assert (plain.sha256, plain.size, plain.compression) == (SHA_CSV, len(b.CSV), "none")
    assert (packed.sha256, packed.size, packed.compression) == (SHA_CSV, len(b.CSV), "zstd")
    twin = members["2/dog-breed-identification/submission.csv"]
    assert members["1/dog-breed-identification/submission.csv.gz"].sha256 == twin.sha256


def test_members_say_what_they_are() -> None:
    members = members_by_path(b.read(b.zipped(GOOD)))
    folder = "2/dog-breed-identification"
    checkpoint = members[f"{folder}/checkpoints/2.5/submission.csv"]
    assert (checkpoint.kind, checkpoint.checkpoint_hours) == (Kind.CHECKPOINT, 2.5)
    assert (checkpoint.seed, checkpoint.competition_id) == ("2", "dog-breed-identification")
    assert members[f"{folder}/logs/run.log"].kind is Kind.LOG
    assert members[f"{folder}/code/train.py"].kind is Kind.CODE


def test_each_kept_file_has_one_sink_that_is_closed(packed: tuple[str, bytes]) -> None:
    sinks: list[b.MemorySink] = []
    manifest = b.read(packed[1], keep=lambda member: sinks.append(b.MemorySink(member)) or sinks[-1])
    assert all(sink.closed and not sink.aborted for sink in sinks)
    written = {sink.member.path: hashlib.sha256(sink.data).hexdigest() for sink in sinks}
    assert written == {member.path: member.sha256 for member in manifest.members}


def test_a_source_needs_only_read_and_may_give_little_at_a_time(packed: tuple[str, bytes]) -> None:
    source = b.Trickle(packed[1], step=7)
    manifest = read_bundle(source, layout=b.LAYOUT, budget=b.budget(), keep=b.Forgetful)
    assert manifest == b.read(packed[1])


def test_run_groups_are_seeds() -> None:
    manifest = b.read(b.tar(b.run_group_files(), "gz"))
    group = "2024-09-12T15-53-23-GMT_run-group_aide"
    assert manifest.run_groups == (group,)
    assert {(m.kind, m.seed, m.competition_id) for m in manifest.members} == {
        (kind, group, "spaceship-titanic") for kind in (Kind.SUBMISSION, Kind.LOG, Kind.CODE)
    }


@pytest.mark.parametrize("files", [GOOD, b.run_group_files()], ids=["seeds", "run-groups"])
@pytest.mark.parametrize("front", ["./", "my bundle/", "./bundle/"])
def test_one_folder_may_wrap_everything(front: str, files: b.Files) -> None:
    wrapped, plain = (b.read(b.tar({at + name: x for name, x in files.items()})) for at in (front, ""))
    assert [(m.seed, m.competition_id, m.sha256) for m in wrapped.members] == [
        (m.seed, m.competition_id, m.sha256) for m in plain.members
    ]
    assert wrapped.run_card == plain.run_card
    assert wrapped.run_groups == plain.run_groups


def test_a_run_card_beside_the_wrapping_folder_counts_and_one_inside_a_seed_does_not() -> None:
    beside = b.read(b.tar({"run_card.json": b"{}", f"runs/{b.RUN}": b.CSV}))
    assert (beside.run_card, beside.run_card_name) == (b"{}", "run_card.json")
    inside = b.read(b.tar({"1/run_card.yaml": b"x: 1", b.RUN: b.CSV}))
    assert inside.run_card is None
    assert inside.ignored == (IgnoredMember("1/run_card.yaml", "not at the top of the bundle"),)


def test_shared_code_belongs_to_no_run() -> None:
    manifest = b.read(b.tar({"bundle/code/agent.py": b"x", "code/b.py": b"y", f"bundle/{b.RUN}": b.CSV}))
    assert [(m.kind, m.seed) for m in manifest.members if m.kind is Kind.CODE] == [(Kind.CODE, None)] * 2


IGNORED = [
    ("1/spaceship-titanc/submission.csv", "did you mean 'spaceship-titanic'?"),
    ("group/spaceship-titanc_x/submission/submission.csv", "did you mean 'spaceship-titanic'?"),
    ("1/quite-something-else/submission.csv", "no competition of this benchmark"),
    ("1/spaceship-titanic/predictions.csv", "only submission.csv"),
    ("3/spaceship-titanic/Submission.csv", "only submission.csv"),
    ("3/spaceship-titanic/checkpoints/12h/submission.csv", "not a place of the layout"),
    ("submission.csv", "predictions belong at <seed>/<competition-id>"),
    ("weights/model.bin", "not a place"),
    ("._run_card.yaml", "operating system"),
    ("__MACOSX/1/._x", "operating system"),
    ("1/.DS_Store", "operating system"),
    ("1/spaceship-titanic/logs/._run.log", "operating system"),
]


@pytest.mark.parametrize(("path", "reason"), IGNORED)
def test_ignored_files_have_a_reason(path: str, reason: str) -> None:
    (ignored,) = b.read(b.tar({path: b"x", b.RUN: b.CSV})).ignored
    assert ignored.path == path
    assert reason in ignored.reason


def other_tars() -> dict[str, bytes]:
    run = b.tar_member(b.RUN.encode(), b.CSV)
    folder = b.tar_member(b"./1/", kind=b"5")
    return {
        "root and folders": b.raw_tar(b.tar_member(b"./", kind=b"5"), folder, folder, run),
        "version 7": b.raw_tar(b.tar_member(b.RUN.encode(), b.CSV, b"\0", magic=b"")),
        "gnu": b.raw_tar(b.tar_member(b.RUN.encode(), b.CSV, magic=b"ustar  \0")),
        "gnu long name": b.raw_tar(b.tar_member(b"././@LongLink", b.RUN.encode() + b"\0", b"L"), run),
        "pax name": b.raw_tar(
            b.pax([(b"path", b.RUN.encode()), (b"mtime", b"1.5")]), b.tar_member(b"x", b.CSV)
        ),
        "pax size": b.raw_tar(
            b.pax([(b"size", b"%d" % len(b.CSV))]), b.tar_header(b.RUN.encode()), b.CSV.ljust(512, b"\0")
        ),
        "base 256 size": b.raw_tar(
            b.tar_header(b.RUN.encode(), b"\x80" + len(b.CSV).to_bytes(11)), b.CSV.ljust(512, b"\0")
        ),
        "git's comment": b.run_tar(b.pax([(b"comment", b"abc")], kind=b"g")),
        "two gzip members": gzip.compress(b.run_tar()[:700]) + gzip.compress(b.run_tar()[700:]),
        "padded gzip": gzip.compress(b.run_tar()) + bytes(100),
        "zstd with a skippable frame": b"\x50\x2a\x4d\x18\x02\0\0\0hi" + zstandard.compress(b.run_tar()),
    }


@pytest.mark.parametrize("data", other_tars().values(), ids=other_tars())
def test_other_tars(data: bytes) -> None:
    assert [m.sha256 for m in b.read(data).members] == [SHA_CSV]


def other_zips() -> dict[str, bytes]:
    run = b.zip_entry(b.RUN.encode())
    return {
        "stored": b.zipped({b.RUN: b.CSV}, 0),
        "streamed": b.streamed_zip({"code/a.py": b"x" * 99, b.RUN: b.CSV, "code/b.py": b""}),
        "comment": b.raw_zip(run)[:-2] + b"\x02\0hi",
        "folders and modes": b.raw_zip(b.zip_entry(b"1/", b""), run, modes=[0o40755, 0o100644]),
    }


@pytest.mark.parametrize("data", other_zips().values(), ids=other_zips())
def test_other_zips(data: bytes) -> None:
    assert SHA_CSV in [m.sha256 for m in b.read(data).members]


def test_many_empty_files_are_read_within_the_limit() -> None:
    files = {f"code/{number}.py": b"" for number in range(500)} | {b.RUN: b.CSV}
    assert len(b.read(b.zipped(files), members=501).members) == 501
    with pytest.raises(BundleError):
        b.read(b.zipped(files), members=500)


def test_without_predictions_the_message_shows_the_layout_and_what_was_found() -> None:
    with pytest.raises(BundleError) as caught:
        b.read(b.tar({"1/spaceship-titanc/submission.csv": b.CSV}))
    (problem,) = caught.value.problems
    assert problem.code is Code.NO_SUBMISSION
    assert "<seed>/<competition-id>/submission.csv" in problem.message
    assert "did you mean 'spaceship-titanic'?" in problem.message


def test_all_problems_are_told_at_once_and_every_sink_is_aborted() -> None:
    sinks: list[b.MemorySink] = []
    data = b.raw_tar(
        b.tar_member(b.RUN.encode(), b.CSV),
        b.tar_member(b"link", kind=b"2"),
        b.tar_member(b"../up", b"x"),
        b.tar_member(b.RUN.encode(), b.CSV),
        b.tar_member(b"2/spaceship-titanic/submission.csv.gz", b"no gzip"),
        b.tar_member(b"2/dog-breed-identification/submission.csv", b.CSV),
    )
    with pytest.raises(BundleError) as caught:
        b.read(data, keep=lambda member: sinks.append(b.MemorySink(member)) or sinks[-1])
    codes = [problem.code for problem in caught.value.problems]
    assert codes == [Code.SYMLINK, Code.NAME_PARENT, Code.DUPLICATE_MEMBER, Code.NESTED_CORRUPT]
    assert not caught.value.stopped
    assert [sink.aborted for sink in sinks] == [True] * 3


def test_where_reading_stops_the_problems_before_are_kept() -> None:
    data = b.run_tar(b.tar_member(b"link", kind=b"2"))[:-1100]
    with pytest.raises(BundleError) as caught:
        b.read(data)
    assert [problem.code for problem in caught.value.problems] == [Code.SYMLINK, Code.TRUNCATED]
    assert caught.value.stopped
    assert "more problems" in str(caught.value)


class BrokenSource(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError("the disk is gone")


def test_faults_of_the_machine_are_not_the_teams() -> None:
    with pytest.raises(OSError, match="the disk is gone"):
        read_bundle(BrokenSource(), layout=b.LAYOUT, budget=b.budget(), keep=b.Forgetful)


def test_a_full_disk_aborts_the_sinks() -> None:
    sinks: list[b.MemorySink] = []

    class Full(b.MemorySink):
        def write(self, data: bytes) -> None:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        b.read(b.tar(GOOD), keep=lambda member: sinks.append(Full(member)) or sinks[-1])
    assert [sink.aborted for sink in sinks] == [True]


def test_names_in_messages_are_escaped_and_short() -> None:
    name = "a\x1b[31m" + "b" * 200
    with pytest.raises(BundleError) as caught:
        b.read(b.named_tar(name.encode()))
    (problem,) = caught.value.problems
    assert problem.member is not None
    assert problem.member.startswith("a\\x1b[31mbbb")
    assert len(problem.member) < 120
    json.dumps(problem.message).encode("ascii")
