"""The agent sees public files only, chooses by cross-validation, and repeats itself."""

import numpy as np
import pandas as pd
import pytest

from demo import agent
from demo.features import build_features
from demo.split import read_split, write_split

CHEAP = "logistic-regression"


@pytest.fixture
def public_data(tmp_path):
    """The prepared competition as an agent gets it: without the answers."""
    write_split(read_split(), tmp_path)
    (tmp_path / agent.COMPETITION / "prepared" / "private" / "test.csv").unlink()
    return tmp_path


def test_the_agent_opens_the_two_public_files_alone(public_data, monkeypatch):
    opened = []
    read_csv = pd.read_csv
    monkeypatch.setattr(pd, "read_csv", lambda path: opened.append(path) or read_csv(path))
    task = agent.read_task(public_data)
    public = public_data / agent.COMPETITION / "prepared" / "public"
    assert opened == [public / "train.csv", public / "test.csv"]
    assert (task.train.shape, task.labels.shape, task.test.shape) == ((7823, 23), (7823,), (870, 23))


def test_one_candidate_predicts_every_test_row_the_same_way_twice(public_data):
    task = agent.read_task(public_data)
    first, second = (agent.predict(task, 0, CHEAP) for _ in range(2))
    assert first.equals(second)
    assert first["PassengerId"].tolist() == task.test_ids.tolist()
    assert first["Transported"].dtype == bool


@pytest.mark.parametrize(
    ("scores", "chosen"),
    [
        ({"a": [0.7, 0.8], "b": [0.8, 0.8]}, "b"),
        ({"a": [0.8, 0.8], "b": [0.8, 0.8]}, "a"),
        ({"a": [0.9, 0.6], "b": [0.8, 0.8]}, "b"),
    ],
)
def test_the_best_mean_over_folds_is_chosen(scores, chosen):
    assert agent.choose_candidate({name: np.array(folds) for name, folds in scores.items()}) == chosen


TEXTS = ["HomePlanet", "Cabin", "Destination", "Name"]
NUMBERS = ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]


def make_passengers(*rows):
    """A table with the types the real files have: what a row does not name is missing."""
    table = pd.DataFrame(list(rows), columns=["PassengerId", "CryoSleep", *TEXTS, *NUMBERS])
    types = dict.fromkeys(TEXTS, "str") | dict.fromkeys(NUMBERS, "float") | {"CryoSleep": "object"}
    return table.astype(types)


@pytest.mark.parametrize(
    ("passenger", "feature", "value"),
    [
        ({"CryoSleep": True}, "Spa", 0.0),
        ({"Age": 12.0}, "Spa", 0.0),
        ({"Age": 13.0}, "Spa", np.nan),
        ({"Spa": 9.0}, "CryoSleep", 0.0),
        ({"Spa": 0.0}, "CryoSleep", np.nan),
        ({"Cabin": "B/7/P"}, "CabinNumber", 7.0),
        ({"RoomService": 1.0, "FoodCourt": 1.0}, "Purchases", 2.0),
    ],
)
def test_gaps_are_filled_from_what_settles_them(passenger, feature, value):
    other = {
        "PassengerId": "0002_01",
        "HomePlanet": "Earth",
        "Cabin": "G/1/S",
        "Name": "An Other",
        "Spa": 1.0,
    }
    features = build_features(make_passengers({"PassengerId": "0001_01"} | passenger, other))
    np.testing.assert_equal(features.loc[0, feature], value)


def test_a_group_shares_its_planet_and_knows_its_size():
    features = build_features(
        make_passengers(
            {"PassengerId": "0001_01", "HomePlanet": "Mars", "Cabin": "F/1/S", "Name": "Ann Bo"},
            {"PassengerId": "0001_02", "Name": "Cy Bo"},
        )
    )
    assert features["HomePlanet"].nunique() == 1
    assert features["CabinNumber"].tolist() == [1.0, 1.0]
    assert features["GroupSize"].tolist() == features["FamilySize"].tolist() == [2.0, 2.0]
