"""Answers digested: read and typed once, with their ids ready to be found (`id_index`).

What a digest holds is what `read_answers` returns for the file it was made from, column for column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .columns import Array, Column, Kind
from .container import Contents, pack, unpack
from .id_index import HOMES_PER_ID, IdIndex, index_ids
from .job import Job
from .packed import PackedColumn, pack_text, text_buffers, text_of_buffers
from .reader import Table
from .source import Mapped
from .verdict import AnswersError


def digest_table(job: Job, table: Table) -> Iterator[bytes | memoryview]:
    """The digest of a table of answers, piece by piece. Raises AnswersError for more text than can be packed."""
    arrays: dict[str, Array] = {}
    facts: dict[str, Any] = {"names": table.names, "rows": table.rows, "columns": []}
    try:
        for i, name in enumerate(name for name in table.names if name in table):
            # Answers that are no CSV have cells and no types.
            is_typed = job.answers_format == "csv"
            column = table.column(name) if is_typed else _untyped(table.cells[name])
            facts["columns"].append({"name": name, "kind": column.kind.name, "is_typed": is_typed})
            arrays |= {
                f"{i} {part}": array for part, array in _parts(column, name in job.id_columns[:1]).items()
            }
    except OverflowError:
        raise AnswersError("the answers hold more than 2 GiB of text in a column") from None
    return pack(facts, arrays)


def _untyped(cells: Array) -> Column:
    return Column(Kind.TEXT, cells, np.zeros(len(cells), dtype=np.bool_))


def _parts(column: Column, is_id: bool) -> dict[str, Array]:
    parts: dict[str, Array] = {}
    if column.kind is Kind.TEXT:
        if not isinstance(column, PackedColumn):
            column = PackedColumn(pack_text(column.values), column.missing)
        parts["offsets"], parts["bytes"] = text_buffers(column.cells)
    else:
        parts["values"] = column.values
    if column.missing.any():
        parts["missing"] = column.missing
    if is_id and (index := index_ids(column)):
        parts["slots"] = index.slots
    return parts


def table_of_digest(data: Mapped) -> Table:
    """The table a digest was made of. Raises AnswersError where it is damaged."""
    try:
        contents = unpack(data)
        table = Table(contents.facts["names"], contents.facts["rows"], {})
        for i, column in enumerate(contents.facts["columns"]):
            _add_column(table, contents, i, column)
    except (ValueError, LookupError, TypeError):
        raise AnswersError("the digest of the answers cannot be read") from None
    return table


def _add_column(table: Table, contents: Contents, position: int, facts: dict[str, Any]) -> None:
    parts = {
        name.partition(" ")[2]: array
        for name, array in contents.arrays.items()
        if name.startswith(f"{position} ")
    }
    column = _column(Kind[facts["kind"]], parts, table.rows)
    if facts["is_typed"]:
        table.typed[facts["name"]] = column
    else:
        table.cells[facts["name"]] = column.values


def _column(kind: Kind, parts: dict[str, Array], rows: int) -> Column:
    missing = parts["missing"] if "missing" in parts else np.zeros(rows, dtype=np.bool_)
    index = IdIndex(kind, int(rows * HOMES_PER_ID), parts["slots"]) if "slots" in parts else None
    if kind is Kind.TEXT:
        return PackedColumn(text_of_buffers(parts["offsets"], parts["bytes"]), missing, index)
    return Column(kind, parts["values"], missing, index)
