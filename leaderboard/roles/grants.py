"""Rules as data, and the SQL that makes PostgreSQL enforce them. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

VERBS = {"r": "SELECT", "a": "INSERT", "c": "UPDATE", "d": "DELETE"}
NOTHING = "-"
# What the variables with the passwords of roles begin with; the name of the role follows.
PASSWORD = "MLEB_DATABASE_PASSWORD_"  # noqa: S105 - the beginning of a name


class BadRules(Exception):
    """The table of rules contradicts itself; says where."""


@dataclass(frozen=True)
class Grant:
    """What one role may do with one table. `columns`: those it may change, where not all."""

    verbs: frozenset[str] = frozenset()
    columns: tuple[str, ...] = ()


Rules = Mapping[str, Mapping[str, Grant]]


def read_matrix(text: str, columns: Mapping[tuple[str, str], Sequence[str]]) -> Rules:
    """What each role may do, by table. The first line names the roles, each further one a table and its cells.

    Letters of a cell: r(ead), a(dd), c(hange), d(elete); `C` changes only the `columns` given for table and role.
    Raises BadRules.
    """
    head, *lines = [line.split() for line in text.strip().splitlines()]
    rules: dict[str, dict[str, Grant]] = {}
    for table, *cells in lines:
        if table in rules or len(cells) != len(head):
            raise BadRules(f"{table}: twice, or not one cell for each of {', '.join(head)}.")
        pairs = zip(head, cells, strict=True)
        rules[table] = {role: _grant(cell, columns.get((table, role), ())) for role, cell in pairs}
    for table, role in columns:
        if not rules.get(table, {}).get(role, Grant()).columns:
            raise BadRules(f"{table}: columns for {role}, which has no C there.")
    return rules


def _grant(cell: str, columns: Sequence[str]) -> Grant:
    letters = "" if cell == NOTHING else cell
    if set(letters) - {*VERBS, "C"} or ("C" in letters) != bool(columns):
        raise BadRules(f"{cell!r}: unknown letters, or a C without columns.")
    return Grant(frozenset(VERBS[letter.lower()] for letter in letters), tuple(columns))


def role_statements(role: str) -> Iterator[str]:
    """Makes the role if it is not there, able to sign in and nothing else."""
    yield (
        f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {_text(role)}) "
        f"THEN CREATE ROLE {_name(role)}; END IF; END $$"
    )
    yield f"ALTER ROLE {_name(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"


def closing_statements(database: str, schema: str) -> Iterator[str]:
    """Takes away what every role has by being one."""
    yield f"REVOKE ALL ON DATABASE {_name(database)} FROM PUBLIC"
    yield f"REVOKE ALL ON SCHEMA {_name(schema)} FROM PUBLIC"
    yield f"REVOKE ALL ON ALL TABLES IN SCHEMA {_name(schema)} FROM PUBLIC"


def grant_statements(role: str, database: str, schema: str, grants: Mapping[str, Grant]) -> Iterator[str]:
    """Takes everything from the role, then gives what the rules give it. `grants`: by name of the table.

    Run them in one transaction: nobody sees the moment between.
    """
    yield f"REVOKE ALL ON ALL TABLES IN SCHEMA {_name(schema)} FROM {_name(role)}"
    yield f"GRANT CONNECT ON DATABASE {_name(database)} TO {_name(role)}"
    yield f"GRANT USAGE ON SCHEMA {_name(schema)} TO {_name(role)}"
    for table, grant in sorted(grants.items()):
        if grant.verbs:
            yield f"GRANT {', '.join(_privileges(grant))} ON {_name(schema)}.{_name(table)} TO {_name(role)}"


def password_statement(role: str, verifier: str) -> str:
    """`verifier`: what the server keeps in place of a password, so that none is sent or logged."""
    return f"ALTER ROLE {_name(role)} PASSWORD {_text(verifier)}"


def _privileges(grant: Grant) -> Iterator[str]:
    for verb in VERBS.values():
        if verb not in grant.verbs:
            continue
        limited = verb == "UPDATE" and grant.columns
        yield f"{verb} ({', '.join(map(_name, grant.columns))})" if limited else verb


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
