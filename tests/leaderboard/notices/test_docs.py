"""docs/notices.md: the table is what the code does, and its sample takes and refuses what it should."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.notices.kinds import KINDS, Kind, Often
from leaderboard.notices.send_webhooks import to_delivery
from leaderboard.notices.webhooks import create_webhook, rotate_secret
from tests.factories import make_team, make_user
from tests.leaderboard.notices.told import make_notice

TEXT = (Path(__file__).parents[3] / "docs" / "notices.md").read_text()
WORDS = {Often.NOW: "at once", Often.DAILY: "once a day", Often.NEVER: "never"}


def test_the_table_names_every_kind_and_how_often_it_goes_out() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|.*\| ([a-z ]+) \|$", TEXT, re.MULTILINE)
    told = {Kind(kind): often for kinds, often in rows for kind in re.findall(r"`([a-z.]+)`", kinds)}
    assert told == {kind: WORDS[row.usually] for kind, row in KINDS.items()}


Check = Callable[[str, Mapping[str, str], bytes], bool]


@pytest.fixture
def sample() -> Check:
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code is not None
    place: dict[str, Any] = {}
    exec(code[1], place)
    return place["is_from_the_board"]


@pytest.mark.django_db
def test_the_sample_checks_what_is_sent(sample: Check) -> None:
    now = timezone.now()
    hook, secret = create_webhook(make_user(), make_team(), "https://h.example.org/", ["entry.flag"], now)
    sent = to_delivery(make_notice(webhook=hook), now)
    assert sample(secret, sent.headers, sent.body)
    assert not sample(secret, sent.headers, sent.body + b" ")
    assert not sample(secret, {**sent.headers, "webhook-id": "other"}, sent.body)
    _, other = create_webhook(make_user(), make_team(), "https://h.example.org/", ["entry.flag"], now)
    assert not sample(other, sent.headers, sent.body)
    new = rotate_secret(hook, now)
    again = to_delivery(make_notice(webhook=hook), now)
    assert sample(secret, again.headers, again.body)
    assert sample(new, again.headers, again.body)


@pytest.mark.django_db
def test_the_sample_refuses_what_is_old(sample: Check) -> None:
    now = timezone.now()
    hook, secret = create_webhook(make_user(), make_team(), "https://h.example.org/", ["entry.flag"], now)
    old = to_delivery(make_notice(webhook=hook), now - timedelta(minutes=6))
    assert not sample(secret, old.headers, old.body)
