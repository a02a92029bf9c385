"""`python -m mlebench_leaderboard` is the command of the same name."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
