"""The template of warm gradings: imports what graders need, then clones one child for each channel it is sent.

It sees neither answers nor predictions: those go over the channel, which is closed here before anything is sent.
"""

from __future__ import annotations

import gc
import json
import os
import socket

from . import walls
from .child import live
from .clone import clone_apart
from .imports import hide_pandas, import_graders

CONTROL = 0
FILTER_BYTES = 1 << 16
NUMBER_BYTES = 20


def main() -> None:
    """Serves until the worker closes the control socket, which is standard input."""
    control = socket.socket(fileno=CONTROL)
    os.close(int(os.environ.pop("RESULT_FD")))  # each child is sent its own
    system_call_filter = control.recv(FILTER_BYTES)
    hide_pandas()
    import_graders()
    walls.hide_memory()
    gc.collect()
    gc.freeze()  # a collection in a child must not touch, and so copy, every page of the template
    control.send(b"ready")
    while asked := next_child(control):
        number, channel = asked
        control.send(json.dumps({"child": number, **serve(channel, system_call_filter)}).encode())


def next_child(control: socket.socket) -> tuple[int, int] | None:
    """Its number, counted by the worker, and its channel. None when the worker is gone."""
    message, descriptors, _, _ = socket.recv_fds(control, NUMBER_BYTES, 1)
    return (int(message), descriptors[0]) if message and descriptors else None


def serve(channel: int, system_call_filter: bytes) -> dict[str, float | str]:
    """How the child of this channel ended: wait status, peak memory, processor time. Or why there is none."""
    try:
        child = clone_apart()
    except OSError as error:
        os.close(channel)
        return {"refused": str(error)}
    if child == 0:
        live(channel, system_call_filter)
    os.close(channel)
    _, status, usage = os.wait4(child, 0)
    return {"status": status, "peak_kb": usage.ru_maxrss, "cpu_s": usage.ru_utime + usage.ru_stime}
