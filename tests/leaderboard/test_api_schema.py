"""Requests made up from the API's own schema: none may crash the site, whatever it makes of them."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from rest_framework.throttling import SimpleRateThrottle

from submissions.tokens import create_token
from tests.factories import make_submission, make_team, make_user
from tests.leaderboard.boards import make_board_benchmark, make_placed, make_published

EXAMPLES = 6


@pytest.fixture
def api_schema(db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The schema as the site gives it, of a site with something in it; nobody is asked to wait."""
    for scope in SimpleRateThrottle.THROTTLE_RATES:
        monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, scope, "1000000/min")
    benchmark = make_board_benchmark()
    make_published(benchmark, {"s1": {"comp-low": 0.95}}, track="no-private-lb")
    make_placed(benchmark, "additional", 50.0)
    text = Client().get("/api/v1/schema", headers={"accept": "application/vnd.oai.openapi+json"}).content
    return schemathesis.openapi.from_dict(json.loads(text))


few = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def try_all(api_schema: Any, wanted: str, **more: Any) -> list[str]:
    """Sends made-up requests to every operation whose path matches. Returns the operations tried."""
    tried = []
    for found in api_schema.get_all_operations():
        operation = found.ok()
        if re.search(wanted, operation.path):
            few(given(case=operation.as_strategy())(lambda case: send(case, **more)))()
            tried.append(operation.label)
    return tried


def send(case: Any, submission: str = "", secret: str = "") -> None:
    if submission and "public_id" in case.path_parameters:
        case.path_parameters["public_id"] = submission
    client = Client(headers={"Authorization": f"Token {secret}"} if secret else {})
    client.raise_request_exception = False
    query = urlencode(case.query or {}, doseq=True)
    sent = body_of(case)
    answer = client.generic(
        case.method,
        f"{case.formatted_path}?{query}",
        sent,
        case.media_type or "application/json",
        headers={
            name: str(value) for name, value in (case.headers or {}).items() if str(value).isprintable()
        },
    )
    said = f"{case.method} {case.formatted_path}?{query} {sent[:200]!r}"
    assert answer.status_code < 500, f"{said} answered {answer.status_code}"
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json", f"{said}: {answer['Content-Type']}"


def body_of(case: Any) -> bytes:
    """The body as bytes; one that was left out is empty."""
    if isinstance(case.body, bytes):
        return case.body
    return (
        b""
        if isinstance(case.body, schemathesis.core.NotSet)
        else json.dumps(case.body, default=str).encode()
    )


def test_no_request_of_a_stranger_crashes_the_site(api_schema: Any) -> None:
    assert len(try_all(api_schema, "")) > 25


def test_nor_one_of_a_team(api_schema: Any) -> None:
    user = make_user()
    submission = make_submission(team=make_team(owner=user))
    secret = create_token(user)
    tried = try_all(api_schema, "submissions|validate", submission=str(submission.public_id), secret=secret)
    assert len(tried) > 8
