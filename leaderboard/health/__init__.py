"""Whether this site can do its work, said to programs: `/healthz`, `/readyz` and `manage.py readiness`."""
