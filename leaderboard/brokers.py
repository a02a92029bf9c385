"""What Celery is told about each kind of broker, as data. The row in the database is the truth; a broker rings."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kombu.entity import Queue

QUEUES = ("housekeeping", "clock", "notices", "intake", "grading", "validity", "evidence")
# Longer than any task may take: a message that is taken back while its task still runs would ring for nothing.
REDIS_TAKES_BACK_AFTER_S = 4 * 3600


def broker_settings(url: str, folder: Path) -> Mapping[str, Any]:
    """Celery's settings for the broker at this address, without their prefix. `folder`: for messages as files."""
    scheme = url.partition(":")[0].partition("+")[0]
    return {
        "filesystem": _files(folder),
        "amqp": _rabbitmq(),
        "amqps": _rabbitmq(),
        "redis": _redis(),
        "rediss": _redis(),
    }.get(scheme, {})


def _files(folder: Path) -> dict[str, Any]:
    return {
        "BROKER_TRANSPORT": "leaderboard.broker:Transport",
        "BROKER_TRANSPORT_OPTIONS": {
            "data_folder_in": str(folder / "messages"),
            "data_folder_out": str(folder / "messages"),
            "processed_folder": str(folder / "processed"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.05,
        },
    }


def _rabbitmq() -> dict[str, Any]:
    """Queues that survive the loss of a node, and a sender that waits until the broker has the message.

    Quorum queues and messages for later do not go together, so no task is ever sent for later: beat rings instead.
    """
    return {"TASK_QUEUES": quorum_queues(QUEUES), "BROKER_TRANSPORT_OPTIONS": {"confirm_publish": True}}


def quorum_queues(names: Sequence[str]) -> list[Queue]:
    quorum = {"x-queue-type": "quorum"}
    return [Queue(name, routing_key=name, queue_arguments=quorum) for name in names]  # type: ignore[no-untyped-call]


def _redis() -> dict[str, Any]:
    """What a killed worker had taken comes back within seconds, since the others look for it that often."""
    return {
        "BROKER_TRANSPORT_OPTIONS": {
            "visibility_timeout": REDIS_TAKES_BACK_AFTER_S,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
        }
    }
