"""Pages of a bundle with many seeds: as many queries, and about as many bytes, as for one with few."""

import re
from collections.abc import Iterable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Grading
from submissions.models import Bundle, EvidenceFile, Run, Submission, Team, User
from submissions.progress import LISTED_AT_MOST, count_runs, run_lines, scope_offers, seed_labels, tally_runs
from submissions.views.submission import SEEDS_PER_PAGE
from tests.factories import make_benchmark, make_blob, make_grading, make_run, make_submission

pytestmark = pytest.mark.django_db
Status = Submission.Status
SPLITS = {f"competition-{number:02}": ("low", "medium", "high")[number % 3] for number in range(12)}


@pytest.fixture
def browser(owner: User, client: Client) -> Client:
    client.force_login(owner)
    return client


def fill(submission: Submission, seeds: Iterable[int], competitions: Iterable[str] = SPLITS) -> None:
    blob, ids = make_blob(submission.team), list(competitions)
    Run.objects.bulk_create(
        Run(submission=submission, folder=f"s{seed}", seed=f"s{seed}", competition_id=competition, blob=blob)
        for seed in seeds
        for competition in ids
    )


@pytest.fixture
def large(team: Team) -> Submission:
    """35 seeds on 12 competitions; s30 to s34 have one run each, which is invalid."""
    submission = make_submission(team=team, benchmark=make_benchmark("large", SPLITS))
    Bundle.objects.create(submission=submission, sha256="a" * 64, size=9, format="zip", ignored=[{}] * 70)
    fill(submission, range(30))
    for seed in range(30, 35):
        make_grading(make_run(submission, f"s{seed}", "competition-00"), message="The ids differ.")
    return submission


def claim(submission: Submission, scope: str) -> None:
    """The submission in grading; the columns that confirming sets."""
    submission.scope, submission.confirmed_revision = scope, submission.run_cards.get()
    submission.confirmed_at, submission.confirmed_by = submission.created_at, submission.created_by
    submission.status = Status.GRADING
    submission.save()


def page_of(browser: Client, submission: Submission, query: str = "", name: str = "submission") -> str:
    answer = browser.get(reverse(name, args=[submission.public_id]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("scope", ["", "low", "high", "all"])
def test_the_database_counts_as_the_lines_do(large: Submission, scope: str) -> None:
    make_grading(Run.objects.get(seed="s3", competition="competition-01"), 0.5)
    make_run(large, "s1", "competition-01", checkpoint_hours=4.0)
    bundle = large.bundle
    EvidenceFile.objects.create(bundle=bundle, path="logs/a", seed="", size=1, sha256="b" * 64, key="x")
    if scope:
        claim(large, scope)
    counts = tally_runs(large)
    assert counts == count_runs(large, run_lines(large))
    assert (counts.seeds, counts.ignored, counts.checkpoints) == (35, 70, 1)
    assert counts.files == counts.runs + 2
    assert (counts.outcomes.get("missing", 0) > 0) == bool(scope)


def test_without_runs_there_is_nothing_to_count(team: Team) -> None:
    empty = make_submission(team=team)
    assert tally_runs(empty) == count_runs(empty, run_lines(empty))
    assert seed_labels(empty) == []


def test_an_offer_lists_the_first_missing_runs_and_counts_the_rest(large: Submission) -> None:
    everything = scope_offers(large)[-1]
    assert (everything.found, everything.expected, everything.absent) == (365, 420, 55)
    assert len(everything.missing) == LISTED_AT_MOST
    assert everything.missing[0] == ("s30", "competition-01")


def test_seeds_are_shown_some_at_a_time(browser: Client, large: Submission) -> None:
    claim(large, "all")
    first, last = page_of(browser, large), page_of(browser, large, "?seeds=4")
    assert f"Seeds 1–{SEEDS_PER_PAGE} of 35" in first
    assert "Seeds 31–35 of 35" in last
    assert ">s9</th>" in first
    assert ">s10</th>" not in first
    seen = re.search(r'hx-get="([^"]*)"', last)
    assert seen
    assert seen[1].endswith("&amp;seeds=4"), "looking again shows the same seeds"


def test_what_can_be_read_of_bad_runs_is_bounded(browser: Client, large: Submission) -> None:
    runs = Run.objects.filter(submission=large)
    grading = Grading.objects.filter(outcome="invalid").first()
    claim(large, "all")
    runs.update(grading=grading)
    page = page_of(browser, large)
    assert page.count("The ids differ.") == LISTED_AT_MOST
    assert f"The first {LISTED_AT_MOST} of {runs.count()}" in page
    assert "70 files were not needed" in page


@pytest.mark.parametrize("name", ["submission", "submission-confirm"])
def test_more_seeds_need_no_more_queries(browser: Client, team: Team, large: Submission, name: str) -> None:
    small = make_submission(team=team, benchmark=large.benchmark)
    Bundle.objects.create(submission=small, sha256="b" * 64, size=9, format="zip")
    fill(small, range(2))
    make_grading(make_run(small, "s9", "competition-00"))
    queries, sizes = [], []
    for submission in (small, large):
        with CaptureQueriesContext(connection) as asked:
            sizes.append(len(page_of(browser, submission, name=name)))
        queries.append(len(asked))
    # Fewer at most: the small one is the later, and may be said to replace the large one.
    assert queries[0] >= queries[1]
    assert sizes[1] < 5 * sizes[0]
