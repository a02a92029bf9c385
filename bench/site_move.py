"""Moves an entry of a filled site to another track, as a maintainer does, for everybody to see.

    MLEB_VAR=DIR python -m bench.site_move SLUG TRACK

Prints when it was done, in seconds since 1970.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
django.setup()

from leaderboard.integrity.decide import move_entry
from leaderboard.integrity.ledger import Grounds
from leaderboard.models import Entry, Track
from submissions.models import User

from .site_rows import NOW

# After everything that the site was filled with.
LATER = NOW + timedelta(days=2)
GROUNDS = Grounds("Made up.", "None", "https://example.org/")


def make_judge() -> User:
    """A maintainer of no team."""
    judge, _ = User.objects.get_or_create(
        username="judge", email="judge@bench.example", is_maintainer=True, public_name="Judge"
    )
    return judge


def main() -> None:
    slug, track = sys.argv[1:]
    move_entry(Entry.objects.get(slug=slug), Track.objects.get(slug=track), GROUNDS, make_judge(), LATER)
    print(time.time())


if __name__ == "__main__":
    main()
