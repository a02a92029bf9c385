"""The sentence above a board: who leads, and by what. Pure but for the board it reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.boards import Board
from leaderboard.shown import Row

IMPORTED = "imported"


@dataclass(frozen=True)
class Headline:
    """`place` says which board it is, `sentence` who leads; `leader` is the first of them, None where nobody does.

    `caveat` says what the rows rest on where that is the word of their teams.
    """

    place: str
    sentence: str
    leader: Row | None = None
    caveat: str = ""


def headline(board: Board) -> Headline:
    """What a reader should take away in five seconds."""
    place = f"{board.track.title} · {scope_of(board)} · {_counted(board.rows)}"
    if not board.rows:
        return Headline(place, "No entry yet")
    leaders = [row for row in board.rows if row["rank"] == 1]
    if not leaders:
        return Headline(f"{place}, unranked", "Shown with a warning, not ranked")
    return Headline(place, _sentence(leaders, board.rows), leaders[0], _caveat(board.rows))


def _caveat(rows: Sequence[Row]) -> str:
    imported = sum(row["source"] == IMPORTED for row in rows)
    if not imported:
        return ""
    which = "All rows are" if imported == len(rows) else f"{imported} of {len(rows)} rows are"
    return (
        f"{which} imported from the benchmark's README: self-graded by their teams, verified by nobody here."
    )


def scope_of(board: Board) -> str:
    """The split with the number of its competitions."""
    return f"{board.split.label} {board.competitions}"


def _counted(rows: Sequence[Row]) -> str:
    """Those that attempted the split; the others are listed below them and counted apart."""
    # Of one that attempted all of it, everything may be masked.
    masked = sum(row["result"] is None and bool(row["masked"]) for row in rows)
    attempted = masked + sum(row["result"] is not None for row in rows)
    parts = [count_entries(attempted)]
    if masked:
        parts.append(f"{masked} of them with nothing counted")
    if attempted < len(rows):
        parts.append(f"{len(rows) - attempted} more attempted a part of it")
    return ", ".join(parts)


def count_entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def say_figure(percent: float) -> str:
    # The space does not break, so that the sign stays with its number.
    return f"{percent:.1f}\u00a0%"


def _sentence(leaders: Sequence[Row], rows: Sequence[Row]) -> str:
    figure = say_figure(leaders[0]["result"]["any_medal_mean"])
    others = [row for row in rows if row["rank"] is not None and row["rank"] > 1]
    if len(leaders) == 1 and leaders[0]["source"] == IMPORTED:
        return f"{leaders[0]['agent']} reported {figure}, the most here"
    if len(leaders) == 1:
        return f"{leaders[0]['agent']} leads with {figure}{_margin(others)}"
    return f"{len(leaders)} entries share the lead with {figure}, {leaders[0]['agent']} among them{_margin(others)}"


def _margin(others: Sequence[Row]) -> str:
    """Whether the lead over the others is more than noise; nothing where that was not found out for all of them."""
    verdicts = [(row["statistics"] or {}).get("tied_with_leader") for row in others]
    tied = sum(verdict is True for verdict in verdicts)
    if tied:
        return f", tied with {tied} {'other' if tied == 1 else 'others'}"
    return ", by more than noise" if verdicts and all(verdict is False for verdict in verdicts) else ""
