"""Writing notices: each piece of news becomes one row per person and webhook, once, however often it is looked for."""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from grading.fault_points import fault_point
from leaderboard.models import NewsTold, Notice
from leaderboard.notices.backoff import next_digest
from leaderboard.notices.kinds import KINDS, Group, Kind, Often
from leaderboard.notices.news import News
from leaderboard.notices.people import people_of, webhooks_of
from leaderboard.notices.preferences import often_for
from leaderboard.notices.sources import FRESH_FOR, SOURCES, Source

NEWS_TOLD = fault_point("news_told")
log = logging.getLogger(__name__)


def tell_all(now: datetime) -> int:
    """How many rows were turned into notices, or into none where nobody hears of them."""
    return sum(_tell(source, row, now) for source in SOURCES for row in source.untold(now))


def _tell(source: Source, row: Any, now: datetime) -> bool:
    """Whether this call told it: the mark and the notices are written together, or neither is.

    A row that cannot be read, by a fault of ours, is logged each time and does not silence the others.
    """
    try:
        with transaction.atomic():
            NewsTold.objects.create(source=source.name, number=row.pk, told_at=now)
            for news in source.read(row):
                put(news, now)
            NEWS_TOLD.reach()
    except IntegrityError:
        log.info("%s %s was told by another worker", source.name, row.pk)
        return False
    except Exception:
        log.exception("%s %s cannot be told", source.name, row.pk)
        return False
    return True


def put(news: News, now: datetime) -> None:
    """Writes the notices of one piece of news; what is there already stays as it is."""
    rows = [notice for kind, group in news.hearings for notice in _notices(news, kind, group, now)]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _notices(news: News, kind: Kind, group: Group, now: datetime) -> Iterator[Notice]:
    people = people_of(news, group)
    chosen = often_for([user.pk for user in people], kind)
    for user in people:
        often = chosen.get(user.pk, KINDS[kind].usually)
        if often != Often.NEVER:
            is_digest = often == Often.DAILY
            due = next_digest(now) if is_digest else now
            yield _notice(news, kind, group, now, user=user, is_digest=is_digest, next_try_at=due)
    for webhook in webhooks_of(news, kind, group):
        yield _notice(news, kind, group, now, webhook=webhook, next_try_at=now)


def _notice(news: News, kind: Kind, group: Group, now: datetime, **columns: Any) -> Notice:
    return Notice(
        kind=kind,
        key=news.key,
        group=group,
        team=None if group in (Group.MAINTAINERS, Group.RAISER) else news.team,
        facts=dict(news.facts),
        path=news.path_for(group),
        happened_at=news.at,
        created_at=now,
        **columns,
    )


def forget_told(now: datetime) -> int:
    """Deletes marks that are no longer needed, since their rows are no news any more. Returns how many."""
    deleted, _ = NewsTold.objects.filter(told_at__lt=now - 2 * FRESH_FOR).delete()
    return deleted
