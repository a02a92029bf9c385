"""A submission's life in words: what happens now, what the team can do, what has happened."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from submissions.models import Event, Submission, User

Status = Submission.Status
MACHINE_S = 2
PEOPLE_S = 30
BY_MACHINE = frozenset({Status.RECEIVED, Status.CHECKING, Status.QUEUED, Status.GRADING, Status.GRADED})


@dataclass(frozen=True)
class NextStep:
    """What happens now and who has to do something. `kind` is that of a callout."""

    title: str
    text: str
    kind: str = "info"


@dataclass(frozen=True)
class Happening:
    """An event as the timeline shows it, by time or, where only that is known, by day."""

    at: datetime | date
    what: str
    who: str = ""
    note: str = ""


# What maintainers decide, in the words of the record. A test keeps them the same.
DECISIONS: Mapping[str, str] = {
    "import": "imported with its placement",
    "publish": "published on a track",
    "move": "moved to another track",
    "flag": "flagged",
    "dismiss": "flag dismissed",
    "withdraw": "withdrawn",
    "repin": "pins moved",
    "mask": "competitions masked",
    "unmask": "competitions counted again",
    "verify": "claim verified",
    "ask": "team asked",
    "annotate": "annotated",
    "grant": "appeal granted",
    "deny": "appeal denied",
}
STEPS: Mapping[str, NextStep] = {
    Status.UPLOADING: NextStep("Upload unfinished", "Some parts of the bundle have not arrived yet."),
    Status.RECEIVED: NextStep(
        "Waiting to be checked", "The bundle is here. A worker will read it in a moment."
    ),
    Status.CHECKING: NextStep(
        "Checking the bundle", "A worker reads the archive and notes all that is wrong."
    ),
    Status.AWAITING_TEAM: NextStep(
        "Your team's turn",
        "The bundle was read. Complete the run card, then choose the scope and confirm. Nothing is graded "
        "before that.",
        "warning",
    ),
    Status.QUEUED: NextStep("Queued", "Confirmed, and waiting for a free grading worker."),
    Status.GRADING: NextStep(
        "Grading", "Each run is graded on the hidden answers, on its own and without network."
    ),
    Status.GRADED: NextStep(
        "Graded", "Every run has an outcome. The results are being put together for review."
    ),
    Status.IN_REVIEW: NextStep(
        "In review",
        "Maintainers decide on the track. Scores are shown once it is published, to you as to everybody.",
    ),
    Status.PUBLISHED: NextStep("Published", "The results are public.", "success"),
    Status.ABANDONED: NextStep(
        "Given up", "It was not finished in time. Nothing was graded; begin a new submission.", "warning"
    ),
    Status.REJECTED: NextStep(
        "The bundle was rejected",
        "Everything that could be found is listed below. Mend it and upload a new bundle.",
        "danger",
    ),
    Status.GRADING_FAILED: NextStep(
        "Grading failed on our side",
        "No run could be graded because of faults here. Maintainers have been told; you need do nothing.",
        "danger",
    ),
    Status.WITHDRAWN: NextStep("Withdrawn", "Your team took this submission back.", "warning"),
}
UNVERIFIED = NextStep(
    "Waiting for a maintainer",
    "Your organisation is not verified yet. A maintainer must verify it once before anything is graded; "
    "grading then starts by itself.",
    "warning",
)
HELD = NextStep(
    "Received while closed",
    "Submissions are closed at the moment. This one keeps its place and goes on by itself when they open.",
    "warning",
)
ASKED = NextStep(
    "A maintainer asks your team",
    "Please answer it; the button leads to the form. Question and answer become public together with the entry.",
    "warning",
)
REACHED: Mapping[str, str] = {
    Status.RECEIVED: "Upload complete",
    Status.CHECKING: "Check of the bundle begun",
    Status.AWAITING_TEAM: "Bundle accepted",
    Status.QUEUED: "Run card and scope confirmed",
    Status.GRADING: "Grading begun",
    Status.GRADED: "Every run graded",
    Status.IN_REVIEW: "Handed to the maintainers",
    Status.PUBLISHED: "Published",
    Status.ABANDONED: "Given up: not finished in time",
    Status.REJECTED: "Bundle rejected",
    Status.GRADING_FAILED: "Grading failed on our side",
    Status.WITHDRAWN: "Withdrawn",
}


def next_step(submission: Submission) -> NextStep:
    """What happens now with the submission."""
    if submission.status == Status.QUEUED and submission.held_at:
        return HELD
    if submission.status == Status.QUEUED and not submission.team.organisation.is_verified:
        return UNVERIFIED
    if submission.status == Status.IN_REVIEW and submission.question_open_at:
        return ASKED
    return STEPS[submission.status]


def poll_s(submission: Submission) -> int | None:
    """Seconds until looking again is worth while; None where only the team itself, or nobody, moves it on."""
    step = next_step(submission)
    if step in (HELD, UNVERIFIED) or submission.status == Status.IN_REVIEW:
        return PEOPLE_S
    return MACHINE_S if submission.status in BY_MACHINE else None


def left_at(submission: Submission) -> str:
    """The last stage of one that took an exit; empty for all others."""
    if submission.status not in Submission.EXITS:
        return ""
    last = submission.events.filter(kind="status", after=submission.status).last()
    return last.before if last else ""


def events_of(submission: Submission) -> list[Happening]:
    """All that happened, oldest first."""
    events = submission.events.select_related("actor")
    return [Happening(e.effective_at, _what(e), _who(e.actor), _note(e)) for e in events]


OTHERS: Mapping[str, str] = {
    "created": "Upload begun",
    "csvs_checked": "Columns and rows of the CSVs looked at",
    "held": "Received while submissions were closed",
    "released": "Submissions are open again",
    "answered": "Question answered",
    "appealed": "Appeal filed",
    "source_shown": "Link to the promised source given",
    "promise_expired": "The day promised for the source has passed",
}


def _what(event: Event) -> str:
    if event.kind in OTHERS:
        return OTHERS[event.kind]
    if event.kind == "status":
        return REACHED.get(event.after, event.after)
    return event.kind.replace("_", " ").capitalize()


def _who(actor: User | None) -> str:
    """A maintainer by public name, a team member by e-mail address, which the team knows anyway."""
    if actor is None:
        return ""
    if actor.is_deleted:
        return "a deleted account"
    return actor.public_name if actor.is_maintainer and actor.public_name else actor.email


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _note(event: Event) -> str:
    detail = event.detail if isinstance(event.detail, dict) else {}
    if event.kind == "decision":
        return (
            f"decision {detail.get('number')}: {DECISIONS.get(str(detail.get('kind')), detail.get('kind'))}"
        )
    if "scope" in detail:
        return f"scope {detail['scope']}, run card revision {detail.get('run_card')}"
    if "problems" in detail:
        return _counted(detail["problems"], "problem", "problems")
    if "looked_at" in detail:
        return _counted(detail["unlike"], "file", "files") + f" of {detail['looked_at']} cannot be valid"
    return str(detail.get("reason", ""))
