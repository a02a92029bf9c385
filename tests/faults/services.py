"""What a site of the trials stands on where that is not files, and what its processes are told of that."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.faults.servers import Broker, Postgres, RabbitMQ, Redis
from tests.faults.store_proxy import StoreProxy
from tests.services.s3 import S3Server, s3

PREFIX = "mleb_"


@dataclass(frozen=True)
class Services:
    """`proxy` stands between the site and the store, and may answer in its place."""

    database: Postgres | None = None
    broker: Broker | None = None
    store: S3Server | None = None
    proxy: StoreProxy | None = None

    def environment(self) -> dict[str, str]:
        """For the trials themselves, which own the database and may look into every bucket."""
        found = self.store.environment() if self.store else {}
        found |= {"DATABASE_URL": self.database.url} if self.database else {}
        return found | ({"BROKER_URL": self.broker.url} if self.broker else {})

    def told(self, process: str) -> dict[str, str]:
        """For one process of the site: its own role in the database, its own key to the buckets it may open."""
        found = {"DATABASE_URL": self.database.url_of(PREFIX + process)} if self.database else {}
        if self.store and self.proxy:
            found |= self.store.environment(process, self.proxy.url)
        return found


def own_environment(inherited: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    """What the launcher would give, with this process's own access in place of that of all."""
    kept = _without_keys(inherited) if any(name.startswith("MLEB_S3_") for name in told) else inherited
    return {**kept, **told}


def _without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if not (name.startswith("MLEB_S3_") and name.endswith(("_KEY", "_SECRET")))
    }


def start_services(site: str, place: Path, stack: ExitStack) -> Services:
    """Those of the kind of site, until the stack is closed; this process is told of them."""
    services = STARTERS[site](place, stack)
    os.environ |= services.environment()
    return services


def _none(place: Path, stack: ExitStack) -> Services:
    return Services()


def _production(place: Path, stack: ExitStack) -> Services:
    store = stack.enter_context(s3(place / "s3"))
    return Services(
        database=stack.enter_context(Postgres(place / "postgres")),
        broker=stack.enter_context(RabbitMQ(place / "rabbitmq")),
        store=store,
        proxy=stack.enter_context(StoreProxy(store.endpoint)),
    )


def _redis(place: Path, stack: ExitStack) -> Services:
    return Services(
        database=stack.enter_context(Postgres(place / "postgres")),
        broker=stack.enter_context(Redis(place / "redis")),
    )


# SQLite and files, as the quick start; PostgreSQL, RabbitMQ and S3; PostgreSQL, Redis and files.
STARTERS = {"files": _none, "services": _production, "redis": _redis}
