"""Grades runs anew, beside the gradings they stand on."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, track

from grading.management.migrated import require_migrated
from grading.models import Competition
from grading.regrade import Asked, Regrade, progress_of, take_unrung_regrades
from grading.rings import ring
from leaderboard.models import EntryRun
from leaderboard.pins import find_behind
from leaderboard.regrading import Choice, NotChosen, chosen_runs, find_answers, request_regrades

LOOK_EVERY_S = 0.5
OUTCOMES = [outcome.value for outcome in EntryRun.Outcome if outcome != EntryRun.Outcome.MISSING]


class Command(BaseCommand):
    help = (
        "Asks for new gradings of entries' runs with the present grader, behind the runs of teams. What an entry "
        "shows does not change: a maintainer moves its pins by a decision."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--competition", nargs="+", default=[], metavar="ID", help="Default: all.")
        parser.add_argument(
            "--entry", nargs="+", default=[], metavar="ENTRY", help="Number or slug; default: all."
        )
        parser.add_argument(
            "--answers", type=int, metavar="N", help="Version to grade with; default: newest."
        )
        parser.add_argument(
            "--thresholds", type=int, metavar="N", help="Only runs that stand on this version."
        )
        parser.add_argument(
            "--grader-version", nargs="+", default=[], metavar="V", help="Only runs that this version graded."
        )
        parser.add_argument(
            "--only-outcome", nargs="+", default=[], choices=OUTCOMES, help="Only runs that ended so."
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Say what would be asked for, and do nothing."
        )
        parser.add_argument("--wait", action="store_true", help="Stay until every grading is done.")

    def handle(self, *args: Any, verbosity: int, **options: Any) -> None:
        choice = Choice(
            competitions=options["competition"],
            entries=options["entry"],
            outcomes=options["only_outcome"],
            thresholds=options["thresholds"],
            grader_versions=options["grader_version"],
        )
        require_migrated()
        self._require_known(options["competition"])
        try:
            regrades = self._ask(choice, options["answers"], options["dry_run"], verbosity == 0)
        except NotChosen as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self._report(regrades, options["dry_run"])
        if options["wait"] and not options["dry_run"]:
            self._wait([each.grading.pk for each in regrades if each.grading], verbosity == 0)
        if verbosity:
            self._say_what_is_left()

    def _require_known(self, competitions: Sequence[str]) -> None:
        known = Competition.objects.filter(pk__in=competitions).values_list("pk", flat=True)
        if unknown := sorted(set(competitions) - set(known)):
            raise CommandError(f"Not in the catalogue: {', '.join(unknown)}.")

    def _ask(self, choice: Choice, answers: int | None, dry_run: bool, quiet: bool) -> list[Regrade]:
        runs = list(chosen_runs(choice))
        if not runs:
            raise NotChosen("No run of a graded entry fits. Leave a condition out.")
        versions = find_answers((run.competition_id for run in runs), answers)
        asking = request_regrades(runs, versions, timezone.now(), dry_run)
        total = len({(run.grading and run.grading.blob_id, run.competition_id) for run in runs})
        return list(track(asking, "Asking for gradings", total=total, disable=quiet))

    def _report(self, regrades: Sequence[Regrade], dry_run: bool) -> None:
        counted = Counter(each.asked for each in regrades)
        for asked in Asked:
            if counted[asked]:
                words = "would be asked for" if dry_run and asked is Asked.NEW else asked.value
                self.stdout.write(f"{counted[asked]:,} gradings {words}")

    def _wait(self, gradings: list[int], quiet: bool) -> None:
        """Until all are done. Interrupted, they go on without being watched."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, disable=quiet) as bar:
            task = bar.add_task("Grading", total=len(gradings))
            while True:
                for grading in take_unrung_regrades(timezone.now()):
                    ring("grading.tasks.grade", grading)
                state = progress_of(gradings)
                bar.update(task, completed=state.done)
                if state.is_complete:
                    break
                time.sleep(LOOK_EVERY_S)
        if not quiet:
            ended = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(state.outcomes.items()))
            self.stdout.write(f"{state.done:,} gradings done: {ended}")

    def _say_what_is_left(self) -> None:
        for behind in find_behind():
            page = reverse("competition-pins", args=[behind.competition])
            self.stdout.write(
                f"{behind.competition}: {behind.runs} runs of {behind.entries} published entries could stand on "
                f"something newer. Pins move by a decision, on the site's page {page}"
            )
