"""Atom feeds: entries as they are published, decisions as they are recorded. The same for everybody."""

import time
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks

from leaderboard.entry_page import action_words
from leaderboard.integrity.candour import candour_said
from leaderboard.kept import Shelf
from leaderboard.models import Decision, Entry, EntryResult, Placement, Track
from leaderboard.public import is_placed
from leaderboard.public_evidence import evidence_link, evidence_note
from leaderboard.views.shared import etag_of, not_modified, publicly
from submissions.paging import rows_of

NEWEST = 50
MOMENTS = ("effective_at", "recorded_at")
# Nearly all who ask for a feed ask whether anything is new, and few say what they have.
KEPT_S = 60
Whole = tuple[bytes, dict[str, str]]
_kept: Shelf[Whole] = Shelf(8, lambda _: 1)
# Generic to the type checker alone.
if TYPE_CHECKING:
    Base = Feed[Any, Any]
else:
    Base = Feed


def absolute(path: str) -> str:
    """The address for readers elsewhere: the site's own, whatever name it was asked under."""
    return settings.SITE_URL.rstrip("/") + path


# What no XML may hold (XML 1.0, 2.2), not even escaped.
NOT_IN_XML: Final = dict.fromkeys({*range(0x20), 0xFFFE, 0xFFFF} - {0x9, 0xA, 0xD})


class ReadableFeed(Atom1Feed):
    """Without characters that would make the whole feed unreadable: a text pasted from a terminal may have some."""

    def add_item(self, *args: Any, **said: Any) -> None:
        clean: dict[str, Any] = {
            name: text.translate(NOT_IN_XML) if isinstance(text, str) else text for name, text in said.items()
        }
        super().add_item(*args, **clean)


def _take(response: HttpResponse) -> Whole:
    return response.content, dict(response.items())


class PublicFeed(Base):
    """A feed of decisions, newest first. Subclasses choose which, and what each says."""

    feed_type = ReadableFeed
    name = ""
    # What its items say of a decision and of the entry it is about.
    related: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        body, headers = self._whole(request)
        # Of what is sent: names and days change it without a decision.
        etag = etag_of(self.name, body)
        return not_modified(request, etag) or publicly(HttpResponse(body, headers=headers), etag)

    def _whole(self, request: HttpRequest) -> Whole:
        """The feed as it is, or as it was within the minute if nothing was decided since."""
        if not settings.BOARD_CHECK_S:  # Nothing is to be kept.
            return _take(super().__call__(request))
        # Of every decision: one that masks or moves pins changes what older items say.
        newest = PublicFeed.found(self).values_list("pk", flat=True).first()
        # A name that was changed, or a day that came, shows within the minute.
        key = (self.name, newest, settings.SITE_URL, int(time.monotonic() // KEPT_S))
        return _kept.get_or_make(key, lambda: _take(super(PublicFeed, self).__call__(request)))

    def found(self) -> Any:
        """The decisions of the feed."""
        found = Decision.objects.filter(is_placed()).order_by("-pk")
        return found.select_related(*self.related).only(*MOMENTS, *self.columns)

    def items(self) -> Iterable[Any]:
        return list(self.found()[:NEWEST])

    def link(self) -> str:
        return absolute(reverse("board"))

    def feed_url(self) -> str:
        return absolute(reverse(self.name))

    def feed_guid(self) -> str:
        return self.feed_url()

    def item_pubdate(self, item: Decision) -> datetime:
        return item.effective_at

    def item_updateddate(self, item: Decision) -> datetime:
        return item.recorded_at


class EntryFeed(PublicFeed):
    """One item an entry: when it was first placed on a board."""

    title = "MLE-bench leaderboard: new entries"
    subtitle = "Every entry as it is published, with the track it stands on and its figure, both as of now."
    name = "feed-entries"
    related = ("entry__agent__organisation", "entry__benchmark", "track")
    columns = (
        "track", "track__title", "entry__scope", "entry__source", "entry__agent__name",
        "entry__agent__organisation__name", "entry__benchmark__title",
    )  # fmt: skip

    def found(self) -> Any:
        return super().found().filter(kind__in=(Decision.Kind.PUBLISH, Decision.Kind.IMPORT))

    def items(self) -> Iterable[Any]:
        """The first decision of each entry; later imports of the same entry are moves."""
        # Twice as many as are shown: an imported entry has at most two of them.
        newest = self.found().values_list("entry", "pk")[: 2 * NEWEST]
        firsts = list(dict(newest).values())[:NEWEST]
        items = rows_of(self.found(), firsts)
        entries = [item.entry_id for item in items]
        results = EntryResult.objects.filter(entry__in=entries)
        figures = dict(results.filter(split=F("entry__scope")).values_list("entry", "any_medal_mean"))
        standing = _standing(entries)
        for item in items:
            item.figure, item.stands_on = figures.get(item.entry_id), standing.get(item.entry_id)
        return items

    def item_title(self, item: Any) -> str:
        agent = item.entry.agent
        where = f" on {item.stands_on}" if item.stands_on else ", withdrawn since"
        return f"{agent.name} by {agent.organisation.name}{where}"

    def item_description(self, item: Any) -> str:
        figure = _say_figure(item)
        entry = item.entry
        where = f"{entry.get_scope_display()} of {entry.benchmark.title}"
        # The title says where it stands now, as the board does.
        moved = f" Published on {item.track}." if item.stands_on != item.track else ""
        source = entry.get_source_display().capitalize()
        return linebreaks(f"{figure} on {where}. {source}.{moved}", autoescape=True)

    def item_link(self, item: Decision) -> str:
        return absolute(reverse("entry-number", args=[item.entry_id]))


def _say_figure(item: Any) -> str:
    """Of an entry graded here only masks can take every figure away."""
    if item.figure is not None:
        return f"Any Medal {item.figure:.2f} %"
    return "Nothing counted" if item.entry.source == Entry.Source.GRADED else "No figure"


def _standing(entries: Collection[int]) -> dict[int, Track]:
    """By entry the track it stands on now; of one that was withdrawn none."""
    placed = Placement.objects.filter(entry__in=entries, effective_at__lte=timezone.now())
    withdrawn = Decision.objects.filter(entry__in=entries, kind=Decision.Kind.WITHDRAW)
    standing = placed.exclude(entry__in=withdrawn.values("entry")).select_related("track")
    # The last of an entry wins.
    return {each.entry_id: each.track for each in standing.order_by("effective_at", "pk")}


class DecisionFeed(PublicFeed):
    """One item a decision."""

    title = "MLE-bench leaderboard: decisions"
    subtitle = "Every public decision, with its reason."
    name = "feed-decisions"
    related = ("entry__agent", "track")
    columns = (
        "kind", "details", "reason", "rule", "evidence_url", "evidence_is_private", "is_self_reported",
        "track__title", "entry__agent__name",
    )  # fmt: skip

    def item_title(self, item: Decision) -> str:
        return f"Decision {item.pk}: {item.entry.agent.name} {action_words(item)}"

    def item_description(self, item: Decision) -> str:
        # Readers take it for HTML, so what people wrote is escaped once more than XML asks for.
        said = candour_said(item.is_self_reported, item.details)
        evidence = f"Evidence: {evidence_link(item) or evidence_note(item)}"
        parts = [
            item.reason,
            f"Rule: {item.rule}",
            evidence,
            *([f"{said.value.capitalize()}."] if said else []),
        ]
        return linebreaks("\n\n".join(parts), autoescape=True)

    def item_link(self, item: Decision) -> str:
        return absolute(reverse("decision", args=[item.pk]))
