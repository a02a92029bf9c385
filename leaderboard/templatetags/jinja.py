"""The template engine for what a page shows hundreds of times: Jinja makes Python of a template, five times as quick.

All else is written in Django's own language; `templates/jinja/` holds what is not. What they share is here.
"""

from collections.abc import Callable
from typing import Any, cast

from django.template.backends.jinja2 import Template as JinjaTemplate
from django.template.defaultfilters import truncatechars
from django.template.loader import get_template
from jinja2 import Environment
from markupsafe import Markup

from leaderboard.page_paths import page_path
from leaderboard.templatetags import look, rows
from leaderboard.templatetags.often import often

FILTERS = (
    look.fixed, look.bar_width, look.whisker_low, look.whisker_high, rows.plain, rows.hardware, truncatechars,
)  # fmt: skip


class KeysFirst(Environment):
    """`a.b` looks for a key first, as in Django's language: nearly all that is drawn here are dictionaries."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def make_environment(**options: Any) -> Environment:
    """Django's options with the filters and marks of the design system."""
    made = KeysFirst(**options)
    made.filters |= {each.__name__: each for each in FILTERS}
    made.globals |= {"often": often, "url": page_path}
    return made


def macro_of(template: str, name: str) -> Callable[..., Markup]:
    """A macro by itself, which is quicker to call than a template is to render."""
    made = cast(JinjaTemplate, get_template(template, using="jinja2")).template.module
    found: Callable[..., Markup] = getattr(made, name)
    return found
