"""The OpenAPI schema, and the page to read it and try it. Both are the same for everybody."""

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class Schema(SpectacularAPIView):
    authentication_classes = ()


class Docs(SpectacularSwaggerSplitView):
    """Swagger UI from files of this site: its script and style sheet, and a start script of its own address."""

    authentication_classes = ()
    url_name = "api-schema"
    template_name = "pages/api_docs.html"
