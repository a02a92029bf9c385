"""The same answers, or the same people, behind several organisations."""

from collections.abc import Iterator

from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts


def find_same_card(facts: SubmissionFacts) -> Iterator[Found]:
    for twin in facts.twins:
        if twin.what == "card":
            yield Found(
                f"The run card says the same as that of {twin.name} in: {listed(twin.places)}.",
                {"submission": twin.name, "fields": list(twin.places)},
            )


def find_same_people(facts: SubmissionFacts) -> Iterator[Found]:
    for twin in facts.twins:
        if twin.what == "people":
            yield Found(
                f"People of this team also belong to a team of {twin.name}: {listed(twin.places)}.",
                {"organisation": twin.name, "people": list(twin.places)},
            )


SAME_CARD = Signal(
    code="same-run-card",
    title="Run card answers of another organisation",
    severity=Severity.NOTICE,
    meaning="One party may submit under two names. Innocent: both run the same public scaffold.",
    find=find_same_card,
)
SAME_PEOPLE = Signal(
    code="same-people",
    title="People of several organisations",
    severity=Severity.NOTICE,
    meaning="One party may have two quotas. Innocent: people change jobs, and work together.",
    find=find_same_people,
)
