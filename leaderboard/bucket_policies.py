"""What each process may do in each bucket, as data, and the policy documents that say so to an S3 server. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rights:
    """S3's actions without their prefix: on the objects of a bucket, and on the bucket itself."""

    objects: tuple[str, ...]
    bucket: tuple[str, ...] = ()


READ, WRITE, DELETE = ("GetObject",), ("PutObject",), ("DeleteObject",)
LOOK = ("ListBucket",)

# The web process may write bundles by presigning and look at their parts and sizes, but read none.
RIGHTS: Mapping[str, Mapping[str, Rights]] = {
    "web": {
        "bundles": Rights((*WRITE, "ListMultipartUploadParts"), ("ListBucketVersions",)),
        "shapes": Rights(READ, LOOK),
        "validity": Rights((*WRITE, *DELETE)),
    },
    "intake": {
        "bundles": Rights((*READ, "GetObjectVersion")),
        "blobs": Rights((*READ, *WRITE)),  # The search for likeness reads them.
        "evidence": Rights(WRITE),
    },
    "validity": {"validity": Rights((*READ, *DELETE)), "shapes": Rights(READ)},
    "evidence": {"evidence": Rights(READ)},
    "grading": {"blobs": Rights(READ), "answers": Rights(READ, LOOK)},
    "housekeeping": {
        "bundles": Rights(
            (*DELETE, "DeleteObjectVersion", "AbortMultipartUpload"),
            ("ListBucketVersions", "ListBucketMultipartUploads"),
        ),
        "blobs": Rights(DELETE, LOOK),
        "evidence": Rights(DELETE, LOOK),
        "validity": Rights(DELETE, LOOK),
    },
    # Who runs load_answers.
    "operator": {
        "answers": Rights((*READ, *WRITE), LOOK),
        "shapes": Rights((*READ, *WRITE, *DELETE), LOOK),
    },
}


def process_policy(process: str, buckets: Mapping[str, str]) -> dict[str, Any]:
    """The policy of one process. `buckets`: the name of each store's bucket; stores without one are left out."""
    found = [(buckets[store], rights) for store, rights in RIGHTS[process].items() if store in buckets]
    return _policy(found)


def store_policy(store: str, bucket: str) -> dict[str, Any]:
    """For the one machine where all processes share a key for each store: all that any of them may do there."""
    return _policy([(bucket, rights[store]) for rights in RIGHTS.values() if store in rights])


def _policy(found: list[tuple[str, Rights]]) -> dict[str, Any]:
    statements = [
        _statement(actions, f"arn:aws:s3:::{bucket}{objects}")
        for bucket, rights in found
        for actions, objects in ((rights.objects, "/*"), (rights.bucket, ""))
        if actions
    ]
    return {"Version": "2012-10-17", "Statement": statements}


def _statement(actions: tuple[str, ...], resource: str) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": [f"s3:{action}" for action in actions], "Resource": [resource]}
