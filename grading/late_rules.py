"""Rules of validity that labels decide, and which a validity check therefore leaves to grading.

By metric family, or by competition where one alone has the rule. A test holds the oracle's verdicts against this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grading.graders.registry import OWN_GRADERS


@dataclass(frozen=True)
class LateRule:
    """The code that grading would give, and what it asks for, in words for people."""

    code: str
    text: str


OVERLAP = LateRule("runs_overlap", "No pixel may be encoded twice: the image sizes stand with the answers.")
SCORED_CELLS = LateRule(
    "bad_scored_value",
    "The rows that are scored hold a finite number in every cell; which rows these are is hidden.",
)
SCORED_ROWS = LateRule(
    "rows_unpaired", "Each row that is scored occurs once; which rows these are is hidden."
)
EVERYWHERE = (
    LateRule(
        "score_not_finite", "The score is a finite number, which predictions that are all equal may prevent."
    ),
)
BY_FAMILY: Mapping[str, tuple[LateRule, ...]] = {
    "accuracy": (
        LateRule("labels_incomparable", "Labels are of the kind the answers use: text, or numbers."),
    ),
    "auroc": (LateRule("score_undefined", "Both classes occur in the answers."),),
    "bias_auroc": (LateRule("score_undefined", "Both classes occur in the answers of each group."),),
    "columnwise_mean_auroc": (
        LateRule("score_undefined", "Both classes occur in the answers of each column."),
    ),
    "dice_hausdorff": (
        OVERLAP,
        LateRule("sizes_differ", "The rows of one case and day belong to images of one size."),
    ),
    "f05": (OVERLAP, LateRule("row_order", "Rows stand in the order of the answers.")),
    "global_dice": (OVERLAP,),
    "group_mean_log_mae": (LateRule("score_not_finite", "No group of rows is predicted without any error."),),
    "kendall_tau": (LateRule("cells_differ", "Each row lists exactly the cells of its notebook."),),
    "laplace_log_likelihood": (
        SCORED_ROWS,
        SCORED_CELLS,
        LateRule("score_undefined", "At least one row that is scored is there."),
    ),
    "map_3d": (
        LateRule("bad_box", "Boxes of the classes in a sample's answers are boxes, with finite numbers."),
    ),
    "map_voc": (
        LateRule("bad_confidence", "Boxes of the classes in the answers have a finite confidence."),
        LateRule("score_undefined", "The precision of each class in the answers can be computed."),
    ),
    "mcrmse": (SCORED_CELLS,),
    "mean_dice": (OVERLAP,),
    "salt_iou_precision": (OVERLAP,),
    "word_jaccard": (LateRule("score_undefined", "No row is empty in the file and in the answers."),),
}
BY_COMPETITION: Mapping[str, tuple[LateRule, ...]] = {
    "h-and-m-personalized-fashion-recommendations": (
        LateRule("ids_differ", "All customers that are scored are there; which these are is hidden."),
    ),
    "jigsaw-toxic-comment-classification-challenge": (
        SCORED_ROWS,
        SCORED_CELLS,
        LateRule("score_undefined", "Both classes occur in the answers of each column."),
    ),
}


def late_rules(competition_id: str, family: str) -> tuple[LateRule, ...]:
    """The rules of this competition that only grading can judge."""
    own = BY_COMPETITION.get(competition_id, ())
    shared = () if competition_id in OWN_GRADERS else BY_FAMILY.get(family, ())
    return (*own, *shared, *EVERYWHERE)
