"""Common answers of the public routes, for the API's own documentation."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse

from leaderboard.api.renderers import ParquetRenderer
from submissions.api.serializers import ErrorOut

TABLES = {"csv": ("text/csv", str), "parquet": (ParquetRenderer.media_type, bytes)}
SENTENCES = {
    400: "Words of the query that make no sense; `errors` names each.",
    404: "There is none, or it is not public.",
    429: "Too many requests; wait as Retry-After says.",
}


def answers(serializer: Any, *tables: str, errors: tuple[int, ...] = (400,)) -> dict[Any, Any]:
    """The responses of a route: JSON, the tables it offers too, 304, and its errors."""
    found: dict[Any, Any] = {(200, "application/json"): serializer}
    found |= {(200, TABLES[name][0]): TABLES[name][1] for name in tables}
    found[304] = OpenApiResponse(description="What you have still holds.")
    return found | {code: OpenApiResponse(ErrorOut, description=SENTENCES[code]) for code in (*errors, 429)}
