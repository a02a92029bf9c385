"""Where files lie: folders of this machine, or buckets of an S3 server, store by store. Pure."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from grading.bucket.access import BucketAccess
from leaderboard.environment import Environment

FILES = "django.core.files.storage.FileSystemStorage"
BUCKET = "grading.bucket.BucketStorage"
REFUSING = "grading.bucket.RefusingStorage"
LEAST_PART, MOST_PARTS = 5 * 2**20, 10_000


def _asked(env: Environment) -> Mapping[str, tuple[str, str, str]]:
    """Bucket, key id and secret of each store. Every process knows the buckets; the keys only of those it may open."""
    return {
        "bundles": (env.text("S3_BUNDLES"), env.text("S3_BUNDLES_KEY"), env.text("S3_BUNDLES_SECRET")),
        "blobs": (env.text("S3_BLOBS"), env.text("S3_BLOBS_KEY"), env.text("S3_BLOBS_SECRET")),
        "evidence": (env.text("S3_EVIDENCE"), env.text("S3_EVIDENCE_KEY"), env.text("S3_EVIDENCE_SECRET")),
        "shapes": (env.text("S3_SHAPES"), env.text("S3_SHAPES_KEY"), env.text("S3_SHAPES_SECRET")),
        "validity": (env.text("S3_VALIDITY"), env.text("S3_VALIDITY_KEY"), env.text("S3_VALIDITY_SECRET")),
        "answers": (env.text("S3_ANSWERS"), env.text("S3_ANSWERS_KEY"), env.text("S3_ANSWERS_SECRET")),
    }


def file_stores(env: Environment, var: Path) -> dict[str, dict[str, Any]]:
    """Django's STORAGES for what teams send and graders read; a bucket for each store that has one."""
    stores = {"default": _folder(var / "files")}
    for name in _asked(env):
        if name != "answers":
            access = bucket_access(env, name)
            stores[name] = _bucket(access) if access else _folder(var / name)
    return stores


def _folder(place: Path) -> dict[str, Any]:
    return {"BACKEND": FILES, "OPTIONS": {"location": place}}


def _bucket(access: BucketAccess) -> dict[str, Any]:
    if not access.key_id:
        variable = f"MLEB_S3_{access.store.upper()}"
        return {"BACKEND": REFUSING, "OPTIONS": {"store": access.store, "variable": variable}}
    return {"BACKEND": BUCKET, "OPTIONS": {"access": access}}


def bucket_access(env: Environment, store: str) -> BucketAccess | None:
    """The bucket of a store with this process's key to it; None where it has no bucket. Refuses half an access."""
    bucket, key_id, secret = _asked(env)[store]
    if not bucket:
        return None
    if bool(key_id) != bool(secret):
        raise ImproperlyConfigured(f"MLEB_S3_{store.upper()}_KEY and _SECRET: give both, or neither.")
    return BucketAccess(
        store=store,
        bucket=bucket,
        key_id=key_id,
        secret=secret,
        endpoint=_address(env, "S3_ENDPOINT", env.text("S3_ENDPOINT")),
        upload_endpoint=_address(env, "S3_UPLOAD_ENDPOINT", env.text("S3_UPLOAD_ENDPOINT")),
        region=env.text("S3_REGION", "us-east-1"),
    )


def _address(env: Environment, name: str, value: str) -> str:
    said = urlsplit(value)
    if value and (said.scheme not in ("http", "https") or not said.netloc or said.path not in ("", "/")):
        raise ImproperlyConfigured(
            f"{env.prefix}{name}={value!r}: it takes an address like https://s3.example.org."
        )
    return value.rstrip("/")


def storage_settings(env: Environment) -> dict[str, Any]:
    """What commands and grading ask for: every bucket, an administrator's key, and where answers are fetched from."""
    found = {store: bucket_access(env, store) for store in _asked(env)}
    return {
        "S3_BUCKETS": {store: access for store, access in found.items() if access},
        "S3_ADMIN": (env.text("S3_ADMIN_KEY"), env.text("S3_ADMIN_SECRET")),
        "ANSWERS_BUCKET": found["answers"],
    }


def upload_origins(env: Environment) -> list[str]:
    """Where pages may send parts besides the site itself, for the Content-Security-Policy."""
    access = bucket_access(env, "bundles")
    return [access.upload_origin] if access else []


def require_fitting_parts(env: Environment, part_bytes: int, upload_bytes: int) -> None:
    """Refuses parts that an S3 server would: under 5 MiB, or more than 10,000 of them."""
    if not env.text("S3_BUNDLES"):
        return
    if part_bytes < LEAST_PART or -(-upload_bytes // part_bytes) > MOST_PARTS:
        raise ImproperlyConfigured(
            f"{env.prefix}UPLOAD_PART_BYTES={part_bytes}: with bundles in a bucket it takes {LEAST_PART} or more, "
            f"and so many that a bundle has at most {MOST_PARTS:,} parts."
        )


# Which process of a one-machine site is told which keys; one that is not named here gets none.
KEYS_OF: Mapping[str, frozenset[str]] = {
    "bundles": frozenset({"web", "intake", "housekeeping"}),
    "blobs": frozenset({"intake", "grading", "housekeeping"}),
    "evidence": frozenset({"intake", "evidence", "housekeeping"}),
    "shapes": frozenset({"web", "validity"}),
    "validity": frozenset({"web", "validity", "housekeeping"}),
    "answers": frozenset({"grading"}),
}


def is_told(process: str, variable: str) -> bool:
    """Whether a process of the site may have this variable in its environment, as far as buckets are concerned."""
    for store, processes in KEYS_OF.items():
        if variable in (f"MLEB_S3_{store.upper()}_KEY", f"MLEB_S3_{store.upper()}_SECRET"):
            return process in processes
    return not variable.startswith("MLEB_S3_ADMIN_")
