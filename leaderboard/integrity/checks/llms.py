"""Which llms took part, exactly, and do the logs name others?"""

from leaderboard.evidence.llm_ids import is_declared
from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    declared,
    listed,
    machine_checked,
    not_disclosed,
)
from leaderboard.integrity.checks.exact_llm import why_floating


def judge(disclosure: Disclosure) -> Verdict:
    llms = list(disclosure.document.get("llms") or [])
    if undeclared := undeclared_llms(disclosure):
        return contradicted(f"Not on the run card, yet in the logs: {listed(undeclared)}.", logged=undeclared)
    if disclosure.part("scaffold").get("uses_llm") is False:
        return (
            contradicted("Said to use no llm, yet llms are listed.")
            if llms
            else declared("No llm.", "no_llm")
        )
    floating = [f"{llm['id']} {reason}" for llm in llms if (reason := why_floating(llm))]
    if floating:
        return not_disclosed(f"No exact id: {'; '.join(floating)}.", floating=floating)
    ids = sorted({llm["id"] for llm in llms})
    words = f"{counted(len(ids), 'llm')}: {', '.join(ids)}."
    if _used(disclosure):
        return machine_checked(f"{words} The logs name no other.", "exact", ids=ids)
    return declared(words, "exact", ids=ids)


def undeclared_llms(disclosure: Disclosure) -> list[str]:
    """Ids that the logs show in use and that no row of the run card can be, sorted."""
    llms = list(disclosure.document.get("llms") or [])
    return [name for name in _used(disclosure) if not is_declared(name, llms)]


def _used(disclosure: Disclosure) -> list[str]:
    return sorted(name for name, seen in disclosure.logs.llms.items() if seen.is_called)


CHECK = Check(
    code="llms",
    title="LLMs",
    severity=Severity.NOTICE,
    sentence=(
        'Every role with provider, exact id, snapshot or date; a family name or "latest" is not exact. '
        "No other llm is in use in the logs."
    ),
    tracks=(CLEAN,),
    fields=("llms", "scaffold.uses_llm"),
    judge=judge,
)
