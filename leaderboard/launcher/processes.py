"""The processes of a one-machine site, as data: what each runs, and whether it may see the vault."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# Threads that no slow sender can hold (web_worker.py), as many again for large bodies; no control socket, which would
# want a writable home.
WORKER = "leaderboard.launcher.web_worker.Worker"
GUNICORN = (
    "--workers", "2", "--worker-class", WORKER, "--threads", "8", "--timeout", "120", "--graceful-timeout", "20",
    "--no-control-socket", "--log-level", "info",
)  # fmt: skip

# The rings of submissions and those of the clock, in turn.
HOUSEKEEPING = "housekeeping,clock"


@dataclass(frozen=True)
class ProcessSpec:
    """One process. Without `sees_vault` it is started in a namespace in which the vault does not exist.

    With it, in one in which the signing keys and what is `hidden` do not, and what is `read_only` cannot be changed.

    With `holds_sandboxes` it may make further namespaces in that one. With `listens` it gets the socket of the site.
    """

    name: str
    argv: Sequence[str]
    sees_vault: bool = False
    sees_signing_key: bool = False
    holds_sandboxes: bool = False
    listens: bool = False
    hidden: Sequence[str] = ()
    read_only: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def site_processes(python: str, var: Path, listener: int, grading_slots: int) -> tuple[ProcessSpec, ...]:
    """Web, intake, housekeeping (with the clock that rings the sweeps), notices, validity checks, evidence, grading.

    `listener`: descriptor of the socket at which the web server answers. `hidden` names folders of `var` that the
    process has no business with.
    """
    return (
        ProcessSpec(
            "web", gunicorn(python, listener, var), listens=True, hidden=("blobs", "evidence", "log")
        ),
        ProcessSpec("intake", celery(python, "intake", 1), hidden=("log", "validity")),
        *_keeping(python),
        *_judging(python, grading_slots),
    )


def _keeping(python: str) -> tuple[ProcessSpec, ...]:
    """Those that move submissions on and tell people."""
    return (
        ProcessSpec(
            "housekeeping",
            (*celery(python, HOUSEKEEPING, 1), "--beat"),
            hidden=("evidence", "log"),
            sees_signing_key=True,
            # What the web process writes to the shared cache would be unpickled beside the signing key.
            environment={"MLEB_CACHE": "none"},
        ),
        ProcessSpec(
            "notices",
            celery(python, "notices", 1),
            hidden=("blobs", "bundles", "evidence", "incoming", "log", "spool", "validity"),
            environment={"MLEB_CACHE": "none"},
        ),
    )


def _judging(python: str, grading_slots: int) -> tuple[ProcessSpec, ...]:
    """Those that read what teams sent; each knows its own tasks alone."""
    return (
        ProcessSpec(
            "validity",
            (python, "manage.py", "validity_worker"),
            holds_sandboxes=True,
            hidden=("blobs", "bundles", "evidence", "incoming", "log", "spool"),
            environment={"MLEB_CACHE": "none", "MLEB_ROLE": "validity"},
        ),
        ProcessSpec(
            "evidence",
            celery(python, "evidence", 1),
            hidden=("blobs", "bundles", "incoming", "log", "mail", "shapes", "spool", "validity"),
            environment={"MLEB_CACHE": "none", "MLEB_ROLE": "evidence"},
        ),
        # Without the shared cache: what the web process writes there would be unpickled beside the answers.
        ProcessSpec(
            "grading",
            grading_worker(python, grading_slots),
            sees_vault=True,
            hidden=("bundles", "evidence", "incoming", "log", "mail", "spool", "validity"),
            read_only=("blobs",),
            environment={"MLEB_CACHE": "none", "MLEB_ROLE": "grading"},
        ),
    )


def gunicorn(python: str, listener: int, var: Path) -> tuple[str, ...]:
    """The web server, at a socket that is open."""
    place = ("--bind", f"fd://{listener}", "--worker-tmp-dir", str(var))
    return (python, "-m", "gunicorn", "leaderboard.wsgi:application", *place, *GUNICORN)


def celery(python: str, queues: str, slots: int) -> tuple[str, ...]:
    """A worker of these queues (with commas), which has the name of the first.

    Without Django's checks, which load every page's code: whoever starts the site has made them once for all.
    """
    return (
        *(
            python,
            "-m",
            "celery",
            "-A",
            "leaderboard",
            "--skip-checks",
            "worker",
            "-Q",
            queues,
            "-n",
            f"{queues.partition(',')[0]}@%h",
        ),
        *("--concurrency", str(slots), "--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    )


def grading_worker(python: str, slots: int) -> tuple[str, ...]:
    """Runs the canary first and does not touch the queue until isolation holds."""
    return (python, "manage.py", "grading_worker", "--slots", str(slots))
