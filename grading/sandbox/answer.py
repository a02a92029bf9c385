"""What comes out of a sandbox as JSON, read as if somebody hostile had written it. Pure."""

import json
from collections.abc import Mapping
from typing import Any

CODE_CHARACTERS, MESSAGE_CHARACTERS = 60, 4000


class NoAnswer(Exception):
    """It is not the object it should be."""


def read_answer(payload: bytes) -> Mapping[str, Any]:
    """The object. Raises NoAnswer for everything else: no JSON, another type, nesting beyond measure."""
    try:
        answer = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise NoAnswer("the sandbox's answer is no JSON") from error
    if not isinstance(answer, dict):
        raise NoAnswer("the sandbox's answer is no object")
    return answer


def read_word(answer: Mapping[str, Any], name: str, known: frozenset[str]) -> str:
    """One of the known words. Raises NoAnswer."""
    word = answer.get(name)
    if not isinstance(word, str) or word not in known:
        raise NoAnswer(f"the sandbox's answer has no {name} that is known")
    return word


def read_text(answer: Mapping[str, Any], name: str, at_most: int) -> str:
    """Text that every database takes, cut at so many characters; empty if there is none."""
    text = str(answer.get(name) or "")[:at_most]
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
