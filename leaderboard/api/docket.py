"""A case as maintainers see it, for their own programs."""

import uuid
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.api.out.common import Out
from leaderboard.docket import open_desk
from submissions.api.serializers import ErrorOut
from submissions.models import Submission


class CaseClaimOut(Out):
    code = serializers.CharField()
    state = serializers.CharField()
    holds = serializers.BooleanField(help_text="Stands, with an answer that the strictest track takes.")
    sentence = serializers.CharField()
    evidence = serializers.JSONField()


class CaseFindingOut(Out):
    code = serializers.CharField()
    severity = serializers.CharField()
    sentence = serializers.CharField()
    evidence = serializers.JSONField()


class CaseReasonOut(Out):
    check = serializers.CharField()
    track = serializers.CharField(help_text="The track that needs it.")
    sentence = serializers.CharField()


class CaseOut(Out):
    """Output: what a maintainer decides in view of. It holds no score and no medal."""

    id = serializers.UUIDField(source="submission.public_id")
    status = serializers.CharField(source="submission.status")
    proposed_track = serializers.CharField(source="proposal.track")
    reasons = CaseReasonOut(source="proposal.reasons", many=True, help_text="Why no stricter track.")
    masked_competitions = serializers.ListField(
        source="proposal.masked_competitions", child=serializers.CharField()
    )
    claims = CaseClaimOut(many=True)
    findings = CaseFindingOut(many=True)
    conflict = serializers.CharField(help_text="Why you may not decide; empty if you may.", allow_blank=True)


class CaseDetail(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: CaseOut, 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """A submission's claims, findings and proposed track. For maintainers alone; others find nothing here."""
        user: Any = request.user
        if not user.may_maintain or request.auth is not None:
            # A token carries no second factor, so that no token opens this.
            raise Http404
        found = Submission.objects.select_related("team__organisation", "confirmed_revision")
        desk = open_desk(get_object_or_404(found, public_id=public_id), user)
        return Response(CaseOut(desk).data, headers={"Cache-Control": "no-store"})
