"""Gradings in gVisor: each in a container made for it, whose system calls a kernel of its own answers.

The container stands in bubblewrap's namespaces, so that whoever breaks out of it is still in a sandbox without network,
vault and other people's files, and so that nothing of it outlives its first process.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from grading.sandbox.errors import SandboxError, SandboxUnavailable
from grading.sandbox.gvisor_memory import measure_container
from grading.sandbox.gvisor_policy import CONFIG, FILTER_TARGET, ROOT, gvisor_argv
from grading.sandbox.host import Host, is_open_to_all, this_host
from grading.sandbox.inside.boxed import BEGUN
from grading.sandbox.launch import Sandbox, sealed, start_failure, started
from grading.sandbox.oci import container_config
from grading.sandbox.policy import (
    ANSWERS_TARGET,
    SUBMISSION_TARGET,
    Descriptors,
    Limits,
    Mode,
    Mount,
    environment,
    template_mounts,
    user_of_slot,
)
from grading.sandbox.pool import GRADE, order
from grading.sandbox.result import SandboxResult
from grading.sandbox.seccomp import seccomp_filter
from grading.sandbox.watch import Watch, conclude, watch_until_end

PLACES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
INSTALL = (
    "apt-get install runsc (Debian), or gVisor's own release into /usr/local/bin; or MLEB_SANDBOX=bwrap to "
    "grade without it. See docs/sandbox.md."
)
VERSION_S = 60.0
# -c and the path as in a cold sandbox.
BEFORE = (
    "import sys; sys.path.insert(0, '/app')\n"
    f"from grading.sandbox.inside.boxed import shut; shut({FILTER_TARGET!r})\n"
)
GRADING = f"from grading.sandbox.inside.imports import hide_pandas; hide_pandas(); {GRADE}"


class GVisorPool:
    """One slot, in which nothing waits between gradings."""

    kind = "gvisor"

    def __init__(self, slot: int = 0, host: Host | None = None, runsc: Path | None = None) -> None:
        """Raises SandboxUnavailable where there is no gVisor, or no place for it."""
        self._slot, self.host = slot, host or this_host()
        self.runsc = runsc or find_runsc()
        require_place(self.host)

    def close(self) -> None:
        """Nothing is left of a grading."""

    def run(self, job: Mapping[str, Any], submission: int, answers: int, limits: Limits) -> SandboxResult:
        """As Pool says. Inside, the files are copies in memory: a descriptor could be opened again for writing."""
        files = (_copied(submission, SUBMISSION_TARGET), _copied(answers, ANSWERS_TARGET))
        stdin = order(job, SUBMISSION_TARGET, ANSWERS_TARGET)
        return self.run_code(GRADING, stdin=stdin, mounts=files, limits=limits)

    def run_code(
        self, code: str, *, stdin: bytes = b"", mounts: Sequence[Mount] = (), limits: Limits | None = None
    ) -> SandboxResult:
        """How Python code ended in a container of its own, and what it wrote to the descriptor in $RESULT_FD."""
        limits = limits or Limits()
        with self._started(BEFORE + code, stdin, mounts, limits) as sandbox:
            watch = Watch(limits, look=measure_container)
            sandbox.release()
            killed = watch_until_end(sandbox, watch)
            wall_s = watch.wall_s
            # gVisor's limit on processor time also counts time in which a busy host let the container wait: what
            # /proc shows may be less when it kills, the time that passed is not.
            watch.usage.cpu_s = max(watch.usage.cpu_s, wall_s)
            sandbox.kill()
            sandbox.wait()
            return without_mark(conclude(sandbox, watch, killed, wall_s, partial(_exit_code, sandbox, watch)))

    @contextmanager
    def _started(self, code: str, stdin: bytes, mounts: Sequence[Mount], limits: Limits) -> Iterator[Sandbox]:
        host = self.host
        config = container_config(
            ("python", "-I", "-c", code),
            root=ROOT,
            uid=user_of_slot(self._slot),
            environment=environment(host.layout),
            limits=limits,
        )
        with ExitStack() as stack:
            written = sealed(stack, "config", json.dumps(config).encode())
            yield stack.enter_context(
                started(
                    partial(_command_line, host, self.runsc),
                    seccomp=seccomp_filter(),
                    # As for root where a user starts it too: the slot's uid inside owns no file.
                    mode=Mode.ROOT,
                    mounts=(*template_mounts(), *mounts, Mount(Path(CONFIG), CONFIG, copy_fd=written)),
                    stdin=stdin,
                    answers_on_stdout=True,
                )
            )


def find_runsc() -> Path:
    """The installed gVisor. Raises SandboxUnavailable where there is none."""
    if found := shutil.which("runsc", path=PLACES):
        return Path(found)
    raise SandboxUnavailable("gVisor (runsc) was not found.", INSTALL)


@lru_cache(maxsize=2)
def runsc_version(runsc: Path) -> str:
    """The version, as "0.0~20221219.0". Raises SandboxError if it does not run."""
    try:
        done = subprocess.run(  # noqa: S603
            [runsc, "--version"], env={}, capture_output=True, timeout=VERSION_S, check=True
        )
        return done.stdout.decode().splitlines()[0].split()[-1]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        raise SandboxError(f"{runsc} --version did not run: {error}") from error


def require_place(host: Host) -> None:
    """Raises SandboxUnavailable where a container cannot stand, or its grader could not read its own interpreter."""
    if host.mode is Mode.INNER:
        raise SandboxUnavailable(
            "gVisor cannot start in a namespace that hides the vault.", "MLEB_SANDBOX=bwrap"
        )
    for mount in host.layout.mounts:
        if not is_open_to_all(mount.source):
            raise SandboxUnavailable(
                f"{mount.source} is closed to other users.", f"chmod -R o+rX {mount.source}"
            )


def without_mark(result: SandboxResult) -> SandboxResult:
    """The result as the code wrote it. Raises if the code never began, which is not its fault."""
    if result.payload.startswith(BEGUN):
        return replace(result, payload=result.payload.removeprefix(BEGUN))
    if result.exit_code is None:
        return result
    raise start_failure(result.log)


def _command_line(host: Host, runsc: Path, given: Descriptors, mounts: Sequence[Mount]) -> list[str]:
    return gvisor_argv(
        bwrap=host.tools.bwrap,
        runsc=runsc,
        mode=host.mode,
        layout=host.layout,
        mounts=mounts,
        descriptors=given,
    )


def _exit_code(sandbox: Sandbox, watch: Watch) -> int:
    exit_code = sandbox.exit_code()
    if exit_code is None:
        raise start_failure(bytes(watch.log))
    return exit_code


def _copied(descriptor: int, target: str) -> Mount:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return Mount(Path(target), target, copy_fd=descriptor)
