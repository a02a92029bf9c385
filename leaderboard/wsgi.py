"""What gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from leaderboard.checks import require_sound_settings
from leaderboard.metrics.shared import share_counters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

if settings.METRICS_TOKEN:
    share_counters(settings.VAR_DIR)
_django = get_wsgi_application()
# Only now: it imports the counters, and models.
from leaderboard.kept_first import KeptFirst  # noqa: E402

application = KeptFirst(_django)
require_sound_settings()
