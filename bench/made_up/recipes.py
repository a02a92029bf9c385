"""Which recipe makes up which competition, and whole answers and submissions of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grading.specs import CompetitionSpec

from ..rows import Size
from . import labels, own, shapes
from .frames import Frame, take_rows, write_frame, write_lines
from .labels import MadeUp, Recipe
from .words import Rng, make_filler, make_ids

BY_FAMILY: Mapping[str, Recipe] = {
    "accuracy": labels.make_classes,
    "auroc": labels.make_probabilities,
    "binary_log_loss": labels.make_probabilities,
    "columnwise_mean_auroc": labels.make_probabilities,
    "dice_hausdorff": shapes.make_organs,
    "f05": shapes.make_masks,
    "global_dice": shapes.make_masks,
    "kuzushiji_f1": shapes.make_points,
    "lwlrap": labels.make_probabilities,
    "macro_f1": labels.make_classes,
    "mae": labels.make_measurements,
    "map_3d": shapes.make_boxes_3d,
    "map_at_k": labels.make_ranked,
    "map_coco_single_iou": shapes.make_findings,
    "map_voc": shapes.make_studies_and_images,
    "mcc": labels.make_yes_no,
    "mean_columnwise_spearman": own.make_ratings,
    "mean_dice": shapes.make_masks,
    "mean_levenshtein": labels.make_texts_to_repeat,
    "micro_f1_binary_accuracy": own.make_questions,
    "micro_f1_multilabel": labels.make_tags,
    "micro_f1_single_label": labels.make_names,
    "multiclass_log_loss": labels.make_distribution,
    "pearson": labels.make_measurements,
    "probabilistic_f1": labels.make_probabilities,
    "quadratic_weighted_kappa": labels.make_classes,
    "rmse": labels.make_measurements,
    "salt_iou_precision": shapes.make_masks,
    "top1_error": labels.make_classes,
    "weighted_auroc": labels.make_probabilities,
    "word_jaccard": labels.make_texts_to_repeat,
}

# Where the family's recipe does not fit, by id.
OWN: Mapping[str, Recipe] = {
    "AI4Code": own.make_orders,
    "bms-molecular-translation": own.make_molecules,
    "champs-scalar-coupling": own.make_couplings,
    "denoising-dirty-documents": own.make_pixels,
    "h-and-m-personalized-fashion-recommendations": own.make_purchases,
    "hms-harmful-brain-activity-classification": own.make_votes,
    "icecube-neutrinos-in-deep-ice": own.make_directions,
    "jigsaw-toxic-comment-classification-challenge": own.make_toxic,
    "jigsaw-unintended-bias-in-toxicity-classification": own.make_identities,
    "multi-modal-gesture-recognition": own.make_gestures,
    "nomad2018-predict-transparent-conductors": own.make_energies,
    "osic-pulmonary-fibrosis-progression": own.make_forecasts,
    "paddy-disease-classification": labels.make_names,
    "rsna-2022-cervical-spine-fracture-detection": own.make_fractures,
    "smartphone-decimeter-2022": own.make_positions,
    "spaceship-titanic": labels.make_true_false,
    "stanford-covid-vaccine": own.make_reactivities,
    "tensorflow-speech-recognition-challenge": labels.make_names,
    "text-normalization-challenge-english-language": own.make_tokens,
    "text-normalization-challenge-russian-language": own.make_tokens,
    "ventilator-pressure-prediction": own.make_pressures,
}

TEXTS = frozenset(
    (
        "Title",
        "Body",
        "comment_text",
        "full_text",
        "prompt",
        "response_a",
        "response_b",
        "Phrase",
        "text",
        "anchor",
        "target",
    )
)


@dataclass(frozen=True)
class Competition:
    """One made-up competition."""

    spec: CompetitionSpec
    size: Size
    seed: int
    made: MadeUp
    ids: Frame

    def write_answers(self, folder: Path) -> Path:
        """Where the benchmark's prepare command leaves them under `folder`, with all its columns."""
        path = folder / self.spec.answers_path
        if self.made.lines is not None:
            write_lines(path, self.made.lines)
        else:
            write_frame(path, self._answers(), quoted=self.spec.id.startswith("text-normalization"))
        return path

    def write_submission(self, path: Path, seed: int) -> Path:
        """The predictions of one seed: imperfect, and in another order where the order does not matter."""
        rng = _generator(self.spec.id, self.seed, seed + 1)
        frame = self.made.predict(rng)
        if not self.made.whole:
            wanted = [*self.spec.id_columns, *frame]
            columns = self.ids | frame
            frame = {name: columns[name] for name in wanted}
        if not self.made.in_order:
            frame = take_rows(frame, rng.permutation(len(next(iter(frame.values())))))
        write_frame(path, frame)
        return path

    def _answers(self) -> Frame:
        known = self.ids | self.made.labels | (self.made.extra or {})
        rng = _generator(self.spec.id, self.seed, 0)
        return {
            name: known[name] if name in known else self._filler(name, rng) for name in self._names(known)
        }

    def _names(self, known: Frame) -> Iterator[str]:
        for name in self.spec.answer_columns:
            if name == "*":
                yield from self.made.labels
            else:
                yield name
        yield from (
            name
            for name in known
            if name not in self.spec.answer_columns and "*" not in self.spec.answer_columns
        )

    def _filler(self, name: str, rng: Rng) -> list[str] | np.ndarray:
        rows = len(next(iter(self.ids.values())))
        if name in TEXTS:
            return make_filler(self.size.filler, rows, rng)
        return rng.integers(10 ** min(6, self.size.filler), size=rows)


def make_up(spec: CompetitionSpec, size: Size, seed: int = 0) -> Competition:
    """Answers of one competition, and the predictions of any number of seeds. The same for the same arguments."""
    rng = _generator(spec.id, seed, 0)
    recipe = OWN.get(spec.id) or BY_FAMILY[spec.metric.family]
    made = recipe(spec, size, rng)
    ids = (
        {}
        if made.lines is not None
        else made.ids or {spec.id_columns[0]: make_ids(size.id, size.rows, size.first, rng)}
    )
    return Competition(spec, size, seed, made, ids)


def _generator(name: str, *seeds: int) -> Rng:
    return np.random.default_rng([int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"), *seeds])
