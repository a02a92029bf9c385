"""Could the agent read the web?"""

from leaderboard.integrity.checks.base import (
    CLEAN,
    Check,
    Disclosure,
    Severity,
    Verdict,
    contradicted,
    declared,
    listed,
)


def judge(disclosure: Disclosure) -> Verdict:
    if disclosure.part("integrity")["web_search"]:
        return declared("The agent could reach the web; the run card says what of it.", "yes")
    if runs := disclosure.logs.implied.get("web"):
        return contradicted(f"Said: no web search. Yet logs show requests to the web: {listed(runs)}.", "no")
    return declared("No web search.", "no")


CHECK = Check(
    code="web-search",
    title="Web search",
    severity=Severity.NOTICE,
    sentence="Whether the agent could search or read the web while it worked, and what could be reached.",
    tracks=(CLEAN,),
    fields=("integrity.web_search", "integrity.web_search_details"),
    judge=judge,
)
