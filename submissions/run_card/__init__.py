"""The run card: what a team discloses about a submission. Standard library, PyYAML and jsonschema only."""

from .answers import is_answer, is_placeholder, undisclosed
from .form import apply_form, draft_form, form_fields, to_form
from .normal import attest, canonical_digest, difference, normalise
from .parse import MAX_BYTES, check_document, parse_run_card
from .problems import Problem, RunCardError
from .schema import SCHEMA, choice_text, title_of

__all__ = [
    "MAX_BYTES",
    "SCHEMA",
    "Problem",
    "RunCardError",
    "apply_form",
    "attest",
    "canonical_digest",
    "check_document",
    "choice_text",
    "difference",
    "draft_form",
    "form_fields",
    "is_answer",
    "is_placeholder",
    "normalise",
    "parse_run_card",
    "title_of",
    "to_form",
    "undisclosed",
]
