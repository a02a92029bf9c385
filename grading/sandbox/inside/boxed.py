"""Before code runs in a gVisor container, which is given three descriptors and no more."""

from __future__ import annotations

import os
import resource

from . import walls

BEGUN = b"\n"  # before a JSON object it means nothing
OUTPUT, LOG = 1, 2


def shut(system_call_filter: str) -> None:
    """Keeps standard output for the result alone, sends what is printed to the log, and loads the filter."""
    result = os.dup(OUTPUT)
    os.dup2(LOG, OUTPUT)
    os.environ["RESULT_FD"] = str(result)
    # gVisor keeps the limit on processor time from the moment it is set by the process itself.
    resource.setrlimit(resource.RLIMIT_CPU, resource.getrlimit(resource.RLIMIT_CPU))
    with open(system_call_filter, "rb") as file:
        walls.load_filter(file.read())
    os.write(result, BEGUN)
