"""Forms of maintainers, and the one for raising a flag."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms

from leaderboard.integrity.decide import Grounds
from leaderboard.models import Track


class GroundsForm(forms.Form):
    """Reason, rule and evidence: what every decision and every flag needs."""

    reason = forms.CharField(
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Public. What was found, and why it decides.",
    )
    rule = forms.CharField(
        max_length=200, help_text="The rule it applies, such as “Tracks and rules, Clean”."
    )
    evidence_url = forms.URLField(
        label="Evidence link", max_length=500, assume_scheme="https",
        help_text="Public: a discussion, a log, a commit, a paper.",
    )  # fmt: skip

    # The newest decision on the entry when the form was drawn; programs may leave it out.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def grounds(self) -> Grounds:
        """Of a valid form."""
        given = self.cleaned_data
        return Grounds(given["reason"], given["rule"], given["evidence_url"])


class PublishForm(GroundsForm):
    """Which track, on what grounds."""

    track = forms.ModelChoiceField(
        Track.objects.all(), to_field_name="slug", empty_label=None, widget=forms.RadioSelect,
        help_text="The proposed track is chosen already; any other needs its reason below.",
    )  # fmt: skip
    field_order = ("track", "reason", "rule", "evidence_url", "seen")


class MoveForm(PublishForm):
    """Another track for a published entry."""

    def __init__(self, standing: Track | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if standing:
            cast("forms.ModelChoiceField[Track]", self.fields["track"]).queryset = Track.objects.exclude(
                pk=standing.pk
            )
        self.fields["track"].help_text = "It leaves the board it stands on now; its history stays."


class AnswerForm(GroundsForm):
    """Upholding or dismissing a flag."""

    answer = forms.ChoiceField(
        choices=[("uphold", "Uphold: the flag shows on the entry"), ("dismiss", "Dismiss: it was unfounded")],
        widget=forms.RadioSelect,
    )
    field_order = ("answer", "reason", "rule", "evidence_url", "seen")


class RepinForm(GroundsForm):
    """Moving the pins of one entry."""

    # The plan that was looked at; where it has changed since, nothing is moved.
    effect = forms.CharField(widget=forms.HiddenInput)


class RepinManyForm(GroundsForm):
    """Moving the pins of the entries ticked. A tick carries what was seen of its entry."""

    entries = forms.MultipleChoiceField(
        widget=forms.MultipleHiddenInput,
        error_messages={
            "required": "Tick at least one entry.",
            "invalid_choice": "What would move has changed since you looked. Look at the preview again.",
        },
    )

    def __init__(self, offered: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.MultipleChoiceField", self.fields["entries"]).choices = [(each, each) for each in offered]
