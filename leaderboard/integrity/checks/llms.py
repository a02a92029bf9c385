"""Which llms took part, exactly?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    counted,
    declared,
    not_disclosed,
)
from leaderboard.integrity.checks.exact_llm import why_floating


def judge(disclosure: Disclosure) -> Verdict:
    llms = list(disclosure.document.get("llms") or [])
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
    return declared(f"{counted(len(ids), 'llm')}: {', '.join(ids)}.", "exact", ids=ids)


CHECK = Check(
    code="llms",
    title="LLMs",
    severity=Severity.NOTICE,
    sentence='Every role with provider, exact id, snapshot or date; a family name or "latest" is not exact.',
    tracks=(CLEAN,),
    fields=("llms", "scaffold.uses_llm"),
    judge=judge,
)
