"""Edits of flags, appeals, questions and figures by SQL, which the check of the decisions must name."""

import pytest
from django.db import connection
from django.urls import reverse

from leaderboard.integrity.appeals import deny_appeal, file_appeal
from leaderboard.integrity.decide import answer_flag, flag_entry, raise_flag
from leaderboard.integrity.ledger import verify_decisions
from leaderboard.integrity.questions import answer_question, ask_team
from tests.leaderboard.record.people import NOW, Cast, grounds, visit
from tests.leaderboard.record.test_appeals import OBJECTION


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE leaderboard_flag SET state = 'dismissed' WHERE state = 'upheld'",
        "UPDATE leaderboard_flag SET state = 'upheld' WHERE state = 'dismissed'",
        "UPDATE leaderboard_flag SET state = 'open', decision_id = NULL WHERE state = 'upheld'",
        "DELETE FROM leaderboard_flag WHERE state = 'dismissed'",
        "UPDATE leaderboard_flag SET reason = 'Other words.' WHERE reason = 'A maintainer''s own.'",
        "UPDATE leaderboard_flag SET reason = 'Milder.' WHERE reason = 'Doubt True.'",
        "UPDATE leaderboard_flag SET rule = 'Another.' WHERE reason = 'Doubt False.'",
        "UPDATE leaderboard_flag SET evidence_url = 'https://example.org/x' WHERE reason = 'Doubt False.'",
        "UPDATE leaderboard_appeal SET reason = 'We give in.' WHERE answer_id IS NULL",
        "DELETE FROM leaderboard_appeal WHERE answer_id IS NULL",
        "UPDATE leaderboard_question SET answer = 'Because of that.'",
        "UPDATE leaderboard_question SET answer_url = 'https://example.org/y'",
        "UPDATE leaderboard_appeal SET answer_id = NULL",
        "DELETE FROM leaderboard_appeal",
        "UPDATE leaderboard_question SET text = 'Another?'",
        "DELETE FROM leaderboard_question",
        "UPDATE leaderboard_entryresult SET any_medal_mean = 99 WHERE split = 'low'",
        "UPDATE leaderboard_entryresult SET any_medal_sem = 0.5",
        "UPDATE leaderboard_entryresult SET per_seed = '{}'",
        "UPDATE leaderboard_entryresult SET padded_runs = padded_runs + 1",
        "DELETE FROM leaderboard_entryresult WHERE split = 'low'",
        "UPDATE leaderboard_entryrun SET medal = 'gold' WHERE medal <> 'gold'",
    ],
)
def test_an_edit_shows(people: Cast, edit: str) -> None:
    for upheld in (True, False):
        flag = raise_flag(people.entry, grounds(f"Doubt {upheld}."), people.stranger, NOW)
        answer_flag(flag, upheld, grounds(f"Answer {upheld}."), people.maintainer, NOW)
    decision = flag_entry(people.entry, grounds("A maintainer's own."), people.maintainer, NOW)
    deny_appeal(file_appeal(decision, OBJECTION, people.owner, NOW), grounds("No."), people.second, NOW)
    question = ask_team(people.entry, "Why?", grounds("To know."), people.maintainer, NOW)
    answer_question(question, "Because.", "", people.owner, NOW)
    another = flag_entry(people.entry, grounds("Another of their own."), people.maintainer, NOW)
    file_appeal(another, OBJECTION, people.owner, NOW)
    assert verify_decisions() == []
    with connection.cursor() as cursor:
        cursor.execute(edit)
        assert cursor.rowcount > 0
    assert verify_decisions() != []


def test_a_question_with_a_number_too_large_is_not_found(people: Cast) -> None:
    client = visit(people.owner)
    number = 10**30
    assert client.get(reverse("question", args=[number])).status_code == 404
    answered = client.post(f"/api/v1/questions/{number}/answer", {"answer": "x"}, "application/json")
    assert answered.status_code in (403, 404)
