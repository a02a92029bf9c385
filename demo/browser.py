"""The site through HTTP, by the very requests a browser sends: sign-in form, upload in parts, decision form."""

import hashlib
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class UnexpectedAnswer(Exception):
    """The site did not do what the demo asked for; says what and shows the site's own words."""


class Browser:
    """One signed-in person. Forms carry their CSRF token, API calls the header a page's script would send.

    `address`: where the person's requests come from; any of this machine if not given.
    """

    def __init__(self, url: str, address: str | None = None) -> None:
        transport = httpx.HTTPTransport(local_address=address)
        self.http = httpx.Client(base_url=url, follow_redirects=True, timeout=60, transport=transport)

    def sign_in(self, email: str, password: str) -> None:
        answer = self.post_form("/account/login/", {"login": email, "password": password})
        if "/account/login" in answer.url.path:
            raise UnexpectedAnswer(
                f"{email} could not sign in; is the database older than var/demo-logins.json?"
            )

    def post_form(self, path: str, fields: dict[str, str]) -> httpx.Response:
        page = self.http.get(path)
        token = TOKEN.search(page.text)
        if page.status_code != 200 or token is None:
            raise UnexpectedAnswer(f"{path} shows no form (HTTP {page.status_code})")
        answer = self.http.post(
            path, data={**fields, "csrfmiddlewaretoken": token[1]}, headers={"Referer": str(page.url)}
        )
        if answer.status_code >= 400:
            raise UnexpectedAnswer(f"{path} answered {answer.status_code}")
        return answer

    def api(self, method: str, path: str, **options: Any) -> Any:
        headers = {
            "X-CSRFToken": self.http.cookies.get("csrftoken") or "",
            "Referer": str(self.http.base_url),
        }
        headers.update(options.pop("headers", {}))
        answer = self.http.request(method, path, headers=headers, **options)
        if answer.status_code >= 400:
            raise UnexpectedAnswer(f"{method} {path} answered {answer.status_code}: {answer.text[:500]}")
        return answer.json() if answer.content else None


def upload_bundle(
    browser: Browser, bundle: Path, benchmark: str, progress: Callable[[int, int], None]
) -> str:
    """The id of the submission with this bundle. The same bundle again finds the submission it already made."""
    content = bundle.read_bytes()
    key = uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(content).hexdigest())
    request = {
        "benchmark": benchmark,
        "filename": bundle.name,
        "size": len(content),
        "creation_key": str(key),
    }
    submission = browser.api("POST", "/api/v1/submissions", json=request)
    if submission["status"] == "uploading":
        _send_parts(browser, submission["upload"], content, progress)
        browser.api("POST", f"/api/v1/submissions/{submission['id']}/complete")
    return str(submission["id"])


def _send_parts(browser: Browser, upload: Any, content: bytes, progress: Callable[[int, int], None]) -> None:
    for part in upload["parts"]:
        start = (part["number"] - 1) * upload["part_size"]
        data = content[start : start + part["size"]]
        if not part["received"]:
            send_part(browser, upload["addresses"], part, data)
        progress(start + len(data), len(content))


def send_part(browser: Browser, addresses: str | None, part: Any, data: bytes) -> None:
    """To the site, or to an address elsewhere that was made for these bytes."""
    digest = hashlib.sha256(data).hexdigest()
    if addresses is None:
        checksum = {"X-Checksum-Sha256": digest}
        browser.api(part["method"], part["url"], content=data, headers={**part["headers"], **checksum})
        return
    asked = {"parts": [{"number": part["number"], "sha256": digest}]}
    target = browser.api("POST", addresses, json=asked)["parts"][0]
    answer = httpx.request(
        target["method"], target["url"], content=data, headers=target["headers"], timeout=60
    )
    if answer.status_code != 200:
        raise UnexpectedAnswer(f"the store answered {answer.status_code}: {answer.text[:500]}")
