"""Compares the graders with recorded verdicts, in this process and without a sandbox: for files of our own only."""

import json
import logging
import os
import sys
import tempfile
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.catalogue import CatalogueError, CompetitionSpec, job_for, shipped_competitions
from grading.graders import grade
from grading.graders.grade import Reading, digest_answers, grade_files
from grading.graders.job import Job
from grading.graders.source import Source
from grading.graders.verdict import AnswersError, Outcome, Verdict


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


HELP = """\
Grades submissions of your own here, and says what differs from what cases.json expects. No sandbox, database or vault.

DIR/<competition>/answers.csv   the answers (answers.jsonl where answers_format is jsonl)
DIR/<competition>/cases.json    what to expect, a list such as
                                [{"file": "good.csv", "valid": true, "expected_score": 0.25},
                                 {"file": "bad.csv", "valid": false, "expected_score": null}]
DIR/<competition>/good.csv …    the submissions it names

Scores are equal to 5 decimals or they differ. For a competition of your own set MLEB_CATALOGUE as for the site.
"""


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """With the layout of cases.json as it is written, not wrapped."""
        return super().create_parser(
            prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs
        )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--json", action="store_true", help="One object per case instead, nothing compared."
        )

        ways = parser.add_mutually_exclusive_group()
        ways.add_argument(
            "--fast",
            dest="reading",
            action="store_const",
            const=Reading.FAST,
            help="Use the fast reader also where a file is small, and say how many fell back to the exact one.",
        )
        ways.add_argument(
            "--exact",
            dest="reading",
            action="store_const",
            const=Reading.EXACT,
            help="Use the exact reader alone, and the answers as they are, not digested.",
        )

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        reading = options["reading"] or Reading.QUICKEST
        try:
            with counted_fallbacks() as fallbacks:
                cases = grade_oracle(directory, reading)
                if options["json"]:
                    for each in cases:
                        self.stdout.write(each.as_json())
                else:
                    self._compare(list(cases))
                self.stdout.flush()  # Here, where a reader who has left is expected; not at exit.
        except BrokenPipeError:
            # Whoever reads has had enough (`| head`). What Python still holds back must not go to the pipe at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if reading is Reading.FAST:
            self.stderr.write(f"{len(fallbacks)} read the exact way")

    def _compare(self, cases: list[GradedCase]) -> None:
        differing = [each for each in cases if not each.agrees]
        for each in differing:
            self.stdout.write(each.as_difference())
        self.stdout.write(f"{len(cases)} cases, {len(differing)} differ")
        if differing:
            raise CommandError("The graders differ from the oracle.")


@contextmanager
def counted_fallbacks() -> Iterator[list[str]]:
    """Collects why files were read the exact way although the fast one might have been used."""
    reasons: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: reasons.append(record.getMessage())  # type: ignore[method-assign]
    level, propagate = grade.logger.level, grade.logger.propagate
    grade.logger.addHandler(handler)
    grade.logger.setLevel(logging.DEBUG)
    grade.logger.propagate = False
    try:
        yield reasons
    finally:
        grade.logger.removeHandler(handler)
        grade.logger.setLevel(level)
        grade.logger.propagate = propagate


def grade_oracle(directory: Path, reading: Reading = Reading.QUICKEST) -> Iterator[GradedCase]:
    """Every case of every competition below the directory, in order. Raises CommandError for an unknown one."""
    try:
        competitions = shipped_competitions()
    except CatalogueError as error:
        raise CommandError(str(error)) from error
    folders = sorted(each.parent for each in directory.glob("*/cases.json"))
    if not folders:
        raise CommandError(f"{directory} has no <competition>/cases.json.")
    for folder in folders:
        if folder.name not in competitions:
            raise CommandError(f"{folder.name} is not in the catalogue. Is MLEB_CATALOGUE set?")
        yield from grade_folder(folder, competitions[folder.name], reading)


def grade_folder(
    folder: Path, spec: CompetitionSpec, reading: Reading = Reading.QUICKEST
) -> Iterator[GradedCase]:
    """Every case of one competition. A fault of a grader ends one case only, as it does in the sandbox."""
    job = Job.from_dict(job_for(spec))
    cases = read_cases(folder / "cases.json")
    with prepared_answers(job, folder / f"answers.{job.answers_format}", reading) as answers:
        for case in cases:
            yield GradedCase(spec.id, case, _grade(job, folder / case["file"], answers, reading))


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of one competition. Raises CommandError for what is no such list, or names no file."""
    try:
        cases = json.loads(path.read_text())
    except ValueError as error:
        raise CommandError(f"{path}: not JSON: {error}") from error
    known = {"file", "valid", "expected_score"}
    if not isinstance(cases, list) or not all(
        isinstance(each, dict) and known <= each.keys() for each in cases
    ):
        raise CommandError(f'{path}: write a list of objects with "file", "valid" and "expected_score".')
    for each in cases:
        if not (path.parent / str(each["file"])).is_file():
            raise CommandError(f"{path}: there is no file {path.parent / str(each['file'])}.")
    return cases


@contextmanager
def prepared_answers(job: Job, path: Path, reading: Reading) -> Iterator[Source]:
    """The answers as grading finds them in the vault: digested, unless they are to be read the exact way too."""
    if reading is Reading.EXACT or not path.is_file():
        yield path
        return
    with tempfile.TemporaryFile() as digest:
        try:
            digest.writelines(digest_answers(job, path, reading))
        except AnswersError:
            yield path
        else:
            digest.flush()
            yield digest.fileno()


def _grade(job: Job, submission: Path, answers: Source, reading: Reading) -> Verdict:
    try:
        return grade_files(job, submission, answers, reading)
    except Exception as fault:
        return Verdict(Outcome.GRADER_ERROR, code="crashed", message=repr(fault))
