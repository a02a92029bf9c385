"""Lines of lists as they were drawn: whoever asks for the same line with the same words in it is given it again.

Rows of lists seldom change, and drawing one by a template costs more than all else about it.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leaderboard.kept import Shelf

Words = tuple[Any, ...]
MEMORY_CHARACTERS = 16 * 2**20
# Of a key, and of what holds it.
OVERHEAD = 300
_drawn: Shelf[SafeString] = Shelf(MEMORY_CHARACTERS, lambda text: len(text) + OVERHEAD)


def draw_once(part: str, words: Words, context: Callable[[], Mapping[str, Any]]) -> SafeString:
    """What `include part with … only` gives. `words`: plain values, all that it shows and that it depends on."""
    # Not the words themselves: of a decision about thousands of runs they are much longer than what is shown.
    key = blake2b(repr((part, words)).encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return _drawn.get_or_make(key, lambda: render_to_string(part, dict(context())))


def reader_of(columns: Iterable[str]) -> Callable[[Any], Words]:
    """Takes these columns, named as a query names them, out of a row, as words of `draw_once`.

    Of a row that was read with `only` of the same columns nothing else can be shown without a query for each.
    """
    paths = [column.replace("__", ".") for column in columns]
    read = attrgetter(*paths)

    def words_of(row: Any) -> Words:
        try:
            return tuple(read(row))
        except AttributeError:  # What it refers to is not always there.
            return tuple(_look(row, path) for path in paths)

    return words_of


def _look(row: Any, path: str) -> Any:
    """What is there, None if the row refers to nothing."""
    for name in path.split("."):
        row = None if row is None else getattr(row, name)
    return row


def forget() -> None:
    """Nothing is kept any more; for tests."""
    _drawn.clear()
