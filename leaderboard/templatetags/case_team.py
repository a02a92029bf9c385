"""What a team has to look at in a submission of its own, for the submission's page."""

from dataclasses import dataclass

from django import template

from leaderboard.models import Question
from leaderboard.promise_words import PromiseWords, promise_of
from submissions.models import Submission

register = template.Library()
Status = Submission.Status


@dataclass(frozen=True)
class Matters:
    """Newest question first; the promise only once its link can be given."""

    questions: list[Question]
    promise: PromiseWords | None


@register.simple_tag
def team_matters(submission: Submission) -> Matters:
    """{% team_matters submission as matters %}; `leaderboard/_team_matters.html` draws it."""
    if submission.status not in (Status.IN_REVIEW, Status.PUBLISHED, Status.WITHDRAWN):
        return Matters([], None)
    questions = Question.objects.filter(entry__submission=submission).order_by("-pk")
    may_show = submission.status in (Status.IN_REVIEW, Status.PUBLISHED)
    return Matters(list(questions), promise_of(submission) if may_show else None)
