"""The demo's bundle with changes: grown to several parts, or with runs that each break one rule."""

import random
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from demo.bundle import COMPETITION, pack_members
from demo.scores import BUNDLE
from tests.browser.site import PART_BYTES

Edit = Callable[[list[str]], list[str]]


def write_grown_bundle(folder: Path, parts: int) -> Path:
    """The demo's bundle with so much noise among its logs that it is sent in so many parts."""
    members = _read_members()
    noise = random.Random(0).randbytes((parts - 1) * PART_BYTES)
    return _write(folder / "grown.tar.gz", {**members, f"seed-0/{COMPETITION}/logs/noise.bin": noise})


# Seed to what is done to the rows of a good file, header first.
BREAKAGES: dict[str, Edit] = {
    "wrong-id": lambda rows: [rows[0], rows[1].replace(rows[1].split(",")[0], "no-such-id"), *rows[2:]],
    "missing-row": lambda rows: rows[:-1],
    "nan": lambda rows: [*rows[:-1], rows[-1].split(",")[0] + ",NaN"],
    "text-label": lambda rows: [row.replace("True", "yes").replace("False", "no") for row in rows],
}


def write_broken_bundle(folder: Path) -> Path:
    """A good run and one for each breakage, with a run card that knows them all."""
    members = _read_members()
    good = members[f"seed-0/{COMPETITION}/submission.csv"].decode().splitlines()
    edits: dict[str, Edit] = {"good": lambda rows: rows, **BREAKAGES}
    runs = {
        f"{seed}/{COMPETITION}/submission.csv": "\n".join(edit(good)).encode() + b"\n"
        for seed, edit in edits.items()
    }
    card = _rename(yaml.safe_load(members["run_card.yaml"]), list(edits))
    return _write(folder / "broken.tar.gz", {"run_card.yaml": yaml.safe_dump(card).encode(), **runs})


def write_hostile_bundle(folder: Path) -> Path:
    """One that is rejected, for more than one reason."""
    card = b"scaffold:\n  nam: Nameless\nseeds:\n  number_run_in_all: -1\n"
    return _write(folder / "hostile.tar.gz", {"run_card.yaml": card, "../elsewhere/submission.csv": b""})


def _rename(card: dict[str, Any], seeds: list[str]) -> dict[str, Any]:
    card["scaffold"]["name"] = "Careless Agent"
    card["seeds"] |= {"labels": seeds, "number_run_in_all": len(seeds)}
    return card


def _read_members() -> dict[str, bytes]:
    with tarfile.open(BUNDLE) as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        return {name: file.read() for name, file in files.items() if file is not None}


def _write(path: Path, members: dict[str, bytes]) -> Path:
    path.write_bytes(pack_members(members))
    return path
