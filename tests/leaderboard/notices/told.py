"""A small cast, and who was told what."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from leaderboard.integrity.decide import Grounds, publish
from leaderboard.models import Entry, NewsTold, Notice, Track, Webhook
from leaderboard.notices.kinds import Group, kinds_by_webhook
from leaderboard.notices.outbox import tell_all
from submissions.models import Team, User
from tests import factories as make
from tests.leaderboard.boards import make_board_benchmark, make_reviewed

GROUNDS = Grounds("It was seen.", "Tracks and rules", "https://example.org/evidence")
SCORES = {"s1": {"comp-low": 0.91234}, "s2": {"comp-low": 0.61803}, "s3": {"comp-low": 0.77777}}


@dataclass(frozen=True)
class Cast:
    """Everybody who might hear of an entry, by the names the tables use."""

    entry: Entry
    team: Team
    people: dict[str, User]

    def told(self) -> dict[str, set[str]]:
        """By name of the person, the kinds they are told of; whoever is told nothing is left out."""
        heard: dict[str, set[str]] = {}
        for name, user in self.people.items():
            if kinds := set(user.notices.values_list("kind", flat=True)):
                heard[name] = kinds
        return heard


def make_cast(is_published: bool = False) -> Cast:
    """An entry in review, or published by `decider`. `tied` is a maintainer of the team's organisation."""
    owner, member, tied = make.make_user(), make.make_user(), make.make_maintainer()
    organisation = make.make_organisation()
    team = make.make_team(organisation, owner=owner, members=[member])
    make.make_team(organisation, owner=tied)
    make.make_team(owner=(stranger := make.make_user()))
    entry = make_reviewed(make_board_benchmark(), SCORES, team=team)
    people = {
        "owner": owner,
        "member": member,
        "tied": tied,
        "stranger": stranger,
        "raiser": make.make_user(),
        "decider": make.make_maintainer(),
        "maintainer": make.make_maintainer(),
    }
    cast = Cast(entry, team, people)
    if is_published:
        publish(entry, Track.objects.get(slug="clean"), GROUNDS, people["decider"], timezone.now())
    forget_so_far()
    return cast


def forget_so_far() -> None:
    """Marks all that happened as told, to nobody."""
    tell_all(timezone.now())
    Notice.objects.all().delete()


def tell(now: datetime | None = None) -> int:
    return tell_all(now or timezone.now())


def tell_again_after_losing_the_marks() -> None:
    NewsTold.objects.all().delete()
    tell()


def make_webhook(team: Team | None, kinds: Iterable[str] = (), **columns: object) -> Webhook:
    group = Group.TEAM if team else Group.MAINTAINERS
    defaults = {
        "url": "https://hooks.example.org/x",
        "kinds": list(kinds) or [kind.value for kind in kinds_by_webhook(group)],
        "created_by": make.make_user(),
        "created_at": timezone.now(),
    }
    return Webhook.objects.create(team=team, **{**defaults, **columns})


def make_notice(user: User | None = None, webhook: Webhook | None = None, **columns: object) -> Notice:
    """One that is due now."""
    defaults = {
        "kind": "submission.status",
        "key": f"key-{Notice.objects.count()}",
        "group": "raiser",
        "facts": {"status": "published", "submission": "u", "submitted": "then", "benchmark": "demo"},
        "path": "/submissions/u/",
        "happened_at": make.NOW,
        "created_at": make.NOW,
        "next_try_at": make.NOW,
    }
    return Notice.objects.create(user=user, webhook=webhook, **{**defaults, **columns})
