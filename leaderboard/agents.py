"""Agents by organisation and name."""

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
    alike = Agent.objects.filter(slug__startswith=named).count()
    return f"{named}-{alike + 1}" if alike else named
