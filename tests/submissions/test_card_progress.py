"""How far the run card's form says a team is."""

import pytest

from submissions.run_card import form_fields, undisclosed
from submissions.templatetags.run_cards import progress
from tests.submissions.run_cards import complete


def test_a_complete_card_has_nothing_open() -> None:
    card = complete()
    whole = progress(form_fields(card), undisclosed(card))
    assert whole.open == 0
    assert whole.answered == whole.total > 20


def test_an_empty_card_has_nothing_answered() -> None:
    whole = progress(form_fields({}), undisclosed({}))
    assert (whole.answered, whole.open) == (0, len(undisclosed({})))


@pytest.mark.parametrize(("taken", "section"), [("version", "scaffold"), ("name", "scaffold")])
def test_an_answer_taken_back_is_open_in_its_own_section(taken: str, section: str) -> None:
    card = complete()
    before = {each.name: progress(each, undisclosed(card)) for each in form_fields(card)}
    del card[section][taken]
    after = {each.name: progress(each, undisclosed(card)) for each in form_fields(card)}
    assert after[section].open == 1
    assert after[section].answered == before[section].answered - 1
    assert {name: here for name, here in after.items() if name != section} == {
        name: here for name, here in before.items() if name != section
    }
