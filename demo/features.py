"""Features of the Spaceship Titanic passengers, as the CV Baseline agent sees them.

Everything here works on inputs alone: groups, cabins and surnames are counted over the training and test
passengers together, which uses no label.
"""

import numpy as np
import pandas as pd

SPENDS = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
CATEGORIES = ["HomePlanet", "Destination", "Deck", "Side"]
# The ship's decks A to C hold Europans alone, and G holds people from Earth alone (true of every known row).
PLANET_OF_DECK = {"A": "Europa", "B": "Europa", "C": "Europa", "T": "Europa", "G": "Earth"}


def build_features(passengers: pd.DataFrame) -> pd.DataFrame:
    """One row of numbers per passenger, in the given order; missing values stay NaN.

    `passengers` holds the columns of Kaggle's `test.csv`, training and test part in one table.
    """
    table = _fill_what_follows(_split_names(passengers))
    group = table.groupby("Group")
    features = pd.DataFrame(index=table.index)
    for name in CATEGORIES:
        features[name] = table[name].astype("category").cat.codes.replace(-1, np.nan).astype(float)
    features["CryoSleep"] = table["CryoSleep"]
    features["Age"] = table["Age"]
    features["CabinNumber"] = table["CabinNumber"]
    features["GroupNumber"] = table["Group"].astype(float)
    features["GroupSize"] = group["PassengerId"].transform("size").astype(float)
    features["GroupPlace"] = table["PassengerId"].str[5:].astype(float)
    features["FamilySize"] = table.groupby("Surname")["PassengerId"].transform("size").astype(float)
    features["CabinMates"] = table.groupby("Cabin")["PassengerId"].transform("size").astype(float)
    features["GroupAwake"] = group["Spent"].transform("mean").pipe(np.log1p)
    return features.join(_describe_spending(table))


def _split_names(passengers: pd.DataFrame) -> pd.DataFrame:
    table = passengers.copy()
    table["Group"] = table["PassengerId"].str[:4]
    cabin = table["Cabin"].str.split("/", expand=True)
    table["Deck"], table["CabinNumber"], table["Side"] = cabin[0], cabin[1].astype(float), cabin[2]
    table["Surname"] = table["Name"].str.rsplit(" ", n=1).str[-1]
    table["CryoSleep"] = table["CryoSleep"].map({True: 1.0, False: 0.0})
    return table


def _fill_what_follows(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the gaps filled that other columns settle, or nearly so."""
    spent = table[SPENDS].sum(axis=1)
    # Sleepers buy nothing and children under 13 have no account; whoever bought something was awake.
    buys_nothing = (table["CryoSleep"] == 1) | (table["Age"] < 13)
    for name in SPENDS:
        table.loc[table[name].isna() & buys_nothing, name] = 0.0
    table.loc[table["CryoSleep"].isna() & (spent > 0), "CryoSleep"] = 0.0
    table["Spent"] = table[SPENDS].sum(axis=1)
    for column in ["HomePlanet", "Deck", "Side", "CabinNumber"]:
        table[column] = table[column].fillna(table.groupby("Group")[column].transform("first"))
    table["HomePlanet"] = table["HomePlanet"].fillna(table["Deck"].map(PLANET_OF_DECK))
    planet_of_family = table.groupby("Surname")["HomePlanet"].transform("first")
    table["HomePlanet"] = table["HomePlanet"].fillna(planet_of_family)
    return table


def _describe_spending(table: pd.DataFrame) -> pd.DataFrame:
    """Spends on a log scale, their totals and the share of luxury (room, spa, virtual reality)."""
    spends = np.log1p(table[SPENDS])
    luxury = table[["RoomService", "Spa", "VRDeck"]].sum(axis=1)
    everyday = table[["FoodCourt", "ShoppingMall"]].sum(axis=1)
    spends["Luxury"] = np.log1p(luxury)
    spends["Everyday"] = np.log1p(everyday)
    spends["Spent"] = np.log1p(table["Spent"])
    spends["Balance"] = spends["Everyday"] - spends["Luxury"]
    spends["Purchases"] = (table[SPENDS] > 0).sum(axis=1).astype(float)
    return spends
