"""Rows of tables as JSON, whatever engine they come from or go to.

Read and written below the models, so that nothing is stamped anew, announced, or refused for being permanent.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models

AT_ONCE = 500
# Whoever is signed in signs in again; and the tables of migrations are made by migrations.
LEFT_OUT = frozenset({"django_session", "usersessions_usersession"})
Row = Mapping[str, Any]


def kept_models() -> list[type[models.Model]]:
    """Every table of this site but those left out, with the hidden ones between two models, by name."""
    found = apps.get_models(include_auto_created=True)
    own = [model for model in found if model._meta.managed and not model._meta.proxy]
    return sorted((m for m in own if m._meta.db_table not in LEFT_OUT), key=lambda m: m._meta.db_table)


def read_rows(model: type[models.Model]) -> Iterator[bytes]:
    """One line for each row, in the order of the keys."""
    fields = [field.attname for field in model._meta.concrete_fields]
    rows: Any = models.QuerySet(model).order_by("pk").values_list(*fields)
    for row in rows.iterator(chunk_size=2000):
        line = dict(zip(fields, row, strict=True))
        yield json.dumps(line, cls=_Encoder, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class _Encoder(DjangoJSONEncoder):
    """Times to the microsecond, where Django's own keeps thousandths; bytes as hexadecimal digits."""

    def default(self, value: Any) -> Any:
        if hasattr(value, "isoformat"):
            return value.isoformat()
        if isinstance(value, bytes | memoryview):
            return {"hex": bytes(value).hex()}
        return super().default(value)


def write_rows(model: type[models.Model], lines: Iterable[bytes]) -> int:
    """Inserts the rows as they were. How many."""
    fields, count = model._meta.concrete_fields, 0
    for some in map(list, _batches(lines)):
        made = [_row(model, json.loads(line)) for line in some]
        models.QuerySet(model)._insert(made, fields=fields, using=connection.alias, raw=True)  # type: ignore[attr-defined]
        count += len(made)
    return count


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """So many that a statement takes no more variables than SQLite allows."""
    batch: list[bytes] = []
    for line in lines:
        batch.append(line)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _row(model: type[models.Model], values: Row) -> models.Model:
    made = model()
    for field in model._meta.concrete_fields:
        setattr(made, field.attname, _value(field, values[field.attname]))
    return made


def _value(field: "models.Field[Any, Any]", value: Any) -> Any:
    """As the column takes it. JSON stays as it is."""
    if isinstance(value, dict) and isinstance(field, models.BinaryField):
        return bytes.fromhex(value["hex"])
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    return value if isinstance(target, models.JSONField) else target.to_python(value)


def empty_tables(tables: Iterable[type[models.Model]]) -> None:
    """Removes what migrations put there, so that the backup's own rows take its place."""
    with connection.cursor() as cursor:
        for model in tables:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608


def reset_counters(tables: Iterable[type[models.Model]]) -> None:
    """The next row of each table gets a number after the last one."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(tables)):
            cursor.execute(statement)
