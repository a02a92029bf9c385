"""The Python code in a file, of a script or of a notebook's cells. Pure."""

import json
from collections.abc import Iterable
from typing import Any, Final

ENDINGS: Final = (".py", ".ipynb")
# Notebooks carry their pictures along; code of more than half a megabyte was not written by anybody.
MAX_BYTES: Final = 16 * 2**20
MAX_CHARS: Final = 512 * 2**10


class NoCode(Exception):
    """The file holds no code that is compared. Says why, in words for maintainers."""


def is_code(path: str) -> bool:
    """Whether its ending is one of those that are compared."""
    return path.lower().endswith(ENDINGS)


def code_in(path: str, content: bytes) -> str:
    """The code, lines ended by `\\n`. Raises NoCode."""
    if len(content) > MAX_BYTES:
        raise NoCode(f"larger than {MAX_BYTES // 2**20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoCode("not UTF-8 text") from None
    code = cells_of(text) if path.lower().endswith(".ipynb") else text
    if len(code) > MAX_CHARS:
        raise NoCode(f"more than {MAX_CHARS:,} characters of code")
    # A NUL is nothing that code has, and nothing that PostgreSQL stores.
    return code.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def cells_of(text: str) -> str:
    """The code cells of a notebook under each other, without lines for IPython or the shell. Raises NoCode."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise NoCode("not a notebook: it is no JSON") from None
    return "\n".join(_python_lines(cell) for cell in _cells(document))


def _cells(document: Any) -> Iterable[str]:
    """The sources of code cells, of format 4 and of the older one with worksheets."""
    if not isinstance(document, dict):
        raise NoCode("not a notebook: it has no cells")
    sheets = _objects(document.get("worksheets")) or [document]
    cells = [cell for sheet in sheets for cell in _objects(sheet.get("cells"))]
    return [
        _joined(cell.get("source", cell.get("input"))) for cell in cells if cell.get("cell_type") == "code"
    ]


def _objects(rows: Any) -> list[dict[str, Any]]:
    """The objects of a list, and nothing of whatever else stands there."""
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _joined(source: Any) -> str:
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _python_lines(cell: str) -> str:
    """Nothing where the whole cell is in another language (`%%bash`)."""
    if cell.lstrip().startswith("%%"):
        return ""
    return "\n".join(line for line in cell.splitlines() if not line.lstrip().startswith(("%", "!", "?")))
