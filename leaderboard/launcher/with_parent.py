"""Becomes the command it is given, which is asked to end (SIGTERM) when whoever started it ends, however that happens.

Started as a script, by its path and with `-I -S`. The kernel keeps the request over `exec`, for programs that raise no
privileges.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Asks the kernel; a parent that is gone already would never ring."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the launcher's own words
