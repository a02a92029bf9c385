"""From a stream of bytes to a Manifest."""

from __future__ import annotations

from collections.abc import Callable

from .budget import Budget
from .collect import Collector
from .documents import Document
from .formats import open_archive
from .layout import EXPECTED_LAYOUT, Kind, Layout
from .manifest import KeptMember, Manifest, MemberSink
from .meter import HashedSource, Meter, Readable
from .problems import ArchiveFault, BundleError, Code, Problem, shown
from .window import EndOfStream, Window

SHOWN_HINTS = 3


def read_bundle(
    source: Readable, *, layout: Layout, budget: Budget, keep: Callable[[KeptMember], MemberSink]
) -> Manifest:
    """The manifest of the archive in `source`, read once, to its end, and hashed as it is parsed.

    `keep` is asked for a sink for each file of predictions, logs or code. Raises BundleError with every
    problem that could be found. On any error, of the bundle, source or a sink, all sinks opened so far are
    aborted.
    """
    meter = Meter(budget)
    collector = Collector(layout, meter, keep)
    try:
        return _read(HashedSource(source, meter), collector, meter)
    except BaseException:
        collector.abort()
        raise


def _read(source: HashedSource, collector: Collector, meter: Meter) -> Manifest:
    try:
        archive_format = _take_all(source, collector, meter)
    except EndOfStream:
        raise _stop(collector, _truncated()) from None
    except ArchiveFault as fault:
        raise _stop(collector, fault.problem) from None
    manifest = _build_manifest(archive_format, source, collector)
    if collector.problems:
        raise BundleError(collector.problems, stopped=False, manifest=manifest)
    return manifest


def _take_all(source: HashedSource, collector: Collector, meter: Meter) -> str:
    archive_format, members = open_archive(Window(source.pieces()), meter, collector.report)
    for member in members:
        collector.take(member)
    return archive_format


def _build_manifest(archive_format: str, source: HashedSource, collector: Collector) -> Manifest:
    top = _find_top(collector)
    run_card = _choose(collector, Kind.RUN_CARD, top)
    report = _choose(collector, Kind.GRADING_REPORT, top)
    _check_submissions(collector)
    return Manifest(
        format=archive_format,
        sha256=source.sha256,
        size=source.size,
        members=tuple(collector.members),
        ignored=tuple(collector.ignored),
        run_card=run_card.content if run_card else None,
        run_card_name=run_card.name if run_card else None,
        grading_report=report.content if report else None,
        run_groups=tuple(sorted(collector.run_groups)),
    )


def _find_top(collector: Collector) -> str | None:
    """The one folder that wraps all runs; None if they lie at the top of the archive."""
    if len(collector.tops) > 1:
        places = ", ".join(sorted(f"in '{shown(top)}'" if top else "at the top" for top in collector.tops))
        collector.problems.append(
            Problem(
                Code.MIXED_LAYOUT,
                None,
                f"Runs lie in different places: {shown(places)}. Put all seeds side by side, at the top of "
                "the archive or in one folder.",
            )
        )
    return next(iter(collector.tops), None)


def _choose(collector: Collector, kind: Kind, top: str | None) -> Document | None:
    chosen, others = collector.documents.choose(kind, top)
    for document in others:
        collector.ignore(document.path, "not at the top of the bundle")
    if len(chosen) > 1:
        names = " and ".join(f"'{shown(document.path)}'" for document in chosen)
        collector.problems.append(
            Problem(Code.TWO_RUN_CARDS, shown(chosen[1].path), f"There are {names}. Keep one of them.")
        )
    return chosen[0] if chosen else None


def _check_submissions(collector: Collector) -> None:
    if collector.problems or any(member.kind is Kind.SUBMISSION for member in collector.members):
        return
    hints = [f"'{file.path}': {file.reason}" for file in collector.ignored if "predictions" in file.reason]
    hints += [
        f"'{file.path}': {file.reason}" for file in collector.ignored if "competition of" in file.reason
    ]
    found = f" Found {'; '.join(hints[:SHOWN_HINTS])}." if hints else ""
    collector.problems.append(
        Problem(
            Code.NO_SUBMISSION, None, f"The bundle holds no predictions. Expected: {EXPECTED_LAYOUT}.{found}"
        )
    )


def _truncated() -> Problem:
    return Problem(
        Code.TRUNCATED, None, "The archive ends before it is complete. Make it anew, and upload all of it."
    )


def _stop(collector: Collector, problem: Problem) -> BundleError:
    """The problems so far, and the one that ended reading."""
    return BundleError([*collector.problems, problem], stopped=True)
