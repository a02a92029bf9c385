"""An answer as a flat table: which columns of which kind, and how that becomes CSV or Parquet."""

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from typing import Any

from rest_framework.response import Response

from leaderboard.api.csv_rows import to_csv

Row = Mapping[str, Any]
PLAIN = frozenset({str, int, float, bool, type(None)})


class Kind(Enum):
    TEXT = "string"
    WHOLE = "int64"
    NUMBER = "float64"
    FLAG = "bool"
    DAY = "date32"
    MOMENT = "timestamp"


@dataclass(frozen=True)
class TableColumn:
    """`value` takes the cell out of a row of the JSON answer; `of` is the field it comes from."""

    name: str
    kind: Kind
    value: Callable[[Row], Any]
    of: str


@dataclass(frozen=True)
class Table:
    """Rows as the JSON answer has them, and the columns to print. `about`: what the file says of itself."""

    columns: Sequence[TableColumn]
    rows: Sequence[Row]
    about: Mapping[str, str] = field(default_factory=dict)


def column(name: str, kind: Kind = Kind.TEXT) -> TableColumn:
    """A column for a field of its own name."""
    return TableColumn(name, kind, lambda row: row[name], name)


def columns(kinds: Mapping[Kind, str], order: str) -> list[TableColumn]:
    """The columns of an answer whose fields are flat: names by kind, texts if not named, in an order."""
    known = {name: kind for kind, names in kinds.items() for name in names.split()}
    return [column(name, known.get(name, Kind.TEXT)) for name in order.split()]


def table_to_csv(table: Table) -> str:
    header = [column.name for column in table.columns]
    takes = [column.value for column in table.columns]
    return to_csv(header, ([_flat(take(row)) for take in takes] for row in table.rows))


def _flat(cell: Any) -> Any:
    """One cell: lists with semicolons, objects as JSON."""
    if type(cell) in PLAIN:  # Nearly all are, and asking whether each is a mapping would take longest.
        return cell
    if isinstance(cell, list | tuple):
        return "; ".join(str(part) for part in cell)
    return json.dumps(cell, ensure_ascii=False, allow_nan=False) if isinstance(cell, Mapping) else cell


def table_to_parquet(table: Table) -> bytes:
    """The table with a type for every column, also where a column has no value at all."""
    import pyarrow as pa  # Only here: it takes a tenth of a second and 60 MB that few processes need.
    import pyarrow.parquet as pq

    types = {Kind.DAY: pa.date32(), Kind.MOMENT: pa.timestamp("us", "UTC"), Kind.FLAG: pa.bool_()}
    types |= {Kind.TEXT: pa.string(), Kind.WHOLE: pa.int64(), Kind.NUMBER: pa.float64()}
    arrays = [pa.array(_cells(column, table.rows), types[column.kind]) for column in table.columns]
    schema = pa.schema(
        [(column.name, types[column.kind]) for column in table.columns], metadata=dict(table.about)
    )
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), out, compression="zstd")
    return out.getvalue()


def _cells(column: TableColumn, rows: Iterable[Row]) -> list[Any]:
    turn = TURNS[column.kind]
    cells = (_flat(column.value(row)) for row in rows)
    return [None if cell is None else turn(cell) for cell in cells]


def _moment(cell: Any) -> datetime:
    return cell if isinstance(cell, datetime) else datetime.fromisoformat(cell)


def _day(cell: Any) -> date:
    return cell if isinstance(cell, date) else date.fromisoformat(cell)


TURNS: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TEXT: str,
    Kind.WHOLE: int,
    Kind.NUMBER: float,
    Kind.FLAG: bool,
    Kind.DAY: _day,
    Kind.MOMENT: _moment,
}


def put_table(response: Response, table: Table) -> None:
    """Gives the answer its flat form, which the renderers of CSV and Parquet print."""
    response.table = table  # type: ignore[attr-defined]  # The framework hands renderers the answer and nothing else.
