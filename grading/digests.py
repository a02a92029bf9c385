"""Digested answers: typed once per version, kept in the vault, made anew when anything they stand on changes."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from grading.graders.grade import digest_answers
from grading.graders.job import Job
from grading.graders.verdict import AnswersError
from grading.graders.version import grader_version
from grading.specs import CompetitionSpec, job_for
from grading.vault import Vault

log = logging.getLogger(__name__)


def ready_answers(vault: Vault, spec: CompetitionSpec, number: int, answers_hmac: str) -> Path:
    """The file to grade against: the digest, made now if it is missing or out of date, else the answers themselves.

    Raises VaultError if the answers are not here, or not those on record.
    """
    binding = _binding(spec, number, answers_hmac)
    if found := vault.checked_digest(spec.id, number, binding):
        return found
    answers = vault.checked_path(spec.id, number, answers_hmac)
    try:
        return vault.store_digest(
            spec.id, number, binding, digest_answers(Job.from_dict(job_for(spec)), answers)
        )
    except AnswersError:
        return answers  # The grader then says what is wrong with them.
    except OSError as error:
        log.warning("the digest of %s answers %s cannot be kept: %s", spec.id, number, error)
        return answers  # Slower, and as right.


def _binding(spec: CompetitionSpec, number: int, answers_hmac: str) -> bytes:
    """All a digest follows from: the answers, what the competition asks of them, and the code that reads them."""
    parts = [spec.id, number, answers_hmac, grader_version(), job_for(spec)]
    return json.dumps(parts, sort_keys=True, default=str).encode()
