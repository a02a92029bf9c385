"""What gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from leaderboard.checks import require_sound_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

application = get_wsgi_application()
require_sound_settings()
