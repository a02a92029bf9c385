"""What was made of a submission's code, logs and medals, for the page of its case."""

from django import template

from leaderboard.code_similarity.shown import CodeShown, code_of
from leaderboard.contamination.shown import ContaminationShown, contamination_of
from leaderboard.second_reading.shown import SecondReadingShown, second_reading_of
from submissions.models import Submission

register = template.Library()


@register.simple_tag
def code_likeness(submission: Submission) -> CodeShown | None:
    """{% code_likeness submission as code %}; `leaderboard/_case_code.html` draws it."""
    return code_of(submission)


@register.simple_tag
def second_reading(submission: Submission) -> SecondReadingShown | None:
    """{% second_reading submission as second %}; `leaderboard/_case_second_reading.html` draws it."""
    return second_reading_of(submission)


@register.simple_tag
def contamination(submission: Submission) -> ContaminationShown | None:
    """{% contamination submission as medals %}; `leaderboard/_case_contamination.html` draws it."""
    return contamination_of(submission)
