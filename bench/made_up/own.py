"""Recipes of competitions whose cells follow rules of their own."""

from __future__ import annotations

import json

import numpy as np

from grading.specs import CompetitionSpec

from ..rows import Size
from .frames import Frame
from .labels import MadeUp, guess_flags, make_distribution, make_flags, make_measurements, make_probabilities
from .words import WORDS, Rng, make_hex, make_ids, make_texts

CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувшйиз")
COUPLINGS = ("1JHC", "1JHN", "2JHC", "2JHH", "2JHN", "3JHC", "3JHH", "3JHN")
ARTICLES = 105_542
SHARE_UNSCORED = 0.58  # of the toxic comments, marked -1
WEEKS = 146


def make_tokens(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Spoken forms of tokens: mostly one word, now and then a comma, a quote or several words."""
    words = [word.translate(CYRILLIC) for word in WORDS] if "russian" in spec.id else list(WORDS)
    several = [" ".join(words[i : i + 4]) for i in range(0, len(words) - 4, 7)]
    vocabulary = np.array([*words, ",", ".", '"', *several], dtype=object)
    weights = np.concatenate(
        (
            np.full(len(words), 0.8 / len(words)),
            [0.05, 0.06, 0.01],
            np.full(len(several), 0.08 / len(several)),
        )
    )
    right = rng.choice(len(vocabulary), size=size.rows, p=weights / weights.sum())

    def predict(rng: Rng) -> Frame:
        wrong = rng.random(size.rows) < 0.02
        return {"after": vocabulary[np.where(wrong, rng.integers(len(vocabulary), size=size.rows), right)]}

    return MadeUp({"after": vocabulary[right]}, predict)


def make_pixels(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Grey values of scanned pages, mostly white."""
    right = np.where(rng.random(size.rows) < 0.8, 255, rng.integers(0, 256, size.rows)) / 255
    return MadeUp(
        {"value": right}, lambda rng: {"value": np.clip(right + rng.normal(0, 0.05, size.rows), 0.0, 1.0)}
    )


def make_toxic(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Six flags a comment, all -1 where it is not scored."""
    made = make_probabilities(spec, size, rng)
    unscored = np.flatnonzero(rng.random(size.rows) < SHARE_UNSCORED)
    unscored = unscored[unscored > 1]  # The first two rows hold one flag of each kind.
    marked = {name: np.array(flags) for name, flags in made.labels.items()}
    for flags in marked.values():
        flags[unscored] = -1
    return MadeUp(dict(marked), made.predict)


def make_identities(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Toxicity, and for half of the comments the identities they mention."""
    toxic = make_flags(size.rows, 0.3, rng)
    labels: Frame = {
        "toxicity": np.round(
            toxic * rng.uniform(0.5, 1, size.rows) + (1 - toxic) * rng.uniform(0, 0.49, size.rows), 3
        )
    }
    noted = rng.random(size.rows) < 0.5
    extra: Frame = {
        name: [
            value if each else ""
            for value, each in zip(make_flags(size.rows, 0.3, rng).tolist(), noted, strict=True)
        ]
        for name in spec.metric.params["reads"]
    }
    return MadeUp(labels, lambda rng: {"prediction": guess_flags(toxic, rng)}, extra=extra)


def make_couplings(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    made = make_measurements(spec, size, rng, -20, 200)
    kinds = np.array(COUPLINGS, dtype=object)[rng.integers(len(COUPLINGS), size=size.rows)]
    return MadeUp(made.labels, made.predict, extra={"type": kinds})


def make_votes(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Votes of experts, predicted by a distribution."""
    made = make_distribution(spec, size, rng)
    votes = {name: 5 * np.asarray(flags) + rng.poisson(1.0, size.rows) for name, flags in made.labels.items()}
    return MadeUp(dict(votes), made.predict)


def make_forecasts(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Every week of every patient, of which few were measured."""
    patients = make_ids("ID{digits:18}", size.rows // WEEKS, 0, rng)
    rows = [(patient, week) for patient in patients for week in range(-12, WEEKS - 12)]
    volumes = np.round(rng.uniform(1500, 4500, len(rows)), 0)
    measured = rng.random(len(rows)) < 0.1
    measured[WEEKS - 3 :: WEEKS] = True
    labels: Frame = {
        "FVC": [value if each else "" for value, each in zip(volumes.tolist(), measured, strict=True)],
        "Confidence": [100] * len(rows),
    }

    def predict(rng: Rng) -> Frame:
        return {
            "FVC": volumes + rng.normal(0, 200, len(rows)),
            "Confidence": rng.uniform(100, 300, len(rows)),
        }

    ids: Frame = {"Patient_Week": [f"{patient}_{week}" for patient, week in rows]}
    extra: Frame = {"Patient": [patient for patient, _ in rows], "Weeks": [week for _, week in rows]}
    return MadeUp(labels, predict, ids=ids, extra=extra)


def make_directions(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Azimuth and zenith in radians."""
    right = np.column_stack((rng.uniform(0, 6.28, size.rows), rng.uniform(0, 3.14, size.rows)))
    names = spec.target_columns

    def predict(rng: Rng) -> Frame:
        return dict(zip(names, (right + rng.normal(0, 0.3, right.shape)).T, strict=True))

    return MadeUp(dict(zip(names, np.round(right, 12).T, strict=True)), predict)


def make_positions(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Latitude and longitude, second by second along several trips."""
    walk = np.cumsum(rng.normal(0, 1e-5, (size.rows, 2)), axis=0) + np.array([37.42, -122.09])
    trips = make_ids(size.id, size.rows, 0, rng)
    ids: Frame = {"tripId": trips, "UnixTimeMillis": 1_616_772_300_232 + 1000 * np.arange(size.rows)}
    names = spec.target_columns

    def predict(rng: Rng) -> Frame:
        return dict(zip(names, (walk + rng.normal(0, 3e-5, walk.shape)).T, strict=True))

    return MadeUp(dict(zip(names, np.round(walk, 7).T, strict=True)), predict, ids=ids)


def make_energies(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Positive numbers; rows are paired by position."""
    made = make_measurements(spec, size, rng, 0.01, 5)
    return MadeUp(made.labels, made.predict, in_order=True)


def make_reactivities(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Five numbers per position, of which the first 68 of each sequence are kept."""
    made = make_measurements(spec, size, rng, 0, 2)
    kept = [n % 107 < 68 for n in range(size.rows)]
    return MadeUp(made.labels, made.predict, extra={"keep": kept}, in_order=True)


def make_pressures(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Pressures of breaths of 80 steps, scored while breathing in."""
    made = make_measurements(spec, size, rng, 4, 40)
    return MadeUp(made.labels, made.predict, extra={"u_out": [int(n % 80 >= 32) for n in range(size.rows)]})


def make_fractures(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """One row for each finding of each study."""
    made, findings = make_probabilities(spec, size, rng), spec.metric.params["findings"]
    ids: Frame = {
        "row_id": [f"1.2.826.0.1.3680043.{n // 8 + size.first}_{findings[n % 8]}" for n in range(size.rows)]
    }
    return MadeUp(made.labels, made.predict, ids=ids)


def make_orders(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Orders of cells, predicted with a few of them out of place."""
    counts = 2 + rng.poisson(size.objects - 2, size=size.rows)
    ends = np.cumsum(counts).tolist()
    cells = make_hex(8, ends[-1], rng)
    right = [cells[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    def predict(rng: Rng) -> Frame:
        orders = []
        for notebook in right:
            keys = np.arange(len(notebook)) + rng.normal(0, 2, len(notebook))
            orders.append(" ".join([notebook[i] for i in np.argsort(keys).tolist()]))
        return {"cell_order": orders}

    return MadeUp({"cell_order": list(map(" ".join, right))}, predict)


def make_purchases(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """What some customers bought; predictions name twelve articles for every customer there is."""
    everyone = make_ids(size.id, max(size.given, size.rows), 0, rng)
    buyers = rng.permutation(len(everyone))[: size.rows].tolist()
    bought = np.sort(rng.integers(ARTICLES, size=(size.rows, size.objects)), axis=1) + 108_775_015

    def predict(rng: Rng) -> Frame:
        articles = rng.integers(ARTICLES, size=(len(everyone), 12)) + 108_775_015
        articles[buyers, 3] = bought[:, 0]
        return {"customer_id": everyone, "prediction": [" ".join(map(str, row)) for row in articles.tolist()]}

    labels: Frame = {"prediction": [" ".join(map(str, row)) for row in bought.tolist()]}
    return MadeUp(labels, predict, ids={"customer_id": [everyone[i] for i in buyers]}, whole=True)


def make_ratings(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Ratings in thirds, with many ties."""
    names = [f"question_{i:02}" for i in range(size.classes)]
    right = {name: np.round(rng.integers(0, 7, size.rows) / 6, 12) for name in names}
    return MadeUp(
        dict(right),
        lambda rng: {name: cells + rng.normal(0, 0.2, size.rows) for name, cells in right.items()},
    )


def make_gestures(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Sequences of gestures, each at most once; predictions leave one out, or swap two."""
    right = [
        rng.permutation(size.classes)[: int(n)] + 1 for n in 2 + rng.poisson(size.objects - 2, size=size.rows)
    ]

    def predict(rng: Rng) -> Frame:
        kept = [each[rng.random(len(each)) < 0.9] for each in right]
        return {
            "Sequence": [
                " ".join(map(str, [each[0], *some.tolist()])) for each, some in zip(right, kept, strict=True)
            ]
        }

    return MadeUp({"Sequence": [" ".join(map(str, each.tolist())) for each in right]}, predict)


def make_molecules(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """Names of molecules as text, with commas; a few characters of predictions differ."""
    names = [_molecule(numbers) for numbers in rng.integers(1, 40, size=(size.rows, 22)).tolist()]

    def predict(rng: Rng) -> Frame:
        places, wrong = rng.integers(12, 60, size=size.rows).tolist(), (rng.random(size.rows) < 0.5).tolist()
        cells = zip(names, places, wrong, strict=True)
        return {
            "InChI": [f"{name[:place]}7-{name[place + 3 :]}" if bad else name for name, place, bad in cells]
        }

    return MadeUp({"InChI": names}, predict)


def _molecule(n: list[int]) -> str:
    chain = "-".join(map(str, n[4 : 10 + n[4] % 10]))
    return f"InChI=1S/C{n[0]}H{n[1]}N{n[2]}O{n[3]}/c{chain}/h{n[16]}-{n[17]},{n[18]}H,{n[19]}H2,{n[20]}-{n[21]}H3"


def make_questions(spec: CompetitionSpec, size: Size, rng: Rng) -> MadeUp:
    """JSON lines with a document, and two rows of predictions per question."""
    ids = make_ids(size.id, size.rows, 0, rng)
    starts, kinds = rng.integers(1, 5000, size=size.rows).tolist(), rng.integers(4, size=size.rows).tolist()
    document = " ".join(make_texts(np.array([size.filler // 6]), rng)[0])
    lines = [_question(*each, document) for each in zip(ids, starts, kinds, strict=True)]

    def predict(rng: Rng) -> Frame:
        right = rng.random(size.rows) < 0.7
        long = [
            f"{s if r else s + 1}:{s + 50}" if k else "" for s, k, r in zip(starts, kinds, right, strict=True)
        ]
        short = [
            "YES" if k == 3 else f"{s + 2}:{s + 4}" if k == 2 else ""
            for s, k in zip(starts, kinds, strict=True)
        ]
        names = [f"{each}_{kind}" for kind in ("long", "short") for each in ids]
        return {"example_id": names, "PredictionString": long + short}

    return MadeUp({}, predict, lines=lines, whole=True)


def _question(example: str, start: int, kind: int, document: str) -> str:
    """`kind`: 0 no answer, 1 a long one, 2 a short one as well, 3 yes as well."""
    span = {"start_token": start, "end_token": start + 50} if kind else {"start_token": -1, "end_token": -1}
    short = [{"start_token": start + 2, "end_token": start + 4}] if kind == 2 else []
    annotation = {
        "yes_no_answer": "YES" if kind == 3 else "NONE",
        "long_answer": span,
        "short_answers": short,
    }
    return json.dumps(
        {
            "document_text": document,
            "question_text": "which",
            "annotations": [annotation],
            "example_id": example,
        }
    )
