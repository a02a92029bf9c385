"""Whoever has nothing but an address to ask for."""

import logging

import pytest
from django.test import Client

from leaderboard.logs.formatters import TextFormatter


@pytest.mark.django_db
def test_no_address_writes_a_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Or what an operator reads, and what is counted in the log, is what a visitor wrote."""
    with caplog.at_level(logging.INFO):
        client.get("/nowhere%0A2026-01-01 00:00:00,000 ERROR grading.tasks out of answers%0D%1B[2J%E2%80%A8x")
    lines = [TextFormatter().format(record) for record in caplog.records if "nowhere" in record.getMessage()]
    assert lines
    for line in lines:
        assert line.isprintable(), line


def test_a_traceback_still_has_its_lines() -> None:
    try:
        raise ValueError("no\nsuch thing")
    except ValueError as error:
        said = (type(error), error, error.__traceback__)
    record = logging.LogRecord("a", logging.ERROR, "a.py", 1, "It failed", (), said)
    first, *rest = TextFormatter().format(record).splitlines()
    assert first.endswith("ERROR a It failed")
    assert rest[0].startswith("Traceback")
