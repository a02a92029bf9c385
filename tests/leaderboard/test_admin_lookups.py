"""The admin's lists answer the filters they offer, and no question about a column they do not show."""

import re
from typing import Any

import pytest
from django.contrib.admin.sites import site
from django.test import Client

from grading.admin_rights import DeclaredLookups
from tests.factories import make_maintainer
from tests.leaderboard.boards import make_board_benchmark, make_published

pytestmark = pytest.mark.django_db
OURS = ("grading", "submissions", "leaderboard")


def test_every_admin_of_ours_keeps_to_its_filters() -> None:
    ours = [each for model, each in site._registry.items() if model._meta.app_label in OURS]
    assert len(ours) > 15
    for admin in ours:
        assert isinstance(admin, DeclaredLookups), admin
        assert all(isinstance(each(admin.model, site), DeclaredLookups) for each in admin.inlines)


@pytest.fixture
def maintainer(client: Client) -> Any:
    make_published(make_board_benchmark(), {"s1": {"comp-low": 0.73448}})
    client.force_login(make_maintainer(is_staff=True, is_superuser=True))


@pytest.mark.parametrize(
    "question",
    [
        "grading/grading/?score=0.73448",
        "grading/grading/?score__gte=0.5",
        "grading/grading/?outcome__startswith=s",
        "grading/grading/?state__exact=done&score__lt=1",
        "grading/grading/?runs__submission__team=1",
        "grading/competition/?gradings__score__gte=0.5",
        "leaderboard/entry/?runs__score__gte=0.5",
        "leaderboard/entry/?results__any_medal_mean__gte=0.5",
        "leaderboard/entry/?benchmark__entries__results__any_medal_mean__gte=0.5",
        "leaderboard/decision/?track__placements__entry__runs__score__gte=0.5",
        "submissions/run/?grading__score__gte=0.5",
        "submissions/submission/?entry__runs__score__gte=0.5",
        "submissions/submission/?created_at__year__gte=2020&runs__grading__score__gte=0",
        "submissions/user/?password__startswith=pbkdf2",
        "submissions/user/?email__startswith=a",
    ],
)
def test_an_undeclared_question_is_refused(client: Client, maintainer: Any, question: str) -> None:
    assert client.get(f"/admin/{question}").status_code == 400


@pytest.mark.parametrize(
    "page",
    [
        "grading/grading",
        "leaderboard/entry",
        "leaderboard/decision",
        "leaderboard/claim",
        "submissions/submission",
        "submissions/organisation",
        "submissions/user",
    ],
)
def test_every_filter_on_offer_works(client: Client, maintainer: Any, page: str) -> None:
    links = set(re.findall(r'href="\?([^"]+)"', client.get(f"/admin/{page}/").content.decode()))
    filters = [link for link in links if "__" in link]
    assert filters
    for link in filters:
        assert client.get(f"/admin/{page}/?{link.replace('&amp;', '&')}").status_code == 200, link
