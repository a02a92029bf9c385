"""What stands above the address of a single thing is no dead end."""

import pytest
from django.test import Client

from tests.leaderboard.boards import make_board_benchmark, make_placed

pytestmark = pytest.mark.django_db


def test_each_leads_to_where_such_things_are_found(client: Client) -> None:
    entry = make_placed(make_board_benchmark(), "additional", 40.0)
    for above in ("/agents/", "/organisations/"):
        page = client.get(above, follow=True)
        assert page.redirect_chain, above
        assert page.status_code == 200
        assert entry.agent.name in page.content.decode(), above


def test_before_anything_is_published_they_lead_to_the_board(client: Client) -> None:
    make_board_benchmark()
    for above in ("/agents/", "/organisations/"):
        assert client.get(above, follow=True).status_code == 200
