"""Forms for acting on a case, for what teams answer, and for narrowing the docket."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from grading.models import Benchmark
from leaderboard.docket import Narrowed
from leaderboard.docket_items import Kind
from leaderboard.forms import GroundsForm, PublishForm
from leaderboard.integrity import questions, verifying
from leaderboard.integrity.answer_findings import LONGEST_NOTE
from leaderboard.integrity.checks import Severity
from leaderboard.integrity.rulings import known_answers
from leaderboard.integrity.verifying import Ruling
from leaderboard.models import Claim
from submissions.closing import LONGEST_REASON
from submissions.widgets import PlainSelect

ANY = ("", "any")
LONG = {"rows": 4}


class DocketFilter(forms.Form):
    """What the docket is narrowed by; its state is the address."""

    q = forms.CharField(
        required=False, max_length=200, label="Search", widget=forms.TextInput(attrs={"type": "search"})
    )
    kind = forms.ChoiceField(required=False, choices=[ANY, *((kind.value, kind.value) for kind in Kind)])
    benchmark = forms.ChoiceField(required=False, widget=PlainSelect)
    severity = forms.ChoiceField(
        required=False,
        widget=PlainSelect,
        label="Open findings",
        choices=[ANY, *((each.value, f"{each.value} or graver") for each in Severity)],
    )
    mine = forms.BooleanField(required=False, label="Only what I may decide")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ChoiceField", self.fields["benchmark"])
        field.choices = [ANY, *Benchmark.objects.values_list("slug", "title")]

    def narrowed(self) -> Narrowed:
        """Of a valid form."""
        said = self.cleaned_data
        words = tuple(said["q"].split())
        return Narrowed(said["kind"], said["benchmark"], said["severity"], words, said["mine"])


class FirstDecisionForm(PublishForm):
    """Publishing; where the team was asked and has not answered, only by saying that it is not waited for."""

    without_answer = forms.BooleanField(
        label="Publish without the team's answer",
        help_text="It was asked and has not answered. The page says so; it may still answer afterwards.",
    )

    def __init__(self, posted: Any = None, *, is_waiting: bool, **kwargs: Any) -> None:
        super().__init__(posted, **kwargs)
        if not is_waiting:
            del self.fields["without_answer"]


class AskForm(GroundsForm):
    """Asking a team."""

    question = forms.CharField(
        max_length=questions.LONGEST,
        widget=forms.Textarea(attrs=LONG),
        help_text="To the team. It becomes public together with the entry, and so does the answer.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["question"])
        self.fields["reason"].help_text = "Public. Why it is asked."


class NoteForm(GroundsForm):
    """A public note."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = "Note"
        self.fields["reason"].help_text = "Public: it stands on the entry's page."


class VerifyForm(GroundsForm):
    """What a maintainer found a claim to be worth."""

    holds = forms.ChoiceField(
        label="What was found",
        choices=[
            ("yes", "It holds: the claim is maintainer-verified"),
            ("no", "It does not hold: the claim is contradicted"),
        ],
        widget=forms.RadioSelect,
    )
    answer = forms.ChoiceField(required=False, help_text="The answer that tracks take or refuse.")
    sentence = forms.CharField(
        max_length=verifying.LONGEST_SENTENCE,
        help_text="What is true, in one sentence. It stands beside the claim, in public.",
    )

    def __init__(self, claim: Claim, *args: Any, **kwargs: Any) -> None:
        answer = str(claim.evidence.get("answer", ""))
        kwargs["initial"] = {"answer": answer, "sentence": claim.sentence, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.order_fields(["holds", "answer", "sentence"])
        known = known_answers(claim.code)
        if not known and not answer:
            del self.fields["answer"]
            return
        cast("forms.ChoiceField", self.fields["answer"]).choices = _choices(known, answer)

    def ruling(self) -> Ruling:
        """Of a valid form."""
        given = self.cleaned_data
        return Ruling(given["holds"] == "yes", given.get("answer", ""), given["sentence"])


def _choices(known: Sequence[str], said: str) -> list[tuple[str, str]]:
    """The answer as it stands first, then the others that tracks tell apart."""
    return [(word, word or "no answer") for word in dict.fromkeys([said, *known])]


class FindingForm(GroundsForm):
    """Upholding a finding in public, or dismissing it among maintainers."""

    answer = forms.ChoiceField(
        choices=[
            ("uphold", "Uphold: the entry is flagged by a public decision"),
            ("dismiss", "Dismiss: it means nothing here. Nothing of it becomes public"),
        ],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For dismissing: why. Maintainers alone read it.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["answer", "note"])
        for name in ("reason", "rule", "evidence_url"):
            self.fields[name].required = False
        self.fields["reason"].help_text = "For upholding. Public: what was found, and why it decides."

    @property
    def is_upheld(self) -> bool:
        """Of a valid form."""
        return bool(self.cleaned_data["answer"] == "uphold")


class TeamAnswerForm(forms.Form):
    """What a team answers."""

    answer = forms.CharField(
        max_length=questions.LONGEST,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Given once, and public together with the entry. No secrets, please.",
    )
    url = forms.URLField(
        required=False,
        max_length=500,
        assume_scheme="https",
        label="Link",
        help_text="Where it can be seen, if anywhere. Public too.",
    )


class SourceForm(forms.Form):
    """The code is out."""

    url = forms.URLField(
        max_length=500,
        assume_scheme="https",
        label="Link to the source",
        help_text="Public. A maintainer looks at it and verifies the claim.",
    )


class ClosingForm(forms.Form):
    """Closing submissions, or opening them again."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Public: on the upload page, the status page and in the API, with your name.",
    )
