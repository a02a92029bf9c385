"""The demo entry's scores, pinned: the pages and the API must show these."""

import pytest

from demo.scores import compute_accuracy, score_bundle

# The competition's human leaderboard, as in grading/competitions/spaceship-titanic.toml.
GOLD, SILVER, BRONZE, MEDIAN = 0.82066, 0.81388, 0.80967, 0.79565
SCORES = {"seed-0": 0.81609, "seed-1": 0.80920, "seed-2": 0.81034}
ANSWERS = "PassengerId,Transported\n1,True\n2,False\n3,True\n4,True\n"


def test_the_committed_bundle_scores_what_its_readme_says():
    assert score_bundle() == SCORES


def test_every_seed_beats_the_median_and_two_earn_a_medal():
    assert min(SCORES.values()) > MEDIAN
    assert GOLD > SCORES["seed-0"] >= SILVER
    assert SILVER > SCORES["seed-2"] >= BRONZE > SCORES["seed-1"]


@pytest.mark.parametrize(
    ("submission", "accuracy"),
    [
        (ANSWERS, 1.0),
        ("PassengerId,Transported\n4,True\n3,True\n2,False\n1,False\n", 0.75),
        ("PassengerId,Transported\n1,False\n2,True\n3,False\n4,False\n", 0.0),
    ],
)
def test_accuracy_pairs_rows_by_passenger(submission, accuracy):
    assert compute_accuracy(submission, ANSWERS) == accuracy


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        ("PassengerId,Transported\n1,True\n", "different passengers"),
        (ANSWERS + "4,True\n", "named twice"),
    ],
)
def test_other_passengers_are_refused(submission, reason):
    with pytest.raises(ValueError, match=reason):
        compute_accuracy(submission, ANSWERS)
