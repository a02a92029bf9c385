"""The attestation: who confirms on the site answers, by name, for exactly the run card that was confirmed."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from submissions.cards import add_revision, latest_card
from submissions.confirm import Confirmation, confirm
from submissions.models import Submission, User
from submissions.run_card import attest


def attest_and_confirm(submission: Submission, user: User, said: Confirmation, now: datetime) -> None:
    """As `confirm`, with the attestation written as the run card's last revision; both or neither.

    Of two at once the second waits for the first and finds it done.
    """
    with transaction.atomic():
        submission.refresh_from_db(from_queryset=Submission.objects.select_for_update())
        if submission.confirmed_at is not None:
            return
        card = latest_card(submission)
        if card and card.number == said.revision and said.attested_name.strip():
            document = attest(card.document, said.attested_name, f"{now:%Y-%m-%d}")
            card = add_revision(submission, document, user, based_on=card.number)
            said = replace(said, revision=card.number)
        confirm(submission, user, said, now)
