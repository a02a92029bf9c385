"""Grading reports: what a team's own says, held against ours; and ours in the benchmark's format."""

import json
import math

import pytest
from django.test import Client

from grading.medals import Medal
from leaderboard.grading_reports import ClaimedLine, OurRun, compare, read_claims
from leaderboard.integrity.claims import record_claims
from leaderboard.models import Claim, Entry
from leaderboard.reports import report_of
from submissions.models import Bundle
from tests.leaderboard.boards import make_board_benchmark, make_published, make_reviewed
from tests.leaderboard.test_board_page import text_of

SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.55}, "s3": {"comp-low": None}}


def reported(competition="a", score=0.5, path="None", **changed):
    """One line as the benchmark writes it: valid, above the median, no medal."""
    flags = {"any_medal": False, "gold_medal": False, "silver_medal": False, "bronze_medal": False}
    line = {"competition_id": competition, "score": score, **flags, "above_median": True}
    return {**line, "submission_exists": True, "valid_submission": True, "submission_path": path, **changed}


def ours(competition="a", seed="0", folder="", score=0.5, **changed):
    known = {"is_present": True, "is_valid": True, "medal": Medal.NONE, "above_median": True, **changed}
    return OurRun(competition=competition, seed=seed, folder=folder or seed, score=score, **known)


def compared(lines, runs):
    return compare(read_claims({"competition_reports": lines}), runs)


@pytest.mark.parametrize(
    "report",
    [
        None,
        7,
        "x",
        [],
        {},
        {"competition_reports": 3},
        [None, {"competition_reports": [1, {}, {"competition_id": 4}]}],
    ],
)
def test_what_is_no_report_has_no_lines(report) -> None:
    assert read_claims(report) == []


def test_a_line_says_only_what_it_says() -> None:
    (line,) = read_claims(
        [{"competition_reports": [{"competition_id": "a", "score": True, "gold_medal": 1}]}]
    )
    assert line == ClaimedLine("a", None, None, None, None, None)
    (huge,) = read_claims({"competition_reports": [{"competition_id": "a", "score": 10**400}]})
    assert huge.score is None


ABSENT = {"submission_exists": False, "valid_submission": False, "score": None}
# What is changed in the line, what in our run, and what differs then: kind, claimed, ours.
DIFFERENCES = [
    ({}, {}, []),
    ({"score": 0.500001}, {}, []),  # the same to five decimals
    ({"score": 0.50002}, {}, [("score", "0.50002", "0.50000")]),
    ({"score": None}, {}, [("score", "no score", "0.50000")]),
    ({"bronze_medal": True}, {}, [("medal", "bronze", "no medal")]),
    ({"gold_medal": True, "score": 1}, {"medal": Medal.SILVER, "score": 0.9}, [
        ("score", "1.00000", "0.90000"), ("medal", "gold", "silver")]),
    ({"above_median": False}, {}, [("median", "not above", "above")]),
    ({"valid_submission": False, "score": None}, {}, [("validity", "invalid", "valid")]),
    ({}, {"is_valid": False, "score": None}, [("validity", "valid", "invalid")]),
    (ABSENT, {}, [("presence", "missing", "handed in")]),
    ({}, {"is_present": False, "is_valid": False, "score": None}, [("presence", "handed in", "missing")]),
    ({"above_median": "yes", "gold_medal": None}, {"medal": Medal.GOLD}, []),  # open is no claim
    ({"bronze_medal": True}, {"medal": None}, []),  # no medal was awarded yet
]  # fmt: skip


@pytest.mark.parametrize(("line", "run", "expected"), DIFFERENCES)
def test_where_a_line_differs_from_a_run(line, run, expected) -> None:
    found = compared([reported(**line)], [ours(**run)])
    assert [(each.what, each.claimed, each.ours) for each in found.differences] == expected
    assert found.agreeing == (not expected)


def test_a_line_belongs_to_the_run_its_path_names() -> None:
    runs = [ours(seed="0", folder="group-b", score=0.1), ours(seed="1", folder="group-a", score=0.2)]
    swapped = [
        reported(score=0.2, path="/home/x/group-b/a_1/submission/submission.csv"),
        reported(score=0.1, path="/home/x/group-a/a_2/submission/submission.csv"),
    ]
    found = compared(swapped, runs)
    assert [(each.seed, each.claimed, each.ours) for each in found.differences] == [
        ("0", "0.20000", "0.10000"),
        ("1", "0.10000", "0.20000"),
    ]


def test_without_a_path_equal_scores_belong_together_and_the_rest_goes_in_order() -> None:
    runs = [ours(seed="0", score=0.1), ours(seed="1", score=0.2), ours(seed="2", score=0.3)]
    found = compared([reported(score=0.9), reported(score=0.1)], runs)
    assert [(each.seed, each.claimed) for each in found.differences] == [("1", "0.90000")]
    assert (found.lines, found.agreeing, found.unreported) == (2, 1, 1)


def test_a_path_that_names_two_runs_names_none() -> None:
    runs = [ours(seed="0", score=0.1), ours(seed="1", score=0.2)]
    found = compared([reported(score=0.2, path="/0/1/submission.csv")], runs)
    assert found.agreeing == 1


def test_a_line_too_many_and_one_of_an_unknown_competition() -> None:
    found = compared(
        [reported(), reported(), reported("b"), reported("c", None, submission_exists=False)], [ours()]
    )
    assert [(each.competition, each.what) for each in found.differences] == [("a", "run"), ("b", "run")]
    assert found.agreeing == 2


# Of a real report of the benchmark's grading command.
TOTALS = [
    "total_runs", "total_runs_with_submissions", "total_valid_submissions", "total_medals", "total_gold_medals",
    "total_silver_medals", "total_bronze_medals", "total_above_median", "competition_reports",
]  # fmt: skip
LINE = [
    "competition_id", "score", "gold_threshold", "silver_threshold", "bronze_threshold", "median_threshold",
    "any_medal", "gold_medal", "silver_medal", "bronze_medal", "above_median", "submission_exists",
    "valid_submission", "is_lower_better", "created_at", "submission_path",
]  # fmt: skip


@pytest.fixture
def entry(db) -> Entry:
    return make_published(make_board_benchmark(), SCORES)


def claim(entry: Entry, report) -> None:
    assert entry.submission is not None
    Bundle.objects.update_or_create(
        submission=entry.submission,
        defaults={"sha256": "0" * 64, "size": 1, "format": "tar", "claimed_report": report},
    )


def test_our_report_reads_back_as_ours(entry: Entry, client: Client) -> None:
    report = client.get(f"/api/v1/entries/{entry.slug}/grading-report").json()
    json.dumps(report, allow_nan=False)
    claim(entry, report)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert f"{report['total_runs']} of {report['total_runs']} lines say what was graded here" in page
    assert "differs from our grading" not in page


def test_our_report_has_the_benchmarks_keys_and_sums(entry: Entry) -> None:
    report = report_of(entry, "s1")
    assert list(report) == TOTALS
    assert {tuple(each) for each in report["competition_reports"]} == {tuple(LINE)}
    (line,) = [each for each in report["competition_reports"] if each["competition_id"] == "comp-low"]
    assert (line["score"], line["gold_medal"], line["submission_path"]) == (
        0.91234,
        True,
        "s1/comp-low/submission.csv",
    )
    missing = [
        each for each in report_of(entry, "s3")["competition_reports"] if not each["submission_exists"]
    ]
    assert all(each["score"] is None and each["submission_path"] == "None" for each in missing)
    assert (
        report["total_gold_medals"] == sum(each["gold_medal"] for each in report["competition_reports"]) == 1
    )
    assert all(math.isfinite(each["gold_threshold"]) for each in report["competition_reports"])


def test_one_seed_is_downloaded_and_an_unknown_one_is_not_there(entry: Entry, client: Client) -> None:
    address = f"/api/v1/entries/{entry.slug}/grading-report"
    one, every = client.get(address, {"seed": "s2"}), client.get(address)
    assert 'filename="grading_report-' in one["Content-Disposition"]
    assert one.json()["total_runs"] * 3 == every.json()["total_runs"]
    assert client.get(address, {"seed": "s9"}).status_code == 404


def test_nobody_reads_a_report_before_publication(db, client: Client) -> None:
    entry = make_reviewed(make_board_benchmark(), SCORES)
    assert client.get(f"/api/v1/entries/{entry.slug}/grading-report").status_code == 404


def test_a_mismatch_is_on_the_page_and_in_the_claims_without_a_score(entry: Entry, client: Client) -> None:
    report = report_of(entry)
    wrong = next(each for each in report["competition_reports"] if each["score"] == 0.55)
    wrong["score"] = 0.98765
    claim(entry, report)
    page = text_of(client.get(f"/entries/{entry.slug}/"))
    assert "comp-low s2 score 0.98765 0.55000" in page
    submission = entry.submission
    assert submission is not None
    Claim.objects.filter(submission=submission).delete()
    record_claims(type(submission).objects.get(pk=submission.pk))
    found = Claim.objects.get(submission=submission, code="claimed-report")
    assert (found.state, found.holds) == ("contradicted", False)
    assert "s2/comp-low" in found.sentence
    assert "0.5" not in found.sentence
