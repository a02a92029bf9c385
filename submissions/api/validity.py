"""Validity checks for programs: send one file, and ask what was found."""

import time
import uuid
from typing import Any, cast

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from grading.models import Competition
from grading.rings import ring
from submissions.api.limits import ScopeThrottle, UserThrottle
from submissions.api.schema import answers
from submissions.api.scopes import HasScope
from submissions.models import TokenScope, User, ValidityCheck
from submissions.validity.request import CheckRefused, begin_check, require_checkable, require_size

WAIT_AT_MOST_S, LOOK_EVERY_S = 5, 0.1
# What a form adds to the file it carries.
FORM_BYTES = 2**16
WAIT = OpenApiParameter(
    "wait", int, description=f"Seconds to wait for the result, at most {WAIT_AT_MOST_S}; 0 if left out."
)


class FileIn(serializers.Serializer[Any]):
    """Input: one CSV."""

    file = serializers.FileField(
        allow_empty_file=True, help_text="A CSV, or a .csv.gz or .csv.zst: its name's ending says which."
    )


class ReasonOut(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="The code that grading would give.")
    message = serializers.CharField(help_text="What, where, and how to mend it.")


class ValidityOut(serializers.Serializer[Any]):
    """Output: a validity check. It has no score and no medal."""

    id = serializers.UUIDField(source="public_id")
    url = serializers.SerializerMethodField(help_text="Where to ask again.")
    page = serializers.SerializerMethodField(help_text="The page for people.")
    competition = serializers.CharField(source="competition_id")
    answers_version = serializers.IntegerField(source="answers.number", help_text="Whose shape is used.")
    filename = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes as sent.")
    state = serializers.ChoiceField(choices=ValidityCheck.State.choices)
    outcome = serializers.ChoiceField(
        choices=ValidityCheck.Outcome.choices, allow_blank=True, help_text="Empty until the check is done."
    )
    valid = serializers.BooleanField(source="is_valid", allow_null=True, help_text="Null: not known (yet).")
    reasons = ReasonOut(many=True)
    created_at = serializers.DateTimeField()
    checked_at = serializers.DateTimeField(allow_null=True)
    forgotten_at = serializers.SerializerMethodField(help_text="When this address ends.")

    def get_url(self, check: ValidityCheck) -> str:
        return reverse("api:validity-check", args=[check.public_id])

    def get_page(self, check: ValidityCheck) -> str:
        return reverse("validity-check", args=[check.public_id])

    def get_forgotten_at(self, check: ValidityCheck) -> str:
        return serializers.DateTimeField().to_representation(check.created_at + settings.VALIDITY_RETENTION)


class Validate(APIView):
    permission_classes = [IsAuthenticated, HasScope]
    token_scope = TokenScope.VALIDATE
    parser_classes = [MultiPartParser]
    throttle_classes = [UserThrottle, ScopeThrottle]
    throttle_scope = "validity"

    @extend_schema(
        operation_id="competitions_validate",
        request={"multipart/form-data": FileIn},
        parameters=[WAIT],
        responses={**answers(202, ValidityOut, 400, 401, 404, 409, 413), 200: ValidityOut},
    )
    def post(self, request: Request, competition_id: str) -> Response:
        """Checks one file by the rules of grading that need no labels. 202 with where to ask; 200 if done by then."""
        competition = get_object_or_404(Competition, pk=competition_id)
        require_checkable(competition)
        _require_length(request, competition_id)
        sent = FileIn(data=request.data)
        sent.is_valid(raise_exception=True)
        file = sent.validated_data["file"]
        check = begin_check(cast(User, request.user), competition, file, timezone.now())
        ring("submissions.validity.tasks.check", str(check.public_id))
        check = _wait(check, request.query_params.get("wait", "0"))
        body = ValidityOut(check).data
        return Response(body, status=200 if check.is_done else 202, headers={"Location": body["url"]})


def _require_length(request: Request, competition_id: str) -> None:
    """Looks at the announced length before anything is read."""
    announced = request.META.get("CONTENT_LENGTH") or ""
    if not announced.isdigit():
        raise CheckRefused("length_required", "Say how long the request is (Content-Length).", status=411)
    require_size(competition_id, max(1, int(announced) - FORM_BYTES))


def _wait(check: ValidityCheck, seconds: str) -> ValidityCheck:
    """The check as it is once done, or once so many seconds have passed."""
    wanted = int(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 4 else 0
    deadline = time.monotonic() + min(wanted, WAIT_AT_MOST_S)
    while not check.is_done and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_S)
        check = ValidityCheck.objects.select_related("answers").get(pk=check.pk)
    return check


class ValidityCheckDetail(APIView):
    """For whoever sent the file; to others it does not exist."""

    permission_classes = [HasScope]
    token_scope = TokenScope.VALIDATE

    @extend_schema(responses=answers(200, ValidityOut, 404))
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """What was found, once `state` is `done`."""
        own = ValidityCheck.objects.of(request.user).select_related("answers")
        return Response(ValidityOut(get_object_or_404(own, public_id=public_id)).data)
