"""Makes the buckets, or prints what each process may do in them."""

import json
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.bucket.access import BucketAccess
from leaderboard.bucket_policies import RIGHTS, process_policy
from leaderboard.bucket_setup import prepare_bucket

NONE_NAMED = "No bucket is named. Set MLEB_S3_BUNDLES and the like: docs/running.md, Object storage."
NO_ADMIN = "Set MLEB_S3_ADMIN_KEY and MLEB_S3_ADMIN_SECRET to a key that may make and configure buckets."


class Command(BaseCommand):
    help = (
        "Makes the buckets that are named in the environment and configures them (versions, CORS, ending of stale "
        "uploads). Doing it again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--policy", choices=sorted(RIGHTS), help="Only prints the policy that this process's key needs."
        )

    def handle(self, *args: Any, policy: str | None, **options: Any) -> None:
        buckets: dict[str, BucketAccess] = settings.S3_BUCKETS
        if not buckets:
            raise CommandError(NONE_NAMED)
        if policy:
            names = {store: access.bucket for store, access in buckets.items()}
            self.stdout.write(json.dumps(process_policy(policy, names), indent=2))
            return
        self._prepare(buckets)

    def _prepare(self, buckets: dict[str, BucketAccess]) -> None:
        key_id, secret = settings.S3_ADMIN
        if not (key_id and secret):
            raise CommandError(NO_ADMIN)
        days = settings.UPLOAD_EXPIRES.days + 1
        for store, access in buckets.items():
            admin = replace(access, key_id=key_id, secret=secret)
            try:
                done = prepare_bucket(admin, [settings.SITE_URL], days)
            except OSError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{store}: {access.bucket} {', '.join(done)}")
