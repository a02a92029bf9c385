"""Near-duplicate predictions: fingerprints of CSVs, the search among all that are stored, what maintainers are told.

`hashes.py`, `sketch.py`, `content.py`, `near.py` are rules; `read.py` makes the fingerprint of one file, `child.py`
does so in a process of its own; `reading.py` and `comparing.py` are the stages. docs/likeness.md explains it all.
"""
