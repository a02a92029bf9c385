"""Two to five entries side by side: figures, medals by competition, paired tests, run cards."""
