"""What a web process keeps: bounded, by last use. No database."""

from leaderboard.kept import Shelf


def test_lets_go_of_what_was_not_asked_for_longest() -> None:
    shelf: Shelf[str] = Shelf(6, len)
    shelf.put("a", "aaa")
    shelf.put("b", "bb")
    assert shelf.get("a") == "aaa"
    shelf.put("c", "ccc")
    assert [shelf.get(key) for key in "abc"] == ["aaa", None, "ccc"]


def test_keeps_nothing_too_heavy() -> None:
    shelf: Shelf[str] = Shelf(3, len)
    shelf.put("a", "aaa")
    shelf.put("b", "bbbb")
    assert [shelf.get(key) for key in "ab"] == ["aaa", None]


def test_makes_once() -> None:
    shelf: Shelf[list[int]] = Shelf(10, len)
    made: list[int] = []

    def make() -> list[int]:
        made.append(1)
        return [1]

    assert shelf.get_or_make("a", make) is shelf.get_or_make("a", make)
    assert made == [1]
    shelf.clear()
    assert shelf.get("a") is None


def test_the_same_again_weighs_nothing_more() -> None:
    shelf: Shelf[str] = Shelf(6, len)
    for _ in range(5):
        shelf.put("a", "aaa")
    shelf.put("b", "bbb")
    assert shelf.get("a") == "aaa"
