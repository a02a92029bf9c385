"""Who else reads the logs and code of a bundle, for whoever uploads one."""

from urllib.parse import urlsplit

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def second_reader() -> str:
    """The host to which logs and code are sent for a second reading; empty where there is none."""
    return urlsplit(settings.SECOND_READING_URL).hostname or ""
