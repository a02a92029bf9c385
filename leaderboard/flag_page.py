"""Flags as pages and API show them, and to whom."""

from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString

from leaderboard.drawn import draw_once, reader_of
from leaderboard.integrity.models import private_at
from leaderboard.integrity.sides import is_of
from leaderboard.models import Flag, FlagReply
from leaderboard.public import is_placed
from leaderboard.public_evidence import evidence_link, evidence_note

LISTED = ("entry__agent__organisation", "entry__benchmark")
STATES = {
    Flag.State.OPEN: "not answered yet",
    Flag.State.UPHELD: "upheld",
    Flag.State.DISMISSED: "dismissed",
}


# What a list shows of a flag and of what it refers to. The rest of these rows is not read: there is much of it.
CARD = (
    "reason", "rule", "evidence_url", "evidence_is_private", "is_self_reported", "competitions", "state",
    "raised_at", "decision_id", "entry__slug", "entry__agent__name", "entry__agent__organisation__name",
    "entry__benchmark__title",
)  # fmt: skip

_read = reader_of(CARD)


def list_flags(flags: QuerySet[Flag]) -> QuerySet[Flag]:
    """The same with no more than `CARD` of each."""
    return flags.select_related(None).select_related(*LISTED).only(*CARD)


def public_flags(now: datetime) -> QuerySet[Flag]:
    """Flags on public entries that were answered, or that are old enough; newest first, with all that is shown."""
    return with_replies(Flag.objects.due(now).filter(is_placed()))


def private_flags_of(user: Any, now: datetime) -> QuerySet[Flag]:
    """Flags on entries of the person's own teams that not everybody may see yet."""
    return with_replies(Flag.objects.filter(is_of(user), private_at(now) | ~is_placed()))


def raised_by(user: Any) -> QuerySet[Flag]:
    """What the person raised, without what the team says of it: that is the team's until the flag is public."""
    found = Flag.objects.filter(raised_by=user).select_related(
        "entry__agent__organisation", "entry__benchmark"
    )
    return found.order_by("-raised_at", "-pk")


def with_replies(flags: QuerySet[Flag]) -> QuerySet[Flag]:
    replies = Prefetch("replies", queryset=FlagReply.objects.order_by("pk"), to_attr="said")
    related = ("entry__agent__organisation", "entry__benchmark", "entry__submission", "decision")
    return flags.select_related(*related).prefetch_related(replies).order_by("-raised_at", "-pk")


def is_public(flag: Flag, now: datetime) -> bool:
    return public_flags(now).filter(pk=flag.pk).exists()


def flag_card(flag: Flag, now: datetime, with_private: bool = False) -> dict[str, Any]:
    """A flag as `leaderboard/_flag.html` shows it. `with_private`: for the team and maintainers."""
    return {
        "flag": flag,
        "number": flag.pk,
        "url": reverse("flag", args=[flag.pk]),
        "state": STATES[Flag.State(flag.state)],
        "evidence_url": flag.evidence_url if with_private else evidence_link(flag),
        "evidence_text": "" if with_private else evidence_note(flag),
        "public_at": None if _is_due(flag, now) else flag.public_at,
        "replies": getattr(flag, "said", ()),
    }


def draw_flag(flag: Flag, now: datetime, with_private: bool = False) -> SafeString:
    """The card of one of `list_flags`, with the entry it is about."""
    said = tuple((reply.text, reply.written_at) for reply in getattr(flag, "said", ()))
    words = (flag.pk, flag.entry_id, _is_due(flag, now), with_private, said, *_read(flag))
    return draw_once(
        "leaderboard/_flag.html",
        words,
        lambda: {"card": flag_card(flag, now, with_private), "entry": flag.entry},
    )


def _is_due(flag: Flag, now: datetime) -> bool:
    """Whether it is public by now, if its entry is."""
    return flag.state != Flag.State.OPEN or flag.public_at <= now
