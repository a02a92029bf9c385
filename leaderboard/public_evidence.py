"""Evidence as everybody sees it: the link, or who may follow it. Pure."""

from typing import Any

PRIVATE = "evidence seen by maintainers and the team"


def evidence_link(record: Any) -> str:
    """The link of a decision, flag or appeal; empty where it is private."""
    return "" if record.evidence_is_private else str(record.evidence_url)


def evidence_note(record: Any) -> str:
    """What is said in place of a link that is private; empty where there is one."""
    return PRIVATE if record.evidence_is_private else ""


def show_evidence(record: Any) -> dict[str, Any]:
    """Both, for answers that are kept as JSON."""
    return {"evidence_url": evidence_link(record), "evidence_note": evidence_note(record)}
