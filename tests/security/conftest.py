"""Which files of this folder are not collected yet."""

# Unfinished: each fails by faults of its own, so that nobody could tell a real one. docs/threat-model.md says so too.
collect_ignore = ["test_injection.py", "test_leaks.py", "test_routes.py"]
