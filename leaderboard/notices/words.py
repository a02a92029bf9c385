"""The words of notices: fixed sentences, a line that says what it is about, and links. No score, no evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.notices.kinds import Group, Kind

Facts = Mapping[str, Any]
STATUSES: Mapping[str, tuple[str, str]] = {
    "received": ("Bundle received", "The bundle is here and waits to be read."),
    "checking": ("Bundle being checked", "A worker reads the bundle."),
    "awaiting_team": (
        "Your team's turn",
        "The bundle was read. Complete the run card, choose the scope and confirm; nothing is graded before.",
    ),
    "queued": ("Confirmed", "Run card and scope are confirmed; it waits for a free grading worker."),
    "held": (
        "Held",
        "Submissions are closed at the moment. This one keeps its place and goes on when they open.",
    ),
    "released": ("No longer held", "Submissions are open again, and this one goes on."),
    "grading": ("Grading begun", "Its runs are being graded."),
    "graded": ("Graded", "Every run has an outcome."),
    "in_review": ("In review", "Every run was graded. Maintainers now decide on the track."),
    "published": ("Published", "The results are public."),
    "rejected": (
        "Bundle rejected",
        "The bundle was rejected. Its page lists everything that was found; mend it and upload a new one.",
    ),
    "abandoned": ("Given up", "It was not finished in time. Nothing was graded; begin a new submission."),
    "grading_failed": (
        "Grading failed on our side",
        "No run could be graded because of faults here. Maintainers have been told.",
    ),
    "withdrawn": ("Withdrawn", "The submission was withdrawn."),
}
SENTENCES: Mapping[Kind, tuple[str, str]] = {
    Kind.QUESTION: (
        "A question to your team",
        "A maintainer asks your team something. The page says what, and by when an answer is due.",
    ),
    Kind.FLAG: (
        "Flag on your entry",
        "Somebody raised a doubt. Your team and the maintainers see it; you can reply to it.",
    ),
    Kind.DECISION: (
        "Decision on your entry",
        "A maintainer decided on your entry. The page gives reason and rule, and says whether you can appeal.",
    ),
    Kind.RESTATED: (
        "Figures restated",
        "A decision changed published figures of your entry. The page lists each, before and after.",
    ),
    Kind.APPEAL: ("Appeal filed", "Your team appealed. Another maintainer decides."),
    Kind.PROMISE: (
        "Promised source is due",
        "The day by which your run card promises the source has passed. Give its link, or expect a review.",
    ),
    Kind.FLAG_ANSWERED: ("Your flag was answered", "A maintainer answered the flag that you raised."),
    Kind.WEBHOOK_OFF: (
        "A webhook was switched off",
        "It did not take what was sent, time after time. Look at its last deliveries, then switch it on again.",
    ),
    Kind.REVIEW: ("Docket: something waits", "A maintainer is needed."),
    Kind.DOCKET_FLAG: ("Docket: flag raised", "Somebody raised a flag. It turns public by itself in time."),
    Kind.DOCKET_APPEAL: ("Docket: appeal filed", "A team appealed; a second maintainer must decide."),
    Kind.REPLY: (
        "Docket: a team replied",
        "A team answered a question, replied to a flag, or gave the link to its source.",
    ),
    Kind.FINDING: ("Docket: findings", "Automatic signals were raised. They prove nothing by themselves."),
    Kind.FAILURE: (
        "Grading failed on our side",
        "No run of a submission could be graded because of faults here. Look into the grading worker's log.",
    ),
    Kind.LEDGER: ("Decision recorded", "A maintainer recorded a decision."),
    Kind.PING: ("Ping", "A test of this webhook."),
}
BECAUSE: Mapping[Group, str] = {
    Group.TEAM: "you belong to the team",
    Group.OWNERS: "you look after the webhook",
    Group.RAISER: "you raised the flag",
    Group.MAINTAINERS: "you are a maintainer",
}


@dataclass(frozen=True)
class Item:
    """One piece of news as a mail tells it."""

    kind: Kind
    group: Group
    facts: Facts
    url: str


@dataclass(frozen=True)
class Ways:
    """Where settings are, and the link that ends mail of this kind."""

    settings_url: str
    unsubscribe_url: str


def subject_of(items: Sequence[Item], site: str) -> str:
    """One line that names the site. Nothing that people typed is in it."""
    title = _words(items[0])[0] if len(items) == 1 else f"{len(items)} notices"
    number = items[0].facts.get("entry") if len(items) == 1 else None
    return f"[{site}] {title}" + (f" (entry {number})" if number else "")


def body_of(items: Sequence[Item], ways: Ways) -> str:
    """The text of a mail about one piece of news, or a day's."""
    told = "\n\n".join(_paragraph(item, with_title=len(items) > 1) for item in items)
    because = " and ".join(dict.fromkeys(BECAUSE[item.group] for item in items))
    stop = "No more daily mail" if len(items) > 1 else "No more mail of this kind"
    return (
        f"{told}\n\n-- \nYou are told because {because}.\n"
        f"What you are told, and how often: {ways.settings_url}\n{stop}: {ways.unsubscribe_url}\n"
    )


def _paragraph(item: Item, with_title: bool) -> str:
    title, sentence = _words(item)
    lines = [title] if with_title else []
    return "\n".join([*lines, sentence, *filter(None, [about(item.facts)]), item.url])


def _words(item: Item) -> tuple[str, str]:
    if item.kind in (Kind.STATUS, Kind.PROGRESS):
        return STATUSES[item.facts["status"]]
    return SENTENCES[item.kind]


def about(facts: Facts) -> str:
    """What it is about, in a line: the entry or the submission, with the decision or flag."""
    parts = []
    if "entry" in facts:
        parts.append(f"Entry {facts['entry']} on {facts['benchmark']}")
    elif "submission" in facts:
        parts.append(f"Submission of {facts['submitted']} to {facts['benchmark']}")
    parts += [f"{name} {facts[name]}" for name in ("decision", "flag") if name in facts]
    if "team" in facts:
        parts.append(f"team {one_line(facts['team'])}")
    return ", ".join(parts)


def one_line(text: str) -> str:
    """The text with every run of blanks, line ends among them, as one space."""
    return " ".join(str(text).split())
