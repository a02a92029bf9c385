"""What the public API gives: one module for each subject."""
