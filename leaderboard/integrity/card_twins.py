"""Other organisations whose run cards say the same, or whose teams have the same people."""

from collections import defaultdict
from collections.abc import Iterator

from leaderboard.integrity.findings.facts import Twin
from leaderboard.integrity.findings.traits import digest_of, traits_of
from leaderboard.models import CardTrait
from submissions.models import Organisation, Submission, TeamMember
from submissions.run_card import normalise

LONGEST_PATH = 80
# What so many other organisations say as well tells nothing of any of them.
COMMON = 5


def record_traits(submission: Submission) -> None:
    """Keeps the digests of the confirmed card's answers, once."""
    revision = submission.confirmed_revision
    assert revision is not None, "what is graded has been confirmed"
    CardTrait.objects.bulk_create(
        (
            CardTrait(
                submission=submission,
                organisation_id=submission.team.organisation_id,
                field=path,
                digest=digest_of(path, plain),
            )
            for path, plain in traits_of(normalise(revision.document)).items()
            if len(path) <= LONGEST_PATH
        ),
        ignore_conflicts=True,
    )


def find_card_twins(submission: Submission) -> Iterator[Twin]:
    """One for each other organisation, by its newest submission that says the same."""
    own = submission.team.organisation_id
    digests = submission.card_traits.values("digest")
    others = CardTrait.objects.filter(digest__in=digests).exclude(organisation=own).order_by("submission")
    by_digest: dict[str, set[int]] = defaultdict(set)
    fields: dict[int, dict[str, str]] = defaultdict(dict)
    newest: dict[int, Submission] = {}
    for trait in others.select_related("submission"):
        by_digest[trait.digest].add(trait.organisation_id)
        fields[trait.organisation_id][trait.field] = trait.digest
        newest[trait.organisation_id] = trait.submission
    for organisation, shared in fields.items():
        telling = sorted(field for field, digest in shared.items() if len(by_digest[digest]) <= COMMON)
        if telling:
            yield Twin(f"submission {newest[organisation].public_id}", "card", tuple(telling))


def find_people_twins(submission: Submission) -> Iterator[Twin]:
    """Organisations with submissions to which people of this team belong as well."""
    own, people = submission.team.organisation_id, submission.team.members.values("user")
    elsewhere = TeamMember.objects.filter(user__in=people).exclude(team__organisation=own)
    confirmed = Submission.objects.filter(confirmed_at__isnull=False).values("team")
    shared: dict[Organisation, set[str]] = defaultdict(set)
    for member in elsewhere.filter(team__in=confirmed).select_related("team__organisation", "user"):
        shared[member.team.organisation].add(member.user.username)
    for organisation, names in shared.items():
        yield Twin(organisation.name, "people", tuple(sorted(names)))
