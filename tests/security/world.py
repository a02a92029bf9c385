"""One team's entries in every state, with all that can hang on them, and somebody in every role."""

from dataclasses import dataclass, field
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from grading.models import Competition
from leaderboard.integrity.appeals import Objection, file_appeal
from leaderboard.integrity.decide import Grounds, answer_flag, publish, raise_flag, withdraw_entry
from leaderboard.integrity.flags import reply_to_flag
from leaderboard.integrity.masking import mask_competitions
from leaderboard.integrity.questions import answer_question, ask_team
from leaderboard.integrity.self_report import report_own_leak
from leaderboard.models import Appeal, CodeFile, CodeMatch, Decision, Entry, Finding, Flag, Question, Track
from leaderboard.notices.preferences import link_token
from leaderboard.notices.webhooks import create_webhook
from submissions.closing import close_submissions
from submissions.models import Submission, Team, User, ValidityCheck
from submissions.people import invite
from submissions.tokens import create_token
from tests import factories as make
from tests.leaderboard.boards import SPLITS
from tests.submissions.run_cards import having
from tests.submissions.uploading import make_upload

STATES = ("uploading", "draft", "review", "published", "masked", "withdrawn")
ROLES = ("anonymous", "stranger", "member", "owner", "maintainer", "tied")
# What breaks out of text, of an attribute, and of a cell of a table.
CANARY = "=\"'><script>canary</script>"
SCORES = {f"s{number}": {"comp-low": 0.95, "comp-medium": 0.75, "comp-high": 0.2} for number in range(3)}


@dataclass
class Case:
    """A submission and what hangs on it. What a state has none of is None."""

    submission: Submission
    entry: Entry | None = None
    decision: Decision | None = None
    flag: Flag | None = None
    appeal: Appeal | None = None
    question: Question | None = None
    match: CodeMatch | None = None
    finding: Any = None


@dataclass
class World:
    people: dict[str, User | None]
    team: Team
    cases: dict[str, Case] = field(default_factory=dict)
    invitation: str = ""
    webhook: Any = None
    check: ValidityCheck | None = None
    unsubscribe: str = ""
    canary: str = ""

    def say(self, text: str) -> str:
        return self.canary + text

    def grounds(self, reason: str = "It was seen in the logs.", is_private: bool = False) -> Grounds:
        link = f"https://example.org/{self.canary}"
        return Grounds(self.say(reason), self.say("Tracks and rules"), link, is_private)


def make_world(canary: str = "") -> World:
    """Nothing in it is older than a moment, so that flags are private and appeals open.

    With a canary every text that a person writes begins with it.
    """
    owner, member = make.make_user(), make.make_user()
    maintainer = make.make_maintainer(public_name=f"{canary}Ada")
    organisation = make.make_organisation(f"{canary}Alpha")
    team = make.make_team(organisation, owner=owner, members=[member])
    team.name = f"{canary}Team"
    team.save()
    tied = make.make_maintainer()
    make.make_team(organisation, owner=tied)
    stranger = make.make_user()
    make.make_team(owner=stranger)
    people = {
        "anonymous": None, "stranger": stranger, "member": member, "owner": owner, "maintainer": maintainer,
        "tied": tied,
    }  # fmt: skip
    world = World(people, team, canary=canary)
    benchmark = make.make_benchmark("bench", SPLITS)
    for state in STATES:
        world.cases[state] = _case(world, state, benchmark)
    world.invitation = invite(team, owner, timezone.now())
    world.webhook, _ = create_webhook(
        owner, team, "https://example.org/hook", ["entry.decision"], timezone.now()
    )
    world.check = _check(owner)
    world.unsubscribe = link_token(owner, None)
    create_token(owner, name=canary)
    if canary:
        close_submissions(maintainer, world.say("For a while."), timezone.now())
    return world


def _case(world: World, state: str, benchmark: Any) -> Case:
    """A submission and its entry, brought as far as the state says."""
    if state == "draft":
        return Case(
            make.make_submission(
                world.team, benchmark, Submission.Status.AWAITING_TEAM, document=_card(world)
            )
        )
    owner, maintainer = world.people["owner"], world.people["maintainer"]
    if state == "uploading":
        return Case(make_upload(b"x", world.team, benchmark, owner))
    assert owner is not None
    assert maintainer is not None
    submission = make.make_graded_submission(
        SCORES, "all", team=world.team, benchmark=benchmark, document=_card(world), what_changed=world.canary
    )
    Submission.objects.filter(pk=submission.pk).update(attested_name=world.say("Ada"))
    now = timezone.now()
    entry = make.make_reviewed(submission)
    case = Case(submission, entry, match=_match(world, submission), finding=_finding(world, submission))
    case.question = ask_team(entry, world.say("Which llm was it?"), world.grounds(), maintainer, now)
    case.decision = case.question.decision
    case.flag = report_own_leak(entry, world.grounds(), [], owner, now)
    if state in ("published", "masked"):
        answer_question(
            case.question, world.say("That one."), f"https://example.org/{world.canary}", owner, now
        )
    if state != "review":
        publish(entry, Track.objects.get(slug="clean"), world.grounds(), maintainer, now)
        _objected(case, world)
    if state == "masked":
        case.decision = mask_competitions(entry, ["comp-low"], world.grounds(), maintainer, timezone.now())
    if state == "withdrawn":
        case.decision = withdraw_entry(entry, world.grounds(), maintainer, timezone.now())
    case.submission.refresh_from_db()
    return case


def _objected(case: Case, world: World) -> None:
    """A flag that was upheld, an appeal against that, and another flag that nobody has answered."""
    stranger, owner = world.people["stranger"], world.people["owner"]
    assert stranger
    assert owner
    assert case.entry
    upheld = raise_flag(case.entry, world.grounds(), stranger, timezone.now())
    # By another maintainer, so that the one of this world may answer the appeal.
    decision = answer_flag(upheld, True, world.grounds(), make.make_maintainer(), timezone.now())
    objection = Objection(world.say("It was not so."), f"https://example.org/{world.canary}", True)
    case.appeal = file_appeal(decision, objection, owner, timezone.now())
    reply_to_flag(upheld, world.say("We did not."), owner, timezone.now())
    copied = world.grounds("It is copied.", is_private=True)
    case.flag = raise_flag(case.entry, copied, stranger, timezone.now())


def _check(owner: User) -> ValidityCheck:
    competition = Competition.objects.get(pk="comp-low")
    storages["shapes"].save(f"shapes/{competition.pk}", ContentFile(b'{"rows": 1}'))
    return ValidityCheck.objects.create(
        user=owner, competition=competition, answers=make.make_answers(competition), filename="x.csv", size=1,
        not_before=timezone.now(), created_at=timezone.now(),
    )  # fmt: skip


def _card(world: World) -> dict[str, Any]:
    """A run card whose every text that is free begins with the canary."""
    return having(
        {
            "scaffold.name": world.say("Agent"),
            "scaffold.version": world.say("1"),
            "scaffold.source_url": f"https://example.org/{world.canary}",
            "llms.0.provider": world.say("Provider"),
            "llms.0.id": world.say("llm-1"),
        }
    )


def _finding(world: World, submission: Submission) -> Finding:
    return Finding.objects.create(
        submission=submission, code="made-up", title="Made up", severity="notice", sentence=world.say("It is made up."),
        raised_at=timezone.now(),
    )  # fmt: skip


def _match(world: World, submission: Submission) -> CodeMatch:
    files = [
        CodeFile.objects.create(
            submission=submission,
            name=world.say(f"{name}.py"),
            digest=name * 64,
            tokens=10,
            prints=b"",
            read_at=timezone.now(),
        )
        for name in "ab"
    ]
    side = {"from": 1, "to": 1, "lines": [world.say("import os")]}
    return CodeMatch.objects.create(
        left=files[0],
        right=files[1],
        left_share=90,
        right_share=90,
        tokens=9,
        found_at=timezone.now(),
        fragments=[{"left": side, "right": side, "tokens": 9}],
    )
