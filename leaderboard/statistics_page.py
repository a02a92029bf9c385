"""A board whose rows have statistics, and its leader's figures read out, for the page that explains them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leaderboard.boards import ALL, Board, Boards, load_board
from leaderboard.entry_statistics import say_verdict
from leaderboard.shown import Row

MOST_ROWS = 8
KNOWN_LEAKS = "known-leaks"


@dataclass(frozen=True)
class ExampleRow:
    """A row of the board and what its comparison with the leader came to, in words."""

    row: Row
    verdict: str

    @property
    def without_leaks(self) -> Row | None:
        """The same without known leaks; None where that leaves all competitions or nothing."""
        masks = self.row["masks"] or {}
        masked = masks.get(KNOWN_LEAKS)
        return masked if masked and masked["competitions"] < masks["none"]["competitions"] else None


@dataclass(frozen=True)
class Example:
    """`place` says which board; `sentences` read its leader's figures out."""

    board: Board
    place: str
    rows: tuple[ExampleRow, ...]
    sentences: tuple[str, ...]


def find_example(found: Sequence[Boards]) -> Example | None:
    """The first board, strictest track and widest split first, on which statistics apply; None if nowhere."""
    for board in _boards(found):
        rows = [row for row in board.rows if (row["statistics"] or {}).get("applies")]
        if rows:
            place = f"{board.boards.title}, {board.track.title}, {board.split.label} {board.competitions}"
            shown = tuple(ExampleRow(row, _short_verdict(row)) for row in rows[:MOST_ROWS])
            return Example(board, place, shown, tuple(_read_out(rows)))
    return None


def _boards(found: Sequence[Boards]) -> Iterator[Board]:
    for boards in found:
        splits = sorted(boards.splits, key=lambda split: split is not boards.main_split)
        for track in boards.tracks:
            if track.is_ranked and track.slug != ALL:
                yield from (load_board(boards, track.slug, split) for split in splits)


def _short_verdict(row: Row) -> str:
    statistics = row["statistics"]
    if statistics["is_leader"]:
        return "leads"
    return {True: "tied with it", False: "behind it", None: "not compared"}[statistics["tied_with_leader"]]


def _read_out(rows: Sequence[Row]) -> Iterator[str]:
    first = rows[0]
    yield _about_mean(first)
    yield _about_rank(first)
    if first["statistics"]["is_leader"] and len(rows) > 1:
        yield f"{rows[1]['agent']} comes next. {say_verdict(rows[1]['statistics'])}"
    curve = first["statistics"]["pass_at_k"]
    if len(curve) > 1:
        yield (
            f"One seed of {first['agent']} wins a medal on {curve[0]:.1f} % of the competitions; "
            f"at least one of {len(curve)} does on {curve[-1]:.1f} %."
        )
    if first["cost_per_medal"] is not None:
        yield f"Each of its medals cost {first['cost_per_medal']:.2f} USD."


def _about_mean(row: Row) -> str:
    result, statistics = row["result"], row["statistics"]
    sem = result["any_medal_sem"]
    seeds = (
        "has one seed, so no SEM" if sem is None else f"has an SEM of {sem:.2f} over {result['seeds']} seeds"
    )
    said = f"{row['agent']} reaches {result['any_medal_mean']:.2f} % and {seeds}"
    if statistics["interval_low"] is None:
        return f"{said}. All its runs came out alike, so there is no interval."
    low, high = statistics["interval_low"], statistics["interval_high"]
    return f"{said}; with other competitions like these it might as well have been {low:.1f} or {high:.1f} %."


def _about_rank(row: Row) -> str:
    low, high = row["statistics"]["rank_low"], row["statistics"]["rank_high"]
    if low == high:
        return f"It ranks {low} in at least 95 % of resampled boards."
    return f"It ranks {low} to {high} in 95 % of resampled boards."
