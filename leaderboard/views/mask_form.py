"""Forms by which maintainers mask competitions of an entry and count them again."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.db.models import QuerySet

from leaderboard.forms import GROUNDS, FlagChoice, GroundsForm
from leaderboard.models import Flag


class UnmaskForm(GroundsForm):
    """Which masked competitions count again, on what grounds."""

    # Drawn as a table with what is known of each.
    competitions = forms.MultipleChoiceField(
        error_messages={
            "required": "Tick at least one competition.",
            "invalid_choice": "%(value)s cannot be chosen: it has changed since you looked, or was never offered.",
        }
    )
    field_order: tuple[str, ...] = ("competitions", *GROUNDS, "seen")

    def __init__(self, offered: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.MultipleChoiceField", self.fields["competitions"])
        field.choices = [(each, each) for each in offered]

    @property
    def ticked(self) -> set[str]:
        """What is ticked when the form is drawn."""
        return {str(value) for value in self["competitions"].value() or ()}

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields that are drawn as usual."""
        return [field for field in self if field.name != "competitions"]


class MaskForm(UnmaskForm):
    """Which competitions are masked, on what grounds, maybe in answer to a flag."""

    flag = FlagChoice(
        Flag.objects.none(), required=False, label="In answer to", empty_label="no flag",
        help_text="The mask upholds the flag. If the team reported it itself, the record says so.",
    )  # fmt: skip
    field_order = ("competitions", "flag", *GROUNDS, "seen")

    def __init__(self, offered: Iterable[str], flags: QuerySet[Flag], *args: Any, **kwargs: Any) -> None:
        super().__init__(offered, *args, **kwargs)
        cast("forms.ModelChoiceField[Flag]", self.fields["flag"]).queryset = flags
