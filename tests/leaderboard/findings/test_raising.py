"""Findings of real rows: raised with the review, seen by maintainers alone."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from leaderboard.integrity.raise_findings import raise_findings
from leaderboard.models import Entry, Finding
from leaderboard.review import open_review
from submissions.models import Bundle, Submission
from tests.factories import (
    NOW,
    make_benchmark,
    make_blob,
    make_grading,
    make_maintainer,
    make_run,
    make_submission,
    make_team,
    make_user,
)

pytestmark = pytest.mark.django_db


def graded(
    team: Any,
    benchmark: Any,
    files: dict[str, bytes],
    score: float = 0.55,
    document: Any = None,
    **columns: Any,
) -> Submission:
    """Seed to the content of its one file, all on the benchmark's first competition."""
    submission = make_submission(team, benchmark, Submission.Status.GRADED, scope="low", document=document)
    Submission.objects.filter(pk=submission.pk).update(**columns)
    submission.refresh_from_db()
    competition = f"{benchmark.slug}-a"
    for seed, content in files.items():
        make_grading(make_run(submission, seed, competition, blob=make_blob(team, content)), score)
    return submission


def reviewed(submission: Submission) -> list[str]:
    assert open_review(submission, NOW)
    return list(Finding.objects.filter(submission=submission).values_list("code", flat=True))


def test_files_of_another_organisation_are_found_and_named() -> None:
    benchmark = make_benchmark()
    first = graded(make_team(), benchmark, {"0": b"same", "1": b"own"})
    second = graded(make_team(), benchmark, {"0": b"other", "1": b"same"})
    assert "same-predictions" in reviewed(second)
    found = Finding.objects.get(submission=second, code="same-predictions")
    assert found.evidence["submission"] == f"submission {first.public_id}"
    assert found.evidence["runs"] == [f"1/{benchmark.slug}-a"]


def test_the_same_bundle_of_another_organisation_is_found() -> None:
    submissions = [graded(make_team(), make_benchmark(), {"0": b""}) for _ in range(2)]
    for submission in submissions:
        Bundle.objects.create(submission=submission, sha256="b" * 64, size=1, format="tar")
    assert "same-bundle" in reviewed(submissions[1])


def test_an_honest_first_submission_raises_nothing() -> None:
    submission = graded(make_team(), make_benchmark(), {"0": b"x", "1": b"y"}, score=0.75)
    assert reviewed(submission) == []


def test_reading_the_facts_takes_as_many_queries_for_three_seeds_as_for_thirty(
    django_assert_max_num_queries: Any,
) -> None:
    submission = graded(make_team(), make_benchmark(), {str(seed): b"%d" % seed for seed in range(30)})
    assert open_review(submission, NOW)
    entry = Entry.objects.get(submission=submission)
    with django_assert_max_num_queries(13):
        raise_findings(entry, NOW)


def test_maintainers_see_them_and_the_team_does_not(client: Client) -> None:
    benchmark = make_benchmark()
    submission = graded(make_team(), benchmark, {"0": b"x"}, score=1.0)
    assert reviewed(submission) == ["perfect-score"]
    client.force_login(make_maintainer())
    assert "A perfect score in 1 runs" in client.get(f"/docket/{submission.public_id}/").content.decode()
    client.force_login(submission.created_by)
    for address in (f"/submissions/{submission.public_id}/", f"/api/v1/submissions/{submission.public_id}"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "perfect" not in answer.content.decode().lower()


def test_a_case_says_that_the_very_files_were_sent_before(client: Client) -> None:
    """Before publication, to whoever decides: in a finding and in the counts that will be public."""
    benchmark, team = make_benchmark(), make_team()
    files = {"0": b"x", "1": b"y", "2": b"z"}
    reviewed(graded(team, benchmark, files, confirmed_at=NOW - timedelta(days=1)))
    again = graded(make_team(team.organisation), benchmark, files, confirmed_at=NOW)
    assert "resent" in reviewed(again)
    client.force_login(make_maintainer())
    page = " ".join(client.get(f"/docket/{again.public_id}/").content.decode().split())
    assert "3 of 3 runs hold the very files of " in page
    assert '<td class="num">3</td><td class="num">0</td>' in page
    assert "None of the automatic signals fired" not in page


TEXT = "Five-fold cross-validation, folds fixed by the seed, the best of five models on the mean of folds."
CARD = {
    "scaffold": {"name": "Own", "commit": "4f0c9d8e5b7a", "source_url": "https://example.org/own.git"},
    "integrity": {"validation_details": TEXT},
    "attestation": {"name": "Ada Example"},
}
CARDS = {
    "commit": ({"scaffold": {"commit": "4F0C9D8E5B7A"}}, ["scaffold.commit"]),
    "address": ({"scaffold": {"source_url": "http://www.example.org/own/"}}, ["scaffold.source_url"]),
    "who attests": ({"attestation": {"name": "ada  example"}}, ["attestation.name"]),
    "free text": ({"integrity": {"validation_details": f" {TEXT} "}}, ["integrity.validation_details"]),
    "only the name of the scaffold": ({"scaffold": {"name": "Own"}}, None),
    "a text of another field": ({"integrity": {"final_selection_details": TEXT}}, None),
    "a short commit": ({"scaffold": {"commit": "4f0c"}}, None),
}


@pytest.mark.parametrize(("other", "fields"), CARDS.values(), ids=CARDS)
def test_the_same_answers_of_another_organisation_are_found(other: Any, fields: list[str] | None) -> None:
    benchmark = make_benchmark()
    first = graded(make_team(), benchmark, {"0": b"x"}, document=CARD)
    reviewed(first)
    found = reviewed(graded(make_team(), benchmark, {"0": b"y"}, document=other))
    assert found == (["same-run-card"] if fields else [])
    if fields:
        evidence = Finding.objects.get(code="same-run-card").evidence
        assert evidence == {"submission": f"submission {first.public_id}", "fields": fields}


def test_what_many_organisations_say_tells_nothing() -> None:
    benchmark = make_benchmark()
    found = [reviewed(graded(make_team(), benchmark, {"0": b"%d" % at}, document=CARD)) for at in range(7)]
    assert [len(each) for each in found] == [0, 1, 2, 3, 4, 5, 0]


def test_own_earlier_run_cards_are_no_finding() -> None:
    team, benchmark = make_team(), make_benchmark()
    reviewed(graded(team, benchmark, {"0": b"x"}, document=CARD))
    assert reviewed(graded(team, benchmark, {"0": b"y"}, document=CARD)) == []


def test_people_of_two_organisations_are_found_once_both_have_submitted() -> None:
    benchmark, ada = make_benchmark(), make_user(username="ada")
    teams = [make_team(members=[ada]) for _ in range(3)]
    assert [reviewed(graded(team, benchmark, {"0": team.name.encode()})) for team in teams[:2]] == [
        [],
        ["same-people"],
    ]
    found = Finding.objects.get(code="same-people")
    assert found.evidence == {"organisation": teams[0].organisation.name, "people": ["ada"]}


def test_the_margin_of_the_competition_file_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = make_benchmark()
    strict = SimpleNamespace(plausible_margin=0.01)
    monkeypatch.setattr(
        "leaderboard.integrity.raise_findings.shipped_competitions", lambda: {f"{benchmark.slug}-a": strict}
    )
    submission = graded(make_team(), benchmark, {"0": b"x"}, score=0.92)
    assert reviewed(submission) == ["beyond-gold"]
