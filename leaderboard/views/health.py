"""What load balancers and supervisors ask. Nothing here names an address, a path or a version."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.health.readiness import kept


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether this process answers; asks nobody else."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where the site can answer people, else 503, with every part. `?grading`: 503 where nothing is graded, too."""
    found = kept.read(timezone.now())
    is_well = found.is_ready and not ("grading" in request.GET and found.warnings)
    return JsonResponse(found.document(), status=200 if is_well else 503)
