"""Which faults are tried on which kind of site, in a whole run and in a quick one. In the order of this file."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from tests.faults.aftermath import aftermath
from tests.faults.ending import asked_to_end, deploy
from tests.faults.killing import killed, untroubled
from tests.faults.machine import (
    DATABASE_STEPS,
    broker_away,
    clock_ahead,
    clock_back,
    clock_back_at,
    database_killed,
    disk_full,
)
from tests.faults.messages import late, never, poison, twice
from tests.faults.places import QUICK, rounds
from tests.faults.rights import rights
from tests.faults.store_faults import store_away, store_troubled
from tests.faults.stores import FILLED
from tests.faults.trial import Trials

Group = Callable[[Trials], None]
Groups = Iterator[tuple[str, Group]]


def on_files() -> Groups:
    """The quick start: SQLite, messages and stores as files."""
    yield "untroubled", untroubled
    yield from _kills(is_direct=False)
    yield from _messages()
    yield "clock ahead", clock_ahead
    yield "clock back", clock_back
    for name in FILLED:
        yield f"disk full {name}", partial(disk_full, name=name)
    yield "asked to end", asked_to_end
    yield "deploy", deploy
    yield "aftermath", aftermath


def on_services() -> Groups:
    """Production: PostgreSQL with a role for each process, RabbitMQ, S3 with keys for each process."""
    yield "untroubled", untroubled
    for kind in ("500", "503", "slow", "cut", "lost"):
        yield f"store {kind}", partial(store_troubled, kind=kind)
    yield "store away", partial(store_away, seconds=60)
    for number, steps in enumerate(DATABASE_STEPS, 1):
        yield f"database {number}", partial(database_killed, steps=steps)
    yield "broker", partial(broker_away, seconds=60)
    yield from _kills(is_direct=True)
    yield from _messages()
    yield "asked to end", asked_to_end
    yield "deploy", deploy
    yield "aftermath", aftermath
    yield "rights", rights


def on_redis() -> Groups:
    """The other broker: what a broker has to do with."""
    yield "untroubled", untroubled
    yield "broker", partial(broker_away, seconds=60)
    yield from _kills(is_direct=False)
    yield from _messages()
    yield "aftermath", aftermath
    yield "rights", rights


def _kills(*, is_direct: bool) -> Groups:
    for number, steps in enumerate(rounds(is_direct), 1):
        yield f"kill {number}", partial(killed, steps=steps)


def _messages() -> Groups:
    yield "messages twice", twice
    yield "messages never", never
    yield "messages poison", poison
    yield "late result", late


def quick_on_files() -> Groups:
    """Two steps of every process, and one of each other kind."""
    yield "kill", partial(killed, steps=QUICK)
    yield "messages twice", twice
    yield "messages poison", poison
    yield "clock back", partial(clock_back_at, steps=("intake_claimed",))
    yield "disk full", partial(disk_full, name="spool")
    yield "asked to end", asked_to_end
    yield "aftermath", aftermath


def quick_on_services() -> Groups:
    yield "store cut", partial(store_troubled, kind="cut")
    yield "database", partial(database_killed, steps=("bundle_read", "result_reached", "receipts_signed"))
    yield "broker", partial(broker_away, seconds=10)
    yield "deploy", deploy
    yield "aftermath", aftermath
    yield "rights", rights


WHOLE: Mapping[str, Callable[[], Groups]] = {"files": on_files, "services": on_services, "redis": on_redis}
SHORT: Mapping[str, Callable[[], Groups]] = {"files": quick_on_files, "services": quick_on_services}
