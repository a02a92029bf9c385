"""A worker that is asked to end takes nothing new and waits for what runs; after a while that is given back."""

import logging
import os
import threading
import time
from contextlib import suppress
from datetime import timedelta

from billiard.process import active_children
from celery import signals
from django.conf import settings

from grading import stopping

log = logging.getLogger(__name__)
ASK_AGAIN_S = 1.0
POOL = "ForkPoolWorker"


def connect() -> None:
    """To the signals of the worker whose process this is, if it is one."""
    signals.worker_process_init.connect(_listen, weak=False)
    signals.worker_shutting_down.connect(_stop_later, weak=False)


def _listen(**_: object) -> None:
    stopping.listen()


def _stop_later(**_: object) -> None:
    stopping.announce_end()
    threading.Thread(target=_ask, args=(_limit_s(),), daemon=True).start()


def _limit_s() -> float:
    limit: timedelta = settings.STOP_WITHIN
    return limit.total_seconds()


def _ask(after_s: float) -> None:
    """Again and again, since a child may take its last message just now."""
    time.sleep(after_s)
    while True:
        for child in active_children():
            if POOL in child.name and child.pid:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, stopping.STOP)
        time.sleep(ASK_AGAIN_S)
