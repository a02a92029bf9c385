"""Writes made-up answers of the benchmark and a full bundle of predictions for them.

    python -m bench.make_bundle OUT [--scale 0.01] [--seeds 3] [--competitions ID …] [--dev] [--loose]

`OUT/data/<id>/prepared/private/…` are the answers, for `manage.py load_answers --from OUT/data`;
`OUT/bundle.tar.gz` is what a team uploads, and with `--loose` `OUT/runs/<seed>/<id>/submission.csv` its files.
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:
    # Started by its path: then the folder of this file, whose `grading.py` hides the package, comes first.
    sys.path[0], __package__ = str(Path(__file__).resolve().parents[1]), "bench"

import argparse
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.progress import track

from grading.catalogue import shipped_benchmarks, shipped_competitions
from grading.splits import Split

from .made_up.recipes import make_up
from .rows import sizes

BENCHMARK = "mle-bench-v1"
RUN_CARD = Path(__file__).with_name("run_card.yaml")


@dataclass(frozen=True)
class Pair:
    """One answers file and one submission to it."""

    competition: str
    seed: int
    answers: Path
    submission: Path


def member_ids(dev: bool = False) -> list[str]:
    """The 75 competitions a bundle holds, in order; with `dev` the seven for development too."""
    members = shipped_benchmarks()[BENCHMARK].splits
    return [name for name in sorted(members) if dev or members[name] is not Split.DEV]


def make_files(
    out: Path, names: Iterable[str], seeds: int, scale: float = 1.0, seed: int = 0
) -> Iterator[list[Pair]]:
    """Writes answers and submissions below `out`, one competition after the other."""
    for name in names:
        competition = make_up(shipped_competitions()[name], sizes()[name].scaled(scale), seed)
        answers = competition.write_answers(out / "data")
        yield [
            Pair(name, number, answers, competition.write_submission(run_path(out, number, name), number))
            for number in range(seeds)
        ]


def run_path(out: Path, seed: int, name: str) -> Path:
    return out / "runs" / f"seed-{seed}" / name / "submission.csv"


def pack_bundle(archive: Path, runs: Path, seeds: int) -> None:
    """Packs a folder of seeds with its run card. Times and owners are left out, so equal input gives equal members."""
    (runs / "run_card.yaml").write_text(run_card(seeds), encoding="utf-8")
    with tarfile.open(archive, "w:gz", compresslevel=1) as bundle:
        for path in sorted(each for each in runs.rglob("*") if each.is_file()):
            member = bundle.gettarinfo(path, str(path.relative_to(runs)))
            member.mtime, member.uid, member.gid, member.uname, member.gname = 0, 0, 0, "", ""
            with path.open("rb") as content:
                bundle.addfile(member, content)


def run_card(seeds: int) -> str:
    """The run card of a made-up agent that ran so many seeds."""
    labels = ", ".join(f'"seed-{number}"' for number in range(seeds))
    return (
        RUN_CARD.read_text(encoding="utf-8").replace("SEED_LABELS", labels).replace("SEED_COUNT", str(seeds))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Write made-up answers and a full bundle of predictions.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder to write to")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="times the rows of bench/rows.toml; default 1"
    )
    parser.add_argument("--seeds", type=int, default=3, help="runs of each competition; default 3")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the random generator; the same makes the same files"
    )
    parser.add_argument(
        "--competitions", nargs="+", metavar="ID", help="only these; default the 75 of the benchmark"
    )
    parser.add_argument("--dev", action="store_true", help="the seven competitions for development as well")
    parser.add_argument("--loose", action="store_true", help="keep the files of the bundle under OUT/runs")
    options = parser.parse_args()
    names = options.competitions or member_ids(options.dev)
    if unknown := set(names) - shipped_competitions().keys():
        parser.error(f"not in the catalogue: {', '.join(sorted(unknown))}")
    made = make_files(options.out, names, options.seeds, options.scale, options.seed)
    pairs = [pair for some in track(made, "Making up", total=len(names)) for pair in some]
    pack_bundle(options.out / "bundle.tar.gz", options.out / "runs", options.seeds)
    if not options.loose:
        shutil.rmtree(options.out / "runs")
    print(
        f"{len(names)} answers files in {options.out / 'data'}, {len(pairs)} runs in {options.out / 'bundle.tar.gz'}"
    )


if __name__ == "__main__":
    main()
