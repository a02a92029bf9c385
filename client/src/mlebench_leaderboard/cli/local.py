"""`pack` and `check`: what needs no connection."""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

from ..check import BundleReport, check_archive, check_files
from ..client import Client
from ..csv_check import NOT_ON_FILE, NOT_THERE, ShapeChecker, check_one
from ..errors import ClientError, Exit
from ..found import Found, Wanted
from ..pack import look_into, pack
from ..rules import size_text
from ..settings import choose_site
from ..shapes import Shape, ShapeCache
from .terminal import Terminal, count

LISTED = 12


def run_pack(said: argparse.Namespace, terminal: Terminal) -> int:
    wanted = Wanted(logs=said.logs, code=said.code)
    with terminal.bar("Packing") as bar:
        packed = pack(
            said.folders,
            said.output,
            said.benchmark,
            wanted=wanted,
            run_card=said.run_card,
            began=bar.expect,
            progress=bar.advance,
        )
    _show_left_out(packed.found, terminal)
    if packed.starter:
        terminal.warn(
            f"There was no run card. One to fill in was written to {packed.starter}, with the seeds in it: "
            "fill it in and pack again, or fill it in on the site."
        )
    terminal.say(f"{packed.path}: {count(len(packed.found.files), 'file')}, {size_text(packed.size)}")
    return finish_check(check_bundle(packed.path, said, terminal, said.fetch), terminal)


def run_check(said: argparse.Namespace, terminal: Terminal) -> int:
    if said.competition:
        return _check_csv(said, terminal)
    if said.path.name.lower().endswith((".csv", ".csv.gz", ".csv.zst")):
        raise ClientError("Say which competition the CSV is for: --competition ID.")
    if said.path.is_dir():
        found = look_into([said.path], said.benchmark)
        if said.format == "text":
            _show_left_out(found, terminal)
        report = _check_found(found, said, terminal)
    else:
        report = check_bundle(said.path, said, terminal, said.fetch)
    if said.format == "json":
        terminal.raw(json.dumps(asdict(report), indent=1) + "\n")
        return int(Exit.OK if report.is_good else Exit.PROBLEMS)
    return finish_check(report, terminal)


def check_bundle(
    path: Path, said: argparse.Namespace, terminal: Terminal, fetch: bool = False
) -> BundleReport:
    """The report on a bundle's file, its CSVs by the shapes on file."""
    with terminal.bar("Checking", path.stat().st_size) as bar:
        return check_archive(
            path, said.benchmark, scope=said.scope, checker=_checker(said, fetch), progress=bar.advance
        )


def _check_found(found: Found, said: argparse.Namespace, terminal: Terminal) -> BundleReport:
    with terminal.bar("Checking", sum(file.size for file in found.files)) as bar:
        return check_files(
            found.files,
            said.benchmark,
            scope=said.scope,
            checker=_checker(said, said.fetch),
            progress=bar.advance,
        )


def _check_csv(said: argparse.Namespace, terminal: Terminal) -> int:
    shape = _shape_finder(said, said.fetch)(said.competition)
    absent = NOT_THERE if said.fetch else NOT_ON_FILE
    reasons = check_one(said.competition, said.path, shape, absent)
    if said.format == "json":
        terminal.raw(json.dumps([asdict(reason) for reason in reasons], indent=1) + "\n")
    elif reasons:
        terminal.problem(f"{said.path} is not a valid submission for {said.competition}:")
        terminal.faults(reasons)
    else:
        terminal.say(f"{said.path} is valid for {said.competition}, as far as labels do not decide.")
    return int(Exit.PROBLEMS if reasons else Exit.OK)


def _checker(said: argparse.Namespace, fetch: bool) -> ShapeChecker:
    return ShapeChecker(_shape_finder(said, fetch), NOT_THERE if fetch else NOT_ON_FILE)


def _shape_finder(said: argparse.Namespace, fetch: bool) -> Callable[[str], Shape | None]:
    """Where shapes come from: the site if asked for, else the cache, else nowhere."""
    if fetch:
        return partial(_fetch_shape, said.url)
    try:
        return ShapeCache(choose_site(said.url)).read
    except ClientError:
        return lambda competition: None


def _fetch_shape(url: str | None, competition: str) -> Shape | None:
    with Client(url) as client:
        return ShapeCache(client.site).fetch_if_any(client.session, competition)


def _show_left_out(found: Found, terminal: Terminal) -> None:
    """Predictions all by name: each is a run that will count as missing."""
    others = [each for each in found.left_out if not each.looks_like_predictions]
    for each in found.left_out:
        if each.looks_like_predictions:
            terminal.warn(f"Left out: {each.name}: {each.reason}")
    for each in others[:LISTED]:
        many = f" ({each.count} files)" if each.count > 1 else ""
        terminal.note(f"Left out: {each.name}{many}: {each.reason}")
    if len(others) > LISTED:
        terminal.note(f"Left out: {count(len(others) - LISTED, 'more place')}")


def finish_check(report: BundleReport, terminal: Terminal) -> int:
    """Shows the report, and says what it means. The exit code."""
    if not report.is_accepted:
        terminal.problem("The server would refuse this bundle:")
        terminal.faults(report.problems)
        if report.is_cut_short:
            terminal.problem("Reading stopped there; there may be more to mend.")
        return int(Exit.PROBLEMS)
    terminal.pairs(_summary(report))
    for path, reason in list(report.ignored.items())[:LISTED]:
        terminal.note(f"Ignored: {path}: {reason}")
    _show_missing(report, terminal)
    _show_csvs(report, terminal)
    if report.invalid:
        terminal.problem(
            f"The server would take this bundle, but {count(len(report.invalid), 'CSV is', 'CSVs are')} "
            "invalid, and each would count as a failure of its seed."
        )
        return int(Exit.PROBLEMS)
    terminal.say("The server would take this bundle.")
    return int(Exit.OK)


def _summary(report: BundleReport) -> Iterator[tuple[str, str]]:
    if report.sha256:
        yield "Bundle", f"{report.format}, {size_text(report.size)}, SHA-256 {report.sha256}"
    seeds = ", ".join(report.seeds[:LISTED]) + (", …" if len(report.seeds) > LISTED else "")
    yield "Seeds", f"{len(report.seeds)} ({seeds})"
    yield "Runs", f"{report.runs} in {count(len(report.competitions), 'competition')}"
    if report.checkpoints:
        yield "Checkpoints", str(report.checkpoints)
    yield "Evidence", count(report.evidence, "file")
    yield "CSVs", _csv_summary(report)
    yield "Run card", _card_summary(report)


def _csv_summary(report: BundleReport) -> str:
    if not report.csvs:
        return "not checked: " + next(iter(report.unchecked.values()), "there are none")
    said = f"{len(report.csvs)} checked, {len(report.invalid)} invalid"
    more = count(len(report.unchecked), "competition")
    return f"{said}; {more} not checked" if report.unchecked else said


def _card_summary(report: BundleReport) -> str:
    if not report.has_run_card:
        return "none; it can be filled in on the site"
    if not report.open_questions:
        return "every question of the Clean track is answered"
    paths = list(report.open_questions)
    named = ", ".join(paths[:LISTED]) + (", …" if len(paths) > LISTED else "")
    return f"{count(len(paths), 'open question keeps', 'open questions keep')} it off Clean: {named}"


def _show_missing(report: BundleReport, terminal: Terminal) -> None:
    absent = [each for each in report.missing if not each.is_explained]
    for each in absent[:LISTED]:
        terminal.warn(f"Missing in seed {each.seed}: {each.competition}; it would count as a failure")
    if len(absent) > LISTED:
        terminal.warn(f"Missing: {count(len(absent) - LISTED, 'more run')}")


def _show_csvs(report: BundleReport, terminal: Terminal) -> None:
    for each in report.invalid:
        terminal.problem(f"Invalid: {each.path}")
        terminal.faults(each.reasons)
