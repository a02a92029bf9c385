"""Benchmarks: made-up answers and bundles at realistic size, and how long their grading takes."""
