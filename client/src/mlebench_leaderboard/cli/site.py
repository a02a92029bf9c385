"""`submit`, `confirm`, `status` and `validate`: what a team does at a site."""

import argparse
import json
import re
import sys
from dataclasses import asdict
from itertools import islice

from ..answers import RunCard, Status, Submission, SubmissionDetail
from ..client import Client
from ..errors import ClientError, Exit
from .local import check_bundle, finish_check
from .terminal import Terminal, count, plain

LISTED = 20
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
RECORD = (
    "Once grading starts, this attempt and its scores become part of the public record, even if withdrawn."
)
FINE = frozenset({"scored", "pending", "outside_scope"})
WORDS = {
    Status.AWAITING_TEAM: "The team has to look over the run card, declare the scope and confirm:",
    Status.IN_REVIEW: "A maintainer looks at it and decides on a track.",
    Status.PUBLISHED: "Published:",
    Status.REJECTED: "The bundle was not taken:",
    Status.GRADING_FAILED: "No run could be graded. That is a fault of the site; a maintainer will see to it.",
}


def run_submit(said: argparse.Namespace, terminal: Terminal) -> int:
    if said.confirm:
        _require_consent(said, terminal)
    if said.check and (code := _check(said, terminal)):
        return code
    with Client(said.url) as client, terminal.bar("Sending", said.bundle.stat().st_size) as bar:
        submission = client.submit(
            said.bundle,
            said.benchmark,
            team=said.team,
            supersedes=said.supersedes,
            what_changed=said.what_changed,
            again=said.again,
            jobs=said.jobs,
            progress=bar.advance,
            began=lambda begun, upload: _say_resumed(upload.received_bytes, upload.size, terminal),
        )
    terminal.say(f"Sent as {submission.id}", f"The team confirms it at {submission.page}")
    if said.confirm:
        return _confirm_when_read(said, submission, terminal)
    return _follow(said, submission.id, terminal) if said.watch else int(Exit.OK)


def _check(said: argparse.Namespace, terminal: Terminal) -> int:
    """0 where it may be sent."""
    code = finish_check(check_bundle(said.bundle, said, terminal), terminal)
    if code:
        terminal.note("Nothing was sent. Mend the bundle, or add --no-check to send it all the same.")
    return code


def _say_resumed(received: int, size: int, terminal: Terminal) -> None:
    if received:
        terminal.note(f"Going on: {received:,} of {size:,} bytes are there already.")


def _confirm_when_read(said: argparse.Namespace, submission: Submission, terminal: Terminal) -> int:
    with Client(said.url) as client:
        found = _watch(client, submission.id, terminal)
        if found.status is not Status.AWAITING_TEAM:
            return show_submission(found, terminal)
        _confirm(client, submission.id, said, terminal)
    return _follow(said, submission.id, terminal) if said.watch else int(Exit.OK)


def run_confirm(said: argparse.Namespace, terminal: Terminal) -> int:
    _require_consent(said, terminal)
    with Client(said.url) as client:
        _confirm(client, _id_in(said.submission), said, terminal)
    return int(Exit.OK)


def _confirm(client: Client, submission_id: str, said: argparse.Namespace, terminal: Terminal) -> None:
    card = client.run_card(submission_id)
    _say_open(card, terminal)
    confirmed = client.confirm(submission_id, said.scope, said.attest, card.number)
    terminal.say(
        f"Confirmed by {said.attest} for the scope {said.scope}, with revision {card.number} of the run card."
    )
    if not confirmed.is_verified:
        terminal.warn(
            f"{confirmed.organisation} is not verified yet; grading waits until a maintainer has done so."
        )


def _say_open(card: RunCard, terminal: Terminal) -> None:
    questions = [path for path in card.undisclosed if not path.startswith("attestation")]
    if questions:
        terminal.warn(
            f"{count(len(questions), 'open question keeps', 'open questions keep')} it off the Clean track: "
            f"{', '.join(questions[:LISTED])}"
        )


def _require_consent(said: argparse.Namespace, terminal: Terminal) -> None:
    """Raises ClientError unless scope and name are given and the consequence is accepted, by option or by hand."""
    if not said.scope or not said.attest:
        raise ClientError(
            "Confirming needs --scope and --attest NAME, the person who answers for the run card."
        )
    if said.accept:
        return
    terminal.warn(RECORD)
    if not sys.stdin.isatty():
        raise ClientError("Add --accept to say that the team accepts this.")
    if input("Type yes to accept this: ").strip().lower() != "yes":
        raise ClientError("Not confirmed: it was not accepted.")


def run_status(said: argparse.Namespace, terminal: Terminal) -> int:
    if said.submission and said.watch:
        return _follow(said, _id_in(said.submission), terminal)
    with Client(said.url) as client:
        if not said.submission:
            return _list(list(islice(client.submissions(), LISTED)), said.format, terminal)
        found = client.submission(_id_in(said.submission))
    return show_submission(found, terminal, said.format)


def _list(found: list[Submission], form: str, terminal: Terminal) -> int:
    if form == "json":
        terminal.raw(json.dumps([asdict(each) for each in found], indent=1) + "\n")
        return int(Exit.OK)
    headings = [(name, "left") for name in ("Submission", "Status", "Benchmark", "Scope", "Team", "Created")]
    terminal.table(
        headings,
        ((s.id, s.status, s.benchmark, s.scope or "–", s.team, s.created_at[:16]) for s in found),
    )
    if not found:
        terminal.note("Your teams have no submissions here.")
    return int(Exit.OK)


def _follow(said: argparse.Namespace, submission_id: str, terminal: Terminal) -> int:
    with Client(said.url) as client:
        found = _watch(client, submission_id, terminal)
    return show_submission(found, terminal, getattr(said, "format", "text"))


def _watch(client: Client, submission_id: str, terminal: Terminal) -> SubmissionDetail:
    """The submission as it rests in the end. Says each change on the way."""
    said = ""
    with terminal.err.status("Waiting") as waiting:
        for found in client.watch(submission_id):
            line = plain(_progress(found))
            if line != said:
                waiting.update(line)
                if not terminal.err.is_terminal:
                    terminal.note(line)
            said = line
    return found


def _progress(found: SubmissionDetail) -> str:
    if found.status is Status.GRADING:
        return f"{found.status}: {found.counts.graded} of {found.counts.expected} runs"
    return str(found.status)


def show_submission(found: SubmissionDetail, terminal: Terminal, form: str = "text") -> int:
    """The exit code: PROBLEMS where it ended badly."""
    code = Exit.PROBLEMS if found.status in (Status.REJECTED, Status.GRADING_FAILED) else Exit.OK
    if form == "json":
        terminal.raw(json.dumps(asdict(found), indent=1) + "\n")
        return int(code)
    counts = found.counts
    outcomes = ", ".join(f"{number} {outcome}" for outcome, number in counts.outcomes.items() if number)
    terminal.pairs(
        [
            ("Submission", found.id),
            ("Status", found.status),
            ("Benchmark", f"{found.benchmark}, scope {found.scope or 'not declared yet'}"),
            (
                "Team",
                f"{found.team}, {found.organisation}{'' if found.is_verified else ' (not verified yet)'}",
            ),
            (
                "Bundle",
                f"{count(counts.seeds, 'seed')}, {count(counts.runs, 'run')}, {counts.ignored} ignored",
            ),
            ("Runs", outcomes or "none yet"),
            ("Page", found.page),
        ]
    )
    _show_bad_runs(found, terminal)
    if found.status in WORDS:
        terminal.say(f"{WORDS[found.status]} {_where(found)}".rstrip())
    terminal.faults(found.problems)
    return int(code)


def _where(found: SubmissionDetail) -> str:
    if found.status is Status.PUBLISHED and found.entry:
        return f"{found.page.partition('/submissions/')[0]}/entries/{found.entry}/"
    return found.page if found.status is Status.AWAITING_TEAM else ""


def _show_bad_runs(found: SubmissionDetail, terminal: Terminal) -> None:
    bad = [run for run in found.runs if run.outcome not in FINE]
    for run in bad[:LISTED]:
        said = f": {run.message}" if run.message else ""
        terminal.warn(f"  seed {run.seed}, {run.competition}: {run.outcome}{said}")
    if len(bad) > LISTED:
        terminal.warn(f"  {count(len(bad) - LISTED, 'more run')} with something to read, on the page")


def run_validate(said: argparse.Namespace, terminal: Terminal) -> int:
    with Client(said.url) as client, terminal.err.status("Waiting for the site's check"):
        verdict = client.validate(said.competition, said.file)
    if verdict.is_valid:
        terminal.say(f"{said.file} is valid for {said.competition}, as far as labels do not decide.")
        return int(Exit.OK)
    terminal.problem(f"{said.file} is not a valid submission for {said.competition}:")
    terminal.faults(verdict.reasons)
    return int(Exit.PROBLEMS)


def _id_in(text: str) -> str:
    """The id in an id or in the address of a page. Raises ClientError where there is none."""
    found = UUID.search(text)
    if not found:
        raise ClientError(f"'{text}' is no submission. Give its id or the address of its page.")
    return found[0].lower()
