"""Lists in pages: what is counted anew, and what is kept for a while."""

from collections.abc import Iterator

import pytest

from leaderboard import lengths
from leaderboard.lengths import LONG
from leaderboard.views.paging import LongPaginator, list_url


class Counted:
    """A list that says how often it was counted."""

    def __init__(self, length: int) -> None:
        self.length, self.times = length, 0

    def count(self) -> int:
        self.times += 1
        return self.length


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    lengths.forget()
    yield
    lengths.forget()


@pytest.mark.parametrize(("length", "times"), [(0, 2), (LONG, 2), (LONG + 1, 1)])
def test_only_a_long_list_is_counted_once_for_two_readers(length: int, times: int) -> None:
    found = Counted(length)
    assert [LongPaginator(found, 20, "flags").count for _ in range(2)] == [length, length]
    assert found.times == times


def test_lists_of_other_words_and_names_have_lengths_of_their_own() -> None:
    lists = [("flags", {}), ("flags", {"state": "open"}), ("decisions", {}), ("flags", {"state": "upheld"})]
    lengths = [
        LongPaginator(Counted(LONG + at), 20, name, words).count for at, (name, words) in enumerate(lists, 1)
    ]
    assert lengths == [LONG + 1, LONG + 2, LONG + 3, LONG + 4]


def test_a_length_is_kept_for_a_while_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("leaderboard.lengths.time.monotonic", lambda: now[0])
    lengths = []
    for at, length in ((100.0, LONG + 1), (159.0, LONG + 2), (160.0, LONG + 3)):
        now[0] = at
        lengths.append(LongPaginator(Counted(length), 20, "flags").count)
    assert lengths == [LONG + 1, LONG + 1, LONG + 3]


def test_the_address_of_a_page_of_a_list_about_one_thing() -> None:
    assert list_url("competition", {}, 2, ("spaceship-titanic",)) == "/competitions/spaceship-titanic/?page=2"
    assert list_url("competition", {}, 1, ("spaceship-titanic",)) == "/competitions/spaceship-titanic/"
