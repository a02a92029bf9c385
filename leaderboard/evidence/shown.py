"""What maintainers and the owning team see of a reading: the same page for both, and nobody else's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings

from leaderboard.evidence.facts import EvidenceFacts, Seen, Unread, from_json
from leaderboard.evidence.patterns import Pattern, load_patterns
from leaderboard.evidence.scan import LLM, WITHHELD
from leaderboard.evidence.signals import sentence_of
from leaderboard.evidence.stage import has_evidence
from leaderboard.integrity.checks.base import counted, listed
from leaderboard.integrity.sides import may_judge
from leaderboard.models import EvidenceMatch, EvidenceReading
from submissions.models import Submission, User

State = EvidenceReading.State
FORGOTTEN = "A pattern that is no longer looked for"
WAITING = "Logs and code are still to be read. The review opens after that."
GIVEN_UP = "Reading logs and code failed every time, so nothing is known of them. That clears nobody."


@dataclass(frozen=True)
class Row:
    """One line of an excerpt; without a number where it stands for what was not kept."""

    number: int | None
    text: str
    is_match: bool = False


@dataclass(frozen=True)
class Excerpt:
    """A matched line between its neighbours."""

    path: str
    line: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Group:
    """What one pattern, or one llm, found. `excerpts`: the first lines of all."""

    code: str
    title: str
    severity: str
    meaning: str
    sentence: str
    excerpts: tuple[Excerpt, ...]

    @property
    def is_grave(self) -> bool:
        return self.severity in ("serious", "warning")


@dataclass(frozen=True)
class EvidenceShown:
    """A reading as its page has it. `trouble`: why there is less to see than there should be; or empty."""

    facts: EvidenceFacts
    trouble: str
    groups: tuple[Group, ...] = ()
    llms: tuple[Group, ...] = ()
    runs: tuple[dict[str, Any], ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def summary(self) -> str:
        """`12 files, 3 MB`, for people."""
        return f"{counted(self.facts.files, 'file')}, {counted(self.facts.lines, 'line')}"


def may_see(user: Any, submission: Submission) -> bool:
    """Maintainers at any time. The team, and maintainers of its organisation, from the opening of the review, when
    nothing can be taken back any more.
    """
    if may_judge(user, submission):
        return True
    is_team = isinstance(user, User) and submission.team.members.filter(user=user).exists()
    return is_team and hasattr(submission, "entry")


def evidence_of(submission: Submission) -> EvidenceShown | None:
    """None where the bundle holds neither logs nor code."""
    reading = EvidenceReading.objects.filter(submission=submission).first()
    if reading is None:
        return EvidenceShown(EvidenceFacts(), WAITING) if has_evidence(submission) else None
    if reading.state != State.DONE:
        return EvidenceShown(EvidenceFacts(), GIVEN_UP if reading.is_over else WAITING)
    facts = from_json(reading.facts)
    matches = list(reading.matches.all())
    return EvidenceShown(
        facts=facts,
        trouble="",
        groups=tuple(_groups(facts, matches)),
        llms=tuple(_llms(facts, matches)),
        runs=tuple(_runs(facts)),
        unread=facts.unread,
    )


def _groups(facts: EvidenceFacts, matches: Iterable[EvidenceMatch]) -> Iterable[Group]:
    """In the order of the patterns; those that were switched off since come last."""
    patterns = {pattern.code: pattern for pattern in load_patterns(settings.EVIDENCE_PATTERNS)}
    excerpts = _by((match for match in matches if match.code != LLM), "code")
    for code in sorted(facts.seen, key=lambda code: _place(code, patterns)):
        yield _group(code, patterns.get(code), facts.seen[code], excerpts.get(code, ()))


def _place(code: str, patterns: dict[str, Pattern]) -> tuple[int, str]:
    return (list(patterns).index(code) if code in patterns else len(patterns), code)


def _group(code: str, pattern: Pattern | None, seen: Seen, excerpts: Sequence[Excerpt]) -> Group:
    title, severity, meaning = (
        (pattern.title, pattern.severity.value, pattern.meaning) if pattern else (FORGOTTEN, "notice", "")
    )
    return Group(code, title, severity, meaning, sentence_of(seen), tuple(excerpts))


def _llms(facts: EvidenceFacts, matches: Iterable[EvidenceMatch]) -> Iterable[Group]:
    excerpts = _by((match for match in matches if match.code == LLM), "subject")
    for name, seen in sorted(facts.llms.items()):
        where = f", in {listed(seen.runs)}" if seen.runs else ""
        how = "in use" if seen.is_called else "spoken of"
        sentence = f"{how}, {counted(seen.lines, 'line')}{where}"
        yield Group(LLM, name, "info", "", sentence, tuple(excerpts.get(name, ())))


def _by(matches: Iterable[EvidenceMatch], column: str) -> dict[str, list[Excerpt]]:
    def key(match: EvidenceMatch) -> str:
        return str(getattr(match, column))

    return {
        name: [_excerpt(match) for match in found] for name, found in groupby(sorted(matches, key=key), key)
    }


def _excerpt(match: EvidenceMatch) -> Excerpt:
    before = [Row(match.first_line + index, text) for index, text in enumerate(match.before)]
    after = [
        Row(None, text) if text == WITHHELD else Row(match.line + index, text)
        for index, text in enumerate(match.after, 1)
    ]
    return Excerpt(match.path, match.line, (*before, Row(match.line, match.text, is_match=True), *after))


def _runs(facts: EvidenceFacts) -> Iterable[dict[str, Any]]:
    """Hours and calls of every run with a log."""
    for run in facts.logs:
        yield {"run": run, "span": facts.spans.get(run), "calls": facts.calls.get(run, 0)}
