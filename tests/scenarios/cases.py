"""Scenarios as they are written down: one TOML file each. docs/scenarios.md says what may stand in one."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CASES = Path(__file__).with_name("cases")
DOINGS = ("submit", "look", "publish", "post", "get", "api", "run")
BUNDLE = (
    "scope", "seeds", "skill", "same_as", "redrawn", "missing", "card", "files", "raw_card", "confirm", "replaces",
    "no_card", "clone_seed", "nudged", "same_bundle", "what_changed",
)  # fmt: skip
KNOWN = {
    "submit": ("name", *BUNDLE),
    "look": ("name",),
    "publish": ("name", "track", "fields"),
    "post": ("path", "fields", "form"),
    "get": ("path",),
    "api": ("path", "method", "body"),
    "run": ("command",),
}
SHARED = ("do", "who", "expect", "within_s", "keep")


class BadScenario(Exception):
    """The file is no scenario; says where and why."""


@dataclass(frozen=True)
class Step:
    """One thing that somebody does, and what is to be seen then."""

    do: str
    who: str
    given: dict[str, Any]
    expect: dict[str, Any] = field(default_factory=dict)
    within_s: float = 0
    keep: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A story about some people. `people`: extra ones, by name, with `member_of` (a team) or `maintainer`.

    `is_alone`: it touches what the others share, so it comes after them.
    """

    name: str
    title: str
    steps: tuple[Step, ...]
    people: dict[str, dict[str, Any]]
    is_alone: bool = False

    @property
    def teams(self) -> list[str]:
        """Those who submit, and those somebody is a member of."""
        submitting = [step.who for step in self.steps if step.do == "submit"]
        named = [each["member_of"] for each in self.people.values() if "member_of" in each]
        return list(dict.fromkeys([*submitting, *named]))


def read_scenarios(folders: Iterable[Path]) -> list[Scenario]:
    """Those of every folder, by name of the file. Raises BadScenario."""
    paths = [path for folder in folders for path in sorted(folder.glob("*.toml"))]
    return [read_scenario(path) for path in paths]


def read_scenario(path: Path) -> Scenario:
    try:
        document = tomllib.loads(path.read_text())
        return parse_scenario(path.stem, document)
    except (tomllib.TOMLDecodeError, BadScenario) as error:
        raise BadScenario(f"{path}: {error}") from error


def parse_scenario(name: str, document: dict[str, Any]) -> Scenario:
    if unknown := set(document) - {"title", "people", "step", "alone"}:
        raise BadScenario(
            f"unknown keys {', '.join(sorted(unknown))}; known are title, people, alone and step"
        )
    if not document.get("title") or not document.get("step"):
        raise BadScenario("a scenario needs a title and at least one [[step]]")
    steps = tuple(_parse_step(number, step) for number, step in enumerate(document["step"], start=1))
    return Scenario(name, document["title"], steps, document.get("people", {}), document.get("alone", False))


def _parse_step(number: int, step: dict[str, Any]) -> Step:
    do = step.get("do", "")
    if do not in DOINGS:
        raise BadScenario(f"step {number}: do is {do!r}; it is one of {', '.join(DOINGS)}")
    if unknown := set(step) - set(KNOWN[do]) - set(SHARED):
        raise BadScenario(f"step {number} ({do}): unknown keys {', '.join(sorted(unknown))}")
    given = {key: value for key, value in step.items() if key in KNOWN[do]}
    usual = {"submit": "team", "publish": "maintainer", "look": "maintainer"}.get(do, "anonymous")
    return Step(
        do,
        step.get("who", usual),
        given,
        step.get("expect", {}),
        float(step.get("within_s", 0)),
        step.get("keep", {}),
    )
