"""The standings of the current snapshots, as tests look at them."""

from leaderboard.models import Entry, Snapshot, StoredBoard
from leaderboard.stored_boards import Standing, read_board


def find_standings(
    entry: Entry | None = None, track: str = "", split: str = "", benchmark: str = ""
) -> list[Standing]:
    """Those asked for, board by board and in the order of each."""
    boards = StoredBoard.objects.filter(snapshot__is_current=True).select_related("snapshot__benchmark")
    return [
        standing
        for board in boards.order_by("pk")
        if track in ("", board.track) and split in ("", board.split)
        if benchmark in ("", board.snapshot.benchmark.slug)
        for standing in read_all(board.snapshot, board.track, board.split)
        if entry is None or standing.entry == entry.pk
    ]


def read_all(snapshot: Snapshot, track: str, split: str) -> list[Standing]:
    return read_board(snapshot.pk, snapshot.digest, track, split)


def standing_of(entry: Entry, track: str, split: str) -> Standing:
    """The one of an entry on a board, where it is there."""
    (found,) = find_standings(entry, track, split)
    return found
