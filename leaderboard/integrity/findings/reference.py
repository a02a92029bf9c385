"""docs/findings.md, written from the registry by `python -m leaderboard.integrity.findings.reference`."""

from leaderboard.integrity.findings.registry import SIGNALS

INTRODUCTION = """\
# Findings

Written from the registry in `leaderboard/integrity/findings/`; change it there, then run
`python -m leaderboard.integrity.findings.reference > docs/findings.md`.

When a review opens, the site looks by itself for what a maintainer should see. A finding is a signal and no guilt: it
is shown to maintainers alone, without scores, and says nothing in public until a person has upheld it by a decision.
Teams cannot tell from message or timing whether there are any.

| finding | weight | what may lie behind it |
|---|---|---|
"""


def findings_reference() -> str:
    """The page as Markdown."""
    rows = [
        f"| {signal.title} (`{signal.code}`) | {signal.severity} | {signal.meaning} |" for signal in SIGNALS
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(findings_reference(), end="")
