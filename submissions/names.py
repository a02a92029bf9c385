"""Names that people give to teams and organisations: shown as they are written, so that none passes for another."""

import re
import unicodedata
from typing import Any, Final

from django import forms

from submissions.run_card.reading import unreadable_text

# Alphabets with letters that look alike.
ALIKE: Final = frozenset({"LATIN", "GREEK", "CYRILLIC"})
WORD = re.compile(r"[^\W\d_]+")
# A character, and what chooses its form: text or emoji.
FORMED = re.compile("(.)[\ufe0e\ufe0f]")


def as_shown(name: str) -> str:
    """One line, with one form for letters that Unicode has several of, such as those of full width."""
    return " ".join(_normal(FORMED.sub(_without_lost_form, name)).split())


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _without_lost_form(formed: re.Match[str]) -> str:
    """Where the sign becomes plain letters, as the trade mark does, nothing is left to have a form."""
    return formed[0] if _normal(formed[1]) == formed[1] else formed[1]


def mixes_alphabets(name: str) -> bool:
    """Whether a word has letters of two alphabets that look alike: an A of the one passes for that of the other."""
    return any(len(_alphabets(word)) > 1 for word in WORD.findall(name))


def _alphabets(word: str) -> frozenset[str]:
    return ALIKE.intersection(unicodedata.name(letter, "").partition(" ")[0] for letter in word)


class NameField(forms.CharField):
    """Refuses what run cards refuse in texts, invisible characters and those that turn the direction of text, and
    words in letters of several alphabets.
    """

    def to_python(self, value: Any) -> str:
        name = as_shown(super().to_python(value) or "")
        for _, _, fault in unreadable_text(name):
            raise forms.ValidationError(f"The name {fault}.")
        if mixes_alphabets(name):
            raise forms.ValidationError("Write each word of the name in letters of one alphabet.")
        return name
