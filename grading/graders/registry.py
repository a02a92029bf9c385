"""Which grader scores which metric family. A new metric is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import accuracy, auroc, confusion, log_loss, mae, rmse, toxic
from .answers import Labelled
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import GraderNotImplemented


@dataclass(frozen=True)
class Grader:
    """`score` sees labels; `read` does not, and serves the validity check as well."""

    score: Callable[[Labelled], float]
    read: Callable[[Job, Table, Table], Predictions] = read_predictions


GRADERS: dict[str, Grader] = {
    "accuracy": Grader(accuracy.grade_accuracy),
    "auroc": Grader(auroc.grade_mean_auroc),
    "binary_log_loss": Grader(log_loss.grade_binary_log_loss),
    "columnwise_mean_auroc": Grader(auroc.grade_mean_auroc),
    "macro_f1": Grader(confusion.grade_macro_f1),
    "mae": Grader(mae.grade_mae),
    "mcc": Grader(confusion.grade_matthews),
    "mean_rmsle": Grader(rmse.grade_mean_rmsle),
    "micro_f1_single_label": Grader(accuracy.grade_single_label_f1),
    "multiclass_log_loss": Grader(log_loss.grade_multiclass_log_loss),
    "quadratic_weighted_kappa": Grader(confusion.grade_kappa),
    "rmse": Grader(rmse.grade_rmse),
    "top1_error": Grader(accuracy.grade_error),
}

# Competitions whose rules no parameter can express have a grader of their own, by id.
OWN_GRADERS: dict[str, Grader] = {
    "jigsaw-toxic-comment-classification-challenge": Grader(toxic.grade_toxic, toxic.read_toxic),
}


def is_implemented(family: str) -> bool:
    """Whether competitions of this metric family can be graded."""
    return family in GRADERS


def grader_for(competition: str, family: str) -> Grader:
    """The grader of a competition. Raises GraderNotImplemented if its metric has none yet."""
    if competition in OWN_GRADERS:
        return OWN_GRADERS[competition]
    if family not in GRADERS:
        raise GraderNotImplemented(family)
    return GRADERS[family]
