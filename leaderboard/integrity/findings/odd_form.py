"""Files that the metric pays for their form: with rows left out or repeated, or boxes that cost nothing when wrong."""

from collections.abc import Iterator

from grading.graders.verdict import OddForm
from leaderboard.integrity.checks.base import Severity, listed
from leaderboard.integrity.findings.facts import Found, Signal, SubmissionFacts

WORDS = {
    OddForm.ROWS_REPEATED: "rows that are there several times, and count each time",
    OddForm.ROWS_LEFT_OUT: "rows that are not there, and so are not scored",
    OddForm.IDS_MOVED: "ids that are not those of the sample submission in its order",
    OddForm.CONFIDENCE_BELOW_ZERO: "boxes with a confidence below 0",
    OddForm.BOXES_TURNED: "boxes of negative or enormous area, which cost nothing when they are wrong",
}


def find(facts: SubmissionFacts) -> Iterator[Found]:
    """One for each form."""
    for form, words in WORDS.items():
        places = [run.place for run in facts.runs if run.note == form and run.score is not None]
        if places:
            yield Found(
                f"The metric pays for {words}: {listed(places)}.", {"runs": places, "form": form.value}
            )


SIGNAL = Signal(
    code="odd-form",
    title="Scores that come of the file's form",
    severity=Severity.SERIOUS,
    meaning="The benchmark's metric was played: its score says nothing of the predictions. Innocent: a file that was "
    "cut off or joined twice, or confidences that are no probabilities.",
    find=find,
)
