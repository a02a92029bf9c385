"""Stores in buckets of an S3 server: who may open which, how bytes are read and written, what failing means."""

from grading.bucket.access import BucketAccess
from grading.bucket.errors import ObjectChanged, StoreRefused, StoreSilent
from grading.bucket.storage import BucketStorage, RefusingStorage

__all__ = ["BucketAccess", "BucketStorage", "ObjectChanged", "RefusingStorage", "StoreRefused", "StoreSilent"]
