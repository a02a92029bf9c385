"""What did the llm calls cost?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    declared,
    not_disclosed,
)
from submissions.run_card import choice_text


def judge(disclosure: Disclosure) -> Verdict:
    """Zero tokens beside an llm cannot be a count, so they are read as not counted: unknown is never 0."""
    cost = disclosure.part("cost")
    tokens = cost["tokens_in"], cost["tokens_out"]
    if disclosure.document.get("llms") and not all(tokens):
        return not_disclosed("0 tokens beside an llm are not a count; leave out what was not counted.")
    source = choice_text("cost.source", cost["source"])
    sentence = f"{tokens[0]:,} tokens in, {tokens[1]:,} out, {cost['usd']:,.2f} US dollars ({source})."
    return declared(sentence, cost["source"], tokens_in=tokens[0], tokens_out=tokens[1], usd=cost["usd"])


CHECK = Check(
    code="cost",
    title="Cost",
    severity=Severity.NOTICE,
    sentence="Tokens in and out and US dollars, with where the figures come from; unknown is never 0.",
    tracks=(CLEAN,),
    fields=("cost",),
    judge=judge,
)
