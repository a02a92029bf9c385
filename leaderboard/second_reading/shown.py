"""What maintainers see of a second reading: never the team, and never the public."""

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.models import SecondAnswer, SecondReading
from leaderboard.second_reading.questions import BadQuestions, Question
from leaderboard.second_reading.stage import load_questions
from submissions.models import Submission

SHOWN = 20
Answer = SecondAnswer.Answer


@dataclass(frozen=True)
class Passage:
    """A quote that stands in the text, and whether it was given for a "yes"."""

    path: str
    line: int
    text: str
    is_yes: bool


@dataclass(frozen=True)
class Asked:
    """One question with the pieces for which the answer was not "no"."""

    question: Question
    answers: Sequence[SecondAnswer]

    @property
    def says_yes(self) -> bool:
        return any(answer.answer == Answer.YES for answer in self.answers)

    @property
    def passages(self) -> list[Passage]:
        """Those for "yes" first; not more than can be read."""
        found = [
            Passage(answer.path, quote["line"], quote["text"], answer.answer == Answer.YES)
            for answer in self.answers
            for quote in answer.quotes
        ]
        return sorted(found, key=lambda passage: not passage.is_yes)[:SHOWN]

    @property
    def without(self) -> int:
        return sum(not answer.quotes for answer in self.answers)


@dataclass(frozen=True)
class SecondReadingShown:
    reading: SecondReading
    asked: Sequence[Asked]


def second_reading_of(submission: Submission) -> SecondReadingShown | None:
    """None where there was none. Questions answered "yes" first."""
    reading = SecondReading.objects.filter(submission=submission).prefetch_related("answers").first()
    if reading is None:
        return None
    answers = list(reading.answers.all())
    asked = [Asked(each, [a for a in answers if a.question == each.code]) for each in _questions()]
    return SecondReadingShown(reading, sorted(asked, key=lambda each: not each.says_yes))


def _questions() -> tuple[Question, ...]:
    """None where the file is broken since; the findings stand all the same."""
    try:
        return load_questions()
    except BadQuestions:
        return ()
