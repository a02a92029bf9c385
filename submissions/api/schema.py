"""Examples and common answers for the API's own documentation."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from submissions.api.serializers import ErrorOut
from submissions.part_store import CHECKSUM_HEADER

TEAM = "6a3f0a63-5d0c-4a2b-8f27-0d2f3f7a9a10"
SUBMISSION = "0b9d3f0e-7a55-4c3e-9f6d-2f0c6b1f4d11"
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

NEW = OpenApiExample(
    "A bundle of 12 MB",
    request_only=True,
    value={
        "team": TEAM,
        "benchmark": "mle-bench-v1",
        "filename": "bundle.tar.gz",
        "size": 12_000_000,
        "creation_key": "5e0a7a5c-1f34-4d6a-9a3f-6d1b2c3d4e5f",
    },
)
PART = OpenApiExample("Stored", response_only=True, value={"number": 1, "size": 8_388_608, "sha256": DIGEST})
CARD = OpenApiExample(
    "One answer",
    request_only=True,
    value={"based_on": 1, "document": {"scaffold": {"name": "Cross-validator", "version": "1.4.0"}}},
)
CONFIRMATION = OpenApiExample(
    "Lite",
    request_only=True,
    value={"scope": "low", "attested_name": "Ada Example", "revision": 2, "accept": True},
)
CHECKSUM = OpenApiParameter(
    CHECKSUM_HEADER,
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="SHA-256 of the part, 64 hex digits.",
)


def answers(status: int, serializer: Any, *errors: int) -> dict[int, Any]:
    """The responses of an operation: the good one, and those with problem+json."""
    sentences = {
        400: "The request is not as described; `errors` names each field.",
        401: "No valid token or session.",
        404: "Not there, or not yours to see.",
        409: "The submission or its upload is not where this begins.",
        413: "Larger than a bundle may be.",
        422: "Understood, but it cannot be done; `errors` lists every reason.",
        429: "Too many requests; wait as Retry-After says.",
    }
    found = {code: OpenApiResponse(ErrorOut, description=sentences[code]) for code in (*errors, 429)}
    return {status: serializer, **found}
