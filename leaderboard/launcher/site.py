"""The one-machine site: which processes, in which namespaces, with which environment."""

import fcntl
import os
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import httpx
from django.conf import settings

from grading.capacity import slots_here
from grading.catalogue import catalogue_folders
from grading.vault import open_vault
from leaderboard.isolation import grading_command, hidden_vault_command
from leaderboard.launcher.processes import ProcessSpec, site_processes
from leaderboard.launcher.supervisor import Child, Supervisor
from leaderboard.object_storage import is_told
from leaderboard.roles.grants import PASSWORD

READY_WITHIN_S = 300.0
BACKLOG = 2048  # As gunicorn asks for.
OWN_DATABASE = "DATABASE_URL_"
# Where the answers lie, and the key to the one address that the second reading asks.
TOLD_TO = {"MLEB_VAULT": "grading", "MLEB_SECOND_READING_KEY": "evidence"}


class NotStarted(Exception):
    """The site cannot be started here; says why and how to mend it."""


def build_supervisor(listener: socket.socket) -> Supervisor:
    vault = open_vault(outside=(settings.BASE_DIR, settings.VAR_DIR)).root
    slots = slots_here(settings.GRADING_SLOTS, settings.GRADING_MEMORY_MB)
    specs = site_processes(sys.executable, settings.VAR_DIR, listener.fileno(), slots)
    return Supervisor([_child(spec, vault, listener) for spec in specs])


def _child(spec: ProcessSpec, vault: Path, listener: socket.socket) -> Child:
    argv, kept = list(spec.argv), [listener.fileno()] if spec.listens else []
    hidden = [settings.VAR_DIR / name for name in spec.hidden]
    read_only = [settings.VAR_DIR / name for name in spec.read_only]
    for folder in (*hidden, *read_only):
        folder.mkdir(parents=True, exist_ok=True)
    keys = settings.SIGNING_DIR
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    if spec.sees_vault:
        argv = grading_command(
            argv,
            vault=vault,
            hidden=[*hidden, keys],
            writable=[settings.VAR_DIR],
            read_only=read_only,
            readable=catalogue_folders()[1:],
        )
    else:
        argv = hidden_vault_command(
            argv,
            vault=vault,
            writable=[settings.VAR_DIR, *([keys] if spec.sees_signing_key else [])],
            extra_hidden=[*hidden, *([] if spec.sees_signing_key else [keys])],
            readable=[*catalogue_folders()[1:], *filter(None, [settings.EVIDENCE_PATTERNS])],
            holds_sandboxes=spec.holds_sandboxes,
            kept=kept,
        )
    log = settings.VAR_DIR / "log" / f"{spec.name}.log"
    return Child(spec.name, argv, environment_of(spec, url_of(listener)), log, kept)


def url_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def environment_of(spec: ProcessSpec, url: str) -> Mapping[str, str]:
    """The launcher's own, without what another process alone is told."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if TOLD_TO.get(name, spec.name) == spec.name and is_told(spec.name, name) and not _is_of_roles(name)
    }
    return {
        **inherited,
        **own_database(spec.name, os.environ),
        "MLEB_SITE_URL": url,
        "PYTHONUNBUFFERED": "1",
        "MLEB_PROCESS": spec.name,
        **spec.environment,
    }


def _is_of_roles(name: str) -> bool:
    """Addresses with the passwords of single roles, and these passwords."""
    return name.startswith((OWN_DATABASE, PASSWORD))


def own_database(process: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The address under the process's own role, in place of the owner's, where one is given."""
    own = environment.get(OWN_DATABASE + process.upper())
    return {"DATABASE_URL": own} if own else {}


def hold_site() -> BinaryIO:
    """A lock on this database's site, held until the file is closed. Raises NotStarted where one runs already."""
    lock = (settings.VAR_DIR / "site.lock").open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise NotStarted(
            f"A site with the files of {settings.VAR_DIR} runs already. Stop it first."
        ) from error
    return lock


def listen(wanted: int) -> socket.socket:
    """At the wanted port or, where it is taken, the next free one within twenty. Raises NotStarted.

    Open for as long as the site stands, whether or not its web server does: a second site that starts in between
    takes another port, and a visitor who comes while the server starts again waits for it.
    """
    for port in range(wanted, wanted + 20):
        with suppress(OSError):
            return socket.create_server(("127.0.0.1", port), backlog=BACKLOG)
    raise NotStarted(f"Ports {wanted} to {wanted + 19} are all taken. Choose another: PORT=9000 make run.")


def wait_until_ready(url: str) -> None:
    """Returns once the site answers. Raises NotStarted with the place of the logs."""
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/healthz", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise NotStarted(
        f"The site did not answer within {READY_WITHIN_S:.0f} s. Look into {settings.VAR_DIR / 'log'}."
    )
