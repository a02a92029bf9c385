"""The shape of a competition's answers for programs that check files where they lie: ids and columns, no labels."""

import gzip
from collections.abc import Iterator
from typing import Any

from django.core.files import File
from django.core.files.storage import storages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiResponse, extend_schema
from knox.auth import TokenAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from grading.answers import small_key
from grading.models import AnswersVersion, Competition
from leaderboard.api.errors import problem
from leaderboard.views.shared import etag_of, not_modified
from submissions.api.serializers import ErrorOut
from submissions.validity.request import NO_SHAPE

CHUNK_BYTES = 2**16
MAX_AGE_S = 300
DESCRIPTION = "JSON: version, competition, rows, columns, and cells: the columns that are public, by name."


class CompetitionShape(APIView):
    """The same for everybody. Compressed where the reader takes gzip, for some hold millions of ids."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="competitions_shape",
        responses={
            200: OpenApiResponse(dict, description=DESCRIPTION),
            304: OpenApiResponse(description="What you have still holds."),
            404: OpenApiResponse(ErrorOut),
            409: OpenApiResponse(ErrorOut, description="The answers are not loaded here yet."),
        },
    )
    def get(self, request: Request, competition_id: str) -> HttpResponseBase:
        """All that a validity check knows of the newest answers. No labels, and rows sorted by id."""
        newest = AnswersVersion.objects.filter(competition_id=competition_id).order_by("-number").first()
        if newest is None:
            return _absent(competition_id)
        is_small = "gzip" in request.headers.get("Accept-Encoding", "")
        etag = etag_of("shape", newest.pk, newest.shape_key, is_small)
        answer = not_modified(request._request, etag) or _answer(newest.shape_key, is_small)
        answer["ETag"] = etag
        answer["Cache-Control"] = f"public, max-age={MAX_AGE_S}"
        answer["Access-Control-Allow-Origin"] = "*"
        patch_vary_headers(answer, ["Accept-Encoding"])
        return answer


def _absent(competition_id: str) -> HttpResponse:
    if not Competition.objects.filter(pk=competition_id).exists():
        raise Http404
    item = {"code": "answers_not_loaded", "where": "", "message": NO_SHAPE}
    return problem(409, NO_SHAPE, [item])


def _answer(key: str, is_small: bool) -> HttpResponseBase:
    """The stored outline; compressed as it was when loaded, or now where that was before there was a small one."""
    store = storages["shapes"]
    if not is_small:
        return StreamingHttpResponse(_pieces(store.open(key)), content_type="application/json")
    if store.exists(small_key(key)):
        response: HttpResponseBase = StreamingHttpResponse(_pieces(store.open(small_key(key))))
    else:
        with store.open(key) as stored:
            response = HttpResponse(gzip.compress(stored.read(), compresslevel=1, mtime=0))
    response["Content-Type"], response["Content-Encoding"] = "application/json", "gzip"
    return response


def _pieces(file: "File[Any]") -> Iterator[bytes]:
    with file:
        while piece := file.read(CHUNK_BYTES):
            yield piece
