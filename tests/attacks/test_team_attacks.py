"""People with an account and no standing: whom they pass for, and whose money and room they use."""

from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from grading.models import Blob
from leaderboard.agents import agent_of
from leaderboard.audit.acts import Act
from leaderboard.evidence import tasks
from leaderboard.evidence.stage import take_unrung
from leaderboard.models import AuditRecord, EvidenceReading, SecondReading
from leaderboard.notices.webhooks import create_webhook
from leaderboard.personal.export import export_of
from leaderboard.second_reading.stage import read_again
from submissions.models import Bundle, EvidenceFile, Organisation, Submission, Upload
from submissions.people import PeopleError, create_team, verify_organisation
from submissions.room import LARGEST_BYTES
from submissions.uploads import UploadError, UploadRequest, begin_upload
from submissions.withdraw import withdraw
from tests.factories import (
    NOW,
    make_benchmark,
    make_maintainer,
    make_organisation,
    make_run,
    make_team,
    make_user,
)
from tests.leaderboard.evidence.submitted import COMPETITION, submitted
from tests.submissions.uploading import make_upload

pytestmark = pytest.mark.django_db
LOG = {f"0/{COMPETITION}/logs/a.log": b"step 1: ls\n"}


def test_nothing_of_an_unverified_organisation_is_read_by_an_llm_or_anybody_else() -> None:
    """Anybody can make organisations, each with its quota, and a reading may cost half a million tokens."""
    organisation = make_organisation(verified=False)
    submission = submitted(LOG, Submission.Status.QUEUED, team=make_team(organisation))
    public_id = str(submission.public_id)
    tasks.read(public_id)
    assert take_unrung(NOW) == []
    assert not EvidenceReading.objects.exists()
    verify_organisation(organisation, make_maintainer(), NOW)
    tasks.read(public_id)
    assert EvidenceReading.objects.get().state == EvidenceReading.State.DONE


def test_a_maintainers_address_is_not_in_the_export_of_those_they_acted_on() -> None:
    user, maintainer = make_user(), make_maintainer()
    for actor, address in ((maintainer, "192.0.2.1"), (user, "192.0.2.2"), (None, "192.0.2.3")):
        AuditRecord.objects.create(at=NOW, act=Act.PERSON_CHANGED, actor=actor, account=user, address=address)
    found = [line["address"] for line in export_of(user, NOW)["audit_log"] if line["address"]]
    assert found == ["192.0.2.2", "192.0.2.3"]


LIKE_ALPHA = {
    "zero width space": "Alpha\u200b",
    "right-to-left override": "Al\u202epha",
    "soft hyphen": "Al\u00adpha",
    "control character": "Alpha\x01",
    "line break": "Alpha\nGroup",
    "non-breaking space": "Alpha\u00a0Group",
    "two spaces": "Alpha  Group",
    "full width": "\uff21lpha",
    "grapheme joiner": "Al\u034fpha",
    "variation selector": "Alpha\ufe0f",
    "selector after a hyphen": "Alpha-\ufe0fGroup",
    "selector after a full stop": "Alpha.\ufe0f",
    "selector after an apostrophe": "Alpha'\ufe0fs",
    "selector after a plus": "Alpha+\ufe0f",
    "second selector": "\u2764\ufe0f\ufe0f",
    "form of a letter of full width": "\uff21\ufe0flpha",
    "ideographic variation": "Alpha\U000e0100",
    "filler": "Alpha\u3164",
    "Greek capital": "\u0391lpha",
    "Cyrillic letter": "Alph\u0430",
    "blank of Braille": "Alpha\u2800",
    "capitals": "ALPHA",
    "decomposed": "E\u0301cole",
}


@pytest.mark.parametrize("name", LIKE_ALPHA.values(), ids=LIKE_ALPHA.keys())
def test_no_organisation_passes_for_another(name: str, client: Client) -> None:
    for taken in ("Alpha", "Alpha Group", "\u00c9cole"):
        make_team(make_organisation(taken))
    client.force_login(make_user())
    before = Organisation.objects.count()
    assert client.post("/teams/new/", {"name": "Team", "organisation": name}).status_code == 200
    assert Organisation.objects.count() == before
    assert client.post("/teams/new/", {"name": "Team", "organisation": "Beta"}).status_code == 302


@pytest.mark.parametrize(
    "sign", ["1\ufe0f\u20e3", "\u2139\ufe0f", "\u2122\ufe0f", "\u2764\ufe0f", "\u00a9\ufe0f"]
)
def test_a_sign_that_shows_is_part_of_a_name(sign: str, client: Client) -> None:
    client.force_login(make_user())
    assert client.post("/teams/new/", {"name": "Team", "organisation": f"Alpha {sign}"}).status_code == 302


def test_no_agent_takes_the_address_that_anothers_would_have() -> None:
    """Or the review of the other's submission never opens."""
    squatter, other = make_organisation("Squatter"), make_organisation("Other")
    taken = [agent_of(squatter, name).slug for name in ("Foo", "Foo other 2")]
    slugs = [agent_of(other, name).slug for name in ("Foo", "Foo!", "Foo?")]
    assert len({*taken, *slugs}) == 5


def test_a_name_that_is_long_only_once_it_is_normal_is_refused(client: Client) -> None:
    client.force_login(make_user())
    answer = client.post("/teams/new/", {"name": "\ufdfa" * 20, "organisation": "Alpha"})
    assert "at most 120 characters" in answer.content.decode()


def test_one_person_does_not_take_all_names() -> None:
    user = make_user()
    for number in range(3):
        create_team(user, "Team", f"Organisation {number}x")
    with pytest.raises(PeopleError, match="no maintainer has verified"):
        create_team(user, "Team", "Somebody else's")
    verify_organisation(Organisation.objects.get(name="Organisation 0x"), make_maintainer(), NOW)
    assert create_team(user, "Team", "Another of mine")


def test_nobody_fills_the_disk_before_somebody_has_looked_at_them() -> None:
    """Thirty bundles an hour, each of 20 GiB or holding as much, of an account that was made a minute ago."""
    user, benchmark = make_user(), make_benchmark()
    team = make_team(make_organisation(verified=False), owner=user)
    begun = [make_upload(b"x", team, benchmark, user) for _ in range(3)]
    elsewhere = make_team(make_organisation(verified=False), owner=user)
    for refused in (team, elsewhere):
        with pytest.raises(UploadError, match="room for 3 of the largest"):
            make_upload(b"x", refused, benchmark, user)
    assert Submission.objects.count() == 3
    again = UploadRequest("bundle.tar.gz", 1, begun[0].creation_key)
    assert begin_upload(team, benchmark, user, again, NOW) == begun[0]
    assert make_upload(b"x", make_team(owner=user), benchmark, user), "a verified organisation has room"
    withdraw(begun[0], user, NOW)
    assert make_upload(b"x", team, benchmark, user)


@pytest.mark.parametrize("kind", ["bundle", "csv", "evidence"])
def test_what_was_read_takes_room_too(kind: str) -> None:
    team, benchmark = make_team(make_organisation(verified=False)), make_benchmark()
    submission = make_upload(b"x", team, benchmark)
    Submission.objects.filter(pk=submission.pk).update(status=Submission.Status.AWAITING_TEAM)
    assert make_upload(b"x", team, benchmark), "a small one that was read takes little"
    size = 3 * LARGEST_BYTES + 1
    if kind == "bundle":
        Upload.objects.filter(submission=submission).update(size=size)
    elif kind == "csv":
        run = make_run(submission, "s1", benchmark.competitions.all()[0].pk)
        Blob.objects.filter(pk=run.blob_id).update(size=size)
    else:
        bundle = Bundle.objects.create(submission=submission, sha256="b" * 64, size=1, format="tar")
        EvidenceFile.objects.create(
            bundle=bundle, path="logs/a", seed="", size=size, sha256="c" * 64, key="k"
        )
    with pytest.raises(UploadError, match="room for 3"):
        make_upload(b"x", team, benchmark)


def test_no_llm_is_paid_for_where_no_quota_counts(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SECOND_READING_URL = "https://llm.example/v1"
    monkeypatch.setattr("leaderboard.second_reading.stage.ask", lambda *_: pytest.fail("the llm was asked"))
    benchmark = make_benchmark(splits={COMPETITION: "low"}, answers_public=True)
    read_again(submitted(LOG, Submission.Status.QUEUED, benchmark=benchmark), NOW)
    assert not SecondReading.objects.exists()


def test_only_who_may_hand_in_sends_a_large_form_and_only_where_one_is_taken(client: Client) -> None:
    """Any form's files are stored before anybody looks at it: 20 GiB of somebody who signed up a minute ago."""
    user = make_user()
    client.force_login(user)

    def send(path: str) -> int:
        form = {"bundle": SimpleUploadedFile("b.tar", b"x" * 3_000_000)}
        return client.post(path, form).status_code

    assert send("/submit/") == 413
    submission = make_upload(b"x", make_team(owner=user))
    page = f"/submissions/{submission.public_id}"
    assert [send(f"{page}/{name}") for name in ("withdraw/", "confirm/", "source/", "")] == [413] * 4
    assert [send("/submit/"), send(f"{page}/upload/")] == [200, 200]


def test_nobody_has_this_site_knock_at_a_strangers_door_all_day(client: Client) -> None:
    cache.clear()
    user = make_user()
    team = make_team(make_organisation(verified=False), owner=user)
    client.force_login(user)
    for _ in range(30):  # One that is deleted and made anew is still the same person's.
        hook, _secret = create_webhook(user, team, "https://example.org/x", ["entry.decision"], NOW)
        assert client.post(f"/account/webhooks/{hook.public_id}/ping/").status_code == 302
        hook.delete()
    hook, _secret = create_webhook(user, team, "https://example.org/x", ["entry.decision"], NOW)
    assert client.post(f"/account/webhooks/{hook.public_id}/ping/").status_code == 429
    assert not hook.notices.exists()
