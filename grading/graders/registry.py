"""Which grader scores which metric family. A new metric is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import (
    accuracy,
    angular_error,
    auroc,
    bias_auroc,
    confusion,
    correlation,
    dice,
    dice_hausdorff,
    group_mae,
    haversine,
    jaccard,
    kendall,
    kept_rmse,
    kl_divergence,
    kuzushiji,
    laplace,
    levenshtein,
    log_loss,
    lwlrap,
    mae,
    map_3d,
    map_at_k,
    map_coco,
    map_voc,
    mask_f_beta,
    masks,
    natural_questions,
    odd_forms,
    probabilistic_f1,
    rmse,
    salt,
    set_f1,
    toxic,
    weighted_auroc,
    weighted_log_loss,
)
from .answers import Labelled
from .job import Job
from .predictions import Predictions, read_predictions
from .reader import Table
from .verdict import GraderNotImplemented, Note


@dataclass(frozen=True)
class Grader:
    """`score` sees labels; `read` does not, and serves the validity check as well. `note` is for a valid file."""

    score: Callable[[Labelled], float]
    read: Callable[[Job, Table, Table], Predictions] = read_predictions
    note: Callable[[Labelled], Note | None] = lambda rows: None


GRADERS: dict[str, Grader] = {
    "accuracy": Grader(accuracy.grade_accuracy, note=accuracy.note_stray_labels),
    "auroc": Grader(auroc.grade_mean_auroc),
    "bias_auroc": Grader(bias_auroc.grade_bias_auroc, bias_auroc.read_either_name),
    "binary_log_loss": Grader(log_loss.grade_binary_log_loss),
    "columnwise_mean_auroc": Grader(auroc.grade_mean_auroc),
    "dice_hausdorff": Grader(
        dice_hausdorff.grade_dice_hausdorff, dice_hausdorff.read_organ_masks, odd_forms.note_organ_rows
    ),
    "f05": Grader(mask_f_beta.grade_f_beta, masks.read_masks),
    "global_dice": Grader(dice.grade_global_dice, masks.read_masks),
    "group_mean_log_mae": Grader(group_mae.grade_group_mean_log_mae, note=odd_forms.note_repeated_rows),
    "kendall_tau": Grader(kendall.grade_kendall_tau),
    "kl_divergence": Grader(kl_divergence.grade_kl_divergence, kl_divergence.read_distributions),
    "kuzushiji_f1": Grader(kuzushiji.grade_kuzushiji, kuzushiji.read_points),
    "laplace_log_likelihood": Grader(laplace.grade_laplace, laplace.read_forecasts, odd_forms.note_forecasts),
    "lwlrap": Grader(lwlrap.grade_lwlrap, lwlrap.read_in_order),
    "macro_f1": Grader(confusion.grade_macro_f1),
    "mae": Grader(mae.grade_mae, note=odd_forms.note_repeated_rows),
    "map_3d": Grader(map_3d.grade_map_3d, map_3d.read_boxes_3d),
    "map_at_k": Grader(map_at_k.grade_map_at_k),
    "map_coco_single_iou": Grader(
        map_coco.grade_map_coco, map_coco.read_chest_boxes, odd_forms.note_turned_boxes
    ),
    "map_voc": Grader(map_voc.grade_map_voc, map_voc.read_boxes, odd_forms.note_confidence),
    "mcc": Grader(confusion.grade_matthews),
    "mcrmse": Grader(kept_rmse.grade_kept_rmse, kept_rmse.read_unchecked),
    "mean_angular_error": Grader(angular_error.grade_mean_angular_error),
    "mean_columnwise_spearman": Grader(correlation.grade_mean_spearman, correlation.read_varying),
    "mean_dice": Grader(dice.grade_mean_dice, masks.read_masks),
    "mean_levenshtein": Grader(levenshtein.grade_mean_levenshtein),
    "mean_rmsle": Grader(rmse.grade_mean_rmsle),
    "micro_f1_binary_accuracy": Grader(natural_questions.grade_answers, natural_questions.read_spans),
    "micro_f1_multilabel": Grader(set_f1.grade_set_micro_f1),
    "micro_f1_single_label": Grader(accuracy.grade_single_label_f1),
    "multiclass_log_loss": Grader(log_loss.grade_multiclass_log_loss),
    "normalised_levenshtein": Grader(
        levenshtein.grade_normalised_levenshtein, levenshtein.read_integer_lists
    ),
    "p50_p95_haversine": Grader(haversine.grade_percentile_error),
    "pearson": Grader(correlation.grade_pearson, correlation.read_varying),
    "probabilistic_f1": Grader(
        probabilistic_f1.grade_probabilistic_f1, probabilistic_f1.read_not_all_negative
    ),
    "quadratic_weighted_kappa": Grader(confusion.grade_kappa),
    "rmse": Grader(rmse.grade_rmse),
    "salt_iou_precision": Grader(salt.grade_salt_precision, masks.read_masks),
    "top1_error": Grader(accuracy.grade_error),
    "weighted_auroc": Grader(weighted_auroc.grade_weighted_auroc),
    "weighted_multilabel_log_loss": Grader(weighted_log_loss.grade_weighted_log_loss),
    "word_jaccard": Grader(jaccard.grade_word_jaccard),
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
