"""Forms of maintainers, and the one for raising a flag."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.text import Truncator

from leaderboard.integrity.appeals import Objection
from leaderboard.integrity.decide import Grounds
from leaderboard.models import Flag, Track

GROUNDS = ("reason", "rule", "evidence_url", "evidence_is_private")


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
        help_text="A discussion, a log, a commit, a paper. Public, unless you tick the box below.",
    )  # fmt: skip
    evidence_is_private = forms.BooleanField(
        required=False, label="The evidence is private",
        help_text="Its link is for maintainers and the entry's team; everybody else reads that there is one.",
    )  # fmt: skip

    # The newest decision on the entry when the form was drawn; programs may leave it out.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def grounds(self) -> Grounds:
        """Of a valid form."""
        given = self.cleaned_data
        return Grounds(given["reason"], given["rule"], given["evidence_url"], given["evidence_is_private"])


class PublishForm(GroundsForm):
    """Which track, on what grounds."""

    track = forms.ModelChoiceField(
        Track.objects.all(), to_field_name="slug", empty_label=None, widget=forms.RadioSelect,
        help_text="The proposed track is chosen already; any other needs its reason below.",
    )  # fmt: skip
    field_order: tuple[str, ...] = ("track", *GROUNDS, "seen")


if TYPE_CHECKING:
    ChoiceOfFlag = forms.ModelChoiceField[Flag]
else:
    ChoiceOfFlag = forms.ModelChoiceField


class FlagChoice(ChoiceOfFlag):
    """A flag by its number and its first words."""

    def label_from_instance(self, obj: Any) -> str:
        by = "self-reported" if obj.is_self_reported else obj.get_state_display()
        return f"Flag {obj.pk} ({by}): {Truncator(obj.reason).chars(80)}"


class MoveForm(PublishForm):
    """Another track for a published entry, maybe in answer to a flag on it."""

    flag = FlagChoice(
        Flag.objects.none(), required=False, label="In answer to", empty_label="no flag",
        help_text="The move upholds the flag. If the team reported it itself, the record says so.",
    )  # fmt: skip
    field_order = ("track", "flag", *GROUNDS, "seen")

    def __init__(self, standing: Track | None, flags: QuerySet[Flag], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Flag]", self.fields["flag"]).queryset = flags
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
    field_order = ("answer", *GROUNDS, "seen")


class SelfReportForm(GroundsForm):
    """A team's report of a leak in its own entry."""

    competitions = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple,
        help_text="Those whose runs it touched. Tick none if it was the entry as a whole.",
    )  # fmt: skip
    field_order = (*GROUNDS, "competitions", "seen")

    def __init__(self, competitions: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.MultipleChoiceField", self.fields["competitions"])
        field.choices = [(each, each) for each in competitions]
        self.fields["reason"].label = "What happened"
        self.fields["reason"].help_text = "Public once a maintainer has answered, or after 14 days."


class ReplyForm(forms.Form):
    """The team's word on a flag."""

    text = forms.CharField(
        max_length=5000, label="Reply", widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Shown beside the flag to whoever sees it. It cannot be edited; you can add another.",
    )  # fmt: skip


class AppealForm(forms.Form):
    """Why a decision should not stand."""

    reason = forms.CharField(
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Public at once. What the decision got wrong, and what would be right.",
    )
    evidence_url = GroundsForm.base_fields["evidence_url"]
    evidence_is_private = GroundsForm.base_fields["evidence_is_private"]

    def objection(self) -> Objection:
        """Of a valid form."""
        given = self.cleaned_data
        return Objection(given["reason"], given["evidence_url"], given["evidence_is_private"])


class AppealAnswerForm(GroundsForm):
    """Granting or denying an appeal; `places`: whether a granted one has to say on which track the entry goes."""

    answer = forms.ChoiceField(
        choices=[("grant", "Grant: the decision was wrong"), ("deny", "Deny: the decision stands")],
        widget=forms.RadioSelect,
    )
    track = forms.ModelChoiceField(
        Track.objects.all(), to_field_name="slug", required=False, label="If granted, the entry goes to",
        empty_label="the track it stood on before",
    )  # fmt: skip
    field_order = ("answer", "track", *GROUNDS, "seen")

    def __init__(self, places: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not places:
            del self.fields["track"]


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
