"""Proves that the walls of a warm grading hold, by running the canary's attacks in one."""

import json
import os
import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grading.sandbox.canary import CANARY_WALL_S, PROBES, require_all, verdicts_of, wanted_of
from grading.sandbox.errors import SandboxError
from grading.sandbox.host import Host, this_host
from grading.sandbox.launch import Sandbox, launched
from grading.sandbox.policy import Limits, Mode
from grading.sandbox.warm import WarmPool

PIDS = 4096  # numbers tried: a namespace gives them out from 1
START_S = 20.0
READY = b"ready"
# Another grading of the same slot, and so of the same uid, which does nothing but be there.
SIBLING = "import os, time; os.write(int(os.environ['RESULT_FD']), b'ready'); time.sleep(60)"


def check_walls(
    pool: WarmPool,
    slot: int = 0,
    limits: Limits | None = None,
    *,
    hidden: Sequence[Path] | None = None,
    host: Host | None = None,
) -> tuple[str, ...]:
    """The names of the probes that held in a warm grading of this pool.

    Raises SandboxUnavailable with those that did not, SandboxError for a fault that may pass. What /proc shows of
    it, its namespaces, capabilities and filter, is looked at before every single grading (`template.py`).
    """
    limits, host = replace(limits or Limits(), wall_s=CANARY_WALL_S), host or this_host()
    with wanted_of(limits, hidden, has_proc=False) as wanted, _sibling(host, slot) as sibling:
        wanted["pids"] = PIDS
        if host.mode is Mode.INNER:
            wanted["too_many_processes"] = 0
        result = pool.run_code(PROBES, stdin=json.dumps(wanted).encode(), limits=limits)
        verdicts = {
            **verdicts_of(result),
            "sibling": "" if _is_alive(sibling) else "another grading was killed",
        }
    require_all(verdicts)
    return tuple(verdicts)


@contextmanager
def _sibling(host: Host, slot: int) -> Iterator[Sandbox]:
    command = ["python", "-I", "-S", "-c", SIBLING]
    with launched(command, host=host, mounts=(), limits=Limits(), stdin=b"", slot=slot) as sandbox:
        sandbox.release()
        ready = select.select([sandbox.result], [], [], START_S)[0]
        if not ready or os.read(sandbox.result, len(READY)) != READY:
            raise SandboxError("The sandbox beside a warm grading did not start.")
        yield sandbox


def _is_alive(sandbox: Sandbox) -> bool:
    return not select.select([sandbox.end], [], [], 0)[0]
