"""Reading logs and code: what they say about the claims of a run card. In a process that has no vault.

`blocks.py`, `patterns.py`, `llm_ids.py`, `clock.py`, `scan.py`, `gather.py` and `facts.py` are rules; `stage.py`
alone writes.
"""
