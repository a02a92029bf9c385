"""The demonstration: one real competition, one real agent and the bundle it handed in."""
