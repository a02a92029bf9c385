"""Flags held against the decisions that answered them, so that one changed or deleted behind the site's back shows."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import Q

from leaderboard.integrity.chain import Break, hash_record
from leaderboard.integrity.masking_record import UPHOLDS
from leaderboard.models import Decision, Flag

# The flag that a decision found to be unfounded.
DISMISSES: Final = "dismisses_flag"
ANSWERED: Final = (UPHOLDS, DISMISSES)
# What the flag said when it was answered. Decisions from before have none.
DIGEST: Final = "flag_sha256"
Kind = Decision.Kind
WORDS: Final = ("reason", "rule", "evidence_url", "evidence_is_private")


def flag_of(decision: Decision) -> int | None:
    """The number of the flag that the decision says it answers."""
    return next((decision.details[name] for name in ANSWERED if name in decision.details), None)


def details_of(flag: Flag, answer: str) -> dict[str, Any]:
    """The details of a decision that answers the flag: which one, and a digest of its words."""
    return {answer: flag.pk, DIGEST: digest_flag(flag)}


def digest_flag(flag: Flag) -> str:
    """SHA-256 over what was said, about which entry."""
    said = {name: getattr(flag, name) for name in WORDS}
    return hash_record({"entry": flag.entry_id, "competitions": list(flag.competitions), **said}, "")


def find_altered_flags() -> Iterator[Break]:
    """Flags that stand otherwise than decisions say, and decisions that lost theirs."""
    answers = _answers()
    by_flag: dict[int, list[Decision]] = defaultdict(list)
    for decision in answers.values():
        if number := flag_of(decision):
            by_flag[number].append(decision)
    flags = {flag.pk: flag for flag in Flag.objects.order_by("pk")}
    for flag in flags.values():
        if not _stands(flag, answers, by_flag[flag.pk]):
            newest = max([flag.decision_id or 0, *(each.pk for each in by_flag[flag.pk])])
            yield Break(newest, f"says something else of flag {flag.pk} than the flag does now")
    for number in by_flag.keys() - flags.keys():
        yield Break(by_flag[number][0].pk, f"answered flag {number}, which is gone")
    yield from _lost(answers.values(), flags.values())


def _answers() -> dict[int, Decision]:
    """Decisions that answer flags, or stand in the place of one that did."""
    named = Q(details__has_any_keys=ANSWERED) | Q(kind__in=(Kind.FLAG, Kind.DISMISS)) | ~Q(flags=None)
    found = Decision.objects.filter(named | Q(kind=Kind.GRANT)).distinct().order_by("pk")
    return {decision.pk: decision for decision in found}


def _stands(flag: Flag, answers: Mapping[int, Decision], named: Sequence[Decision]) -> bool:
    if flag.decision_id is None:
        return flag.state == Flag.State.OPEN and not named
    answer = answers.get(flag.decision_id)
    if answer is None or answer.entry_id != flag.entry_id:
        return False
    is_dismissed = answer.kind in (Kind.DISMISS, Kind.GRANT)
    later = any(each.pk > answer.pk and each.kind in (Kind.FLAG, Kind.DISMISS) for each in named)
    fits = flag.state == (Flag.State.DISMISSED if is_dismissed else Flag.State.UPHELD)
    return fits and not later and _is_about(answer, flag, answers)


def _is_about(answer: Decision | None, flag: Flag, answers: Mapping[int, Decision]) -> bool:
    """Whether it, or one that it superseded, names the flag, or raised it with these very words."""
    while answer is not None:
        number = flag_of(answer)
        if number == flag.pk and answer.details.get(DIGEST, digest_flag(flag)) != digest_flag(flag):
            return False
        # Dismissals from before they named their flag.
        if number == flag.pk or (number is None and (answer.kind == Kind.DISMISS or _same(answer, flag))):
            return True
        answer = answers.get(answer.supersedes_id or 0)
    return False


def _same(decision: Decision, flag: Flag) -> bool:
    return decision.kind == Kind.FLAG and all(
        getattr(decision, name) == getattr(flag, name) for name in WORDS
    )


def _lost(answers: Collection[Decision], flags: Collection[Flag]) -> Iterator[Break]:
    """Maintainers' own flags that are gone: their decision names none, since it came first."""
    for decision in answers:
        is_own = decision.kind == Kind.FLAG and decision.supersedes_id is None and flag_of(decision) is None
        if is_own and not any(flag.entry_id == decision.entry_id and _same(decision, flag) for flag in flags):
            yield Break(decision.pk, "raised a flag that is gone, or says something else now")
