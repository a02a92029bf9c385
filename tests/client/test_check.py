"""The offline check says what the server's intake says: of archives, run cards, seeds and CSVs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from mlebench_leaderboard import ClientError, check_archive
from mlebench_leaderboard.csv_check import ShapeChecker
from mlebench_leaderboard.settings import write_private

from grading.catalogue import shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.shape import shape_of_answers
from grading.specs import job_for
from submissions.bundle import BundleError
from tests.client.conftest import RunClient, write_files
from tests.submissions import bundles as b

TITANIC = "spaceship-titanic"
DEMO_BUNDLE = Path(__file__).parents[2] / "demo" / "bundle.tar.gz"
SITE = "https://board.example.org"
ANSWERS = "PassengerId,Transported\n0001_01,True\n0002_01,False\n"
GOOD = b"PassengerId,Transported\n0002_01,False\n0001_01,False\n"


def keep_shape(home: Path, answers: Path) -> dict[str, object]:
    """The shape of these answers, in the cache where `--fetch` puts it."""
    answers.write_text(ANSWERS)
    shape = shape_of_answers(shipped_competitions()[TITANIC], answers)
    kept = {"etag": "", "shape": json.loads(json.dumps(shape))}
    write_private(home / f"cache/mlebench-leaderboard/shapes/https-board.example.org/{TITANIC}.json", kept)
    return shape


def bundle_of(tmp_path: Path, files: dict[str, bytes]) -> Path:
    path = tmp_path / "bundle.tar"
    path.write_bytes(b.tar(files))
    return path


REFUSED: dict[str, Callable[[], bytes]] = {
    "no archive": lambda: b"hello",
    "cut off": lambda: b.tar(b.good_files())[:700],
    "nothing in it": lambda: b.tar({"README.md": b"x"}),
    "two run cards": lambda: b.tar({b.RUN: b.CSV, "run_card.yaml": b"{}", "run_card.json": b"{}"}),
    "a run twice": lambda: b.tar({b.RUN: b.CSV, f"{b.RUN}.gz": b"\x1f\x8b"}),
    "control character": lambda: b.named_tar(b"a\x1b[31m"),
    "mixed": lambda: b.tar({b.RUN: b.CSV, f"x/{b.RUN}": b.CSV}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_archive_is_refused_for_the_servers_reasons(tmp_path: Path, case: str) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(REFUSED[case]())
    with pytest.raises(BundleError) as caught:
        b.read(path.read_bytes())
    report = check_archive(path, "mle-bench-v1")
    assert not report.is_accepted
    assert [(fault.code, fault.message) for fault in report.problems] == [
        (problem.code.value, problem.message) for problem in caught.value.problems
    ]


def test_a_malformed_card_is_refused_by_line(tmp_path: Path) -> None:
    files = {b.RUN: b.CSV, "run_card.yaml": b"scaffold:\n  version: 1.10\n  nme: a\n"}
    report = check_archive(bundle_of(tmp_path, files), "mle-bench-v1")
    assert [(fault.code, fault.where) for fault in report.problems] == [
        ("type", "run_card.yaml, line 2: scaffold.version"),
        ("unknown_key", "run_card.yaml, line 3: scaffold.nme"),
    ]


def test_two_run_groups_of_one_seed_collide(tmp_path: Path) -> None:
    card = b'seeds:\n  run_groups: {"a": "0", "b": "0"}\n'
    files = {f"{group}/{TITANIC}_1/submission/submission.csv": b.CSV for group in "ab"}
    report = check_archive(bundle_of(tmp_path, {**files, "run_card.yaml": card}), "mle-bench-v1")
    assert [fault.code for fault in report.problems] == ["seed_collision"]


def test_the_demo_bundle_is_good(run: RunClient) -> None:
    done = run("check", DEMO_BUNDLE, "--benchmark", "demo", "--scope", "dev")
    assert done.code == 0
    assert "every question of the Clean track is answered" in done.out


def test_a_scope_shows_what_would_count_as_failure(tmp_path: Path) -> None:
    card = f"seeds:\n  missing:\n  - {{seed: '1', competition: {TITANIC}, missing_reason: out_of_time}}\n"
    files = {"1/leaf-classification/submission.csv": b.CSV, f"2/{TITANIC}/submission.csv": b.CSV}
    path = bundle_of(tmp_path, {**files, "run_card.yaml": card.encode()})
    dev = check_archive(path, "mle-bench-v1", scope="dev").missing
    titanic = [(each.seed, each.is_explained) for each in dev if each.competition == TITANIC]
    assert titanic == [("1", True)]
    assert not check_archive(path, "mle-bench-v1").missing


CSVS = {
    "good": GOOD,
    "wrong id": b"PassengerId,Transported\n0009_01,False\n0001_01,False\n",
    "a row too few": b"PassengerId,Transported\n0001_01,False\n",
    "no such column": b"PassengerId,Survived\n0001_01,False\n0002_01,True\n",
    "a zero byte": b"PassengerId,Transported\n0001_01,\x00\n0002_01,True\n",
    "gzip inside": b"\x1f\x8bxxxx",
}


@pytest.mark.parametrize("case", CSVS)
def test_a_csv_is_judged_as_grading_judges_it(tmp_path: Path, own_home: Path, case: str) -> None:
    shape = keep_shape(own_home, tmp_path / "answers.csv")
    (tmp_path / "s.csv").write_bytes(CSVS[case])
    job = Job.from_dict(json.loads(json.dumps(job_for(shipped_competitions()[TITANIC]))))
    verdict = grade_files(job, tmp_path / "s.csv", tmp_path / "answers.csv")
    path = bundle_of(tmp_path, {f"1/{TITANIC}/submission.csv": CSVS[case]})
    report = check_archive(path, "demo", checker=ShapeChecker(lambda competition: shape))
    (checked,) = report.csvs
    assert [reason.code for reason in checked.reasons][:1] == ([verdict.code] if verdict.code else [])
    assert [reason.message for reason in checked.reasons][:1] == ([verdict.message] if verdict.code else [])
    assert report.is_good == (case == "good")


def test_invalid_csvs_are_problems_and_named(tmp_path: Path, own_home: Path, run: RunClient) -> None:
    keep_shape(own_home, tmp_path / "answers.csv")
    runs = {f"{seed}/{TITANIC}/submission.csv": CSVS["wrong id" if seed == "1" else "good"] for seed in "012"}
    folder = write_files(tmp_path / "runs", runs)
    done = run("check", folder, "--benchmark", "demo", "--url", SITE)
    assert done.code == 1
    assert "3 checked, 1 invalid" in done.out
    assert f"Invalid: 1/{TITANIC}/submission.csv" in done.err
    assert "1 CSV is invalid" in done.err
    plain = json.loads(run("check", folder, "--benchmark", "demo", "--url", SITE, "--format", "json").out)
    assert [len(each["reasons"]) > 0 for each in plain["csvs"]] == [False, True, False]


@pytest.mark.parametrize(("case", "code"), [("good", 0), ("wrong id", 1)])
def test_a_single_csv(tmp_path: Path, own_home: Path, run: RunClient, case: str, code: int) -> None:
    keep_shape(own_home, tmp_path / "answers.csv")
    (tmp_path / "s.csv").write_bytes(CSVS[case])
    assert run("check", tmp_path / "s.csv", "--competition", TITANIC, "--url", SITE).code == code


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["s.csv"], "--competition ID"),
        (["s.csv", "--competition", TITANIC], "fetch it once with --fetch"),
        (["nothing.tar"], "nothing.tar"),
        (["s.csv", "--competition", TITANIC, "--fetch"], "Which site?"),
    ],
)
def test_what_cannot_be_checked_says_how_it_could(
    tmp_path: Path, run: RunClient, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_bytes(GOOD)
    done = run("check", *arguments)
    assert done.code == 2
    assert says in done.err


def test_without_numpy_csvs_are_not_checked_and_it_says_so(
    monkeypatch: pytest.MonkeyPatch, run: RunClient
) -> None:
    monkeypatch.setattr("mlebench_leaderboard.csv_check.can_check", lambda: False)
    done = run("check", DEMO_BUNDLE, "--benchmark", "demo")
    assert done.code == 0
    assert "pip install 'mlebench-leaderboard[csv]'" in done.out


def test_a_benchmark_that_is_not_known_here(tmp_path: Path) -> None:
    with pytest.raises(
        ClientError, match="does not know the benchmark 'mle-bench-v9', only demo, mle-bench-v1"
    ):
        check_archive(DEMO_BUNDLE, "mle-bench-v9")


def test_names_cannot_steer_the_terminal(tmp_path: Path, run: RunClient) -> None:
    folder = write_files(
        tmp_path, {f"1/{TITANIC}/submission.csv": b.CSV, "a\x1b[31mb": b"", "[red]x[/]": b""}
    )
    done = run("check", folder, "--benchmark", "demo")
    assert "\x1b" not in done.out + done.err
    assert "[red]x[/]" in done.err
