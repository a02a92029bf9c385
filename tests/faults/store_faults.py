"""What the store may do to a site: fail, be slow, cut a transfer, do something and not say so, be away."""

import re
import shutil
import time
from collections.abc import Mapping

from django.conf import settings

from grading.vault import open_vault
from tests.faults.store_proxy import Trouble
from tests.faults.trial import Trials
from tests.services.s3 import BUCKETS

# What a site asks of its store, by the first line of the request; the library tries three times by itself.
IN_VAIN, IN_VAIN_ONCE = 4, 1
PLACES: Mapping[str, tuple[str, int]] = {
    "upload begun": (rf"POST /{BUCKETS['bundles']}/\S+\?uploads", IN_VAIN),
    "part sent": (rf"PUT /{BUCKETS['bundles']}/", IN_VAIN_ONCE),
    "parts listed": (rf"GET /{BUCKETS['bundles']}/\S+[?&]uploadId=", IN_VAIN),
    "upload completed": (rf"POST /{BUCKETS['bundles']}/\S+[?&]uploadId=", IN_VAIN),
    "bundle read": (rf"GET /{BUCKETS['bundles']}/bundle/(?!\S*uploadId=)", IN_VAIN),
    "blob written": (rf"PUT /{BUCKETS['blobs']}/", IN_VAIN),
    "evidence written": (rf"PUT /{BUCKETS['evidence']}/", IN_VAIN_ONCE),
    "blob read": (rf"GET /{BUCKETS['blobs']}/csv/", IN_VAIN),
    "evidence read": (rf"GET /{BUCKETS['evidence']}/evidence/", IN_VAIN),
    "answers read": (rf"GET /{BUCKETS['answers']}/", IN_VAIN),
}
KINDS = {
    "500": "the store answers 500",
    "503": "the store answers 503",
    "slow": "the store is slow",
    "cut": "cut in the middle",
    "lost": "done, and the answer lost",
}
SLOW_TIMES = 2
EVERYTHING = re.compile("")


def store_troubled(trials: Trials, kind: str) -> None:
    """The same trouble at everything that is asked of the store while two submissions live."""
    proxy = trials.services.proxy
    assert proxy, "asked only of a site with one"
    troubles = [
        Trouble(name, re.compile(line), kind, SLOW_TIMES if kind == "slow" else times)
        for name, (line, times) in PLACES.items()
    ]
    forget_answers()
    proxy.troubles = troubles
    try:
        trials.run(KINDS[kind], list(PLACES))
    finally:
        proxy.troubles = ()
    if spared := [each.name for each in troubles if not each.met]:
        raise AssertionError(f"{KINDS[kind]}: not one request of {', '.join(spared)}")


def store_away(trials: Trials, seconds: float) -> None:
    """Nobody answers for a while."""
    proxy = trials.services.proxy
    assert proxy, "asked only of a site with one"

    def go_and_come() -> None:
        time.sleep(1)
        proxy.troubles = [Trouble("everything", EVERYTHING, "away", 10**9)]
        time.sleep(seconds)
        proxy.troubles = ()

    forget_answers()
    trials.run(f"the store away for {seconds:.0f} s", ["(store)"], go_and_come)


def forget_answers() -> None:
    """As on a grading host that is new: answers have to be fetched."""
    for folder in (open_vault(outside=(settings.BASE_DIR, settings.VAR_DIR)).root / "answers").iterdir():
        shutil.rmtree(folder)
