"""Flags: raised by anybody signed in, replied to by the team, answered by a maintainer's decision."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from leaderboard.integrity.deciding import (
    DecisionRefused,
    check_grounds,
    lock_entry,
    make_decision,
    refuse_appealed,
    refuse_withdrawn,
    remember,
    shown_at_once,
    standing_on,
    words_of,
)
from leaderboard.integrity.flag_record import DISMISSES, details_of
from leaderboard.integrity.ledger import Grounds, Verdict
from leaderboard.integrity.masking_record import UPHOLDS
from leaderboard.integrity.sides import is_on_team
from leaderboard.models import Decision, Entry, Flag, FlagReply
from submissions.models import User

# By one person, in any 24 hours.
FLAGS_PER_DAY = 10
REPLIES_PER_FLAG = 20
LONGEST_REPLY = 5000
Kind = Decision.Kind


def flag_entry(entry: Entry, grounds: Grounds, by: User, now: datetime, seen: int | None = None) -> Decision:
    """A maintainer's own doubt, upheld by the decision that raises it. The entry stays where it stands."""
    verdict = Verdict(Kind.FLAG, entry, grounds, by, now)
    with shown_at_once(verdict, seen):
        refuse_withdrawn(entry)
        decision = make_decision(verdict, now)
        create_flag(entry, grounds, by, now, state=Flag.State.UPHELD, decision=decision)
        remember(entry, decision, now)
    return decision


def raise_flag(entry: Entry, grounds: Grounds, by: User, now: datetime) -> Flag:
    """Anybody's doubt about a published entry. It decides nothing until a maintainer answers it.

    The same one sent again is the flag that is open already.
    """
    check_grounds(grounds)
    with transaction.atomic():
        lock_entry(entry)
        standing_on(entry, now)
        return find_same(entry, grounds, by) or _raise_new(entry, grounds, by, now)


def _raise_new(entry: Entry, grounds: Grounds, by: User, now: datetime) -> Flag:
    # Of two flags of one person at once, on whatever entries, the second counts the first.
    User.objects.select_for_update().get(pk=by.pk)
    recent = Flag.objects.filter(raised_by=by, raised_at__gt=now - timedelta(days=1)).order_by("raised_at")
    if recent.count() >= FLAGS_PER_DAY:
        again = recent[0].raised_at + timedelta(days=1)
        raise DecisionRefused(
            f"You have raised {FLAGS_PER_DAY} flags within 24 hours. The next can be raised from "
            f"{again:%Y-%m-%d %H:%M} UTC."
        )
    # A team that takes this form for its own entry, and not the one for reporting, is no worse off.
    return create_flag(entry, grounds, by, now, is_self_reported=is_on_team(by, entry))


def find_same(entry: Entry, grounds: Grounds, by: User, **columns: Any) -> Flag | None:
    """The flag of this person that is open with the same words, if there is one."""
    return entry.flags.filter(raised_by=by, state=Flag.State.OPEN, **words_of(grounds), **columns).first()


def create_flag(entry: Entry, grounds: Grounds, by: User, now: datetime, **columns: Any) -> Flag:
    return Flag.objects.create(entry=entry, raised_by=by, raised_at=now, **words_of(grounds), **columns)


def answer_flag(
    flag: Flag, upheld: bool, grounds: Grounds, by: User, now: datetime, seen: int | None = None
) -> Decision:
    """Upholds or dismisses a flag. One may be answered anew, which supersedes the answer before.

    Not so where a granted appeal has answered it.
    """
    kind = Kind.FLAG if upheld else Kind.DISMISS
    said = answering(flag) if upheld else {"details": details_of(flag, DISMISSES)}
    verdict = Verdict(kind, flag.entry, grounds, by, now, supersedes=_answer_before(flag), **said)
    with shown_at_once(verdict, seen, flags=flag):
        refuse_withdrawn(flag.entry)
        refuse_appealed(flag.decision)
        if flag.decision and flag.decision.kind == Kind.GRANT:
            raise DecisionRefused(
                f"An appeal settled this flag, by decision {flag.decision_id}. Raise a new one with new evidence."
            )
        decision = make_decision(verdict, now)
        settle_flag(flag, upheld, decision)
        remember(flag.entry, decision, now)
    flag.refresh_from_db()
    return decision


def _answer_before(flag: Flag) -> Decision | None:
    """The decision that a new answer stands in the place of: one that did more, such as a move, stands on."""
    before = flag.decision
    return before if before and before.kind in (Kind.FLAG, Kind.DISMISS) else None


def answering(flag: Flag | None) -> dict[str, Any]:
    """What a verdict says beside its grounds where it upholds a flag: which one, and whether the team raised it."""
    if flag is None:
        return {}
    return {"details": details_of(flag, UPHOLDS), "is_self_reported": flag.is_self_reported}


def settle_flag(flag: Flag, upheld: bool, decision: Decision) -> None:
    """Ends a flag by a decision that was just made. Raises DecisionRefused where somebody answered it meanwhile."""
    state = Flag.State.UPHELD if upheld else Flag.State.DISMISSED
    # Only the answer this one was given in view of may be replaced.
    if not Flag.objects.filter(pk=flag.pk, decision=flag.decision).update(state=state, decision=decision):
        raise DecisionRefused("Somebody answered this flag a moment ago. Look at it again.")


def uphold_flag(flag: Flag, decision: Decision) -> None:
    """By a decision that does more than answer it, where the flag is open; one upheld before keeps its answer."""
    flag.refresh_from_db()
    if flag.entry_id != decision.entry_id or flag.state == Flag.State.DISMISSED:
        raise DecisionRefused("This flag was dismissed, or is about another entry. Look at it again.")
    if flag.state == Flag.State.OPEN:
        settle_flag(flag, True, decision)
        flag.refresh_from_db()


def reply_to_flag(flag: Flag, text: str, by: User, now: datetime) -> FlagReply:
    """The team's word on a flag, for whoever may see the flag. The same one sent again is the one written before."""
    text = text.strip()
    if not is_on_team(by, flag.entry):
        raise DecisionRefused("Only the entry's own team replies to a flag.")
    if not 0 < len(text) <= LONGEST_REPLY:
        raise DecisionRefused(f"A reply needs from 1 to {LONGEST_REPLY:,} characters.")
    with transaction.atomic():
        lock_entry(flag.entry)
        written: list[FlagReply] = list(flag.replies.all())
        if written and written[-1].text == text:
            return written[-1]
        if len(written) >= REPLIES_PER_FLAG:
            raise DecisionRefused(
                f"There are {REPLIES_PER_FLAG} replies already. Say the rest where your evidence is."
            )
        reply: FlagReply = FlagReply.objects.create(flag=flag, author=by, text=text, written_at=now)
        return reply
