"""Making buckets what the site needs them to be. Doing it again changes nothing."""

from collections.abc import Sequence
from typing import Any

from grading.bucket.access import BucketAccess, client_of
from grading.bucket.errors import as_ours, code_of

OURS_ALREADY = frozenset({"BucketAlreadyOwnedByYou", "BucketAlreadyExists"})
# Headers of a part; its length the browser sends by itself.
PART_HEADERS = ["content-type", "x-amz-checksum-sha256"]
NOT_PUBLIC = {
    "BlockPublicAcls": True,
    "IgnorePublicAcls": True,
    "BlockPublicPolicy": True,
    "RestrictPublicBuckets": True,
}


def prepare_bucket(access: BucketAccess, origins: Sequence[str], expires_days: int) -> list[str]:
    """Makes and configures the bucket of one store with an administrator's key; says what was done.

    `origins`: those whose pages send parts. `expires_days`: after so many the server itself ends an upload.
    """
    client, bucket = client_of(access), access.bucket
    with as_ours(access.store):
        done = [_make(client, access)]
        done += _close(client, bucket)
        if access.store == "bundles":
            client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
            client.put_bucket_cors(Bucket=bucket, CORSConfiguration=cross_origin(origins))
            client.put_bucket_lifecycle_configuration(
                Bucket=bucket, LifecycleConfiguration=lifecycle(expires_days)
            )
            done += [
                "keeps versions",
                f"takes parts from pages of {', '.join(origins)}",
                "ends stale uploads",
            ]
    return done


def _make(client: Any, access: BucketAccess) -> str:
    from botocore.exceptions import ClientError

    place = {"LocationConstraint": access.region}
    words = {"CreateBucketConfiguration": place} if access.is_virtual and access.region != "us-east-1" else {}
    try:
        client.create_bucket(Bucket=access.bucket, **words)
    except ClientError as error:
        if code_of(error.response)[0] not in OURS_ALREADY:
            raise
        return "is there"
    return "made"


def _close(client: Any, bucket: str) -> list[str]:
    from botocore.exceptions import ClientError

    try:
        client.put_public_access_block(Bucket=bucket, PublicAccessBlockConfiguration=NOT_PUBLIC)
    except ClientError as error:
        if code_of(error.response)[0] != "NotImplemented":
            raise
        return ["this server cannot block public access; grant none"]
    return ["is never public"]


def cross_origin(origins: Sequence[str]) -> dict[str, Any]:
    """The rule that lets pages of these origins send parts, and nothing else."""
    rule = {
        "AllowedOrigins": list(origins),
        "AllowedMethods": ["PUT"],
        "AllowedHeaders": PART_HEADERS,
        "ExposeHeaders": ["ETag", "Retry-After"],
        "MaxAgeSeconds": 3600,
    }
    return {"CORSRules": [rule]}


def lifecycle(expires_days: int) -> dict[str, Any]:
    """A second pair of hands beside housekeeping, for uploads that nobody finishes and versions nobody reads."""
    rule = {
        "ID": "leaderboard",
        "Status": "Enabled",
        "Filter": {"Prefix": ""},
        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": expires_days},
        "NoncurrentVersionExpiration": {"NoncurrentDays": expires_days},
    }
    return {"Rules": [rule]}
