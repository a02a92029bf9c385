"""Which entries somebody wants to compare: the words of an address. Pure."""

from collections.abc import Sequence

FEWEST, MOST = 2, 5
# Numbers of entries are those of rows; longer ones are nobody's.
DIGITS = 9


class BadChoice(Exception):
    """Shown to whoever asked: what is wrong with the choice, and how to mend it."""


def read_wanted(values: Sequence[str]) -> list[int]:
    """The numbers asked for, each once and in order, from `1,2,3` or from one value each. Raises BadChoice.

    Fewer than two are no error: somebody is still choosing.
    """
    words = [word.strip() for value in values for word in value.split(",") if word.strip()]
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= DIGITS):
            raise BadChoice(f"entries: {word[:40]!r} is no number of an entry. Numbers stand on their pages.")
    wanted = list(dict.fromkeys(int(word) for word in words))
    if len(wanted) > MOST:
        raise BadChoice(
            f"entries: {len(wanted)} are asked for, and at most {MOST} have room side by side. Leave some out."
        )
    return wanted
