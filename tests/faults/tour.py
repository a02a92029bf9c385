"""Everybody's pages, found by following links, two of each kind: which of them the site could not answer."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

from demo.browser import Browser
from tests.faults.people import MAINTAINER, TEAMS, Cast, team_name
from tests.faults.playing import Played

LINK = re.compile(r'href="([^"#]+)')
OF_EACH, MOST = 2, 400


def tour(url: str, cast: Cast, played: Played) -> list[str]:
    """Sentences about answers of 500 and more, to a maintainer, a member of the submission's team, and a stranger."""
    names = (MAINTAINER, team_name(played.number % TEAMS), "")
    return [words for name in names for words in _walk(_browser(url, cast, name), name, played)]


def _browser(url: str, cast: Cast, name: str) -> Browser:
    browser = Browser(url, "127.0.3.1")
    if name:
        browser.sign_in(cast.email(name), cast.password)
    return browser


def _walk(browser: Browser, name: str, played: Played) -> Iterator[str]:
    waiting = deque(
        ["/", "/docket/", "/status/", "/api/v1/rankings/all", f"/submissions/{played.public_id}/"]
    )
    seen, counted = set(waiting), Counter[str]()
    while waiting and counted.total() < MOST:
        path = waiting.popleft()
        route = _route_of(path)
        if counted[route] >= OF_EACH or "logout" in route:
            continue
        counted[route] += 1
        answer = browser.http.get(path)
        if answer.status_code >= 500:
            yield f"{path} answered {answer.status_code} to {name or 'a stranger'}"
        fresh = [link for link in _links(str(answer.url), answer.text) if link not in seen]
        seen.update(fresh)
        waiting.extend(fresh)


def _links(page: str, text: str) -> Iterator[str]:
    """To this site, without their fragments."""
    for found in LINK.findall(text):
        link = urlsplit(urljoin(page, found.replace("&amp;", "&")))
        if link.netloc == urlsplit(page).netloc:
            yield f"{link.path}?{link.query}" if link.query else link.path


def _route_of(path: str) -> str:
    try:
        return resolve(path.partition("?")[0]).route
    except Resolver404:
        return "static" if path.startswith("/static/") else path
