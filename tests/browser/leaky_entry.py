"""Puts a published entry on four competitions and a flag on one of them into a site's database; prints where they are.

Grading so many would take longer than all that the test looks at.
"""

import json
import os

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    # Only now: they need Django to be set up.
    from django.utils import timezone

    from grading.models import Competition
    from leaderboard.integrity.decide import Grounds
    from leaderboard.integrity.flags import raise_flag
    from tests.factories import make_user
    from tests.leaderboard.masking import make_maskable

    entry = make_maskable("leaky")
    issue = {"kind": "leak", "summary": "Made up for a test.", "source": "https://example.org/leak"}
    Competition.objects.filter(pk="low-a").update(known_issues=[issue])
    grounds = Grounds("Its labels can be read off the file names.", "Known leaks", "https://example.org/leak")
    flag = raise_flag(entry, grounds, make_user(), timezone.now())
    print(json.dumps({"slug": entry.slug, "agent": entry.agent.name, "flag": flag.pk}))


if __name__ == "__main__":
    main()
