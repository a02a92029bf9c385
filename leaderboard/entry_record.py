"""What stands on the record of a public entry beside its decisions: notes, questions, a promise, what replaces what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from leaderboard.models import Decision, Entry, Question
from leaderboard.promise_words import PromiseWords, promise_of
from leaderboard.public import public_entries
from submissions.models import Submission


@dataclass(frozen=True)
class Replacement:
    """One end of a resubmission. `entry`: None where that submission has no public entry, now or ever."""

    entry: Entry | None
    what_changed: str


@dataclass(frozen=True)
class EntryRecord:
    """`notes`: standing annotations, newest first. `replaced_by`: public entries only, oldest first."""

    notes: list[Decision] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    promise: PromiseWords | None = None
    replaces: Replacement | None = None
    replaced_by: list[Replacement] = field(default_factory=list)


def record_of(entry: Entry, decisions: Iterable[Decision] | None = None) -> EntryRecord:
    """The record of a public entry. What is not published does not show, nor that it exists.

    `decisions`: all of the entry, newest first, each with what supersedes it, where the caller has them already.
    """
    if decisions is None:
        decisions = entry.decisions.prefetch_related("superseded_by").order_by("-pk")
    decided = list(decisions)
    notes = [
        each for each in decided if each.kind == Decision.Kind.ANNOTATE and not hasattr(each, "superseded_by")
    ]
    submission = entry.submission
    if submission is None:
        return EntryRecord(notes)
    is_asked = any(each.kind == Decision.Kind.ASK for each in decided)
    later = list(submission.superseded_by.order_by("pk"))
    entries = _public_by_submission([submission.supersedes_id, *(other.pk for other in later)])
    return EntryRecord(
        notes=notes,
        questions=list(entry.questions.all()) if is_asked else [],
        promise=promise_of(submission),
        replaces=_replaces(submission, entries),
        replaced_by=[
            Replacement(entries[other.pk], other.what_changed) for other in later if other.pk in entries
        ],
    )


def _public_by_submission(submissions: Iterable[int | None]) -> Mapping[int, Entry]:
    wanted = [pk for pk in submissions if pk]
    found = public_entries().filter(submission__in=wanted) if wanted else []
    return {entry.submission_id: entry for entry in found if entry.submission_id}


def _replaces(submission: Submission, entries: Mapping[int, Entry]) -> Replacement | None:
    if submission.supersedes_id is None:
        return None
    return Replacement(entries.get(submission.supersedes_id), submission.what_changed)
