"""Runs one grading in isolation: no network, no secrets, no files but its own. See docs/sandbox.md."""
