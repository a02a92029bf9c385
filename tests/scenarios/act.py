"""What people do, step by step, through the site's own HTTP interface."""

import re
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from demo.browser import TOKEN, Browser, UnexpectedAnswer, send_part
from tests.scenarios.bundles import Predictions, draw_predictions, make_card, pack
from tests.scenarios.cases import Scenario, Step
from tests.scenarios.compare import ABSENT, Line, compare, pick
from tests.scenarios.people import Cast, organisation_of

ROOT = Path(__file__).parents[2]
BENCHMARK = "rehearsal"
ADDRESSES = count(1)
SETTLED = frozenset({"in_review", "published", "rejected", "grading_failed", "withdrawn", "abandoned"})
WITHIN_S = 900.0
# How much slower than on a quiet machine a step may be, where others have the cores.
BUSY = 20
PAUSE_S = 0.25
GROUNDS = {
    "reason": "As the scenario has it.",
    "rule": "docs/tracks.md",
    "evidence_url": "https://example.org/evidence",
}


class Play:
    """One scenario on a running site. What is learned on the way stands in `names` for later steps."""

    def __init__(self, scenario: Scenario, url: str, cast: Cast) -> None:
        self.scenario, self.url, self.cast = scenario, url, cast
        self.browsers: dict[str, Browser] = {}
        self.csvs: dict[str, Predictions] = {}
        self.bundles: dict[str, bytes] = {}
        self.names: dict[str, str] = {"scenario": scenario.name}
        self.doings: dict[str, Callable[[Step], dict[str, Any]]] = {
            "submit": self.submit,
            "look": self.look,
            "publish": self.publish,
            "post": self.post,
            "get": self.get,
            "api": self.api,
            "run": self.run,
        }

    def play(self) -> list[Line]:
        """Every expectation of every step. After a step that could not be done, the rest is left out."""
        lines: list[Line] = []
        for number, step in enumerate(self.scenario.steps, start=1):
            try:
                lines += self._step(number, step)
            except (UnexpectedAnswer, httpx.HTTPError, KeyError) as error:
                return [*lines, Line(number, step.do, "done", f"{type(error).__name__}: {error}", False)]
        return lines

    def _step(self, number: int, step: Step) -> list[Line]:
        """Looks again, where the step allows time, until all expectations hold."""
        deadline = time.monotonic() + step.within_s * BUSY
        while True:
            seen = self.doings[step.do](step)
            lines = compare(number, self._filled(step.expect), seen)
            if all(line.holds for line in lines) or time.monotonic() > deadline:
                self.names |= {name: _kept(seen, path) for name, path in step.keep.items()}
                return lines
            time.sleep(PAUSE_S)

    def browser(self, who: str) -> Browser:
        """The person's own, signed in."""
        if who not in self.browsers:
            self.browsers[who] = Browser(self.url, _next_address())
            if who != "anonymous":
                login = self.cast.login(self.scenario.name, who)
                self.browsers[who].sign_in(login.email, login.password)
        return self.browsers[who]

    def _filled(self, value: Any) -> Any:
        """With `{first.id}` and the like replaced by what is known by now."""
        if isinstance(value, str):
            for name, known in self.names.items():
                value = value.replace(f"{{{name}}}", known)
            return value
        if isinstance(value, dict):
            return {self._filled(key): self._filled(each) for key, each in value.items()}
        return [self._filled(each) for each in value] if isinstance(value, list) else value

    # Uploading and publishing, which need more than one request.

    def submit(self, step: Step) -> dict[str, Any]:
        """Uploads, names what it replaces, mends nothing, confirms unless told not to, waits, and looks."""
        given = self._filled(step.given)
        name, team = given["name"], step.who
        title = organisation_of(self.scenario.name, team)
        self.csvs[name] = draw_predictions(given, f"{self.scenario.name} {team} {name}", self.csvs)
        self.names[f"{name}.team"] = title
        content = (
            self.bundles[given["same_bundle"]]
            if "same_bundle" in given
            else pack(given, self.csvs[name], title)
        )
        self.bundles[name] = content
        public_id = self._upload(team, content, given)
        self.names[f"{name}.id"] = public_id
        state = self._wait(team, public_id, {"awaiting_team", *SETTLED})
        if state["status"] == "awaiting_team" and given.get("confirm", True):
            refused = self._confirm(team, public_id, given)
            if refused:
                return refused
            self._wait(team, public_id, SETTLED)
        return self._seen(team, name)

    def _upload(self, team: str, content: bytes, given: dict[str, Any]) -> str:
        browser = self.browser(team)
        request = {
            "benchmark": BENCHMARK,
            "filename": "bundle.tar.gz",
            "size": len(content),
            "creation_key": str(uuid.uuid4()),
        }
        if "replaces" in given:
            request["supersedes"] = self.names[f"{given['replaces']}.id"]
            request["what_changed"] = given.get("what_changed", "The agent was given more time.")
        submission = browser.api("POST", "/api/v1/submissions", json=request)
        upload = submission["upload"]
        for part in upload["parts"]:
            start = (part["number"] - 1) * upload["part_size"]
            data = content[start : start + part["size"]]
            send_part(browser, upload["addresses"], part, data)
        browser.api("POST", f"/api/v1/submissions/{submission['id']}/complete")
        return str(submission["id"])

    def _confirm(self, team: str, public_id: str, given: dict[str, Any]) -> dict[str, Any]:
        """Empty where it was taken; else what the site said."""
        card = self.browser(team).api("GET", f"/api/v1/submissions/{public_id}/run-card")
        said = {
            "scope": given.get("scope", "low"),
            "attested_name": make_card(given, self.names[f"{given['name']}.team"])["attestation"]["name"],
            "revision": card["number"],
            "accept": True,
        }
        answer = self._request(team, "POST", f"/api/v1/submissions/{public_id}/confirm", said)
        return {} if answer.status_code < 400 else {**_show(answer), "status": "refused"}

    def _wait(self, team: str, public_id: str, statuses: set[str] | frozenset[str]) -> dict[str, Any]:
        deadline = time.monotonic() + WITHIN_S
        while True:
            state = self.browser(team).api("GET", f"/api/v1/submissions/{public_id}")
            waits = state["held"] and state["confirmed_at"]
            if state["status"] in statuses or waits:
                return state
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"after {WITHIN_S:.0f} s it is still {state['status']}")
            time.sleep(PAUSE_S)

    def look(self, step: Step) -> dict[str, Any]:
        name = step.given["name"]
        return self._seen("maintainer", name)

    def _seen(self, who: str, name: str) -> dict[str, Any]:
        """A submission as its owner or a maintainer sees it, with the case as maintainers see it."""
        public_id = self.names[f"{name}.id"]
        state = self.browser(who).api("GET", f"/api/v1/submissions/{public_id}")
        case = self.browser("maintainer").api("GET", f"/api/v1/docket/{public_id}")
        page = self.browser("maintainer").http.get(f"/docket/{public_id}/")
        if state["entry"]:
            self._learn_entry(name, state["entry"])
        return {
            "status": state["status"],
            "held": state["held"],
            "problems": sorted({problem["code"] for problem in state["problems"]}),
            "proposed": case["proposed_track"],
            "reasons": sorted({reason["check"] for reason in case["reasons"]}),
            "masked": list(case["masked_competitions"]),
            "claims": {claim["code"]: claim["state"] for claim in case["claims"]},
            "findings": sorted({finding["code"] for finding in case["findings"]}),
            "json": {"submission": state, "case": case},
            "text": page.text,
            "where": [problem["where"] for problem in state["problems"]],
        }

    def _learn_entry(self, name: str, slug: str) -> None:
        entry = self.browser("maintainer").api("GET", f"/api/v1/entries/{slug}")
        decisions = self.browser("maintainer").api("GET", f"/api/v1/decisions/?entry={slug}")
        newest = max((decision["number"] for decision in decisions["results"]), default=0)
        self.names |= {
            f"{name}.entry": slug,
            f"{name}.number": str(entry["entry"]),
            f"{name}.decision": str(newest),
        }

    def publish(self, step: Step) -> dict[str, Any]:
        name, track = step.given["name"], step.given["track"]
        fields = {**GROUNDS, "track": track, **self._filled(step.given.get("fields", {}))}
        answer = self._post(step.who, f"/docket/{self.names[f'{name}.id']}/publish/", fields)
        if answer.status_code >= 400 and "http" not in step.expect:
            raise UnexpectedAnswer(f"publishing answered {answer.status_code}")
        return {**self._seen("maintainer", name), "http": answer.status_code}

    # One request.

    def post(self, step: Step) -> dict[str, Any]:
        """A form filled in and sent, as it stands on the page. What a decision needs is filled in already."""
        fields = {**GROUNDS, **self._filled(step.given.get("fields", {}))}
        return _show(self._post(step.who, self._filled(step.given["path"]), fields))

    def _post(self, who: str, path: str, fields: dict[str, Any]) -> httpx.Response:
        http = self.browser(who).http
        page = http.get(path)
        token = TOKEN.search(page.text)
        if page.status_code != 200 or token is None:
            return page
        hidden = _hidden_fields(page.text)
        return http.post(
            path,
            data={**hidden, **fields, "csrfmiddlewaretoken": token[1]},
            headers={"Referer": str(page.url)},
        )

    def get(self, step: Step) -> dict[str, Any]:
        return _show(self.browser(step.who).http.get(self._filled(step.given["path"])))

    def api(self, step: Step) -> dict[str, Any]:
        given = self._filled(step.given)
        return _show(
            self._request(step.who, given.get("method", "POST"), given["path"], given.get("body", {}))
        )

    def _request(self, who: str, method: str, path: str, body: Any) -> httpx.Response:
        http = self.browser(who).http
        headers = {"X-CSRFToken": http.cookies.get("csrftoken") or "", "Referer": str(http.base_url)}
        return http.request(method, path, json=body, headers=headers)

    def run(self, step: Step) -> dict[str, Any]:
        """A management command, as an operator gives it."""
        command = [sys.executable, "manage.py", *self._filled(step.given["command"])]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False)
        return {"code": done.returncode, "text": done.stdout + done.stderr}


def _kept(seen: dict[str, Any], where: str) -> str:
    """The value at a dotted path, or between slashes an expression with a group for the text."""
    if where.startswith("/"):
        found = re.search(where.strip("/"), seen.get("text", ""))
        return found[1] if found else ABSENT
    return str(pick(seen, where))


def _next_address() -> str:
    """A loopback address of one's own, as people have: what the site counts by address, it counts for each."""
    number = next(ADDRESSES)
    return f"127.0.{number // 250}.{number % 250 + 1}"


def _hidden_fields(page: str) -> dict[str, str]:
    """The hidden inputs of a page's forms, as a browser would send them."""
    found: dict[str, str] = {}

    class Inputs(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            about = dict(attrs)
            if tag == "input" and about.get("type") == "hidden" and about.get("name"):
                found[about["name"] or ""] = about.get("value") or ""

    Inputs().feed(page)
    return found


def _show(answer: httpx.Response) -> dict[str, Any]:
    is_json = "json" in answer.headers.get("content-type", "")
    return {
        "http": answer.status_code,
        "text": answer.text,
        "json": answer.json() if is_json else None,
        "path": answer.url.path,
    }
