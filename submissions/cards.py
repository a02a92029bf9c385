"""Revisions of a run card. They are only ever added."""

from typing import Any

from django.db import IntegrityError, transaction

from submissions.models import Run, RunCardRevision, Submission, User
from submissions.run_card import canonical_digest, difference
from submissions.seeds import find_collisions, seed_map


class CardConflict(Exception):
    """Somebody else saved a revision in between. Nothing was written."""


def latest_card(submission: Submission) -> RunCardRevision | None:
    return submission.run_cards.order_by("-number").first()


def add_revision(
    submission: Submission, document: dict[str, Any], author: User | None, based_on: int = 0
) -> RunCardRevision:
    """The new revision, or the newest where the document did not change.

    `based_on` is the number the author saw (0 for none); raises CardConflict where that is no longer the newest.
    """
    newest = latest_card(submission)
    number = newest.number if newest else 0
    if number != based_on:
        raise CardConflict
    digest = canonical_digest(document)
    if newest and newest.digest == digest:
        return newest
    try:
        with transaction.atomic():
            map_seeds(submission, document)
            return RunCardRevision.objects.create(
                submission=submission,
                number=number + 1,
                document=document,
                digest=digest,
                difference=list(difference(newest.document, document)) if newest else [],
                author=author,
            )
    except IntegrityError as error:
        raise CardConflict from error


def map_seeds(submission: Submission, document: dict[str, Any]) -> list[str]:
    """Gives every run the seed its folder is mapped to, or its folder's name where two folders would collide.

    Returns the collisions as sentences; a submission with any cannot be confirmed.
    """
    runs = list(submission.runs.all())
    seeds = seed_map(document)
    collisions = find_collisions(
        ((run.folder, run.competition_id, run.checkpoint_hours) for run in runs), seeds
    )
    if collisions:
        seeds = {}
    changed = [run for run in runs if run.seed != seeds.get(run.folder, run.folder)]
    # In two steps, since two seeds may swap their labels and the database checks row by row.
    for label in (lambda run: f"moving-{run.pk}", lambda run: seeds.get(run.folder, run.folder)):
        for run in changed:
            run.seed = label(run)
        Run.objects.bulk_update(changed, ["seed"], batch_size=200)
    return collisions
