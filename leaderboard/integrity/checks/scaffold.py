"""Which program was run, and can it be read?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
)


def judge(disclosure: Disclosure) -> Verdict:
    """Open, promised by a day, or closed with a method statement; closed and another contradicts."""
    scaffold = disclosure.part("scaffold")
    name = f"{scaffold['name']} {scaffold['version']}"
    promise = scaffold.get("source_promise", {}).get("date")
    if scaffold.get("closed") and (scaffold.get("source_url") or promise):
        return contradicted("Called closed, yet a source link or a promise of source is given.")
    if scaffold.get("closed"):
        return declared(f"{name}, closed, with a method statement.", "closed")
    if scaffold.get("source_url"):
        return declared(f"{name}, source public.", "open", source_url=scaffold["source_url"])
    return declared(f"{name}, source promised by {promise}.", "promised", promised_by=promise)


CHECK = Check(
    code="scaffold",
    title="Scaffold",
    severity=Severity.NOTICE,
    sentence="Name, version, commit or archive hash; source link, dated promise, or a method statement.",
    tracks=(CLEAN,),
    fields=("scaffold",),
    judge=judge,
)
