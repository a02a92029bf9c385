"""That what is promised in docs/threat-model.md holds."""
