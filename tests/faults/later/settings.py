"""The settings of a later version of the site, which has one migration more."""

from leaderboard.settings import *  # noqa: F403
from leaderboard.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.later"]
