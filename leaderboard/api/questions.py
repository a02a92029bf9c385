"""Questions to teams for the teams' own programs, and the link to a promised source."""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.api.record import PromiseOut, PublicQuestionOut
from leaderboard.integrity.promises import PromiseRefused, show_source
from leaderboard.integrity.questions import LONGEST, AnswerRefused, answer_question
from leaderboard.models import Question
from leaderboard.promise_words import promise_of
from submissions.api.parsers import SmallJSON
from submissions.api.schema import answers
from submissions.api.scopes import HasScope
from submissions.models import Submission, Team


class Refused(APIException):
    """The stage's own sentence, as a conflict."""

    status_code = 409
    default_code = "refused"


class TeamQuestionOut(PublicQuestionOut):
    """Output: a question to one of your teams."""

    submission = serializers.UUIDField(source="entry.submission.public_id")


class AnswerInput(serializers.Serializer[Any]):
    """Input: your team's answer. It is given once, and public together with the entry."""

    answer = serializers.CharField(max_length=LONGEST)
    url = serializers.URLField(
        required=False, allow_blank=True, default="", max_length=500, help_text="Where it can be seen."
    )


class SourceInput(serializers.Serializer[Any]):
    """Input: the source that the run card promised."""

    url = serializers.URLField(max_length=500, help_text="Public. A maintainer looks at it.")


def questions_of(user: Any) -> QuerySet[Question]:
    """Those to the user's teams, newest first."""
    found = Question.objects.filter(entry__submission__team__in=Team.objects.of(user).values("pk"))
    return found.select_related("entry__submission__team").order_by("-pk")


LINE = (
    "decision_id", "text", "asked_at", "due_at", "answer", "answer_url", "answered_at",
    "entry__submission__public_id",
)  # fmt: skip


class QuestionList(GenericAPIView):
    permission_classes = [IsAuthenticated, HasScope]
    serializer_class = TeamQuestionOut
    queryset = Question.objects.none()

    @extend_schema(responses=answers(200, TeamQuestionOut(many=True), 401))
    def get(self, request: Request) -> Response:
        """What maintainers asked your teams, newest first, answered or not."""
        found = questions_of(request.user).select_related(None).select_related("entry__submission")
        page = self.paginate_queryset(found.only(*LINE))
        return self.get_paginated_response(TeamQuestionOut(page, many=True).data)


class QuestionAnswer(APIView):
    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [SmallJSON]

    @extend_schema(request=AnswerInput, responses=answers(200, TeamQuestionOut, 400, 401, 404, 409))
    def post(self, request: Request, number: int) -> Response:
        """Answers the question that a decision asks. Once: for more, the maintainers ask again."""
        found = get_object_or_404(questions_of(request.user), decision__pk=number)
        sent = AnswerInput(data=request.data)
        sent.is_valid(raise_exception=True)
        said, user = sent.validated_data, request.user
        try:
            answer_question(found, said["answer"], said["url"], user, timezone.now())  # type: ignore[arg-type]
        except AnswerRefused as refused:
            raise Refused(str(refused)) from refused
        return Response(TeamQuestionOut(found).data)


class Source(APIView):
    permission_classes = [HasScope]
    parser_classes = [SmallJSON]

    @extend_schema(request=SourceInput, responses=answers(200, PromiseOut, 400, 404, 409))
    def put(self, request: Request, public_id: uuid.UUID) -> Response:
        """Gives the link to the source that the run card promised; a newer one takes its place."""
        own = Submission.objects.of_member(request.user).select_related("team", "confirmed_revision")
        submission = get_object_or_404(own, public_id=public_id)
        sent = SourceInput(data=request.data)
        sent.is_valid(raise_exception=True)
        user: Any = request.user
        try:
            show_source(submission, sent.validated_data["url"], user, timezone.now())
        except PromiseRefused as refused:
            raise Refused(str(refused)) from refused
        return Response(PromiseOut(promise_of(submission)).data)
