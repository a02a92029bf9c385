"""Did the agent bring prepared knowledge?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared


def judge(disclosure: Disclosure) -> Verdict:
    if disclosure.part("integrity")["knowledge_bases"]:
        return declared(
            "The agent had a store of prepared knowledge; the run card says what it holds.", "yes"
        )
    return declared("No store of prepared knowledge.", "no")


CHECK = Check(
    code="knowledge-bases",
    title="Knowledge bases",
    severity=Severity.NOTICE,
    sentence="Whether the agent had a store of prepared knowledge, and what it holds.",
    tracks=(CLEAN,),
    fields=("integrity.knowledge_bases", "integrity.knowledge_base_details"),
    judge=judge,
)
