"""Documents, the state of the machinery, and files for programs."""

import json

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.documents import list_documents, read_document, read_example
from leaderboard.failed_tasks import count_parked
from leaderboard.machinery import checking_hosts, grading_hosts, queue_state
from leaderboard.views.shared import public_page
from leaderboard.worker_states import worker_rows
from submissions.closing import count_held, current_closure
from submissions.run_card.schema import SCHEMA

DOCS_DIR = settings.BASE_DIR / "docs"
RULES = "tracks"


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every document with its first paragraph."""
    return public_page(request, "pages/docs.html", {"documents": list_documents(DOCS_DIR)})


@require_safe
def doc(request: HttpRequest, slug: str = RULES) -> HttpResponse:
    document = read_document(DOCS_DIR, slug)
    if document is None:
        raise Http404
    return public_page(
        request, "pages/doc.html", {"document": document, "documents": list_documents(DOCS_DIR)}
    )


@require_safe
def example(request: HttpRequest, name: str) -> HttpResponse:
    """A file that a document shows, as plain text."""
    text = read_example(DOCS_DIR, name)
    if text is None:
        raise Http404
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Where grading runs and how isolated, how long the queue is, and which versions serve."""
    now = timezone.now()
    context = {
        "hosts": grading_hosts(now),
        "checking": checking_hosts(now),
        "queue": queue_state(now),
        "workers": worker_rows(now),
        "parked": count_parked(),
        "closure": current_closure(),
        "held": count_held(),
        "now": now,
    }
    return render(request, "pages/status.html", context)


@require_safe
def run_card_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of the run card, as intake and form use it."""
    body = json.dumps(SCHEMA, indent=2, ensure_ascii=False, allow_nan=False)
    response = HttpResponse(body, content_type="application/schema+json")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    return public_page(request, "styleguide.html", {})
