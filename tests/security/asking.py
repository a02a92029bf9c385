"""Asks a route and says what came of it, so that nothing is left of it afterwards."""

from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.test import Client

from submissions.models import User

# Every field of every form, so that whoever may act does act.
EVERYTHING = {
    "reason": "It was seen in the logs.",
    "rule": "Tracks and rules",
    "evidence_url": "https://example.org/evidence",
    "track": "additional",
    "without_answer": "on",
    "competitions": ["comp-low", "comp-medium"],
    "question": "Which llm was it?",
    "answer": "dismiss",
    "note": "It means nothing.",
    "text": "It was not so.",
    "url": "https://example.org/source",
    "holds": "yes",
    "sentence": "It is so.",
    "action": "close",
    "name": "Another name",
    "organisation": "Another organisation",
    "kinds": ["entry.decision"],
    "scope": "low",
}
ANSWERS = {"appeal-answer": "deny", "claim-verify": "open"}
LOGIN = "/account/login/"


def sign_in(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user:
        client.force_login(user)
    return client


def ask(client: Client, method: str, path: str, name: str = "") -> str:
    """The status; "login" for a visitor who is sent to sign in. Whatever it changed is undone."""
    data: Any = {**EVERYTHING, "answer": ANSWERS.get(name, EVERYTHING["answer"])}
    is_form = method == "POST" and not path.startswith("/api/")
    more = {"data": data} if is_form else {"data": "{}", "content_type": "application/json"}
    cache.clear()
    with transaction.atomic():
        answer = getattr(client, method.lower())(path, **({} if method == "GET" else more))
        if answer.streaming:
            b"".join(answer.streaming_content)  # Until its end it keeps its file open.
        transaction.set_rollback(True)
    if answer.status_code == 302 and answer["Location"].startswith(LOGIN):
        return "login"
    return str(answer.status_code)
