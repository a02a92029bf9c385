"""A whole team confirming at once, on a real database with real threads.

In a file of its own: a test that commits empties the tables behind it, so it must come last.
"""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.submissions.test_attest import awaiting


@pytest.mark.django_db(transaction=True)
def test_all_who_confirm_at_once_are_told_that_it_is_confirmed(rings: list[Any]) -> None:
    submission = awaiting()
    start, answers = threading.Barrier(4), []

    def post() -> None:
        client = Client()
        client.force_login(submission.created_by)
        start.wait()
        body = {"scope": "low", "attested_name": "Ada", "revision": 1, "accept": True}
        address = f"/api/v1/submissions/{submission.public_id}/confirm"
        answers.append(client.post(address, body, content_type="application/json").status_code)
        connection.close()

    threads = [threading.Thread(target=post) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [202] * 4
    assert submission.run_cards.count() == 2
