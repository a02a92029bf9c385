"""Uploads of a large bundle: to local storage beside a bare view that hashes, and to a bucket past the web process.

    python -m bench.load_uploads [--json] [--size BYTES] [--rounds 3] [--only local bucket]

docs/performance.md says what is promised.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from .load_place import make_place, served
from .load_promises import SHOWN, Promise, tell
from .load_sender import Bundle, Team, make_file, put, read_bundle, read_slice
from .site_load import Server, memory_mb, serve

SIZE, ROUNDS = 2**30, 3
SHARE_OF_BARE = 0.8
GROWTH_MB, CPU_S = 20.0, 0.1


def measure_local(folder: Path, bundle: Bundle, rounds: int) -> list[Promise]:
    """Both by turns on the same machine in the same minute; the ratio is that of the median round."""
    place, file = make_place(folder / "site", 1), folder / "bare"
    with served(place) as site, serve(
        "bench.bare_upload:make_application()", {"BARE_UPLOAD": str(file)}, folder / "bare.log"
    ) as bare:  # fmt: skip
        team = Team(site.url, place.tokens[0])
        team.upload(read_bundle(make_file(folder / "warm", 2**20)))
        found = []
        for _ in range(rounds):
            found.append((
                timed(bare, lambda: put(bare.url + "/", {}, read_slice(bundle.path, 0, bundle.size), bundle.size)),
                timed(site, lambda: team.upload(bundle)),
            ))  # fmt: skip
            file.unlink()
            shutil.rmtree(place.folder / "bundles")
    (bare_s, bare_cpu_s), (site_s, site_cpu_s) = (
        [statistics.median(each[which][at] for each in found) for at in (0, 1)] for which in (0, 1)
    )
    megabytes = bundle.size / 1e6
    return [
        Promise("upload to local storage, of a bare view's speed", statistics.median(a[0] / b[0] for a, b in found),
                "ratio", at_least=SHARE_OF_BARE, note=f"{megabytes / site_s:.0f} of {megabytes / bare_s:.0f} MB/s"),
        Promise("its processor time, of a bare view's", site_cpu_s / bare_cpu_s, "ratio",
                note=f"{site_cpu_s:.2f} and {bare_cpu_s:.2f} s"),
    ]  # fmt: skip


def timed(server: Server, act: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and the server's processor seconds among them."""
    began, cpu_s = time.perf_counter(), server.cpu_s()
    act()
    return time.perf_counter() - began, server.cpu_s() - cpu_s


def measure_bucket(folder: Path, bundle: Bundle) -> list[Promise]:
    """The bytes go to the bucket; the web process only signs and compares."""
    from tests.services.s3 import s3

    with s3(folder / "s3") as store:
        place = make_place(folder / "site-s3", 1, **store.environment("web"))
        with served(place) as site:
            team = Team(site.url, place.tokens[0])
            for _ in range(4):
                team.upload(read_bundle(make_file(folder / "warm", 2**20)))
            before_mb = memory_mb(site)
            seconds, cpu_s = timed(site, lambda: team.upload(bundle))
            grown_mb = memory_mb(site) - before_mb
    return [
        Promise("growth of the web process", grown_mb, "MB", at_most=GROWTH_MB),
        Promise("processor time of the web process", cpu_s, "s", at_most=CPU_S,
                note=f"{bundle.size / 1e6 / seconds:.0f} MB/s to the bucket"),
    ]  # fmt: skip


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="bench-uploads-", dir=options.data) as name:
        folder = Path(name)
        bundle = read_bundle(make_file(folder / "bundle", options.size))
        promises: list[Promise] = []
        if "local" in options.only:
            with SHOWN.status("to local storage"):
                promises += measure_local(folder, bundle, options.rounds)
        if "bucket" in options.only:
            with SHOWN.status("to a bucket"):
                promises += measure_bucket(folder, bundle)
    return tell(promises, options.json)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Uploads of a large bundle.")
    parser.add_argument("--json", action="store_true", help="one object per line")
    parser.add_argument("--size", type=int, default=SIZE, metavar="BYTES")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--only", nargs="+", choices=("local", "bucket"), default=["local", "bucket"])
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder on the disk to be measured")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
