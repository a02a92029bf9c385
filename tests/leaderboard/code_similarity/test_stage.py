"""Code of submissions compared with real rows and files: what is found, who sees it, and that twice is once."""

import hashlib
import re
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import Client

from grading.models import Competition
from leaderboard.code_similarity import stage
from leaderboard.code_similarity.read import ReadCode
from leaderboard.code_similarity.stage import compare_code
from leaderboard.code_similarity.winnow import unpack
from leaderboard.evidence import tasks
from leaderboard.models import CodeComparison, CodeFile, CodeMatch, Finding
from submissions.models import Bundle, EvidenceFile, Submission, Team
from tests.factories import NOW, make_benchmark, make_maintainer, make_submission, make_team, make_user
from tests.leaderboard.code_similarity.disguises import DISGUISES, notebook, rename, solution

pytestmark = pytest.mark.django_db


@pytest.fixture
def benchmark() -> Any:
    return make_benchmark("bench")


def with_code(files: dict[str, str | bytes], benchmark: Any, team: Team | None = None) -> Submission:
    """A confirmed submission whose bundle holds these files. Path `0/bench-a/code/x.py` is of that run."""
    submission = make_submission(team, benchmark, Submission.Status.QUEUED, scope="low")
    bundle = Bundle.objects.create(submission=submission, sha256="b" * 64, size=1, format="tar")
    for number, (path, content) in enumerate(files.items()):
        data = content.encode() if isinstance(content, str) else content
        key = f"evidence/{submission.public_id}/{number}"
        storages["evidence"].save(key, ContentFile(data))
        seed, competition, *rest = path.split("/")
        EvidenceFile.objects.create(
            bundle=bundle,
            path=path,
            seed=seed if rest else "",
            competition_id=competition if len(rest) > 1 else None,
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            key=key,
        )
    return submission


def compared(*submissions: Submission) -> list[str]:
    """Codes of the findings of the last one."""
    for submission in submissions:
        compare_code(submission, NOW)
    return list(Finding.objects.filter(submission=submissions[-1]).values_list("code", flat=True))


def test_code_of_another_organisation_is_found(benchmark: Any) -> None:
    first = with_code({"0/bench-a/code/train.py": solution("boosting")}, benchmark)
    second = with_code({"7/bench-a/code/main.py": rename(solution("boosting"))}, benchmark)
    assert compared(first, second) == ["code-of-others"]
    found = Finding.objects.get(submission=second)
    assert f"code of submission {first.public_id}" in found.sentence
    assert found.evidence["pairs"][0][:2] == ["7/bench-a/code/main.py", "0/bench-a/code/train.py"]
    match = CodeMatch.objects.get()
    assert (match.left.submission, match.right.submission) == (second, first)
    assert match.left_share > 90
    assert match.fragments[0]["left"]["lines"]


def test_code_of_the_same_organisation_is_a_notice(benchmark: Any) -> None:
    team = make_team()
    files = {"0/bench-a/code/train.py": solution("boosting")}
    assert compared(with_code(files, benchmark, team), with_code(files, benchmark, team)) == [
        "code-of-earlier"
    ]


def test_own_earlier_code_hides_nobody_elses(benchmark: Any) -> None:
    team, files = make_team(), {"0/bench-a/code/train.py": solution("boosting")}
    stranger = with_code({"0/bench-a/code/x.py": DISGUISES["filled-up"](solution("boosting"))}, benchmark)
    earlier = [with_code(files, benchmark, team) for _ in range(5)]
    last = with_code({"0/bench-a/code/train.py": solution("boosting")}, benchmark, team)
    assert set(compared(stranger, *earlier, last)) == {"code-of-earlier", "code-of-others"}


QUIET: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "another solution": (
        {"0/bench-a/code/a.py": solution("boosting")},
        {"0/bench-a/code/a.py": solution("boosting_by_another")},
    ),
    "another competition": (
        {"0/bench-b/code/a.py": solution("boosting")},
        {"0/bench-a/code/a.py": solution("boosting")},
    ),
    "too little": ({"0/bench-a/code/a.py": "x = f(1)\n" * 9}, {"0/bench-a/code/a.py": "x = f(1)\n" * 9}),
    "a log": ({"0/bench-a/logs/a.py": solution("boosting")}, {"0/bench-a/logs/a.py": solution("boosting")}),
    "no code": ({"0/bench-a/code/a.md": "words " * 300}, {"0/bench-a/code/a.md": "words " * 300}),
}


@pytest.mark.parametrize("case", QUIET)
def test_what_is_not_alike_raises_nothing(benchmark: Any, case: str) -> None:
    first, second = (with_code(dict(files), benchmark) for files in QUIET[case])
    assert compared(first, second) == []


def test_code_of_no_single_run_is_compared_with_all(benchmark: Any) -> None:
    first = with_code({"code/agent.py": solution("pipeline")}, benchmark)
    second = with_code({"0/bench-a/code/agent.py": solution("pipeline")}, benchmark)
    assert compared(first, second) == ["code-of-others"]


def test_twice_is_once_and_copies_are_one_row(benchmark: Any) -> None:
    other = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    files: dict[str, str | bytes] = {
        f"{seed}/bench-a/code/x.py": f"# {seed}\n" + solution("network") for seed in range(4)
    }
    submission = with_code(files, benchmark)
    compared(other, submission, submission)
    row = CodeFile.objects.get(submission=submission)
    assert row.copies == 4
    assert CodeMatch.objects.filter(left=row).count() == 1
    assert Finding.objects.filter(submission=submission).count() == 1
    assert CodeComparison.objects.get(submission=submission).files == 4


def test_what_cannot_be_read_is_named(benchmark: Any) -> None:
    submission = with_code({"0/bench-a/code/x.py": b"\xff\xfe", "0/bench-a/code/y.ipynb": b"no"}, benchmark)
    assert compared(submission) == []
    left_out = CodeComparison.objects.get(submission=submission).left_out
    assert [each["reason"] for each in left_out] == ["not UTF-8 text", "not a notebook: it is no JSON"]


def test_a_submission_whose_files_are_deleted_since_stops_nothing(benchmark: Any) -> None:
    first = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    compare_code(first, NOW)
    storages["evidence"].delete(EvidenceFile.objects.get(bundle__submission=first).key)
    second = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    assert compared(second) == []


def test_reading_ends_when_its_time_is_over(benchmark: Any, settings: Any) -> None:
    settings.CODE_READING_S = -1
    submission = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    compare_code(submission, NOW)
    assert "were over" in CodeComparison.objects.get(submission=submission).left_out[0]["reason"]


def test_comparing_ends_when_its_time_is_over(benchmark: Any, settings: Any) -> None:
    compared(*(with_code({"0/bench-a/code/x.py": solution("network")}, benchmark) for _ in range(2)))
    match = CodeMatch.objects.get()
    read = ReadCode([match.left], 1, [])
    settings.CODE_READING_S = -1
    others = {"bench-a": ({}, {match.right.pk: unpack(match.right.prints)}), None: ({}, {})}
    assert list(stage._find_matches(read, others, NOW)) == []
    assert "comparing were over, 1 pairs are left" in read.left_out[0]["reason"]


def test_notebooks_are_loaded_and_found(benchmark: Any, tmp_path: Any, capsys: Any) -> None:
    folder = tmp_path / "notebooks"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "best.ipynb").write_bytes(notebook(*solution("boosting").split("\n\n")))
    (folder / "short.py").write_text("x = 1")
    (folder / "words.md").write_text("no code")
    for _ in range(2):
        call_command("load_notebooks", "bench-a", folder)
    said = capsys.readouterr().out
    assert "loaded: 1" in said
    assert "known: 1" in said
    assert "left out: short.py: only 3 tokens" in said
    assert CodeFile.objects.get().name == "deep/best.ipynb"
    submission = with_code({"0/bench-a/code/x.py": rename(solution("boosting"))}, benchmark)
    assert compared(submission) == ["code-of-notebook"]
    elsewhere = with_code({"0/bench-b/code/x.py": rename(solution("boosting"))}, benchmark)
    assert "code-of-notebook" not in compared(elsewhere)


def test_notebooks_can_be_replaced(benchmark: Any, tmp_path: Any) -> None:
    (tmp_path / "a.py").write_text(solution("boosting"))
    call_command("load_notebooks", "bench-a", tmp_path, verbosity=0)
    (tmp_path / "a.py").write_text(solution("network"))
    call_command("load_notebooks", "bench-a", tmp_path, verbosity=0)
    assert CodeFile.objects.count() == 2
    call_command("load_notebooks", "bench-a", tmp_path, "--replace", verbosity=0)
    assert CodeFile.objects.get().text == solution("network")


@pytest.mark.parametrize(
    ("competition", "folder", "message"),
    [
        ("no-such", "", "no-such is not in the catalogue"),
        ("bench-a", "missing", "is not a directory"),
        ("bench-a", "", "holds no .py or .ipynb file"),
    ],
)
def test_what_cannot_be_loaded_is_explained(
    benchmark: Any, tmp_path: Any, competition: str, folder: str, message: str
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match=message):
        call_command("load_notebooks", competition, tmp_path / "empty" / folder)


def test_maintainers_see_both_sides_and_nobody_else_does(client: Client, benchmark: Any) -> None:
    text = solution("boosting").replace("submission.csv", "<b>bold</b>.csv")
    first = with_code({"0/bench-a/code/<i>.py": text}, benchmark)
    second = with_code({"0/bench-a/code/main.py": text}, benchmark)
    compared(first, second)
    match = CodeMatch.objects.get()
    address = f"/docket/{second.public_id}/code/{match.pk}/"
    assert client.get(address).status_code == 302
    for user in (make_user(), first.created_by, second.created_by):
        client.force_login(user)
        assert client.get(address).status_code == 404
    client.force_login(make_maintainer())
    page = client.get(address).content.decode()
    assert "StratifiedKFold" in page
    assert "<b>bold" not in page
    assert "0/bench-a/code/&lt;i&gt;.py" in page
    assert client.get(f"/docket/{first.public_id}/code/{match.pk}/").status_code == 404
    assert f'href="{address}"' in client.get(f"/docket/{second.public_id}/").content.decode()
    assert f'href="{address}"' in client.get(f"/docket/{first.public_id}/").content.decode()


def test_teams_see_no_difference(client: Client, benchmark: Any) -> None:
    """The pages and the API of both teams are the same, byte for byte, before and after a match."""
    files: dict[str, str | bytes] = {"0/bench-a/code/x.py": solution("network")}
    both = [with_code(dict(files), benchmark) for _ in range(2)]

    def seen() -> list[str]:
        pages = []
        for submission in both:
            client.force_login(submission.created_by)
            for address in (
                f"/api/v1/submissions/{submission.public_id}",
                f"/submissions/{submission.public_id}/",
            ):
                answer = client.get(address)
                assert answer.status_code == 200
                pages.append(re.sub(r"csrf[^>]*", "", answer.content.decode()))
        return pages

    before = seen()
    assert compared(*both) == ["code-of-others"]
    assert seen() == before


def test_queries_do_not_grow_with_the_number_of_others(
    benchmark: Any, django_assert_max_num_queries: Any
) -> None:
    for _ in range(8):
        compare_code(with_code({"0/bench-a/code/x.py": solution("network")}, benchmark), NOW)
    submission = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    with django_assert_max_num_queries(30):
        compare_code(submission, NOW)
    assert Competition.objects.count() == 2


def test_the_evidence_worker_compares_code_before_the_review_opens(benchmark: Any) -> None:
    first = with_code({"0/bench-a/code/x.py": solution("network")}, benchmark)
    second = with_code({"0/bench-a/code/x.py": rename(solution("network"))}, benchmark)
    for submission in (first, second):
        tasks.read(str(submission.public_id))
    assert CodeComparison.objects.count() == 2
    assert Finding.objects.get(submission=second, code="code-of-others")
    assert second.evidence_reading.state == "done"
