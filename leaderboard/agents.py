"""Agents by organisation and name."""

from collections.abc import Iterator
from itertools import chain, count

from leaderboard.models import Agent
from leaderboard.slugs import readable_slug
from submissions.models import Organisation

LONGEST = 200


def agent_of(organisation: Organisation, name: str) -> Agent:
    """The organisation's agent of that name, made if need be; two organisations may use the same name."""
    known = Agent.objects.filter(organisation=organisation, name=name[:LONGEST]).first()
    return known or Agent.objects.create(
        organisation=organisation, name=name[:LONGEST], slug=_free_slug(organisation, name)
    )


def _free_slug(organisation: Organisation, name: str) -> str:
    """The name alone for the first who uses it, then with the organisation, then with a number."""
    plain = readable_slug(name, 120, "agent")
    if not Agent.objects.filter(slug=plain).exists():
        return plain
    named = f"{plain}-{organisation.slug[:80]}"
    # Others may have called an agent so that its slug is one of these.
    taken = set(Agent.objects.filter(slug__startswith=named).values_list("slug", flat=True))
    return next(slug for slug in _numbered(named) if slug not in taken)


def _numbered(name: str) -> Iterator[str]:
    """The name, then with each number from 2."""
    return chain([name], (f"{name}-{number}" for number in count(2)))
