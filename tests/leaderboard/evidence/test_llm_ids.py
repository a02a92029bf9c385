"""Which ids are found in a line, whether they are in use, and which llm of a run card they can be."""

from typing import Any

import pytest

from leaderboard.evidence.llm_ids import find_ids, is_declared
from tests.leaderboard.evidence.logs import facts_of

USED = [
    ('{"model": "gpt-4o-2024-08-06", "usage": {"total_tokens": 3}}', "gpt-4o-2024-08-06"),
    ("HTTP Request: POST https://api.openai.com/v1/chat/completions model=gpt-5", "gpt-5"),
    ("calling gpt-5-mini-2025-08-07.", "gpt-5-mini-2025-08-07"),
    ("LiteLLM completion() model= o3; provider = openai", "o3"),
    ("agent.code.model=o1-preview", "o1-preview"),
    ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet-20241022-v2:0"),
    ("openrouter anthropic/claude-sonnet-4-20250514 3,201 tokens", "claude-sonnet-4-20250514"),
    ("claude-3-5-sonnet@20240620", "claude-3-5-sonnet@20240620"),
    ("response from models/gemini-2.5-pro-preview-05-06", "gemini-2.5-pro-preview-05-06"),
    ("using deepseek-reasoner", "deepseek-reasoner"),
    ("grok-4-0709 answered", "grok-4-0709"),
    ("vllm serve Qwen/Qwen3-235B-A22B-Instruct-2507", "Qwen3-235B-A22B-Instruct-2507"),
    ("completion by meta-llama/Llama-3.1-405B-Instruct", "Llama-3.1-405B-Instruct"),
    ("provider: together, deepseek-ai/DeepSeek-V3-0324", "DeepSeek-V3-0324"),
    ("llm: gpt-oss-120b", "gpt-oss-120b"),
]
NOT_USED = [
    "as gpt-4 would put it",
    "gcc -O3 -march=native; o1 = o3 + 1",
    'AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-0.5B-Instruct")',
    "fine-tuning microsoft/phi-3-mini-4k-instruct on the training part",
    "training Llama-3.2-1B as a classifier, fold 3",
    "microsoft/deberta-v3-base, roberta-large, gpt2-medium, gpt-2",
    "claude-code started; cursor-agent",
    "Supported models: gpt-4o-mini-1 gpt-4o-mini-2 gpt-4o-mini-3 gpt-4o-mini-4 gpt-4o-mini-5 gpt-4o-mini-6",
    "text-embedding-3-small",
]


@pytest.mark.parametrize(("line", "name"), USED)
def test_an_id_in_use_is_found(line: str, name: str) -> None:
    assert [mention.name for mention in find_ids(line.encode()) if mention.is_used] == [name]


@pytest.mark.parametrize("line", NOT_USED)
def test_what_is_spoken_of_or_trained_is_not_in_use(line: str) -> None:
    assert [mention for mention in find_ids(line.encode()) if mention.is_used] == []


DECLARED: list[tuple[str, dict[str, Any], bool]] = [
    ("gpt-5-2025-08-07", {"id": "gpt-5-2025-08-07"}, True),
    ("gpt-5", {"id": "gpt-5-2025-08-07"}, True),
    ("gpt-5-2025-08-07", {"id": "gpt-5"}, True),
    ("gpt-5-2025-08-07", {"id": "gpt-5", "snapshot": "2025-08-07"}, True),
    ("gpt-5-2025-10-06", {"id": "gpt-5", "snapshot": "2025-08-07"}, False),
    ("gpt-5-2025-10-06", {"id": "gpt-5-2025-08-07"}, False),
    ("gpt-5-mini", {"id": "gpt-5-2025-08-07"}, False),
    ("gpt-4.1", {"id": "gpt-4-1106-preview"}, False),
    ("gpt-4o", {"id": "openai/gpt-4o-2024-08-06"}, True),
    ("gpt-35-turbo", {"id": "gpt-3.5-turbo-0125"}, True),
    ("o3-mini-high", {"id": "o3-mini-2025-01-31"}, True),
    ("o3", {"id": "o3-mini-2025-01-31"}, False),
    ("claude-3-5-sonnet-20241022-v2:0", {"id": "anthropic/claude-3.5-sonnet-20241022"}, True),
    ("claude-3-5-sonnet@20240620", {"id": "claude-3-5-sonnet-20241022"}, False),
    ("claude-4-sonnet", {"id": "claude-sonnet-4-20250514"}, True),
    ("claude-sonnet-4-5", {"id": "claude-sonnet-4-20250514"}, False),
    ("gemini-2.5-pro", {"id": "gemini-2.5-pro-preview-05-06"}, True),
    ("gemini-2.5-flash", {"id": "gemini-2.5-pro-preview-05-06"}, False),
    ("qwen3-235b-a22b-instruct-2507", {"id": "Qwen/Qwen3-235B-A22B", "snapshot": "8efa0429d75fb8bd"}, True),
    ("qwen3-30b-a3b", {"id": "Qwen/Qwen3-235B-A22B"}, False),
    ("deepseek-chat", {"id": "deepseek-ai/DeepSeek-V3.1"}, True),
    ("deepseek-reasoner", {"id": "deepseek-r1-0528"}, True),
    ("deepseek-chat", {"id": "deepseek-r1-0528"}, False),
    ("gpt-5", {}, False),
]


@pytest.mark.parametrize(("name", "row", "expected"), DECLARED)
def test_families_agree_with_their_snapshots_and_not_with_others(
    name: str, row: dict[str, Any], expected: bool
) -> None:
    assert is_declared(name, [{"id": "some-other-llm-1"}, row]) is expected


def test_ids_are_counted_by_run_and_kept_with_a_few_lines() -> None:
    facts = facts_of("model: gpt-5-2025-08-07\n" * 40 + "as gpt-4 said\n")
    assert {name: (llm.lines, llm.is_called) for name, llm in facts.llms.items()} == {
        "gpt-5-2025-08-07": (40, True),
        "gpt-4": (1, False),
    }


def test_code_names_no_llm_in_use() -> None:
    assert dict(facts_of("model: gpt-5-2025-08-07\n", kind="code").llms) == {}
