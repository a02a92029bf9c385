"""Loading fingerprints of sample submissions, which the benchmark's prepare command leaves beside the public data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grading.catalogue import CompetitionSpec, job_for
from grading.graders.job import Job
from leaderboard.fingerprints.read import read_print
from leaderboard.fingerprints.sketch import VERSION
from leaderboard.models import SampleFingerprint


@dataclass(frozen=True)
class LoadedSample:
    """`state`: made, constant (which needs no fingerprint), unreadable or missing."""

    competition: str
    state: str


def load_samples(specs: Mapping[str, CompetitionSpec], prepared: Path) -> Iterator[LoadedSample]:
    """One after the other; a sample that was loaded before is replaced."""
    for name, spec in specs.items():
        path = find_sample(prepared / name / "prepared" / "public")
        yield LoadedSample(name, _load(spec, path) if path else "missing")


def find_sample(folder: Path) -> Path | None:
    """The file as the competition called it: sample_submission.csv, sampleSubmission.csv and the like."""
    found = sorted(path for path in folder.glob("*.csv") if path.name.lower().startswith("sample"))
    return found[0] if found else None


def _load(spec: CompetitionSpec, path: Path) -> str:
    found = read_print(Job.from_dict(job_for(spec)), path)
    if found.state == "made":
        SampleFingerprint.objects.update_or_create(
            competition_id=spec.id,
            version=VERSION,
            defaults={"content": found.content, "sketch": found.sketch},
        )
    return found.state
