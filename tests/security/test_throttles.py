"""Who is counted, and that each limit really ends with 429."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from leaderboard.integrity.deciding import DecisionRefused
from leaderboard.integrity.flags import FLAGS_PER_DAY, raise_flag
from submissions.address import find_address, network_of
from submissions.api.limits import AnonThrottle, UserThrottle
from tests import factories as make

pytestmark = pytest.mark.django_db
VISITOR, PROXY, SPOOFED = "198.51.100.7", "10.0.0.1", "203.0.113.9"

ADDRESSES = [
    # What the socket says, what X-Forwarded-For says, our proxies, who is counted.
    (VISITOR, None, 0, VISITOR),
    (VISITOR, SPOOFED, 0, VISITOR),
    (PROXY, VISITOR, 1, VISITOR),
    (PROXY, f"{SPOOFED}, {VISITOR}", 1, VISITOR),
    (PROXY, f"{SPOOFED}, {VISITOR}, 10.0.0.2", 2, VISITOR),
    (PROXY, VISITOR, 2, VISITOR),
    (PROXY, None, 1, PROXY),
    (PROXY, " , ", 1, PROXY),
    (PROXY, f"{VISITOR}:4711", 1, VISITOR),
    (PROXY, "[2001:db8::1]:4711", 1, "2001:db8::1"),
    (PROXY, "::ffff:198.51.100.7", 1, VISITOR),
    (PROXY, "2001:db8::1", 1, "2001:db8::1"),
    (PROXY, "unknown", 1, None),
    (PROXY, "<script>", 1, None),
    ("", None, 0, None),
]


@pytest.mark.parametrize(("remote", "forwarded", "proxies", "expected"), ADDRESSES)
def test_whose_address_counts(remote: str, forwarded: str | None, proxies: int, expected: str | None) -> None:
    meta = {"REMOTE_ADDR": remote, **({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {})}
    assert find_address(meta, proxies) == expected


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        (VISITOR, VISITOR),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::99", "2001:db8:1:2::/64"),
        (None, "unknown"),
    ],
)
def test_an_ipv6_network_counts_as_one(address: str | None, counted: str) -> None:
    assert network_of(address) == counted


def behind_proxies(settings: Any, number: int) -> None:
    settings.REST_FRAMEWORK = {**configured.REST_FRAMEWORK, "NUM_PROXIES": number}
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = number


def fail_to_sign_in(client: Client, headers: dict[str, str]) -> int:
    words = {"login": f"{make._number()}@example.org", "password": "not the one"}
    answer = client.post(reverse("account_login"), words, headers=headers)
    # The form comes again and says so: its status is no other than that of a wrong password.
    return 429 if b"Too many failed login attempts" in answer.content else answer.status_code


def read_the_api(client: Client, headers: dict[str, str]) -> int:
    return client.get("/api/v1/tracks/", headers=headers).status_code


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of everything, so that a test need not send hundreds."""
    for throttle in (AnonThrottle, UserThrottle):
        monkeypatch.setattr(throttle, "rate", "3/min", raising=False)


@pytest.mark.parametrize(("ask", "limit"), [(fail_to_sign_in, 10), (read_the_api, 3)])
def test_a_made_up_address_does_not_get_around_a_limit(
    ask: Callable[..., int], limit: int, settings: Any, tight: None
) -> None:
    """Without a proxy the header is nobody's word; with one, only what the proxy appended counts."""
    for proxies, say in ((0, "{}"), (1, "{}, 198.51.100.7")):
        behind_proxies(settings, proxies)
        client = Client(REMOTE_ADDR=f"192.0.2.{proxies}")
        answers = [ask(client, {"X-Forwarded-For": say.format(f"203.0.113.{n}")}) for n in range(limit + 1)]
        assert answers[-1] == 429, proxies
        assert 429 not in answers[:limit], proxies


@pytest.mark.parametrize(("ask", "limit"), [(fail_to_sign_in, 10), (read_the_api, 3)])
def test_visitors_behind_a_proxy_do_not_share_a_limit(
    ask: Callable[..., int], limit: int, settings: Any, tight: None
) -> None:
    behind_proxies(settings, 1)
    client = Client(REMOTE_ADDR=PROXY)
    answers = [ask(client, {"X-Forwarded-For": f"198.51.100.{number}"}) for number in range(limit + 2)]
    assert 429 not in answers


def test_a_passwords_guesser_is_stopped_from_whatever_address() -> None:
    user = make.make_user()
    answers = [
        Client(REMOTE_ADDR=f"198.51.100.{number}").post(
            reverse("account_login"), {"login": user.email, "password": f"guess {number}"}
        )
        for number in range(7)
    ]
    right = Client(REMOTE_ADDR=VISITOR).post(
        reverse("account_login"), {"login": user.email, "password": make.PASSWORD}
    )
    assert b"Too many failed login attempts" in answers[-1].content
    assert right.status_code == 200, "not even the right one is taken while the account is being guessed at"


SIGN_UP = {"password1": make.PASSWORD, "password2": make.PASSWORD}
POSTS = [
    ("account_signup", lambda n: {"email": f"{n}@example.org", **SIGN_UP}, 10),
    ("account_reset_password", lambda n: {"email": f"{n}@example.org"}, 10),
    ("account_reset_password", lambda n: {"email": "one@example.org"}, 3),
]


@pytest.mark.parametrize(("name", "words", "limit"), POSTS)
def test_forms_of_visitors_end_with_429(
    name: str, words: Callable[[int], dict[str, str]], limit: int
) -> None:
    answers = [Client().post(reverse(name), words(number)).status_code for number in range(limit + 1)]
    assert 429 not in answers[:limit]
    assert answers[limit] == 429


def test_codes_of_the_second_factor_are_not_guessed(client: Client) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    user = make.make_user()
    TOTP.activate(user, generate_totp_secret())
    client.post(reverse("account_login"), {"login": user.email, "password": make.PASSWORD})
    pages = [client.post(reverse("mfa_authenticate"), {"code": f"{number:06}"}) for number in range(12)]
    assert pages[-1].status_code == 429 or b"Too many" in pages[-1].content


def of_scope(scope: str, rate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.throttling import SimpleRateThrottle

    rates = {**configured.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], scope: rate}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


def create(client: Client) -> Any:
    return client.post("/api/v1/submissions", "{}", content_type="application/json")


def send_part(client: Client) -> Any:
    path = "/api/v1/submissions/00000000-0000-0000-0000-000000000000/parts/1"
    return client.put(path, b"x", content_type="application/octet-stream")


def validate(client: Client) -> Any:
    return client.post("/api/v1/competitions/comp-x/validate", {"file": SimpleUploadedFile("a.csv", b"x")})


@pytest.mark.parametrize(
    ("scope", "ask"), [("create", create), ("upload", send_part), ("validity", validate), ("user", create)]
)
def test_the_api_ends_with_429_and_says_when(
    scope: str, ask: Callable[[Client], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_scope(scope, "2/min", monkeypatch)
    user = make.make_user()
    make.make_team(owner=user)
    client = Client()
    client.force_login(user)
    answers = [ask(client) for _ in range(3)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert int(answers[-1]["Retry-After"]) > 0
    assert answers[-1]["RateLimit-Remaining"] == "0"


def test_flags_of_one_person_end() -> None:
    user = make.make_user()
    entry = make.make_placed()
    for number in range(FLAGS_PER_DAY):
        raise_flag(entry, make_grounds(number), user, make.NOW)
    with pytest.raises(DecisionRefused, match="within 24 hours"):
        raise_flag(entry, make_grounds(99), user, make.NOW)


def make_grounds(number: int) -> Any:
    from leaderboard.integrity.ledger import Grounds

    return Grounds(f"Reason {number}", "A rule.", "https://example.org/evidence")
