"""The level of the tests between entries."""

# At it or below, a difference is more than noise.
ALPHA = 0.05
