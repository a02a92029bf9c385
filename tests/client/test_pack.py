"""From folders of runs to a bundle: what goes in, what does not and why, and the same bytes each time."""

import tarfile
from pathlib import Path

import pytest
from mlebench_leaderboard import ClientError, Wanted, check_archive, look_into, pack
from mlebench_leaderboard.compress import FORMATS

from submissions.run_card import parse_run_card
from tests.client.conftest import RunClient, write_files

CSV = b"id,target\n1,0\n"
TITANIC = "spaceship-titanic"
GROUP = "2024-09-12T15-53-23-GMT_run-group_aide"
LATER = "2024-09-13T15-53-23-GMT_run-group_aide"
SEEDS = {
    f"0/{TITANIC}/submission.csv": CSV,
    f"0/{TITANIC}/logs/agent.log": b"log",
    f"0/{TITANIC}/code/agent.py": b"code",
    f"1/{TITANIC}/submission.csv": CSV,
}
GROUPS = {
    f"{GROUP}/{TITANIC}_1b2c/submission/submission.csv": CSV,
    f"{GROUP}/{TITANIC}_1b2c/logs/agent.log": b"log",
    f"{GROUP}/metadata.json": b"{}",
    f"{LATER}/{TITANIC}_77/submission/submission.csv": CSV,
}


def members(bundle: Path) -> list[str]:
    with tarfile.open(bundle) as archive:
        return archive.getnames()


def pack_demo(folders: list[Path], out: Path, **more: object) -> Path:
    return pack(folders, out, "demo", **more).path  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "folders", "expected"),
    [
        (SEEDS, ["."], [*SEEDS, "run_card.yaml"]),
        (SEEDS, ["0"], [name for name in SEEDS if name.startswith("0/")] + ["run_card.yaml"]),
        (SEEDS, ["0", "1"], [*SEEDS, "run_card.yaml"]),
        (GROUPS, ["."], [name for name in GROUPS if "metadata" not in name] + ["run_card.yaml"]),
        (GROUPS, [LATER], [f"{LATER}/{TITANIC}_77/submission/submission.csv", "run_card.yaml"]),
        ({**SEEDS, "run_card.json": b"{}"}, ["."], [*SEEDS, "run_card.json"]),
        ({**SEEDS, "0/run_card.yaml": b"{}"}, ["0"], [*sorted(SEEDS)[:3], "run_card.yaml"]),
    ],
    ids=["seeds", "one seed", "two seeds", "run groups", "one run group", "own card", "card in the one seed"],
)
def test_what_goes_in(
    tmp_path: Path, files: dict[str, bytes], folders: list[str], expected: list[str]
) -> None:
    runs = write_files(tmp_path / "runs", files)
    bundle = pack_demo([runs / folder for folder in folders], tmp_path / "b.tar.gz")
    assert members(bundle) == sorted(expected)
    assert check_archive(bundle, "demo").is_good


@pytest.mark.parametrize("ending", [ending for ending in FORMATS if ending != ".tar.zst"])
def test_equal_files_give_equal_bytes(tmp_path: Path, ending: str) -> None:
    first = write_files(tmp_path / "a", {**SEEDS, "run_card.yaml": b"{}"})
    second = write_files(tmp_path / "b", dict(reversed([*SEEDS.items(), ("run_card.yaml", b"{}")])))
    (second / f"0/{TITANIC}/code/agent.py").chmod(0o755)
    bundles = [pack_demo([each], tmp_path / f"{each.name}{ending}") for each in (first, second)]
    assert bundles[0].read_bytes() == bundles[1].read_bytes()
    assert members(bundles[0]) == sorted([*SEEDS, "run_card.yaml"])


def test_the_server_reads_every_format(tmp_path: Path) -> None:
    runs = write_files(tmp_path / "runs", SEEDS)
    reports = [check_archive(pack_demo([runs], tmp_path / f"b{ending}"), "demo") for ending in FORMATS]
    assert [report.runs for report in reports] == [2] * len(FORMATS)
    assert {report.format for report in reports} == {"tar.gz", "tar.zst", "tar.xz", "tar"}


@pytest.mark.parametrize(
    ("wanted", "inside", "reason"),
    [
        (Wanted(logs=False), {"code"}, "logs are left out, as asked (--no-logs)"),
        (Wanted(code=False), {"logs"}, "code is left out, as asked (--no-code)"),
    ],
    ids=["no logs", "no code"],
)
def test_evidence_can_stay_at_home(tmp_path: Path, wanted: Wanted, inside: set[str], reason: str) -> None:
    found = look_into([write_files(tmp_path, SEEDS)], "demo", wanted)
    assert {part for file in found.files for part in file.name.split("/")} & {"logs", "code"} == inside
    assert [each.reason for each in found.left_out] == [reason]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("README.md", "not a place of the layout"),
        ("0/.DS_Store", "made by the operating system"),
        ("0/spaceshp-titanic/submission.csv", "did you mean 'spaceship-titanic'?"),
        (f"0/{TITANIC}/Submission.csv", "in lower case"),
        (f"0/{TITANIC}/model.bin", "only submission.csv"),
        ("0/run_card.yaml", "belongs at the top"),
    ],
)
def test_what_is_left_out_is_named_with_its_reason(tmp_path: Path, name: str, reason: str) -> None:
    found = look_into([write_files(tmp_path, {**SEEDS, name: b"x"})], "demo")
    (left,) = found.left_out
    assert left.name == name
    assert reason in left.reason


def test_links_are_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("s3cret")
    runs = write_files(tmp_path / "runs", SEEDS)
    (runs / f"0/{TITANIC}/logs/key").symlink_to(secret / "key")
    (runs / f"0/{TITANIC}/code/all").symlink_to(secret)
    (runs / f"1/{TITANIC}/logs").symlink_to(secret)
    bundle = pack_demo([runs], tmp_path / "b.tar")
    assert b"s3cret" not in bundle.read_bytes()
    left = look_into([runs], "demo").left_out
    assert [each.reason for each in left if each.name.endswith(("key", "all"))] == [
        "a link; put the file itself there"
    ] * 2


def test_a_name_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    runs = write_files(tmp_path, SEEDS)
    with open(bytes(runs / f"0/{TITANIC}/logs") + b"/\xff.log", "wb"):
        pass
    (left,) = look_into([runs], "demo").left_out
    assert "not UTF-8" in left.reason


def test_without_a_card_one_to_fill_in_is_written_once(tmp_path: Path) -> None:
    runs = write_files(tmp_path / "runs", GROUPS)
    first = pack([runs], tmp_path / "b.tar", "demo")
    assert first.starter == runs / "run_card.yaml"
    card = parse_run_card((runs / "run_card.yaml").read_bytes(), "run_card.yaml")
    assert card == {"seeds": {"labels": ["0", "1"], "run_groups": {GROUP: "0", LATER: "1"}}}
    report = check_archive(first.path, "demo")
    assert report.seeds == ("0", "1")
    assert "scaffold.name" in report.open_questions
    again = pack([runs], tmp_path / "c.tar", "demo")
    assert again.starter is None
    assert again.path.read_bytes() == first.path.read_bytes()


def test_several_folders_share_the_card_beside_the_bundle(tmp_path: Path) -> None:
    runs = write_files(tmp_path / "runs", GROUPS)
    packed = pack([runs / GROUP, runs / LATER], tmp_path / "b.tar", "demo")
    assert packed.starter == tmp_path / "run_card.yaml"


def test_a_given_card_takes_the_place_of_the_other(tmp_path: Path) -> None:
    runs = write_files(tmp_path / "runs", {**SEEDS, "run_card.yaml": b"prompt: original\n"})
    card = tmp_path / "mine.json"
    card.write_text('{"prompt": "obfuscated"}')
    bundle = pack_demo([runs], tmp_path / "b.tar", run_card=card)
    assert [name for name in members(bundle) if "run_card" in name] == ["run_card.json"]


@pytest.mark.parametrize(
    ("out", "files", "says"),
    [
        ("b.rar", SEEDS, "must end in one of .tar.gz"),
        ("b.tar", {"README.md": b""}, "No predictions for demo"),
        ("b.tar", {"0/spaceshp-titanic/submission.csv": CSV}, "did you mean 'spaceship-titanic'?"),
    ],
)
def test_errors_say_what_to_do(tmp_path: Path, out: str, files: dict[str, bytes], says: str) -> None:
    runs = write_files(tmp_path / "runs", files)
    with pytest.raises(ClientError, match=says):
        pack_demo([runs], tmp_path / out)
    assert not (tmp_path / out).exists()


def test_a_file_that_shrinks_meanwhile_leaves_no_half_bundle(tmp_path: Path) -> None:
    runs = write_files(tmp_path / "runs", {**SEEDS, "run_card.yaml": b"{}"})
    last = runs / f"1/{TITANIC}/submission.csv"

    def shrink(count: int) -> None:
        last.write_bytes(b"")

    with pytest.raises(ClientError, match="became shorter while it was read"):
        pack_demo([runs], tmp_path / "b.tar", progress=shrink)
    assert (
        sorted(path.name for path in tmp_path.iterdir()) == ["home", "runs"]
        or not (tmp_path / "b.tar").exists()
    )
    assert list(tmp_path.glob(".b.tar*")) == []


def test_the_command_packs_and_checks(tmp_path: Path, run: RunClient) -> None:
    runs = write_files(tmp_path / "runs", {**GROUPS, f"{GROUP}/leaf_1/submission/submission.csv": CSV})
    done = run("pack", runs, "-o", tmp_path / "b.tar.gz", "--benchmark", "demo", "--scope", "dev")
    assert done.code == 0
    assert "The server would take this bundle." in done.out
    assert "Left out: " in done.err
    assert "leaf_1" in done.err
    assert "There was no run card." in done.err


def test_two_attempts_in_one_run_group_are_a_problem(tmp_path: Path, run: RunClient) -> None:
    runs = write_files(tmp_path, {**GROUPS, f"{GROUP}/{TITANIC}_other/submission/submission.csv": CSV})
    done = run("pack", runs, "-o", tmp_path / "b.tar.gz", "--benchmark", "demo")
    assert done.code == 1
    assert "[duplicate_run]" in done.err
