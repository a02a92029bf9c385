"""Names that people give to teams and organisations: shown as they are written, so that none passes for another."""

import unicodedata
from typing import Any

from django import forms

from submissions.run_card.reading import unreadable_text


def as_shown(name: str) -> str:
    """One line, with one form for letters that Unicode has several of, such as those of full width."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


class NameField(forms.CharField):
    """Refuses what run cards refuse in texts: invisible characters, and those that turn the direction of text."""

    def to_python(self, value: Any) -> str:
        name = as_shown(super().to_python(value) or "")
        for _, _, fault in unreadable_text(name):
            raise forms.ValidationError(f"The name {fault}.")
        return name
