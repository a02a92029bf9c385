"""`/metrics`, for whoever has the token; for all others there is no such page."""

import os

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from leaderboard.metrics.shared import VARIABLE
from leaderboard.metrics.work import WorkCollector

_work = WorkCollector()


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not _is_allowed(request.headers.get("Authorization", "")):
        raise Http404
    return HttpResponse(_counted() + generate_latest(_registry(_work)), content_type=CONTENT_TYPE_LATEST)


def _is_allowed(said: str) -> bool:
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(said, f"Bearer {token}")


def _counted() -> bytes:
    """Of HTTP: of all web processes together, or of this one where they share nothing."""
    if not os.environ.get(VARIABLE):
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _registry(collector: WorkCollector) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(collector)
    return registry
