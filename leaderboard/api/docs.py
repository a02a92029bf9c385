"""The OpenAPI schema, and the page to read it. Both are the same for everybody."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView

from leaderboard.api.reference import Operation, Shape, read_operations, read_shapes


class Schema(SpectacularAPIView):
    authentication_classes = ()


@lru_cache(maxsize=1)
def reference() -> tuple[dict[str, list[Operation]], list[Shape]]:
    """Groups of routes, and the shapes that they speak in. Fixed by the code."""
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    return read_operations(schema), read_shapes(schema)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every route of the API with its parameters, bodies and answers."""
    groups, shapes = reference()
    context = {"groups": groups, "shapes": shapes, "count": sum(map(len, groups.values()))}
    return render(request, "pages/api_docs.html", context)
