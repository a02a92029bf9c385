"""What people read when something goes wrong: no words of theirs, no inline style, and ways to go on."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import path

from leaderboard import urls
from leaderboard.views.errors import bad_request, permission_denied, server_error

PAGES = ("400.html", "403.html", "403_csrf.html", "404.html", "413.html", "429.html", "500.html")
SAID = "<b>said by somebody</b>"


@pytest.mark.parametrize("name", PAGES)
def test_each_says_what_to_do_without_a_request(name: str) -> None:
    html = render_to_string(name)
    assert f"Error {name[:3]}" in html
    assert 'href="/"' in html
    assert "Where to go from here" in html
    assert " style=" not in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    ("view", "error", "status"),
    [
        (bad_request, SuspiciousOperation(SAID), 400),
        (permission_denied, PermissionDenied(SAID), 403),
    ],
)
def test_none_repeats_what_was_said(view: Callable[..., HttpResponse], error: Exception, status: int) -> None:
    answer = view(RequestFactory().get("/somewhere/"), exception=error)
    assert answer.status_code == status
    assert "said by somebody" not in answer.content.decode()


def test_our_own_error_is_a_page_of_ours(settings: Any, client: Client, caplog: Any) -> None:
    def fail(request: HttpRequest) -> HttpResponse:
        raise RuntimeError(SAID)

    urls.urlpatterns.insert(0, path("fail/", fail))
    client.raise_request_exception = False
    try:
        with caplog.at_level(logging.CRITICAL, "django.request"):
            answer = client.get("/fail/")
    finally:
        urls.urlpatterns.pop(0)
    assert answer.status_code == 500
    html = answer.content.decode()
    assert "Something went wrong on our side" in html
    assert "said by somebody" not in html
    assert (
        server_error(RequestFactory().get("/api/v1/x")).headers["Content-Type"] == "application/problem+json"
    )


@pytest.mark.django_db
def test_a_form_without_its_token_is_told_to_reload() -> None:
    answer = Client(enforce_csrf_checks=True).post("/account/login/", {"login": SAID})
    assert answer.status_code == 403
    assert "This form is no longer valid" in answer.content.decode()


@pytest.mark.django_db
def test_an_address_that_leads_nowhere_is_not_repeated(client: Client) -> None:
    answer = client.get("/no/such/said-by-somebody/")
    assert answer.status_code == 404
    assert "said-by-somebody" not in answer.content.decode()
