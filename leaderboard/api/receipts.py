"""Signed receipts of an entry, and the public keys to check them with."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.out.common import Out
from leaderboard.api.public import PublicView
from leaderboard.models import SigningKey
from leaderboard.public import public_entries
from leaderboard.receipts.issue import current_receipts
from submissions.api.serializers import ErrorOut


class SignedReceiptOut(Out):
    document = serializers.JSONField(help_text="What is signed.")
    signature = serializers.CharField(help_text="Base64, Ed25519 over the canonical document.")


class SigningKeyOut(Out):
    key_id = serializers.CharField()
    public_key = serializers.CharField(help_text="Base64 of the 32 bytes of an Ed25519 public key.")
    first_used_at = serializers.DateTimeField()


class Receipts(PublicView):
    @extend_schema(responses={200: SignedReceiptOut(many=True), 404: OpenApiResponse(ErrorOut)})
    def get(self, request: Request, slug: str) -> Response:
        """One receipt per run of the entry, for the grading and thresholds it stands on now."""
        entry = get_object_or_404(public_entries(), slug=slug)
        return Response(SignedReceiptOut(current_receipts(entry.pk), many=True).data)


class SigningKeys(PublicView):
    @extend_schema(responses={200: SigningKeyOut(many=True)})
    def get(self, request: Request) -> Response:
        """Every key that ever signed a receipt; the last one signs now."""
        return Response(SigningKeyOut(SigningKey.objects.all(), many=True).data)
