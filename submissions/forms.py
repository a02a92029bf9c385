"""Forms of the pages for people who submit."""

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet

from grading.models import Benchmark
from grading.splits import Split
from submissions.earlier_field import OFFERED, EarlierField
from submissions.models import Submission, Team, User
from submissions.names import NameField
from submissions.progress import ScopeOffer
from submissions.resubmission import LONGEST_CHANGE, Replaces, find_mismatch, replaceable


class BundleForm(forms.Form):
    """A bundle for one of the user's teams. The creation key makes sending the form twice harmless."""

    team = forms.ModelChoiceField(Team.objects.none(), to_field_name="public_id", empty_label=None)
    benchmark = forms.ModelChoiceField(Benchmark.objects.all(), to_field_name="slug", empty_label=None)
    supersedes = EarlierField(
        help_text="An earlier submission of the same organisation and benchmark. Both stay on record. "
        f"The newest {OFFERED} are offered; the API takes older ones too.",
    )
    what_changed = forms.CharField(
        required=False,
        max_length=LONGEST_CHANGE,
        label="What changed since",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="If it replaces one. You can also say it when you confirm. Shown with the entry.",
    )
    creation_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    bundle = forms.FileField(allow_empty_file=True)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["team"].queryset = Team.objects.of(user).select_related("organisation")
        fields["supersedes"].offer(replaceable(user), self["supersedes"].value())
        fields["supersedes"].label_from_instance = name_submission

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        earlier, team, benchmark = (given.get(name) for name in ("supersedes", "team", "benchmark"))
        if earlier and team and benchmark and (mismatch := find_mismatch(earlier, team, benchmark.pk)):
            self.add_error("supersedes", mismatch)
        return given


def name_submission(submission: Submission) -> str:
    """The submission as a person would tell it from others: benchmark, day, status."""
    day = f"{submission.created_at:%Y-%m-%d %H:%M}"
    return f"{submission.benchmark}, {day} UTC, {submission.get_status_display()} ({submission.team.name})"


class FileForm(forms.Form):
    """The file alone, for an upload that was begun before."""

    bundle = forms.FileField(allow_empty_file=True)

    def __init__(self, submission: Submission, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.submission = submission

    def clean_bundle(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["bundle"]
        upload = self.submission.upload
        if file.size != upload.size:
            raise forms.ValidationError(
                f"This file has {file.size:,} bytes, the upload was begun for one of {upload.size:,}. "
                "Choose the same file, or begin a new submission."
            )
        return file


class ConfirmForm(forms.Form):
    """The team's confirmation of scope and run card."""

    scope = forms.ChoiceField(
        widget=forms.RadioSelect, help_text="What this submission claims to cover. Fixed once you confirm."
    )
    attested_name = forms.CharField(
        max_length=120,
        label="Your name",
        help_text="The person who attests that the run card is true and complete.",
    )
    supersedes = EarlierField(
        help_text="An earlier submission of your organisation. Both stay on record and link to each other. "
        f"The newest {OFFERED} are offered; the API takes older ones too.",
    )
    what_changed = forms.CharField(
        required=False,
        max_length=LONGEST_CHANGE,
        label="What changed since",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Needed if it replaces one. Shown in public with the entry.",
    )
    accept = forms.BooleanField(
        label="Once grading starts, this attempt and its scores become part of the public record, "
        "even if withdrawn.",
        error_messages={"required": "Tick the box to confirm. Without it nothing is graded."},
    )
    revision = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        offers: Sequence[ScopeOffer],
        *args: Any,
        earlier: QuerySet[Submission] | None = None,
        **kwargs: Any,
    ) -> None:
        """`earlier`: what it may replace."""
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["scope"].choices = [(offer.scope.value, _describe(offer)) for offer in offers]
        fields["supersedes"].label_from_instance = name_submission
        if earlier is not None:
            fields["supersedes"].offer(earlier, self["supersedes"].value())

    def replaces(self) -> Replaces:
        """Of a valid form."""
        return Replaces(self.cleaned_data["supersedes"], self.cleaned_data["what_changed"])

    def clean_scope(self) -> Split:
        return Split(self.cleaned_data["scope"])


def _describe(offer: ScopeOffer) -> str:
    word = "competition" if offer.competitions == 1 else "competitions"
    found = f"{offer.found} of {offer.expected} runs found"
    return f"{offer.scope.label}: {offer.competitions} {word}, {found}"


class TeamForm(forms.Form):
    """A new team and the organisation it submits for."""

    name = NameField(max_length=120, label="Team name")
    organisation = NameField(
        max_length=120,
        help_text="The university, company or group your results stand for; quotas count for it. "
        "A maintainer verifies it before its first submission is graded.",
    )
