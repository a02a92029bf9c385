"""The choice of the submission that another one replaces."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q
from django.forms.models import ModelChoiceIterator

from submissions.models import Submission
from submissions.paging import keys_of, rows_of
from submissions.widgets import PlainSelect

OFFERED = 50
# What a choice is called by (`forms.name_submission`).
NAMED = ("public_id", "created_at", "status", "team__name", "benchmark__title")
# Generic to the type checker alone.
if TYPE_CHECKING:
    Base = forms.ModelChoiceField[Submission]
else:
    Base = forms.ModelChoiceField


class Newest(ModelChoiceIterator):
    """The newest, and the one that is chosen already, however old it is."""

    field: "EarlierField"

    def __iter__(self) -> Iterator[Any]:
        yield "", self.field.empty_label
        found: Any = self.queryset
        keys = keys_of(found[:OFFERED])
        if self.field.chosen:
            keys += keys_of(found.filter(self.field.chosen).exclude(pk__in=keys)[:1])
        offered = found.select_related(None).select_related("team", "benchmark").only(*NAMED)
        yield from (self.choice(each) for each in rows_of(offered, keys))


class EarlierField(Base):
    """Takes any submission of its queryset and offers the newest. `chosen`: which one stands in the form."""

    iterator = Newest
    chosen: Q | None = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            Submission.objects.none(),
            to_field_name="public_id",
            required=False,
            empty_label="nothing",
            label="It replaces",
            widget=PlainSelect,
            **kwargs,
        )

    def offer(self, found: Any, chosen: Any) -> None:
        """What may be chosen. `chosen`: a public id that stands in the form, or nothing."""
        self.queryset = found
        self.chosen = Q(public_id=key) if (key := _read(chosen)) else None


def _read(chosen: Any) -> Any:
    try:
        return forms.UUIDField(required=False).clean(chosen)
    except forms.ValidationError:
        return None
