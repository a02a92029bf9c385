"""Packs what the agent made into the bundle it hands in."""

import gzip
import hashlib
import io
import tarfile
from dataclasses import dataclass
from pathlib import Path

COMPETITION = "spaceship-titanic"
HERE = Path(__file__).parent
SOURCES = ["agent.py", "bundle.py", "candidates.py", "features.py"]
# 1 January 2026, UTC: any fixed date will do, so that equal contents give equal bytes.
PACKED_AT = 1767225600


@dataclass(frozen=True)
class Run:
    """One seed on the one competition: its CSV, its log and how long it took."""

    seed: str
    submission: str
    log: str
    wall_time_s: float


def write_bundle(path: Path, runs: list[Run]) -> None:
    """Writes the `.tar.gz` of these runs, their run card, logs and the agent's code to `path`."""
    path.write_bytes(pack_members(make_members(runs)))


def make_members(runs: list[Run]) -> dict[str, bytes]:
    """The bundle's files by name."""
    sources = read_sources()
    members = {"run_card.yaml": fill_run_card(runs, sources).encode()}
    for run in runs:
        folder = f"{run.seed}/{COMPETITION}"
        members[f"{folder}/submission.csv"] = run.submission.encode()
        members[f"{folder}/logs/agent.log"] = run.log.encode()
        members |= {f"{folder}/code/{name}": text for name, text in sources.items()}
    return members


def read_sources() -> dict[str, bytes]:
    """The agent's own code by file name."""
    return {name: (HERE / name).read_bytes() for name in SOURCES}


def digest_sources(sources: dict[str, bytes]) -> str:
    """SHA-256 of the agent's code: of the files one after the other, sorted by name."""
    return hashlib.sha256(b"".join(sources[name] for name in sorted(sources))).hexdigest()


def fill_run_card(runs: list[Run], sources: dict[str, bytes]) -> str:
    """The run card with what only the run knows: the code's digest and the mean hours of a seed."""
    hours = sum(run.wall_time_s for run in runs) / len(runs) / 3600
    card = (HERE / "run_card.yaml").read_text()
    card = card.replace("{sources_sha256}", digest_sources(sources))
    return card.replace("{hours_used}", f"{hours:.3f}")


def pack_members(members: dict[str, bytes]) -> bytes:
    """A gzipped tar whose bytes depend on the names and contents alone."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", filename="", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name in sorted(members):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(members[name]), PACKED_AT, 0o644
            archive.addfile(entry, io.BytesIO(members[name]))
    return buffer.getvalue()
