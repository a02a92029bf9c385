"""Which description of the competitions did the agent read?"""

from leaderboard.integrity.checks.base import CLEAN, Check, Disclosure, Severity, Verdict, declared


def judge(disclosure: Disclosure) -> Verdict:
    version = disclosure.document["prompt"]
    return declared(f"The agent read the {version} descriptions.", version)


CHECK = Check(
    code="prompt",
    title="Competition description",
    severity=Severity.NOTICE,
    sentence="Whether the agent read the original or the obfuscated descriptions.",
    tracks=(CLEAN,),
    fields=("prompt",),
    judge=judge,
)
