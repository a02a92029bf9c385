"""Which llm ids are exact."""

import pytest

from leaderboard.integrity.checks.exact_llm import why_floating

EXACT = [
    {"id": "gpt-5-2025-08-07"},
    {"id": "claude-opus-4-20250514"},
    {"id": "anthropic.claude-sonnet-4-20250514-v1:0"},
    {"id": "claude-3-5-sonnet@20241022"},
    {"id": "gemini-2.5-pro-preview-05-06"},
    {"id": "gemini-1.5-pro-002"},
    {"id": "deepseek-ai/DeepSeek-R1-0528"},
    {"id": "gpt-4-0613"},
    {"id": "gpt-5", "snapshot": "2025-08-07"},
    {"id": "Qwen/Qwen3-235B-A22B", "snapshot": "8efa61729d75fb8bd4dcd4b5a8c9a2e6d01f3c57"},
    {"id": "gemini-3-pro-preview", "date": "2026-02-01"},
    {"id": "o3", "date": "2025-06-01"},
    {"id": "mistral-large-2411"},
    {"id": "openrouter/mainframe-7b", "snapshot": "v1"},
]
FLOATING = [
    ({"id": "gpt-4o-latest"}, "newest"),
    ({"id": "chatgpt-4o-latest", "date": "2025-06-01"}, "newest"),
    ({"id": "claude-3-5-sonnet@latest"}, "newest"),
    ({"id": "meta/llama:default", "snapshot": "1"}, "newest"),
    ({"id": "gpt-5"}, "no snapshot or date"),
    ({"id": "gemini-3-pro-preview"}, "no snapshot or date"),
    ({"id": "Qwen/Qwen3-235B-A22B"}, "no snapshot or date"),
    ({"id": "o3"}, "no snapshot or date"),
    ({"id": "claude-opus", "date": "2026-01-01"}, "family"),
    ({"id": "GPT", "snapshot": "2025-08-07"}, "family"),
    ({"id": "Claude Opus 4.6", "date": "2026-01-01"}, "display name"),
    ({"id": "Qwen/Qwen3-235B-A22B", "snapshot": "main"}, "moves"),
    ({"id": "gpt-5", "snapshot": "latest-stable"}, "moves"),
]


@pytest.mark.parametrize("llm", EXACT, ids=lambda llm: llm["id"])
def test_exact_ids_pass(llm):
    assert why_floating(llm) == ""


@pytest.mark.parametrize(("llm", "says"), FLOATING, ids=lambda value: str(value))
def test_floating_names_are_refused_with_the_reason(llm, says):
    assert says in why_floating(llm)
