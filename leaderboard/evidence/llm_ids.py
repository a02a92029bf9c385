"""Ids of llms in a line of a log, and whether one is an llm of the run card. Pure.

A family name in a log is no contradiction to a dated id of that family on the run card, nor the other way round; two
families, or two dates, are two llms.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final

from leaderboard.evidence.linear import compile_any

_WORDS: Final = (
    "mini|nano|micro|turbo|preview|pro|codex|max|plus|flash|lite|exp|experimental|thinking|latest|instruct|chat|it|"
    "vision|audio|search|high|medium|low|minimal|xhigh|opus|sonnet|haiku|fast|code|coder|reasoner|distill|qwen|llama|"
    "base|hf|fp8|fp16|bf16|int4|int8|awq|gptq|gguf|scout|maverick|large|small|nemo|next|ultra|deep|research|non|"
    "reasoning|beta"
)
_PARTS: Final = (
    rf"(?:{_WORDS})\b",
    r"[0-9][0-9a-z.]{0,11}",
    r"a[0-9]{1,3}b",
    r"v[0-9]{1,2}(?::[0-9])?",
    r"[ark][0-9][.0-9]*",
)
_TAIL: Final = rf"(?:[-@_](?:{'|'.join(_PARTS)}))*"
# Served by their makers alone, written as their APIs take them: wherever one stands in a log, it was used.
_HOSTED: Final = (
    rf"gpt-[3-9][0-9a-z.]{{0,5}}{_TAIL}",
    rf"chatgpt-[0-9][0-9a-z.]{{0,5}}{_TAIL}",
    rf"o[134]{_TAIL}",
    r"codex-mini(-latest)?",
    rf"claude-(instant|opus|sonnet|haiku|v?[0-9][0-9.]{{0,3}}){_TAIL}",
    rf"gemini-(pro|ultra|flash|[0-9][0-9.]{{0,3}}){_TAIL}",
    rf"grok-(beta|code|[0-9][0-9.]{{0,3}}){_TAIL}",
    rf"deepseek-(chat|reasoner){_TAIL}",
    rf"qwen-(max|plus|turbo|flash){_TAIL}",
    r"mistral-(large|medium|small)-[0-9]{4}",
    rf"nova-(pro|lite|micro|premier){_TAIL}",
)
# Open weights, which an agent may also train: they count only beside words of an API.
_OPEN: Final = (
    rf"(?i:(meta-)?llama-?[234][0-9.]{{0,3}}{_TAIL})",
    rf"(?i:qwen-?[23][0-9.]{{0,3}}{_TAIL})",
    rf"(?i:qwq-[0-9]{{1,3}}b{_TAIL})",
    rf"(?i:deepseek-(v[23][0-9.]{{0,3}}|r1|coder){_TAIL})",
    r"(?i:gpt-oss-[0-9]{2,3}b)",
    rf"(?i:(mistral|mixtral|ministral|codestral|devstral|magistral)-[0-9a-z.]{{2,12}}{_TAIL})",
    rf"(?i:gemma-?[234]{_TAIL})",
    rf"(?i:phi-[345][0-9.]{{0,3}}{_TAIL})",
    rf"(?i:kimi-k[0-9][0-9.]{{0,3}}{_TAIL})",
    rf"(?i:glm-[45][0-9.]{{0,3}}{_TAIL})",
    rf"(?i:minimax-m[0-9][0-9.]{{0,3}}{_TAIL})",
)
_BEFORE: Final = r"(?:^|[^A-Za-z0-9_-])"
_USED: Final = (
    r"(?i)\b(?:models?|llm|engine|deployment|backbone|calling|called|querying|query|prompting|using|use|via|with|chat|"
    r"completions?|api|requests?|responses?|provider|planner|coder|feedback|report)\b[^\n]{0,40}$"
)
_API: Final = (
    r"(?i)\b(?:llm|litellm|completions?|(?:prompt_|completion_|total_)?tokens|openrouter|ollama|vllm|sglang|together|"
    r"fireworks|groq|messages|api_base|base_url|provider)\b"
)
_LOADED: Final = (
    r"(?i)(?:from_pretrained|automodel|autotokenizer|snapshot_download|hf_hub|pipeline\(|resolve/main|\.safetensors|"
    r"fine-?tun)"
)
NEAR: Final = 80
LISTED: Final = 5  # A line with more ids than that is a list of what there is.
LOOKED_AT: Final = 50
LONGEST: Final = 120

_DATE = re.compile(r"20(\d\d)-?([01]\d)-?([0-3]\d)(?!\d)")
_SHORT_DATE = re.compile(r"(?<![0-9])([01]\d-[0-3]\d|[01]\d[0-3]\d|2[3-9][01]\d|00\d)(?![0-9])")
# Words that say how an llm was run or packed, and not which one it is.
_NOISE: Final = frozenset({
    "latest", "preview", "exp", "experimental", "instruct", "it", "hf", "fp8", "fp16", "bf16", "int4", "int8", "awq",
    "gptq", "gguf", "high", "medium", "low", "minimal", "xhigh", "thinking",
})  # fmt: skip
_SPELLINGS: Final = {"gpt-35": "gpt-3-5"}
# Names under which an API serves whatever is newest of a family, by the words every one of that family has.
_ALIASES: Final = {"deepseek-chat": {"deepseek", "v"}, "deepseek-reasoner": {"deepseek"}}


@dataclass(frozen=True)
class Mention:
    """An id in a line. `is_used`: as one that is called, and not only spoken of."""

    name: str
    start: int
    end: int
    is_used: bool


@dataclass(frozen=True)
class Name:
    """An id taken apart: the words of its family in any order, and its date or number, if it has one."""

    family: tuple[str, ...]
    snapshot: str


def id_expression() -> str:
    """Matches wherever an id may stand: for whoever looks through a text for everything at once."""
    return f"{_BEFORE}(?:{'|'.join((*_HOSTED, *_OPEN))})"


@cache
def _searchers() -> Mapping[str, Any]:
    texts = {"hosted": _HOSTED, "open": _OPEN}
    found = {name: compile_any([f"{_BEFORE}(?:{'|'.join(each)})"]) for name, each in texts.items()}
    words = {"used": _USED, "api": _API, "loaded": _LOADED}
    return found | {name: compile_any([each]) for name, each in words.items()}


def find_ids(line: bytes) -> list[Mention]:
    """The ids in a line, each once; none where there are so many that the line is a list."""
    found: dict[str, Mention] = {}
    for mention in _mentions(line):
        kept = found.get(mention.name)
        if kept is None or (mention.is_used and not kept.is_used):
            found[mention.name] = mention
        if len(found) > LISTED:
            return []
    return list(found.values())


def _mentions(line: bytes) -> Iterator[Mention]:
    for kind in ("hosted", "open"):
        for match in islice(_searchers()[kind].finditer(line), LOOKED_AT):
            start, end = match.span()
            start += not line[start : start + 1].isalnum()  # The sign before it belongs to the match.
            name = line[start:end].decode("ascii", "replace").rstrip(".-_@:")[:LONGEST]
            yield Mention(name, start, start + len(name), _is_used(kind, line, start, end, name))


def _is_used(kind: str, line: bytes, start: int, end: int, name: str) -> bool:
    before = line[max(0, start - NEAR) : start]
    near = before + line[start : end + NEAR]
    search = _searchers()
    if search["loaded"].search(near):
        return False
    if kind == "open":
        return bool(search["api"].search(near))
    return name.count("-") > 1 or bool(search["used"].search(before))


def is_declared(name: str, llms: Iterable[Mapping[str, Any]]) -> bool:
    """Whether some row of the run card can be the llm of this id."""
    return any(_agree(name, _name_of(row)) for row in llms)


def _name_of(row: Mapping[str, Any]) -> Name:
    """The id of the row and, where that has no date, its snapshot's; a revision of weights is none."""
    name, snapshot = take_apart(str(row.get("id", ""))), str(row.get("snapshot", ""))
    if name.snapshot or not re.fullmatch(r"[0-9-]+", snapshot):
        return name
    return Name(name.family, snapshot.replace("-", ""))


def _agree(name: str, declared: Name) -> bool:
    seen, alias = take_apart(name), _ALIASES.get(name.lower())
    if alias and alias <= set(declared.family):
        return True
    if seen.family != declared.family:
        return False
    a, b = seen.snapshot, declared.snapshot
    return not a or not b or a.endswith(b) or b.endswith(a)


@lru_cache(maxsize=4096)
def take_apart(name: str) -> Name:
    """`openai/gpt-5-2025-08-07` as the family `5 gpt` of 20250807."""
    text = re.sub(r"[^a-z0-9]+", "-", name.lower().rsplit("/", 1)[-1]).strip("-")
    text = text.rpartition("anthropic-")[2]
    if "claude" in text:
        text = re.sub(r"-v[0-9](-[0-9])?$", "", text)
    for spelling, meant in _SPELLINGS.items():
        text = meant + text.removeprefix(spelling) if text.startswith(spelling) else text
    snapshot = ""
    if dated := _DATE.search(text):
        snapshot = "20" + "".join(dated.groups())
        text = text[: dated.start()] + text[dated.end() :]
    elif dated := _SHORT_DATE.search(text):
        snapshot = dated.group().replace("-", "")
        text = text[: dated.start()] + text[dated.end() :]
    words = re.findall(r"[a-z]+|[0-9]+[a-z]?", text)
    return Name(tuple(sorted(word for word in words if word not in _NOISE)), snapshot)
