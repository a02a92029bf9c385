"""The submission API. Each route finds a submission the user may see or change, calls one stage, answers."""

import io
import uuid
from typing import Any, cast

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from grading.rings import ring
from grading.splits import Split
from submissions.api import schema, serializers, shown
from submissions.api.limits import ScopeThrottle
from submissions.api.parsers import OctetStream, SmallJSON, TooLarge
from submissions.api.schema import answers
from submissions.api.scopes import HasScope
from submissions.attest import attest_and_confirm
from submissions.cards import add_revision
from submissions.confirm import Confirmation
from submissions.models import RunCardRevision, Submission, Upload, User
from submissions.paging import KeyedPages
from submissions.part_store import CHECKSUM_HEADER
from submissions.reading import shown_card, with_people
from submissions.run_card import MAX_BYTES, check_document
from submissions.states import StatusConflict
from submissions.uploads import (
    UploadError,
    UploadRequest,
    announce_parts,
    begin_upload,
    complete_upload,
    look_up_parts,
    store_part,
)
from submissions.withdraw import can_withdraw, withdraw


class SubmissionList(GenericAPIView):
    """Your teams' submissions, newest first."""

    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [SmallJSON]
    serializer_class = serializers.SubmissionOut
    pagination_class = KeyedPages

    @property
    def throttle_scope(self) -> str | None:
        return "create" if self.request.method == "POST" else None

    def get_queryset(self) -> QuerySet[Submission]:
        return Submission.objects.listed_for(self.request.user)

    @extend_schema(responses=answers(200, serializers.SubmissionOut(many=True), 401))
    def get(self, request: Request) -> Response:
        found = self.get_queryset().select_related(*shown.LINE_RELATED)
        page = self.paginate_queryset(found.only(*shown.LINE))
        return self.get_paginated_response([shown.print_line(submission) for submission in page or []])

    @extend_schema(
        request=serializers.NewSubmission,
        responses={
            **answers(201, serializers.CreatedOut, 400, 401, 409, 413),
            200: serializers.CreatedOut,
        },
        examples=[schema.NEW],
    )
    def post(self, request: Request) -> Response:
        """Announces a bundle. Answers with where to send its parts; 200 if the key was used already."""
        sent = serializers.NewSubmission(data=request.data, context={"request": request})
        sent.is_valid(raise_exception=True)
        submission, is_new = _begin(request, sent.validated_data)
        body = {**shown.show_submission(submission), "upload": shown.show_upload(submission.upload)}
        return Response(serializers.CreatedOut(body).data, status=201 if is_new else 200)


def _begin(request: Request, said: dict[str, Any]) -> tuple[Submission, bool]:
    now = timezone.now()
    asked = UploadRequest(
        said["filename"], said["size"], said["creation_key"], said["supersedes"], said["what_changed"]
    )
    is_new = not said["team"].submissions.filter(creation_key=asked.creation_key).exists()
    submission = begin_upload(said["team"], said["benchmark"], _person(request), asked, now)
    if (submission.upload.size, submission.benchmark_id) != (asked.size, said["benchmark"].pk):
        raise UploadError(
            "creation_key_used", "This creation key belongs to another upload; choose a new one.", 409
        )
    return submission, is_new


def _person(request: Request) -> User:
    """Who asks, where only somebody signed in gets this far."""
    return cast(User, request.user)


class OfSubmission(APIView):
    """A route under one submission. Whoever may not see it gets 404, signed in or not."""

    permission_classes = [HasScope]
    parser_classes = [SmallJSON]

    def visible(self, public_id: uuid.UUID) -> Submission:
        """For reading."""
        return get_object_or_404(
            with_people(Submission.objects.visible_to(self.request.user)), public_id=public_id
        )

    def own(self, public_id: uuid.UUID) -> Submission:
        """For writing, and for what only the team sees."""
        return get_object_or_404(
            with_people(Submission.objects.of_member(self.request.user)), public_id=public_id
        )

    def own_upload(self, public_id: uuid.UUID) -> Upload:
        submission = self.own(public_id)
        upload = get_object_or_404(Upload, submission=submission)
        upload.submission = submission  # Not asked for again.
        return upload


class SubmissionDetail(OfSubmission):
    @extend_schema(responses=answers(200, serializers.SubmissionDetailOut, 404))
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Status, counts, problems and runs. Scores and medals are on the entry, once published."""
        return Response(serializers.SubmissionDetailOut(shown.show_detail(self.visible(public_id))).data)


class UploadDetail(OfSubmission):
    @extend_schema(responses=answers(200, serializers.UploadOut, 404))
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Which parts have arrived, with their checksums, and where to send the others."""
        upload = self.own_upload(public_id)
        look_up_parts(upload)
        return Response(serializers.UploadOut(shown.show_upload(upload)).data)


class PartAddresses(OfSubmission):
    throttle_classes = [ScopeThrottle]
    throttle_scope = "upload"

    @extend_schema(
        request=serializers.PartsAnnounced,
        responses=answers(200, serializers.PartAddressesOut, 400, 404, 409),
    )
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """Where to send the next parts, when bundles go straight into a store: see `addresses` of the upload."""
        upload = self.own_upload(public_id)
        sent = serializers.PartsAnnounced(data=request.data)
        sent.is_valid(raise_exception=True)
        digests = {part["number"]: part["sha256"] for part in sent.validated_data["parts"]}
        found = [shown.show_address(*pair) for pair in announce_parts(upload, digests).items()]
        return Response(serializers.PartAddressesOut({"parts": found}).data)


class PartUpload(OfSubmission):
    parser_classes = [OctetStream]
    throttle_classes = [ScopeThrottle]
    throttle_scope = "upload"

    @extend_schema(
        request={"application/octet-stream": bytes},
        parameters=[schema.CHECKSUM],
        responses=answers(200, serializers.StoredPartOut, 400, 404, 409),
        examples=[schema.PART],
    )
    def put(self, request: Request, public_id: uuid.UUID, number: int) -> Response:
        """Stores one part. The same part twice is stored once; another content for it is refused."""
        upload = self.own_upload(public_id)
        part = store_part(
            upload, number, request._request, _length(request), request.headers.get(CHECKSUM_HEADER, "")
        )
        return Response(serializers.StoredPartOut(part).data)


def _length(request: Request) -> int | None:
    text = request.META.get("CONTENT_LENGTH") or ""
    return int(text) if text.isascii() and text.isdigit() else None


class UploadComplete(OfSubmission):
    @extend_schema(request=None, responses=answers(202, serializers.SubmissionOut, 404, 409))
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """Hands the bundle to the checks. Doing it twice is the same as once."""
        complete_upload(self.own_upload(public_id), _person(request), timezone.now())
        ring("submissions.tasks.check", str(public_id))
        return Response(
            serializers.SubmissionOut(shown.show_submission(self.own(public_id))).data, status=202
        )


class CardJSON(SmallJSON):
    """JSON no longer than the file of a run card may be: checking a document costs far more than reading it."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise TooLarge(f"The body is larger than {MAX_BYTES:,} bytes. Link to long texts instead.")
        return super().parse(io.BytesIO(body), media_type, parser_context)


class RunCard(OfSubmission):
    parser_classes = [CardJSON]

    @extend_schema(responses=answers(200, serializers.CardOut, 404))
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """The newest revision, or the confirmed one once there is one."""
        return _card_response(shown_card(self.visible(public_id)))

    @extend_schema(
        request=serializers.CardChange,
        responses=answers(200, serializers.CardOut, 400, 404, 409, 422),
        examples=[schema.CARD],
    )
    def put(self, request: Request, public_id: uuid.UUID) -> Response:
        """Saves a new revision. Malformed: 422 with every problem. Open questions are accepted and listed."""
        submission = self.own(public_id)
        sent = serializers.CardChange(data=request.data)
        sent.is_valid(raise_exception=True)
        if submission.status != Submission.Status.AWAITING_TEAM:
            raise StatusConflict(f"cards are closed while {submission.status}")
        document = check_document(sent.validated_data["document"])
        return _card_response(
            add_revision(submission, document, _person(request), sent.validated_data["based_on"])
        )


def _card_response(card: RunCardRevision | None) -> Response:
    return Response(serializers.CardOut(shown.show_card(card)).data)


class Confirm(OfSubmission):
    @extend_schema(
        request=serializers.ConfirmationInput,
        responses=answers(202, serializers.SubmissionOut, 400, 404, 409, 422),
        examples=[schema.CONFIRMATION],
    )
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """Fixes scope and run card and queues the submission. Saying it twice is the same as once."""
        submission = self.own(public_id)
        sent = serializers.ConfirmationInput(
            data=request.data, context={"request": request, "submission": submission}
        )
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        confirmation = Confirmation(
            Split(said["scope"]), said["attested_name"], said["revision"], sent.replaces(submission)
        )
        attest_and_confirm(submission, _person(request), confirmation, timezone.now())
        ring("submissions.tasks.advance", str(public_id))
        return Response(serializers.SubmissionOut(shown.show_submission(submission)).data, status=202)


class Withdraw(OfSubmission):
    @extend_schema(request=None, responses=answers(200, serializers.SubmissionOut, 404, 409))
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """Takes the submission back. What was graded stays on record; a published one needs a maintainer."""
        submission = self.own(public_id)
        if not can_withdraw(submission):
            raise StatusConflict(f"{submission.status} cannot be withdrawn by the team")
        withdraw(submission, _person(request), timezone.now())
        return Response(serializers.SubmissionOut(shown.show_submission(submission)).data)
