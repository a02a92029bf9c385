"""Snapshots for programs: every state the boards have been in, with its rows while they are kept."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from grading.splits import Split
from leaderboard.api.entries import narrowed
from leaderboard.api.listed import SnapshotOut
from leaderboard.api.lists import CURSOR, LIMIT, FlatList, format_parameter, known_only
from leaderboard.api.out.boards import RowOut
from leaderboard.api.public import PublicView
from leaderboard.api.ranking_table import ranking_columns
from leaderboard.api.renderers import CSVRenderer, ParquetRenderer
from leaderboard.api.schema import answers
from leaderboard.api.tables import Kind, Table, columns, put_table
from leaderboard.models import Snapshot
from leaderboard.snapshots import known_snapshots, rows_kept

FILTERS = {"benchmark": "benchmark__slug"}


class SnapshotRowsOut(SnapshotOut):
    """Output: a snapshot with the rows of one of its boards."""

    track = serializers.CharField()
    split = serializers.CharField()
    rows = RowOut(many=True, allow_null=True, help_text="Null where they are not kept any more.")


class SnapshotList(FlatList):
    serializer_class = SnapshotOut
    queryset = Snapshot.objects.none()
    columns = columns(
        {Kind.WHOLE: "id", Kind.FLAG: "is_current has_rows", Kind.MOMENT: "built_at"},
        "id benchmark built_at digest grader_version is_current has_rows url",
    )

    @extend_schema(
        parameters=[
            OpenApiParameter("benchmark", str, description="Slug of a benchmark."),
            LIMIT,
            CURSOR,
            format_parameter("json", "csv"),
        ],
        responses=answers(SnapshotOut(many=True), "csv"),
    )
    def get(self, request: Request) -> Response:
        """Every snapshot, newest first. Each is a state of a benchmark's boards; its digest covers all they showed."""
        known_only(request, *FILTERS)
        return self.show(request, narrowed(known_snapshots(), request, FILTERS))


class SnapshotDetail(PublicView):
    renderer_classes = [JSONRenderer, CSVRenderer, ParquetRenderer]

    @extend_schema(
        operation_id="snapshots_retrieve",
        parameters=[
            OpenApiParameter("track", str, description="Slug of a track, or `all` (the usual)."),
            OpenApiParameter(
                "split", str, enum=[split.value for split in Split], description="`all` if left out."
            ),
            format_parameter("json", "csv", "parquet"),
        ],
        responses=answers(SnapshotRowsOut, "csv", "parquet", errors=(400, 404)),
    )
    def get(self, request: Request, number: int) -> Response:
        """One snapshot with the rows of a board as they were, if they are still kept."""
        known_only(request, "track", "split")
        snapshot = get_object_or_404(known_snapshots(), pk=number)
        track = request.query_params.get("track") or "all"
        split = request.query_params.get("split") or Split.ALL.value
        if split not in list(Split):
            raise ValidationError({"split": f"split: {split[:80]!r} is none of {', '.join(Split)}."})
        rows = rows_kept(snapshot, track.replace("\0", ""), Split(split))
        shown = {**SnapshotOut(snapshot).data, "track": track, "split": split, "rows": rows}
        response = Response(shown)
        splits = [each.value for each in Split if any(each.value in row["results"] for row in rows or ())]
        about = {"snapshot": snapshot.digest, "track": track, "split": split}
        put_table(response, Table(ranking_columns(splits), rows or [], about))
        return response
