"""From the bytes of a run card file to its document, or to everything that is wrong with it."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import PurePosixPath
from typing import Final

from .json_reader import read_json
from .normal import normalise
from .problems import Problem, RunCardError, capped
from .reading import Reading, find_excess
from .schema import Document
from .structure import structure_problems
from .yaml_reader import read_yaml

MAX_BYTES: Final = 256 * 1024
_READERS: Final[dict[str, Callable[[str], Reading]]] = {
    ".yaml": read_yaml, ".yml": read_yaml, ".json": read_json,
}  # fmt: skip


def parse_run_card(data: bytes, name: str) -> Document:
    """The normalised document of a file; its name's ending says YAML or JSON.

    Raises RunCardError with every problem by path and line; broken syntax hides those after it.
    """
    reader = _READERS.get(PurePosixPath(name).suffix.lower())
    if reader is None:
        raise RunCardError([Problem("name", "", None, "must be called run_card.yaml or run_card.json")])
    reading = reader(_decode(data))
    problems = capped(chain(reading.problems, _problems_of(reading)))
    if problems:
        raise RunCardError(problems)
    return normalise(reading.document)


def _problems_of(reading: Reading) -> Iterator[Problem]:
    """Faults of what was read; that nothing was read is one only if nothing else is known."""
    if reading.document is not None:
        yield from structure_problems(reading.document, reading)
    elif not reading.problems:
        yield Problem("empty", "", None, "is empty; fill it in, or leave it out and use the form")


def check_document(document: Document, *, is_form: bool = False) -> Document:
    """The normalised document, if it did not come from a file. Raises RunCardError with every problem."""
    if excess := find_excess(document):
        code, message = excess
        raise RunCardError([Problem(code, "", None, message)])
    problems = capped(structure_problems(document, is_form=is_form))
    if problems:
        raise RunCardError(problems)
    return normalise(document)


def check_size(size: int) -> None:
    """Raises RunCardError for a run card of more bytes than are read, whatever way it comes."""
    if size > MAX_BYTES:
        message = f"is over {MAX_BYTES:,} bytes long, the limit for a run card; link to long texts instead"
        raise RunCardError([Problem("too_large", "", None, message)])


def _decode(data: bytes) -> str:
    check_size(len(data))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RunCardError([Problem("encoding", "", line, "is not UTF-8 text; save it as UTF-8")]) from None
