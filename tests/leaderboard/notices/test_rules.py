"""Waiting after failures, signatures, addresses and words: rules without a database."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest

from leaderboard.notices.addresses import BadAddress, is_public, parse_target
from leaderboard.notices.backoff import ATTEMPTS, next_digest, wait_after
from leaderboard.notices.kinds import Group, Kind
from leaderboard.notices.signature import sign, to_secret
from leaderboard.notices.words import Item, Ways, body_of, one_line, subject_of

WAYS = Ways("https://site.example/account/notices/", "https://site.example/notices/unsubscribe/t/")
SITE = "The board"


@pytest.mark.parametrize(
    ("failures", "minutes"),
    [(0, 1), (1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 360), (11, 360), (500, 360)],
)
def test_waits_double_up_to_six_hours(failures: int, minutes: int) -> None:
    assert wait_after(failures) == timedelta(minutes=minutes)


def test_the_last_try_is_about_twenty_hours_after_the_first() -> None:
    total = sum((wait_after(number) for number in range(1, ATTEMPTS)), timedelta())
    assert timedelta(hours=19) < total < timedelta(hours=21)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 5, 1, 6, 59, tzinfo=UTC), datetime(2026, 5, 1, 7, tzinfo=UTC)),
        (datetime(2026, 5, 1, 7, 0, tzinfo=UTC), datetime(2026, 5, 2, 7, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 0, tzinfo=UTC), datetime(2027, 1, 1, 7, tzinfo=UTC)),
    ],
)
def test_digests_go_out_at_seven(now: datetime, due: datetime) -> None:
    assert next_digest(now) == due


def test_a_signature_is_an_hmac_over_id_time_and_body() -> None:
    headers = sign([b"new" * 8, b"old" * 8], "id-1", 1700000000, b'{"a":1}')
    signed = hmac.new(b"new" * 8, b'id-1.1700000000.{"a":1}', hashlib.sha256).digest()
    first, second = headers["webhook-signature"].split(" ")
    assert first == "v1," + base64.b64encode(signed).decode()
    assert second != first
    assert headers["webhook-id"] == "id-1"
    assert headers["webhook-timestamp"] == "1700000000"
    assert base64.b64decode(to_secret(b"new" * 8).removeprefix("whsec_")) == b"new" * 8


PRIVATE = [
    *("127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "0.0.0.0", "0.1.2.3"),
    *("192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"),
    *("255.255.255.255", "::1", "::", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "64:ff9b::7f00:1"),
    *("fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2002:7f00:1::"),
    *("2001::1", "2001:db8::1", "no number", ""),
]


@pytest.mark.parametrize("number", PRIVATE)
def test_private_and_disguised_addresses_are_refused(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize(
    "number", ["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"]
)
def test_public_addresses_pass(number: str) -> None:
    assert is_public(number)


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("https://hooks.example.org", "hooks.example.org", 443, "/", "hooks.example.org"),
        ("https://Hooks.Example.org/a/b?c=d", "hooks.example.org", 443, "/a/b?c=d", "hooks.example.org"),
        ("https://hooks.example.org:8443/x", "hooks.example.org", 8443, "/x", "hooks.example.org:8443"),
        ("https://[2606:4700::1111]/x", "2606:4700::1111", 443, "/x", "[2606:4700::1111]"),
    ],
)
def test_targets(url: str, host: str, port: int, path: str, authority: str) -> None:
    target = parse_target(url)
    assert (target.host, target.port, target.path, target.authority) == (host, port, path, authority)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://hooks.example.org/", "https:// addresses only"),
        ("ftp://hooks.example.org/", "https:// addresses only"),
        ("//hooks.example.org/", "https:// addresses only"),
        ("gopher://127.0.0.1:25/", "https:// addresses only"),
        ("https://user:word@hooks.example.org/", "name and password"),
        ("https://@hooks.example.org/", "name and password"),
        ("https://hooks.example.org/#part", "what follows the #"),
        ("https:///path", "not the name of a host"),
        ("https://-bad-.example/", "not the name of a host"),
        ("https://under_score.example/", "not the name of a host"),
        ("https://hooks.example.org:25/", "port 443"),
        ("https://hooks.example.org:99999/", "not an address"),
        ("https://[::1/", "not an address"),
        ("https://127.0.0.1/", "private network"),
        ("https://localhost/", "private network"),
        ("https://[::1]/", "private network"),
        ("https://169.254.169.254/latest/meta-data/", "private network"),
        ("https://[::ffff:10.0.0.1]/", "private network"),
        ("https://10.1.2.3:8443/", "private network"),
        ("https://hooks.example.org/a b", "without blanks"),
        ("https://hooks.example.org/\r\nX: y", "without blanks"),
        ("https://hööks.example.org/", "without blanks"),
        ("https://hooks.example.org/" + "a" * 500, "at most 500"),
    ],
)
def test_addresses_that_are_no_targets(url: str, words: str) -> None:
    with pytest.raises(BadAddress, match=words):
        parse_target(url)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/x", "http://localhost/x", "http://[::1]:80/"])
def test_this_machine_only_where_it_is_allowed(url: str) -> None:
    assert not parse_target(url, allow_loopback=True).is_https
    with pytest.raises(BadAddress):
        parse_target(url)


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://hooks.example.org/", "https://10.0.0.1/"])
def test_allowing_this_machine_allows_no_other(url: str) -> None:
    with pytest.raises(BadAddress):
        parse_target(url, allow_loopback=True)


def item(kind: Kind, **facts: object) -> Item:
    return Item(kind, Group.TEAM, facts, "https://site.example/there/")


def test_a_mail_is_a_sentence_a_line_a_link_and_the_ways_out() -> None:
    one = item(
        Kind.STATUS,
        status="rejected",
        submission="u",
        submitted="2026-05-01 12:00 UTC",
        benchmark="demo",
        team="A",
    )
    assert subject_of([one], SITE) == "[The board] Bundle rejected"
    assert body_of([one], WAYS) == (
        "The bundle was rejected. Its page lists everything that was found; mend it and upload a new one.\n"
        "Submission of 2026-05-01 12:00 UTC to demo, team A\n"
        "https://site.example/there/\n\n"
        "-- \nYou are told because you belong to the team.\n"
        "What you are told, and how often: https://site.example/account/notices/\n"
        "No more mail of this kind: https://site.example/notices/unsubscribe/t/\n"
    )


def test_a_days_mail_counts_its_items_and_titles_each() -> None:
    two = [
        item(Kind.DECISION, entry=7, benchmark="demo", decision=42),
        item(Kind.FLAG, entry=8, benchmark="demo", flag=3),
    ]
    assert subject_of(two, SITE) == "[The board] 2 notices"
    body = body_of(two, WAYS)
    assert "Decision on your entry\n" in body
    assert "Entry 7 on demo, decision 42\n" in body
    assert "Flag on your entry\n" in body
    assert "No more daily mail:" in body


def test_a_team_cannot_write_headers_or_paragraphs_by_its_name() -> None:
    nasty = "A\r\nBcc: all@example.org\n\nClick here"
    told = item(Kind.STATUS, status="published", submission="u", submitted="x", benchmark="demo", team=nasty)
    assert "\n" not in subject_of([told], SITE)
    assert "team A Bcc: all@example.org Click here\n" in body_of([told], WAYS)
    assert one_line(nasty) == "A Bcc: all@example.org Click here"
