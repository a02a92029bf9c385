"""One bucket and the key to it, and the client that uses them."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

CONNECT_S, READ_S = 5, 30
# In all, the first one too. What is still lost then goes back to the queue.
TRIES = 3
AWS = "https://s3.{region}.amazonaws.com"
_making = Lock()  # Clients may be used by several threads at once, but not made by several.


@dataclass(frozen=True)
class BucketAccess:
    """A store's bucket. `endpoint` is empty for AWS; `upload_endpoint` is how browsers reach the same server."""

    store: str
    bucket: str
    key_id: str = field(repr=False)
    secret: str = field(repr=False)
    endpoint: str = ""
    upload_endpoint: str = ""
    region: str = "us-east-1"

    @property
    def is_virtual(self) -> bool:
        """Whether the bucket is part of the host's name, as AWS wants it; elsewhere it is the path's beginning."""
        return not self.endpoint

    def url_of(self, key: str) -> str:
        """Where a browser or client sends what belongs under the key."""
        return (
            f"{self.upload_origin}/{key}" if self.is_virtual else f"{self.upload_origin}/{self.bucket}/{key}"
        )

    @property
    def upload_origin(self) -> str:
        """Scheme and host of these addresses, for the Content-Security-Policy."""
        said = urlsplit(self.upload_endpoint or self.endpoint or AWS.format(region=self.region))
        host = f"{self.bucket}.{said.netloc}" if self.is_virtual else said.netloc
        return f"{said.scheme}://{host}"


@lru_cache(maxsize=16)
def client_of(access: BucketAccess) -> Any:
    """The client for this access, one per process. The library is only loaded where there is a bucket at all."""
    from botocore.config import Config

    config = Config(
        signature_version="s3v4",
        connect_timeout=CONNECT_S,
        read_timeout=READ_S,
        retries={"mode": "standard", "total_max_attempts": TRIES},
        s3={"addressing_style": "virtual" if access.is_virtual else "path"},
        # We name the checksums ourselves, and older servers do not know those the library would add.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        max_pool_connections=20,
    )
    with _making:
        return _session().client(
            "s3",
            endpoint_url=access.endpoint or None,
            region_name=access.region,
            aws_access_key_id=access.key_id,
            aws_secret_access_key=access.secret,
            config=config,
        )


@cache
def _session() -> Any:
    """What clients have in common: to read the description of S3 takes ten times as long as to make one."""
    from boto3.session import Session

    return Session()
