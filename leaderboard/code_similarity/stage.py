"""Comparing the code of one submission with all other code the site knows. Runs where evidence is read, only there."""

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from leaderboard.code_similarity.candidates import find_candidates
from leaderboard.code_similarity.fragments import keep_fragments
from leaderboard.code_similarity.overlap import Overlap, compare
from leaderboard.code_similarity.read import ReadCode, code_files_of, read_code, remember_code
from leaderboard.code_similarity.signals import (
    ALIKE,
    EARLIER,
    ENOUGH_TOKENS,
    NOTEBOOK,
    OTHERS,
    SIGNALS,
    Alike,
    say_alike,
)
from leaderboard.code_similarity.source import NoCode
from leaderboard.code_similarity.tokens import Tokens, Values, tokens_of
from leaderboard.code_similarity.winnow import unpack
from leaderboard.integrity.findings.facts import FindingKind
from leaderboard.integrity.raise_findings import name_of
from leaderboard.models import CodeComparison, CodeFile, CodeMatch, Finding
from submissions.models import Submission

log = logging.getLogger(__name__)
MATCHES_PER_FILE = 3
MATCHES = 200
CANDIDATES_PER_FILE = 100
Files = dict[int, Values]
# By competition (None: of no single run) the fingerprints of each file: the organisation's own, and all others.
Others = dict[str | None, tuple[Files, Files]]
FINDINGS = 10


def compare_code(submission: Submission, now: datetime) -> None:
    """Writes fingerprints, matches and findings. Again, it puts the same in their place; without code, nothing.

    The rows come first and are committed, so that of two submissions read at once one sees the other.
    """
    files = code_files_of(submission)
    if not files:
        return
    read = remember_code(submission, files, now)
    others = _others_of(submission, read.rows)
    matches = list(_find_matches(read, others, now))
    with transaction.atomic():
        CodeMatch.objects.filter(left__submission=submission).delete()
        CodeMatch.objects.bulk_create(matches)
        _record_comparison(submission, read, _count(others), now)
        _raise_findings(submission, matches, now)


def _others_of(submission: Submission, rows: Iterable[CodeFile]) -> Others:
    """Fingerprints of files that may be compared: of the same competitions, or of none in particular."""
    competitions = {row.competition_id for row in rows}
    wanted = Q() if None in competitions else Q(competition__in=competitions) | Q(competition=None)
    found = CodeFile.objects.filter(wanted, tokens__gte=ENOUGH_TOKENS).exclude(submission=submission)
    columns = found.order_by("pk").values_list(
        "pk", "competition", "prints", "submission__team__organisation"
    )
    others: Others = defaultdict(lambda: ({}, {}))
    for pk, competition, prints, organisation in columns:
        is_foreign = organisation != submission.team.organisation_id
        others[competition][is_foreign][pk] = unpack(prints)
    return others


def _find_matches(read: ReadCode, others: Others, now: datetime) -> Iterator[CodeMatch]:
    """The most alike for each file, some of each kind, so that a team's own earlier code hides nobody else's."""
    mine = {row.pk: row for row in read.rows}
    pairs = list(_find_pairs(read.rows, others))
    theirs = _files({right for _, right in pairs})
    text_of = lru_cache(maxsize=256)(_read_again)
    kept: Counter[tuple[int, str]] = Counter()
    ends = time.monotonic() + settings.CODE_READING_S
    for at, (left, right) in enumerate(pairs):
        if time.monotonic() > ends:
            reason = (
                f"the {settings.CODE_READING_S} s for comparing were over, {len(pairs) - at} pairs are left"
            )
            read.left_out.append({"path": mine[left].name, "reason": reason})
            return
        kind = _signal_for(mine[left].submission, theirs[right].submission).code
        if kept[left, kind] < MATCHES_PER_FILE and kept.total() < MATCHES:
            match = _match(mine[left], theirs[right], text_of(mine[left]), text_of(theirs[right]), now)
            if match is not None:
                kept[left, kind] += 1
                yield match


def _find_pairs(rows: Iterable[CodeFile], others: Others) -> Iterator[tuple[int, int]]:
    """Candidates of one competition after the other: what files of two have in common is a recipe."""
    by_competition: dict[str | None, Files] = defaultdict(dict)
    for row in rows:
        by_competition[row.competition_id][row.pk] = unpack(row.prints)
    for competition, files in by_competition.items():
        of_same = others.values() if competition is None else (others[competition], others[None])
        own, foreign = (_merged(groups) for groups in zip(({}, {}), *of_same, strict=True))
        yield from _best_of_each(find_candidates(files, foreign))
        yield from _best_of_each(find_candidates(files, own))


def _merged(groups: Iterable[Files]) -> Files:
    return {pk: hashes for group in groups for pk, hashes in group.items()}


def _best_of_each(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The first ones of each file, so that no file takes the turns of another."""
    taken: Counter[int] = Counter()
    for left, right in pairs:
        taken[left] += 1
        if taken[left] <= CANDIDATES_PER_FILE:
            yield left, right


def _count(others: Others) -> int:
    return sum(len(files) for groups in others.values() for files in groups)


def _files(keys: Collection[int]) -> dict[int, CodeFile]:
    """Without what is large; a notebook's text is fetched when it is its turn."""
    found = CodeFile.objects.filter(pk__in=keys).defer("text", "prints")
    return {file.pk: file for file in found.select_related("submission__team__organisation")}


def _read_again(file: CodeFile) -> tuple[str, Tokens] | None:
    """None where the text is gone: the time for which it is kept is over. Raises OSError where the store fails."""
    try:
        code = file.text if file.is_notebook else read_code(file.name, file.key)
    except (NoCode, FileNotFoundError) as error:
        log.warning("%s of %s cannot be compared: %s", file.pk, file.submission_id, type(error).__name__)
        return None
    return code, tokens_of(code)


def _match(
    left: CodeFile,
    right: CodeFile,
    left_read: tuple[str, Tokens] | None,
    right_read: tuple[str, Tokens] | None,
    now: datetime,
) -> CodeMatch | None:
    if left_read is None or right_read is None:
        return None
    overlap = compare(left_read[1], right_read[1])
    if not is_alike(overlap):
        return None
    return CodeMatch(
        left=left,
        right=right,
        left_share=overlap.left_share,
        right_share=overlap.right_share,
        tokens=overlap.tokens,
        fragments=keep_fragments(overlap, left_read[0], right_read[0]),
        found_at=now,
    )


def is_alike(overlap: Overlap) -> bool:
    """Whether so much is shared that a person should look."""
    return overlap.tokens >= ENOUGH_TOKENS and max(overlap.left_share, overlap.right_share) > ALIKE


def _record_comparison(submission: Submission, read: ReadCode, others: int, now: datetime) -> None:
    CodeComparison.objects.update_or_create(
        submission=submission,
        defaults={
            "files": read.files,
            "read": len(read.rows),
            "compared_with": others,
            "left_out": read.left_out[:100],
            "compared_at": now,
        },
    )


def _raise_findings(submission: Submission, matches: list[CodeMatch], now: datetime) -> None:
    """One finding for each other submission, and one for all notebooks."""
    codes = [signal.code for signal in SIGNALS]
    Finding.objects.filter(submission=submission, code__in=codes).delete()
    by_other: dict[Submission | None, list[CodeMatch]] = defaultdict(list)
    for match in matches:
        by_other[match.right.submission].append(match)
    # Those of others first, the earlier ones of the organisation last.
    found = sorted(by_other.items(), key=lambda pair: SIGNALS.index(_signal_for(submission, pair[0])))
    Finding.objects.bulk_create(_finding(submission, other, alike, now) for other, alike in found[:FINDINGS])


def _finding(
    submission: Submission, other: Submission | None, matches: list[CodeMatch], now: datetime
) -> Finding:
    signal = _signal_for(submission, other)
    whose = f"code of {name_of(other)}" if other else "published notebooks"
    alike = [Alike(m.left.name, m.right.name, max(m.left_share, m.right_share)) for m in matches]
    return Finding(
        submission=submission,
        code=signal.code,
        title=signal.title,
        severity=signal.severity.value,
        sentence=say_alike(whose, alike),
        evidence={"pairs": [[each.path, each.other, round(each.share, 1)] for each in alike]},
        raised_at=now,
    )


def _signal_for(submission: Submission | None, other: Submission | None) -> FindingKind:
    assert submission is not None, "only code of submissions is compared"
    if other is None:
        return NOTEBOOK
    return EARLIER if other.team.organisation_id == submission.team.organisation_id else OTHERS
