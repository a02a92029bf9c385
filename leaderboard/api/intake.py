"""Whether submissions are graded at the moment."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.public import PublicView
from leaderboard.api.schema import answers
from submissions.closing import current_closure

CLOSED = OpenApiExample(
    "Closed",
    response_only=True,
    value={
        "open": False,
        "reason": "The graders are being replaced.",
        "closed_at": "2026-12-01T09:00:00Z",
        "closed_by": "Grace Example",
    },
)


class IntakeOut(serializers.Serializer[Any]):
    """Output: whether what is confirmed now is graded. While closed it is held, and keeps its place."""

    open = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True, help_text="Why they are closed.")
    closed_at = serializers.DateTimeField(allow_null=True)
    closed_by = serializers.CharField(allow_null=True, help_text="The maintainer's public name.")


class Intake(PublicView):
    @extend_schema(responses=answers(IntakeOut, errors=()), examples=[CLOSED])
    def get(self, request: Request) -> Response:
        """Whether submissions are open. Bundles are taken either way."""
        closure = current_closure()
        body = {
            "open": closure is None,
            "reason": closure.reason if closure else "",
            "closed_at": closure.closed_at if closure else None,
            "closed_by": closure.closed_by.public_name if closure else None,
        }
        return Response(IntakeOut(body).data)
