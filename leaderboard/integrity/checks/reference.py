"""docs/checks.md, written from the registry by `python -m leaderboard.integrity.checks.reference`."""

from collections.abc import Iterator

from leaderboard.integrity.checks.base import Check, State
from leaderboard.integrity.checks.registry import CHECKS
from leaderboard.integrity.proposal import TRACKS

_INTRODUCTION = """\
# Disclosure checks

Written from the registry in `leaderboard/integrity/checks/`; change it there, then run
`python -m leaderboard.integrity.checks.reference > docs/checks.md`.

Each check asks one question of an entry and answers with a claim: a state, a sentence and the evidence used.
A claim *stands* unless it is undisclosed or contradicted. An entry earns a track if all claims it needs
stand with an answer it takes; the strictest track earned is proposed, with the reasons against stricter ones.
"""
_STATES = {
    State.DECLARED: "the team says so",
    State.MACHINE_CHECKED: "the team says so, and the bundle or the site agrees",
    State.MAINTAINER_VERIFIED: "a maintainer has verified it",
    State.CONTRADICTED: "something else on the run card or in the bundle speaks against it",
    State.UNDISCLOSED: "there is no answer, or none that counts",
}


def checks_reference() -> str:
    """The page as Markdown: states, a table of checks, and one section each."""
    states = [f"- **{state.replace('_', ' ')}**: {meaning}" for state, meaning in _STATES.items()]
    table = ["| check | needed by | weight |", "|---|---|---|", *map(_row, CHECKS)]
    sections = [line for check in CHECKS for line in _section(check)]
    return "\n".join([_INTRODUCTION, *states, "", *table, *sections]) + "\n"


def _row(check: Check) -> str:
    tracks = ", ".join(map(_title, check.tracks)) or "no track"
    return f"| [{check.title}](#{check.code}) | {tracks} | {check.severity} |"


def _section(check: Check) -> Iterator[str]:
    yield from (
        "",
        f'<a id="{check.code}"></a>',
        "",
        f"## {check.title} (`{check.code}`)",
        "",
        check.sentence,
        "",
    )
    if check.fields:
        yield f"- Questions on the run card: {', '.join(f'`{name}`' for name in check.fields)}"
    for track in check.tracks:
        answers = check.accepts.get(track)
        words = ", ".join(f"`{word}`" for word in answers) if answers else "any answer"
        yield f"- {_title(track)} takes: {words}"


def _title(slug: str) -> str:
    return next(track.title for track in TRACKS if track.slug == slug)


if __name__ == "__main__":
    print(checks_reference(), end="")
