"""How the submission API reads request bodies."""

import io
from typing import Any

from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser, JSONParser

MAX_JSON_BYTES = 2**20


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = f"The body is larger than {MAX_JSON_BYTES:,} bytes."


class SmallJSON(JSONParser):
    """JSON of at most one MiB; the framework's own parser would read any amount into memory."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MAX_JSON_BYTES + 1)
        if len(body) > MAX_JSON_BYTES:
            raise TooLarge
        try:
            return super().parse(io.BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply") from error


class OctetStream(BaseParser):
    """Leaves the body unread: the view hands the stream on to the store."""

    media_type = "application/octet-stream"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        raise UnsupportedMediaType(media_type or "")
