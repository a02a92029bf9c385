"""The configurations the CV Baseline agent chooses among."""

from sklearn.base import ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from demo.features import CATEGORIES

BAGGED = 5
UNKNOWN = -1.0


def make_candidates(seed: int) -> dict[str, ClassifierMixin]:
    """Unfitted classifiers by name; `seed` fixes all their random choices."""
    boosted = {
        "boosting-8-leaves": _bag_boosting(seed, learning_rate=0.03, max_iter=300, max_leaf_nodes=8),
        "boosting-15-leaves": _bag_boosting(seed, learning_rate=0.05, max_iter=150, max_leaf_nodes=15),
        "boosting-31-leaves": _bag_boosting(seed, learning_rate=0.05, max_iter=200, max_leaf_nodes=31),
    }
    single = {"extra-trees": _extra_trees(seed), "logistic-regression": _logistic_regression()}
    members = [("boosting", boosted["boosting-15-leaves"]), ("trees", single["extra-trees"])]
    return boosted | single | {"boosting-and-trees": VotingClassifier(members, voting="soft")}


def _bag_boosting(seed: int, **settings: float) -> ClassifierMixin:
    """The mean probability of several boosted ensembles that differ in their random column samples."""
    members = [
        HistGradientBoostingClassifier(
            max_features=0.5, l2_regularization=1.0, random_state=BAGGED * seed + i, **settings
        )
        for i in range(BAGGED)
    ]
    return VotingClassifier([(f"member-{i}", member) for i, member in enumerate(members)], voting="soft")


def _extra_trees(seed: int) -> ClassifierMixin:
    trees = ExtraTreesClassifier(300, min_samples_leaf=4, max_features=0.5, random_state=seed)
    return make_pipeline(SimpleImputer(strategy="constant", fill_value=UNKNOWN), trees)


def _logistic_regression() -> ClassifierMixin:
    codes = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=UNKNOWN), OneHotEncoder(handle_unknown="ignore")
    )
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    table = make_column_transformer((codes, CATEGORIES), remainder=numbers)
    return make_pipeline(table, LogisticRegression(max_iter=2000))
