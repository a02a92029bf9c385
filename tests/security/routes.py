"""Every route of the URL configuration, and where to find it in each state of the world."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from leaderboard.models import Snapshot
from tests.security.world import Case, World


class Route(NamedTuple):
    name: str
    pattern: str


def all_routes() -> list[Route]:
    return list(dict.fromkeys(_walk(get_resolver().url_patterns)))


def _walk(patterns: Any, prefix: str = "", space: str = "") -> Iterator[Route]:
    for each in patterns:
        pattern = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            inner = f"{each.namespace}:" if each.namespace else space
            yield from _walk(each.url_patterns, pattern, inner)
        elif isinstance(each, URLPattern):
            yield Route(f"{space}{each.name}", pattern)


def address(route: Route, world: World, case: Case) -> str | None:
    """Where the route leads for this case; None where the case has nothing of the kind."""
    wanted = [part.split(">")[0].split(":")[-1] for part in route.pattern.split("<")[1:]]
    values = {name: _value(name, route.name.removeprefix("api:"), world, case) for name in wanted}
    return None if None in values.values() else reverse(route.name, kwargs=values)


def _value(name: str, route: str, world: World, case: Case) -> Any:
    if name == "number":
        return _number(route, case)
    if name == "slug":
        return _slug(route, case)
    if name in ("public_id", "submission"):
        return _public_id(route, world, case)
    return {
        "benchmark": "bench",
        "track": "clean",
        "split": "all",
        "competition_id": "comp-low",
        "secret": world.invitation,
        "rest": "v1/nowhere",
        "token": world.unsubscribe,
        "action": "ping",
        "code": "scaffold",
        "name": "run_card.example.yaml",
    }[name]


def _number(route: str, case: Case) -> Any:
    if route == "snapshot":
        return Snapshot.objects.latest("pk").pk
    if route == "upload-part":
        return 1
    of_route = {
        "entry-number": case.entry and case.entry.pk,
        "appeal-answer": case.appeal and case.appeal.pk,
        "decision-appeal": case.appeal and case.appeal.decision_id,
        "code-match": case.match and case.match.pk,
        "finding-answer": case.finding and case.finding.pk,
        "question": case.question and case.question.decision_id,
        "question-answer": case.question and case.question.decision_id,
    }
    if route in of_route:
        return of_route[route]
    if (
        route == "decision-correct"
        and case.entry
        and (placing := case.entry.decisions.filter(kind="publish"))
    ):
        return placing[0].pk
    row = case.flag if route.startswith("flag") else case.decision
    return row and row.pk


def _slug(route: str, case: Case) -> Any:
    if route == "doc":
        return "masks"
    if case.entry is None:
        return None
    if route.startswith("agent"):
        return case.entry.agent.slug
    return case.entry.agent.organisation.slug if route.startswith("organisation") else case.entry.slug


def _public_id(route: str, world: World, case: Case) -> Any:
    if route.startswith("team"):
        return world.team.public_id
    if route.startswith("webhook"):
        return world.webhook.public_id
    if route == "validity-check":
        return world.check and world.check.public_id
    return case.submission.public_id


# What is asked in which state: everything may be read in each, and acted upon where acting means most.
ASKED = {
    "GET": ("uploading", "draft", "review", "published", "masked", "withdrawn"),
    "POST": ("uploading", "draft", "review", "published"),
    "PUT": ("uploading", "draft", "published"),
    "DELETE": ("published",),
}


def questions(route: Route, world: World) -> Iterator[tuple[str, str, str]]:
    """Method, state and address; a route that is the same for every state is asked once per method."""
    for method, states in ASKED.items():
        seen: set[str] = set()
        for state in states:
            path = address(route, world, world.cases[state])
            if path is not None and path not in seen:
                seen.add(path)
                yield method, state, path
