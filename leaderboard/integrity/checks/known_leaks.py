"""In which competitions was a known leak used?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared


def judge(disclosure: Disclosure) -> Verdict:
    leaks = list(disclosure.part("integrity").get("known_leaks_used") or [])
    if leaks:
        return declared(f"Known leaks were used in {', '.join(leaks)}.", "named", competitions=leaks)
    return declared("No use of a known leak is declared.", "none", competitions=[])


CHECK = Check(
    code="known-leaks",
    title="Known leaks used",
    severity=Severity.NOTICE,
    sentence="Where a known leak of labels was used, the competitions are named, so that they can be masked.",
    tracks=(CLEAN,),
    fields=("integrity.known_leaks_used",),
    judge=judge,
)
