"""The container of one grading, as the configuration that gVisor reads (OCI runtime specification). Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from grading.sandbox.policy import Limits, own_limits

OCI_VERSION = "1.0.2"
# Empty and read-only. Without a word about them gVisor would mount its own.
EMPTY = ("/proc", "/sys")
# On an empty or missing /tmp gVisor would mount one to write to; the interpreter may lie there, so it is not covered.
FILLED = "/tmp/none"  # noqa: S108
SHARED_LIMITS = {"NOFILE": 256, "CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 128}
NAMESPACES = ("pid", "network", "ipc", "uts", "mount")


def container_config(
    command: Sequence[str], *, root: str, uid: int, environment: Mapping[str, str], limits: Limits
) -> dict[str, Any]:
    """One process without capabilities on the read-only directory `root`, with nowhere to write and no network."""
    return {
        "ociVersion": OCI_VERSION,
        "hostname": "sandbox",
        "root": {"path": root, "readonly": True},
        "process": {
            "terminal": False,
            "user": {"uid": uid, "gid": uid},
            "args": list(command),
            "cwd": "/",
            "env": [f"{name}={value}" for name, value in environment.items()],
            "noNewPrivileges": True,
            "capabilities": {},
            "rlimits": _resource_limits(limits),
        },
        "mounts": [_empty(place) for place in EMPTY],
        "linux": {"namespaces": [{"type": name} for name in NAMESPACES]},
    }


def _resource_limits(limits: Limits) -> list[dict[str, Any]]:
    """gVisor's kernel keeps them, the one on processes too, and counts threads among those."""
    named = {
        **own_limits(limits, companions=0),
        **{name: (value, value) for name, value in SHARED_LIMITS.items()},
    }
    return [{"type": f"RLIMIT_{name}", "soft": soft, "hard": hard} for name, (soft, hard) in named.items()]


def _empty(place: str) -> dict[str, Any]:
    return {"destination": place, "type": "tmpfs", "source": "none", "options": ["ro", "nosuid", "nodev"]}
