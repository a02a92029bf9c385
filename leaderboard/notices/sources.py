"""The rows that news is made of. A sweep looks for them, so that whoever writes one need not think of notices."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, Min, OuterRef, QuerySet

from leaderboard.models import (
    Appeal,
    Decision,
    Finding,
    Flag,
    FlagReply,
    NewsTold,
    Question,
    SourcePromise,
)
from leaderboard.notices import news
from leaderboard.notices.news import News
from submissions.models import Event

# News older than this is not told: after a long standstill nobody wants it, nor on the day notices are installed.
FRESH_FOR = timedelta(days=2)
AT_ONCE = 50
# A slow transaction commits at most so many numbers late.
LATE_BY = 1000
OF_SUBMISSION = ("submission__team__organisation", "submission__benchmark")
OF_ENTRY = ("entry__agent", "entry__benchmark", "entry__submission__team", "entry__submission__benchmark")


@dataclass(frozen=True)
class Source:
    """Rows of one table. `at`: the column that says since when a row is news; empty means it is none yet.

    `is_older_news_possible`: whether a row can become news long after it was written.
    """

    name: str
    rows: Callable[[], QuerySet[Any]]
    at: str
    read: Callable[[Any], Iterator[News]]
    is_older_news_possible: bool = False

    def untold(self, now: datetime) -> Sequence[Any]:
        """Fresh rows nobody was told of, oldest first, some at a time.

        By what was told, and not by the number of the last one: a slow transaction commits a lower number later.
        """
        told = NewsTold.objects.filter(source=self.name)
        untold = ~Exists(told.filter(number=OuterRef("pk")))
        fresh = {f"{self.at}__gt": now - FRESH_FOR, "pk__gte": self._floor(told)}
        return list(self.rows().filter(untold, **fresh).order_by("pk")[:AT_ONCE])

    def _floor(self, told: QuerySet[NewsTold]) -> int:
        """A number below which no row is fresh, so that tables which only grow are not read from their beginning."""
        if self.is_older_news_possible:
            return 0
        oldest: int | None = told.aggregate(oldest=Min("number"))["oldest"]
        return (oldest or 0) - LATE_BY


def _below(prefix: str, names: Sequence[str]) -> list[str]:
    return [f"{prefix}__{name}" for name in names]


SOURCES = (
    Source(
        "event",
        lambda: Event.objects.filter(kind__in=("status", "held", "released")).select_related(*OF_SUBMISSION),
        "recorded_at",
        news.of_status,
    ),
    Source(
        "source",
        lambda: Event.objects.filter(kind="source_shown").select_related(*OF_SUBMISSION),
        "recorded_at",
        news.of_source,
    ),
    Source(
        "decision",
        lambda: Decision.objects.select_related(*OF_ENTRY).prefetch_related("flags__raised_by"),
        "recorded_at",
        news.of_decision,
    ),
    Source("flag", lambda: Flag.objects.select_related(*OF_ENTRY), "raised_at", news.of_flag),
    Source(
        "reply",
        lambda: FlagReply.objects.select_related(*_below("flag", OF_ENTRY)),
        "written_at",
        news.of_reply,
    ),
    Source(
        "appeal",
        lambda: Appeal.objects.select_related(*_below("decision", OF_ENTRY)),
        "filed_at",
        news.of_appeal,
    ),
    Source("answer", lambda: Question.objects.select_related(*OF_ENTRY), "answered_at", news.of_answer, True),
    Source("finding", lambda: Finding.objects.select_related(*OF_SUBMISSION), "raised_at", news.of_finding),
    Source(
        "promise",
        lambda: SourcePromise.objects.select_related(*OF_SUBMISSION),
        "expired_at",
        news.of_promise,
        is_older_news_possible=True,
    ),
)
