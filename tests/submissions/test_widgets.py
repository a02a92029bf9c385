"""The choice that is written straight says the very same as the framework's own."""

from typing import Any

import pytest
from django import forms
from django.utils.safestring import mark_safe

from submissions.widgets import PlainSelect

HOSTILE = '"><script>alert(1)</script>&amp;'
CHOICES: dict[str, list[Any]] = {
    "plain": [("", "any"), ("a", "A"), (3, "three")],
    "groups": [("", "none"), ("Group <1>", [("a", "A"), ("b", "B & C")])],
    "hostile": [(HOSTILE, HOSTILE), ("b", mark_safe("<i>kept</i>"))],
    "empty": [],
}


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize("value", [None, "", "a", 3, HOSTILE])
@pytest.mark.parametrize(
    "attrs", [{}, {"id": "x", "required": True, "disabled": False, "data-of": HOSTILE, "size": 4}]
)
def test_it_says_what_the_framework_says(choices: list[Any], value: Any, attrs: dict[str, Any]) -> None:
    plain, usual = PlainSelect(attrs, choices), forms.Select(attrs, choices)
    assert plain.render("na<me", value, {"id": "y"}) == usual.render("na<me", value, {"id": "y"})
