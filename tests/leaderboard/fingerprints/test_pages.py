"""Who sees that predictions are alike: maintainers. Teams see, and wait for, the same as if they were not."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.fingerprints.comparing import compare
from leaderboard.models import Finding, Likeness
from leaderboard.review import open_review
from submissions.models import Submission
from tests.factories import NOW, make_maintainer, make_team
from tests.leaderboard.fingerprints.rows import cactus, make_cactus_benchmark, make_stored, read_all

pytestmark = pytest.mark.django_db
ADDRESSES = ("/submissions/{}/", "/api/v1/submissions/{}", "/api/v1/submissions/{}/events", "/submissions/")


@pytest.fixture
def copied() -> Submission:
    """A submission in review whose one run is that of another organisation; read, and not compared yet."""
    benchmark = make_cactus_benchmark()
    first, second = (make_stored(make_team(), benchmark, {"0": cactus(1, noise)}) for noise in (0.0, 1e-4))
    for each in (first, second):
        assert open_review(each, NOW)
        read_all(each)
    return second


def seen_by(client: Client, submission: Submission) -> Iterator[tuple[int, bytes, list[str]]]:
    """Of every address of the team: status, content without its token, and the queries by their words."""
    for address in ADDRESSES:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = client.get(address.format(submission.public_id))
        words = [each["sql"].split(" WHERE ")[0] for each in queries.captured_queries]
        yield answer.status_code, _without_token(answer.content), words


def _without_token(content: bytes) -> bytes:
    return b"\n".join(line for line in content.split(b"\n") if b"csrf" not in line and b"nonce" not in line)


@pytest.mark.parametrize("whose", ["copier", "copied"])
def test_teams_see_the_same_with_and_without_a_finding(copied: Submission, whose: str) -> None:
    other = Submission.objects.exclude(pk=copied.pk).get()
    mine = copied if whose == "copier" else other
    client = Client()
    client.force_login(mine.created_by)
    list(seen_by(client, mine))  # what a first visit writes
    before = list(seen_by(client, mine))
    assert 200 in {status for status, _, _ in before}
    for each in (other, copied):
        assert compare(each, NOW)
    assert Finding.objects.filter(code="near-duplicates").count() == 2
    assert list(seen_by(client, mine)) == before


def test_a_copy_moves_on_as_fast_and_tells_as_much_as_any_other(copied: Submission) -> None:
    other = Submission.objects.exclude(pk=copied.pk).get()
    for each in (other, copied):
        compare(each, NOW)
    told = [
        list(each.events.order_by("pk").values_list("kind", "before", "after", "detail"))
        for each in (other, copied)
    ]
    assert told[0] == told[1]
    assert {each.status for each in Submission.objects.all()} == {Submission.Status.IN_REVIEW}


def test_maintainers_see_the_pair_and_how_far_it_is(client: Client, copied: Submission) -> None:
    client.force_login(make_maintainer())
    address = f"/docket/{copied.public_id}/"
    assert "Not computed yet: waiting to be compared" in client.get(address).content.decode()
    assert compare(copied, NOW)
    page = client.get(address).content.decode()
    other = Submission.objects.exclude(pk=copied.pk).get()
    assert "1 run is all but equal to those of" in page
    assert f"Beside submission {other.public_id}" in page
    assert "Not computed yet" not in page


def test_a_case_says_what_became_of_the_comparing(client: Client, copied: Submission) -> None:
    client.force_login(make_maintainer())
    address, likeness = f"/docket/{copied.public_id}/", Likeness.objects.filter(submission=copied)
    likeness.update(state=Likeness.State.FAILED)
    assert "it failed on our side" in client.get(address).content.decode()
    likeness.update(state=Likeness.State.DONE, compared_at=NOW, left_out={"unreadable": 2})
    page = client.get(address).content.decode()
    assert "Nothing is all but equal" in page
    assert "2 runs (unreadable)" in page
    likeness.delete()
    assert "Not computed yet" in client.get(address).content.decode()


@pytest.mark.parametrize("who", ["owner", "stranger", "anonymous"])
def test_nobody_else_opens_the_case(client: Client, copied: Submission, who: str) -> None:
    compare(copied, NOW)
    people: dict[str, Any] = {"owner": copied.created_by, "stranger": make_team().members.get().user}
    if who in people:
        client.force_login(people[who])
    answer = client.get(f"/docket/{copied.public_id}/")
    assert answer.status_code in (302, 403, 404)
    assert b"all but equal" not in answer.content
