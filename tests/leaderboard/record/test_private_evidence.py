"""Private evidence, route by route: everybody else is told that there is some, and gets no link."""

from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.integrity.appeals import Objection, file_appeal
from leaderboard.integrity.decide import (
    Grounds,
    answer_flag,
    flag_entry,
    move_entry,
    raise_flag,
    withdraw_entry,
)
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.masking import mask_competitions
from leaderboard.models import Appeal, Decision, Flag
from tests.leaderboard.boards import GROUNDS
from tests.leaderboard.record.people import NOW, PRIVATE, PRIVATE_FORM, Cast, make_cast, track, visit

SECRET = PRIVATE.evidence_url
NOTE = "evidence seen by maintainers and the team"
Act = Callable[[Cast, Grounds], Decision]
ACTS: dict[str, Act] = {
    "move": lambda people, why: move_entry(people.entry, track("additional"), why, people.maintainer, NOW),
    "flag": lambda people, why: flag_entry(people.entry, why, people.maintainer, NOW),
    "withdraw": lambda people, why: withdraw_entry(people.entry, why, people.maintainer, NOW),
    "mask": lambda people, why: mask_competitions(people.entry, ["comp-low"], why, people.maintainer, NOW),
    "answer": lambda people, why: answer_flag(
        raise_flag(people.entry, PRIVATE, people.stranger, NOW), True, why, people.maintainer, NOW
    ),
}


def routes(people: Cast, decision: Decision) -> list[str]:
    slug = people.entry.slug
    return [
        f"/decisions/{decision.pk}/", "/decisions/", f"/entries/{slug}/", "/feeds/decisions.atom", "/flags/",
        "/restatements/", "/boards/bench/additional/low/", "/boards/bench/clean/low/", "/boards/bench/all/low/",
        f"/api/v1/decisions/{decision.pk}", "/api/v1/decisions/", "/api/v1/decisions/?format=csv",
        f"/api/v1/entries/{slug}", "/api/v1/flags/", "/api/v1/flags/?format=csv", "/api/v1/restatements/",
        "/api/v1/rankings/additional?split=low", "/api/v1/rankings/clean?split=low",
        "/api/v1/rankings/all?split=low&format=csv", "/api/v1/rankings/all?split=low&as_of=2026-05-02",
        "/decisions/checkpoints.json", f"/organisations/{people.entry.agent.organisation.slug}/",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ACTS)
def test_no_public_route_has_the_link(people: Cast, kind: str) -> None:
    decision = ACTS[kind](people, PRIVATE)
    for role in ("anonymous", "stranger"):
        client = visit(people.of(role))
        for address in routes(people, decision):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert "secret.example" not in answer.content.decode(), address
    for address in routes(people, decision)[:4]:
        assert NOTE in visit(None).get(address).content.decode(), address
    told = visit(None).get(f"/api/v1/decisions/{decision.pk}").json()
    assert (told["evidence_url"], told["evidence_note"]) == ("", NOTE)
    assert verify_decisions() == []


@pytest.mark.parametrize("kind", ACTS)
def test_public_evidence_stays_public(people: Cast, kind: str) -> None:
    decision = ACTS[kind](people, GROUNDS)
    for address in routes(people, decision)[:4]:
        assert GROUNDS.evidence_url in visit(None).get(address).content.decode(), address
    told = visit(None).get(f"/api/v1/decisions/{decision.pk}").json()
    assert (told["evidence_url"], told["evidence_note"]) == (GROUNDS.evidence_url, "")


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("owner", 200),
        ("member", 200),
        ("maintainer", 200),
        ("conflicted", 200),
        ("stranger", 404),
        ("anonymous", 302),
    ],
)
def test_who_opens_it(people: Cast, role: str, status: int) -> None:
    decision = ACTS["move"](people, PRIVATE)
    objection = Objection("No.", "https://secret.example/ours", evidence_is_private=True)
    file_appeal(decision, objection, people.owner, NOW)
    answer = visit(people.of(role)).get(f"/decisions/{decision.pk}/evidence/")
    assert answer.status_code == status
    for link in (SECRET, objection.evidence_url):
        assert (link in answer.content.decode()) == (status == 200)
    public = visit(None)
    for address in (
        f"/decisions/{decision.pk}/",
        f"/api/v1/decisions/{decision.pk}",
        "/api/v1/decisions/?format=csv",
    ):
        assert "secret.example" not in public.get(address).content.decode()


FORMS = {
    "move": ("/entries/{slug}/move/", {"track": "additional"}),
    "withdraw": ("/entries/{slug}/withdraw/", {}),
    "flag": ("/entries/{slug}/flag/", {}),
    "answer": ("/flags/{flag}/answer/", {"answer": "uphold"}),
    "grant": ("/appeals/{appeal}/", {"answer": "grant", "track": "no-private-lb"}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_tick(people: Cast, form: str) -> None:
    flag = raise_flag(people.entry, GROUNDS, people.stranger, NOW)
    decision = Decision.objects.get()
    appeal = Appeal.objects.create(
        decision=decision,
        filed_by=people.owner,
        reason="No.",
        evidence_url=GROUNDS.evidence_url,
        filed_at=NOW,
    )
    address, more = FORMS[form]
    address = address.format(slug=people.entry.slug, flag=flag.pk, appeal=appeal.pk)
    client = visit(people.second)
    assert 'name="evidence_is_private"' in client.get(address).content.decode()
    assert client.post(address, {**PRIVATE_FORM, **more}).status_code == 302
    made = Decision.objects.order_by("pk").last()
    assert made is not None
    assert (made.pk > decision.pk, made.evidence_is_private, made.evidence_url) == (True, True, SECRET)
    for flag in Flag.objects.filter(raised_by=people.second):
        assert flag.evidence_is_private


@pytest.mark.django_db
def test_the_tick_on_the_publish_form() -> None:
    people = make_cast(published=False)
    submission: Any = people.entry.submission
    address = f"/docket/{submission.public_id}/publish/"
    client = visit(people.maintainer)
    assert 'name="evidence_is_private"' in client.get(address).content.decode()
    client.post(address, {**PRIVATE_FORM, "track": "additional"})
    assert Decision.objects.get().evidence_is_private


@pytest.mark.django_db
def test_nothing_of_an_unpublished_entry_is_opened_by_its_team() -> None:
    people = make_cast(published=False)
    flag_entry(people.entry, PRIVATE, people.maintainer, NOW)
    decision = Decision.objects.get()
    assert visit(people.owner).get(f"/decisions/{decision.pk}/evidence/").status_code == 404
    assert visit(people.second).get(f"/decisions/{decision.pk}/evidence/").status_code == 200
