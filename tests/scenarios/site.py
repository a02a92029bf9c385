"""A site of its own for the scenarios: rehearsal benchmark, made-up answers in its vault, everybody signed up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from demo.site import started
from leaderboard.launcher.prepare import prepare
from leaderboard.launcher.site import hold_site
from tests.databases import begin_migrated
from tests.scenarios.act import Play
from tests.scenarios.cases import Scenario
from tests.scenarios.compare import Line
from tests.scenarios.made_up import COMPETITIONS, write_answers
from tests.scenarios.people import create_cast


@contextmanager
def scenario_site(
    scenarios: list[Scenario], place: Path, wanted_port: int, tell: Callable[[str], None]
) -> Iterator[Callable[[Scenario], list[Line]]]:
    """Yields the function that plays a scenario on the started site; stops all of it at the end."""
    with hold_site():
        begin_migrated(settings.VAR_DIR)
        prepare(lambda title: tell(f"Preparing: {title}"))
        write_answers(place / "answers")
        call_command("load_answers", "--from", place / "answers", "--only", *COMPETITIONS, verbosity=0)
        cast = create_cast(scenarios)
        with started(wanted_port, tell) as site:
            yield lambda scenario: Play(scenario, site.url, cast).play()
