"""Compares the graders with recorded verdicts, in this process and without a sandbox: for files of our own only."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.catalogue import CompetitionSpec, job_for, shipped_competitions
from grading.graders.grade import grade_files
from grading.graders.job import Job
from grading.graders.verdict import Outcome, Verdict


@dataclass(frozen=True)
class GradedCase:
    """One submission with the verdict of our grader and, in `case`, what the oracle says of it."""

    competition: str
    case: dict[str, Any]
    verdict: Verdict

    @property
    def agrees(self) -> bool:
        """Equal score, or invalid both. A NaN or infinite score is valid in the benchmark and invalid here."""
        expected = self.case["expected_score"]
        if not self.case["valid"] or isinstance(expected, str):
            return self.verdict.outcome is Outcome.INVALID and self.verdict.message != ""
        scores = (expected, self.case.get("stable_sort_score", expected))
        return self.verdict.outcome is Outcome.SCORED and self.verdict.score in scores

    def as_json(self) -> str:
        found = {"outcome": self.verdict.outcome.value, "score": self.verdict.score}
        return json.dumps({"competition": self.competition, "file": self.case["file"], **found})

    def as_difference(self) -> str:
        expected = self.case["expected_score"] if self.case["valid"] else "invalid"
        found = f"{self.verdict.score} {self.verdict.outcome} {self.verdict.code} {self.verdict.message}"
        return f"{self.competition} {self.case['file']}: expected {expected}, got {found}"


class Command(BaseCommand):
    help = "Grades DIR/<competition>/{answers.csv,cases.json,case_*.csv} here and says what differs from cases.json."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--json", action="store_true", help="One object per case instead, nothing compared."
        )

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        cases = grade_oracle(directory)
        if options["json"]:
            for each in cases:
                self.stdout.write(each.as_json())
        else:
            self._compare(list(cases))

    def _compare(self, cases: list[GradedCase]) -> None:
        differing = [each for each in cases if not each.agrees]
        for each in differing:
            self.stdout.write(each.as_difference())
        self.stdout.write(f"{len(cases)} cases, {len(differing)} differ")
        if differing:
            raise CommandError("The graders differ from the oracle.")


def grade_oracle(directory: Path) -> Iterator[GradedCase]:
    """Every case of every competition below the directory, in order. Raises CommandError for an unknown one."""
    folders = sorted(each.parent for each in directory.glob("*/cases.json"))
    if not folders:
        raise CommandError(f"{directory} has no <competition>/cases.json.")
    for folder in folders:
        if folder.name not in shipped_competitions():
            raise CommandError(f"{folder.name} is not in the catalogue.")
        yield from grade_folder(folder, shipped_competitions()[folder.name])


def grade_folder(folder: Path, spec: CompetitionSpec) -> Iterator[GradedCase]:
    """Every case of one competition. A fault of a grader ends one case only, as it does in the sandbox."""
    job = Job.from_dict(job_for(spec))
    for case in json.loads((folder / "cases.json").read_text()):
        try:
            verdict = grade_files(job, folder / case["file"], folder / f"answers.{job.answers_format}")
        except Exception as fault:
            verdict = Verdict(Outcome.GRADER_ERROR, code="crashed", message=repr(fault))
        yield GradedCase(spec.id, case, verdict)
