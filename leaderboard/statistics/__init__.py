"""How sure the figures of a board are: intervals, ties, rank ranges, pass@k, and figures under masks. Pure rules."""
