"""Atom feeds: entries as they are published, decisions as they are recorded. The same for everybody."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks

from leaderboard.entry_page import action_words
from leaderboard.integrity.candour import candour_said
from leaderboard.models import Decision
from leaderboard.public import is_placed
from leaderboard.public_evidence import evidence_link, evidence_note
from leaderboard.views.shared import etag_of, not_modified, publicly
from submissions.paging import rows_of

NEWEST = 50
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


class PublicFeed(Base):
    """A feed of decisions, newest first. Subclasses choose which, and what each says."""

    feed_type = ReadableFeed
    name = ""

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Of every decision: one that masks or moves pins changes what older items say.
        newest = PublicFeed.found(self).values_list("pk", flat=True).first()
        etag = etag_of(self.name, newest, settings.SITE_URL)
        return not_modified(request, etag) or publicly(super().__call__(request, *args, **kwargs), etag)

    def found(self) -> Any:
        """The decisions of the feed."""
        found = Decision.objects.filter(is_placed()).order_by("-pk")
        return found.select_related("entry__agent__organisation", "entry__benchmark", "track")

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
    subtitle = "Every entry as it is published, with its track and its figure."
    name = "feed-entries"

    def found(self) -> Any:
        return super().found().filter(kind__in=(Decision.Kind.PUBLISH, Decision.Kind.IMPORT))

    def items(self) -> Iterable[Any]:
        """The first decision of each entry; later imports of the same entry are moves."""
        # Twice as many as are shown: an imported entry has at most two of them.
        newest = self.found().values_list("entry", "pk")[: 2 * NEWEST]
        firsts = list(dict(newest).values())[:NEWEST]
        return rows_of(self.found().prefetch_related("entry__results"), firsts)

    def item_title(self, item: Decision) -> str:
        agent = item.entry.agent
        return f"{agent.name} by {agent.organisation.name} on {item.track}"

    def item_description(self, item: Decision) -> str:
        results = {result.split: result for result in item.entry.results.all()}
        result = results.get(item.entry.scope)
        figure = f"Any Medal {result.any_medal_mean:.2f} %" if result else "No figure"
        entry = item.entry
        where = f"{entry.get_scope_display()} of {entry.benchmark.title}"
        return linebreaks(f"{figure} on {where}. {entry.get_source_display().capitalize()}.", autoescape=True)

    def item_link(self, item: Decision) -> str:
        return absolute(reverse("entry-number", args=[item.entry_id]))


class DecisionFeed(PublicFeed):
    """One item a decision."""

    title = "MLE-bench leaderboard: decisions"
    subtitle = "Every public decision, with its reason."
    name = "feed-decisions"

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
