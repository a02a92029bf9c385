"""Whether an agent does better where it may have known the answers: statistics of medals, for maintainers.

`groups.py` compares two groups of competitions, `pairs.py` two entries of one agent, `lines.py` puts all of it
together; these are pure. `raising.py` writes what was computed, and findings where a line is far outside.
"""
