"""What each metric family asks of a competition file and of its answers, as data.

One line per grader of graders/registry.py; a test holds the two against each other. `python -m grading.families`
prints the table of docs/add-a-competition.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

SHARED_PARAMS = ("reads", "labels")
NUMBERS = ("numbers", "numbers_or_blanks", "parsable", "whole", "truncated", "first_integer", "present")
TEXTS = ("text", "text_or_blanks", "text_or_empty", "as_text", "as_text_or_empty")
TARGETS = {None: "any", 1: "1", 2: "2"}


class Labels(Enum):
    """A rule for all labels of one family, which the grader itself relies on and does not check."""

    ANY = "any"
    ZERO_ONE = "0 or 1"
    TWO_VALUES = "two values in each column"
    ONE_HOT = "one 1 per row"


@dataclass(frozen=True)
class Family:
    """`layout`: the labels in the answers, for people. `targets`: how many columns, None for any number.

    `needs` and `may`: parameters beside `reads` and `labels`. `reads`: how many columns of the answers it reads
    beside ids and labels. `values`: words of `[checks]` that give the cells it can work with; empty for all.
    `best`: the score of the labels themselves, None where they are not predictions of the best score. `guess`: a
    cell that is a prediction of any row, where labels are none.
    """

    layout: str
    targets: int | None = 1
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    reads: int | None = None
    values: tuple[str, ...] = ()
    labels: Labels = Labels.ANY
    best: float | None = 1.0
    guess: str | None = None


MASK = "run lengths; height and width in the columns of `reads`, in this order"
TEXT = "a text"
NUMBER = "a number"
SHARES = "share"  # The guess that gives each of n target columns 1/n.

FAMILIES: Mapping[str, Family] = {
    "accuracy": Family("a class: text, true/false or a whole number"),
    "auroc": Family(
        "0 or 1, both there (any two numbers: the larger is positive)",
        None, values=NUMBERS, labels=Labels.TWO_VALUES,
    ),
    "bias_auroc": Family(
        "a number, from 0.5 on positive; the groups in the columns of `reads`", needs=("reads",), values=NUMBERS
    ),
    "binary_log_loss": Family("0 or 1", values=NUMBERS, labels=Labels.ZERO_ONE, best=0.0),
    "columnwise_mean_auroc": Family(
        "0 or 1, both there in each column", None, values=NUMBERS, labels=Labels.TWO_VALUES
    ),
    "dice_hausdorff": Family(
        MASK, needs=("dice_weight", "hausdorff_weight", "size_guard", "reads"), reads=2, values=TEXTS, best=None
    ),
    "f05": Family(MASK, needs=("beta",), may=("image_size", "empty_mask"), values=TEXTS, best=None),
    "global_dice": Family(MASK, may=("image_size", "empty_mask"), values=TEXTS),
    "group_mean_log_mae": Family(
        "a number; the group in the column of `reads`",
        needs=("reads",), reads=1, values=NUMBERS, best=None, guess="0",
    ),
    "kendall_tau": Family("cell ids in order, blank separated", values=TEXTS),
    "kl_divergence": Family(
        "votes, at least one per row: each row is divided by its sum", None, values=NUMBERS, best=None, guess=SHARES
    ),
    "kuzushiji_f1": Family("`label x y width height` per character", values=TEXTS, best=None, guess=""),
    "laplace_log_likelihood": Family(
        "a number and an ignored confidence; the group in the column of `reads`; ids end in `_<week>`",
        2, needs=("reads",), reads=1, values=NUMBERS, best=None,
    ),
    "lwlrap": Family("0 or 1 in each column", None, values=NUMBERS, labels=Labels.ZERO_ONE),
    "macro_f1": Family("a whole number", values=NUMBERS),
    "mae": Family(NUMBER, may=("whole",), values=NUMBERS, best=0.0),
    "map_3d": Family(
        "`confidence x y z width length height yaw class` per box", needs=("iou_thresholds",), values=TEXTS, best=None
    ),
    "map_at_k": Family("labels, single-space separated; at least one", needs=("k",), values=TEXTS, best=None),
    "map_coco_single_iou": Family(
        "one row per box: class and x_min y_min x_max y_max in the columns of `labels`",
        needs=("labels", "iou_threshold", "max_detections", "recall_points"),
        values=TEXTS, best=None, guess="14 1 0 0 1 1",
    ),
    "map_voc": Family(
        "`label confidence xmin ymin xmax ymax` per box",
        needs=("iou_threshold",), values=TEXTS, best=None, guess="none 1 0 0 1 1",
    ),
    "mcc": Family("a whole number", values=NUMBERS),
    "mcrmse": Family(
        "a number; the column of `reads` says which rows count",
        None, needs=("scored", "reads"), reads=1, values=NUMBERS, best=0.0,
    ),
    "mean_angular_error": Family("azimuth and zenith in radians, in this order", 2, values=NUMBERS, best=0.0),
    "mean_columnwise_spearman": Family("a number that varies, in each column", None, values=NUMBERS),
    "mean_dice": Family(MASK, needs=("both_empty",), may=("image_size", "empty_mask"), values=TEXTS, best=None),
    "mean_levenshtein": Family(TEXT, values=TEXTS, best=0.0),
    "mean_rmsle": Family("a number from 0", None, values=NUMBERS, best=0.0),
    "micro_f1_binary_accuracy": Family(
        "`jsonl`: a question with its `annotations` per line", values=TEXTS, best=None, guess=""
    ),
    "micro_f1_multilabel": Family("labels, blank separated", values=TEXTS),
    "micro_f1_single_label": Family("a class: text"),
    "multiclass_log_loss": Family(
        "one column per class, in each row one 1 and else 0", None, values=NUMBERS, labels=Labels.ONE_HOT, best=0.0
    ),
    "normalised_levenshtein": Family("whole numbers, blank separated", values=TEXTS, best=0.0),
    "p50_p95_haversine": Family("latitude and longitude in degrees, in this order", 2, values=NUMBERS, best=0.0),
    "pearson": Family("a number that varies", values=NUMBERS),
    "probabilistic_f1": Family("0 or 1, one 1 at least", values=NUMBERS, labels=Labels.ZERO_ONE),
    "quadratic_weighted_kappa": Family("a whole number, two at least", values=NUMBERS),
    "rmse": Family(NUMBER, values=NUMBERS, best=0.0),
    "salt_iou_precision": Family(MASK, may=("image_size", "empty_mask"), values=TEXTS, best=None),
    "top1_error": Family("a whole number", values=NUMBERS, best=0.0),
    "weighted_auroc": Family(
        "0 or 1, both there", needs=("tpr_thresholds", "weights"), values=NUMBERS, labels=Labels.ZERO_ONE
    ),
    "weighted_multilabel_log_loss": Family(
        "0 or 1; ids are `<study>_<finding>`",
        needs=("findings", "weights_negative", "weights_positive"),
        values=NUMBERS, labels=Labels.ZERO_ONE, best=0.0,
    ),
    "word_jaccard": Family(TEXT, may=("both_empty",), values=TEXTS, best=None, guess="-"),
}  # fmt: skip


def known_params(family: Family) -> tuple[str, ...]:
    """Every parameter a file of this family may have."""
    return tuple(dict.fromkeys((*family.needs, *family.may, *SHARED_PARAMS)))


def table_lines() -> Iterator[str]:
    """The families as a table in Markdown."""
    yield "| family | target columns | labels in the answers | `[metric.params]` |"
    yield "|---|---|---|---|"
    for name, family in sorted(FAMILIES.items()):
        params = [f"`{each}`" for each in family.needs] + [f"`{each}` (optional)" for each in family.may]
        yield f"| `{name}` | {TARGETS[family.targets]} | {family.layout} | {', '.join(params)} |"


if __name__ == "__main__":
    print(*table_lines(), sep="\n")
