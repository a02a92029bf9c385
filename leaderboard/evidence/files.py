"""What a file of evidence is by its path, and which run it belongs to. Pure."""

from collections.abc import Mapping

FOLDERS = {"logs": "log", "code": "code"}


def kind_of(path: str) -> str:
    """`log` or `code`: by the first folder of that name, as the bundle's layout has it."""
    return next((FOLDERS[part] for part in path.split("/") if part in FOLDERS), "log")


def place_of(folder: str, competition: str | None, seeds: Mapping[str, str]) -> str:
    """`seed/competition`; empty for what belongs to no single run. `seeds`: run groups as the run card maps them."""
    return f"{seeds.get(folder, folder)}/{competition}" if folder and competition else ""


def competition_of(place: str) -> str:
    return place.rpartition("/")[2]
