"""What the submission API takes and gives, field by field; input apart from output."""

import uuid
from typing import Any

from rest_framework import serializers

from grading.models import Benchmark
from grading.splits import Split
from submissions.models import Submission, Team
from submissions.resubmission import LONGEST_CHANGE, Replaces, find_mismatch, replaceable
from submissions.uploads import MOST_ADDRESSES

LARGEST_INTEGER = 2**63 - 1


class NewSubmission(serializers.Serializer[Any]):
    """Input: what a team announces before the first byte. Teams of others do not exist here."""

    team = serializers.SlugRelatedField(
        slug_field="public_id",
        queryset=Team.objects.none(),
        required=False,
        help_text="Id of one of your teams; may be left out by who has just one.",
    )
    benchmark = serializers.SlugRelatedField(
        slug_field="slug", queryset=Benchmark.objects.all(), help_text="For example mle-bench-v1."
    )
    filename = serializers.CharField(max_length=255, help_text="For people; never used as a path.")
    size = serializers.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, help_text="Of the whole file, in bytes."
    )
    creation_key = serializers.UUIDField(
        required=False,
        help_text="Any UUID of yours. Sending the same one again answers with the same submission.",
    )
    supersedes = serializers.SlugRelatedField(
        slug_field="public_id",
        queryset=Submission.objects.none(),
        required=False,
        allow_null=True,
        help_text="Id of an earlier submission of the same organisation and benchmark that this one replaces.",
    )
    what_changed = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_CHANGE,
        help_text="What changed since the one it replaces. Public with the entry; needed by the time of confirming.",
    )

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        request = self.context.get("request")
        if request is not None:
            fields["team"].queryset = Team.objects.of(request.user)
            fields["supersedes"].queryset = replaceable(request.user)
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "team" not in attrs:
            attrs["team"] = self._only_team()
        earlier = attrs.get("supersedes")
        if earlier and (mismatch := find_mismatch(earlier, attrs["team"], attrs["benchmark"].pk)):
            raise serializers.ValidationError({"supersedes": mismatch})
        return {"creation_key": uuid.uuid4(), "supersedes": None, "what_changed": "", **attrs}

    def _only_team(self) -> Team:
        teams = Team.objects.of(self.context["request"].user)[:2]
        if len(teams) != 1:
            message = "You are in no team." if not teams else "Say for which of your teams."
            raise serializers.ValidationError({"team": message}, code="required")
        return teams[0]


class CardChange(serializers.Serializer[Any]):
    """Input: a whole run card, and the number of the revision it was made from."""

    document = serializers.DictField(
        child=serializers.JSONField(allow_null=True), help_text="The whole document."
    )
    based_on = serializers.IntegerField(
        min_value=0, help_text="Number of the revision you read; refused if older."
    )


class ConfirmationInput(serializers.Serializer[Any]):
    """Input: the team's confirmation."""

    scope = serializers.ChoiceField(choices=[(s.value, s.label) for s in Split])
    attested_name = serializers.CharField(max_length=120, help_text="Who attests this: a person's name.")
    revision = serializers.IntegerField(min_value=0, help_text="Number of the run card revision you confirm.")
    accept = serializers.BooleanField(
        help_text="True: once grading starts, this attempt and its scores become part of the public record, "
        "even if withdrawn."
    )
    supersedes = serializers.SlugRelatedField(
        slug_field="public_id",
        queryset=Submission.objects.none(),
        required=False,
        allow_null=True,
        help_text="Id of the earlier submission that this one replaces; null: none. Left out: as said at upload.",
    )
    what_changed = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_CHANGE,
        help_text="What changed since. Needed if it replaces one; public with the entry.",
    )

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        submission = self.context.get("submission")
        if submission is not None:
            fields["supersedes"].queryset = replaceable(self.context["request"].user, submission)
        return fields

    def replaces(self, submission: Submission) -> Replaces:
        """Of valid input. What is left out stays as it was said at upload."""
        said = self.validated_data
        return Replaces(
            said.get("supersedes", submission.supersedes), said.get("what_changed", submission.what_changed)
        )

    def validate_accept(self, accepted: bool) -> bool:
        if not accepted:
            raise serializers.ValidationError("Confirming needs accept: true.", code="not_accepted")
        return accepted


class ProblemOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ErrorOut(serializers.Serializer[Any]):
    """Output: application/problem+json (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = ProblemOut(many=True)  # type: ignore[assignment]


class TeamOut(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="public_id")
    name = serializers.CharField()
    organisation = serializers.CharField(source="organisation.name")
    verified = serializers.BooleanField(
        source="organisation.is_verified",
        help_text="Nothing is graded before a maintainer verified it.",
    )


class SubmissionOut(serializers.Serializer[Any]):
    """Output: a submission in a list."""

    id = serializers.UUIDField(source="public_id")
    page = serializers.CharField(source="page_url", help_text="The page for people.")
    status = serializers.ChoiceField(choices=Submission.Status.choices)
    is_final = serializers.BooleanField()
    team = TeamOut()
    benchmark = serializers.CharField(source="benchmark.slug")
    scope = serializers.ChoiceField(choices=[(s.value, s.label) for s in Split], allow_blank=True)
    created_at = serializers.DateTimeField()
    confirmed_at = serializers.DateTimeField(allow_null=True)
    supersedes = serializers.UUIDField(source="supersedes.public_id", default=None, allow_null=True)
    what_changed = serializers.CharField(allow_blank=True, help_text="Since the one it replaces.")
    held = serializers.BooleanField(source="is_held", help_text="Received while submissions were closed.")
    question_open = serializers.BooleanField(
        source="has_question", help_text="A maintainer asked your team something and waits for the answer."
    )
    entry = serializers.CharField(
        source="entry_slug", allow_null=True, help_text="Once published: its entry."
    )


class RunOut(serializers.Serializer[Any]):
    """Output: one seed on one competition. Scores and medals are on the entry, once published."""

    seed = serializers.CharField()
    competition = serializers.CharField()
    outcome = serializers.CharField(
        help_text="pending, scored, invalid, missing, grader_error, timed_out, out_of_memory, outside_scope."
    )
    code = serializers.CharField(allow_blank=True)
    message = serializers.CharField(allow_blank=True)


class CountsOut(serializers.Serializer[Any]):
    seeds = serializers.IntegerField()
    runs = serializers.IntegerField()
    checkpoints = serializers.IntegerField()
    files = serializers.IntegerField()
    ignored = serializers.IntegerField()
    expected = serializers.IntegerField(help_text="Runs to grade: those of the scope that are there.")
    graded = serializers.IntegerField()
    outcomes = serializers.DictField(child=serializers.IntegerField())


class SubmissionDetailOut(SubmissionOut):
    """Output: a submission with its runs and everything that is wrong with it."""

    problems = ProblemOut(many=True)
    counts = CountsOut()
    runs = RunOut(many=True)


class PartOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    size = serializers.IntegerField(help_text="Bytes this part must have.")
    url = serializers.CharField(
        allow_null=True, help_text="Where to send it; may be relative to this site. Null: ask for an address."
    )
    method = serializers.CharField()
    headers = serializers.DictField(child=serializers.CharField())
    received = serializers.BooleanField()
    sha256 = serializers.CharField(
        allow_null=True, help_text="Of a received part, for comparing when resuming."
    )


class UploadOut(serializers.Serializer[Any]):
    filename = serializers.CharField()
    size = serializers.IntegerField()
    part_size = serializers.IntegerField()
    received_bytes = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)
    addresses = serializers.CharField(
        allow_null=True,
        help_text="Where to ask for the addresses of parts, by POST; null where the parts have them already.",
    )
    parts = PartOut(many=True)


class PartAnnounced(serializers.Serializer[Any]):
    number = serializers.IntegerField(min_value=1, max_value=LARGEST_INTEGER)
    sha256 = serializers.RegexField(r"^[0-9a-fA-F]{64}\Z", help_text="Of the part's bytes, 64 hex digits.")


class PartsAnnounced(serializers.Serializer[Any]):
    """Input: the parts to be sent next. An address takes those very bytes, for a quarter of an hour."""

    parts = PartAnnounced(  # type: ignore[call-arg]  # The stubs forget what many=True takes.
        many=True, allow_empty=False, max_length=MOST_ADDRESSES
    )


class PartAddressOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    url = serializers.CharField(help_text="Takes the part as it was announced, and nothing else.")
    method = serializers.CharField()
    headers = serializers.DictField(child=serializers.CharField(), help_text="To be sent along unchanged.")


class PartAddressesOut(serializers.Serializer[Any]):
    parts = PartAddressOut(many=True)


class CreatedOut(SubmissionOut):
    """Output: a new submission and where to send its parts."""

    upload = UploadOut()


class StoredPartOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class ChangeOut(serializers.Serializer[Any]):
    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class CardOut(serializers.Serializer[Any]):
    """Output: a revision of the run card. Number 0 with an empty document: none was made yet."""

    number = serializers.IntegerField()
    document = serializers.DictField()
    digest = serializers.CharField(allow_blank=True)
    difference = ChangeOut(many=True)
    undisclosed = serializers.ListField(
        child=serializers.CharField(),
        help_text="Paths of open questions that keep it off the Clean track.",
    )
    created_at = serializers.DateTimeField(allow_null=True)
