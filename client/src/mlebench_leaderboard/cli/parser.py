"""The commands and their options."""

import argparse
from pathlib import Path
from typing import Any

import shtab

from ..benchmarks import DEFAULT_BENCHMARK, list_benchmarks
from ..rules import Split
from ..settings import APP
from ..version import VERSION
from . import boards, local, signing, site

PACK = "Packs folders of runs into one bundle, and checks it."
CHECK = "Says what the server would make of a bundle, a folder of runs or a CSV, without asking it."
SUBMIT = "Sends a bundle in parts. The same command goes on where an earlier one broke off."
CONFIRM = "Confirms a submission for the team: fixes its scope and run card, and lets grading begin."
STATUS = "Shows a submission, or the list of yours; --watch follows it until somebody has to act."
RANKINGS = "Shows a board as a table, CSV or JSON."
VALIDATE = "Asks the site whether a CSV is valid. Never a score."
LOGIN = "Remembers a site and a token for it, in a file that only you may read."
Parsers = Any  # argparse keeps the class of its subparsers to itself.


def build_parser() -> argparse.ArgumentParser:
    """Also what the shell completion is made from."""
    parser = argparse.ArgumentParser(prog=APP, description="The client of an MLE-bench leaderboard.")
    parser.add_argument("--version", action="version", version=f"{APP} {VERSION}")
    commands = parser.add_subparsers(metavar="command", required=True)
    _add_local(commands)
    _add_site(commands)
    _add_boards(commands)
    _add_signing(commands)
    completion = _command(
        commands, "completion", "Prints the completion script of a shell.", print_completion
    )
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    return parser


def print_completion(said: argparse.Namespace, terminal: Any) -> int:
    terminal.raw(shtab.complete(build_parser(), shell=said.shell) + "\n")
    return 0


def _command(commands: Parsers, name: str, words: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
    parser.set_defaults(run=run)
    return parser


def _add_local(commands: Parsers) -> None:
    pack = _command(commands, "pack", PACK, local.run_pack)
    _path(
        pack, "folders", shtab.DIRECTORY, "a folder of seeds or run groups, or several single ones", nargs="+"
    )
    _path(pack, "-o", shtab.FILE, "the bundle: .tar.gz, .tar.zst, .tar.xz or .tar", "--output", required=True)
    _path(pack, "--run-card", shtab.FILE, "the run card, in place of the one in the folder")
    _add_checking(pack)
    _yes_or_no(pack, "--logs", "whether logs/ goes in")
    _yes_or_no(pack, "--code", "whether code/ goes in")
    check = _command(commands, "check", CHECK, local.run_check)
    _path(check, "path", shtab.FILE, "a bundle, a folder of runs, or a CSV (with --competition)")
    check.add_argument("--competition", help="id of the competition a single CSV is for")
    check.add_argument("--format", choices=("text", "json"), default="text")
    _add_checking(check)


def _add_checking(parser: argparse.ArgumentParser) -> None:
    _benchmark(parser)
    _scope(parser, "the split you mean to claim: absent runs of it are listed")
    parser.add_argument(
        "--fetch", action="store_true", help="fetch shapes first, so that CSVs can be checked"
    )
    _url(parser)


def _add_site(commands: Parsers) -> None:
    submit = _command(commands, "submit", SUBMIT, site.run_submit)
    _path(submit, "bundle", shtab.FILE, "the bundle, as `pack` writes it")
    _benchmark(submit)
    submit.add_argument("--team", default="", help="id of one of your teams, if you are in several")
    submit.add_argument("--supersedes", default="", help="id of an earlier submission that this one replaces")
    submit.add_argument("--what-changed", default="", help="since the one it replaces; public with the entry")
    submit.add_argument("--jobs", type=_jobs, default=3, help="parts sent at once, 1 to 8 (3)")
    submit.add_argument("--again", action="store_true", help="submit a bundle anew that was submitted before")
    submit.add_argument("--no-check", dest="check", action="store_false", help="send it whatever it holds")
    submit.add_argument("--watch", action="store_true", help="follow it afterwards")
    submit.add_argument("--confirm", action="store_true", help="confirm it as soon as it was read")
    _add_confirming(submit, required=False)
    confirm = _command(commands, "confirm", CONFIRM, site.run_confirm)
    confirm.add_argument("submission", help="its id, or the address of its page")
    _add_confirming(confirm, required=True)
    status = _command(commands, "status", STATUS, site.run_status)
    status.add_argument("submission", nargs="?", help="its id, or the address of its page")
    status.add_argument("--watch", action="store_true", help="follow it")
    status.add_argument("--format", choices=("text", "json"), default="text")
    validate = _command(commands, "validate", VALIDATE, site.run_validate)
    validate.add_argument("competition", help="its id, such as spaceship-titanic")
    _path(validate, "file", shtab.FILE, "the CSV")
    for parser in (submit, confirm, status, validate):
        _url(parser)


def _add_confirming(parser: argparse.ArgumentParser, required: bool) -> None:
    _scope(parser, "the split this attempt is about", required=required)
    parser.add_argument(
        "--attest", metavar="NAME", default="", required=required, help="who answers for it: a person's name"
    )
    parser.add_argument(
        "--accept",
        action="store_true",
        help="accept that once grading starts, this attempt and its scores become part of the public record, "
        "even if withdrawn",
    )


def _add_boards(commands: Parsers) -> None:
    rankings = _command(commands, "rankings", RANKINGS, boards.run_rankings)
    rankings.add_argument("--track", default="clean", help="clean, no-private-lb, additional or all (clean)")
    rankings.add_argument(
        "--benchmark", default="", help="slug of the benchmark; the site's first if left out"
    )
    _scope(rankings, "low, medium, high, all or dev", "--split")
    rankings.add_argument("--exact", action="store_true", help="leave entries of stricter tracks out")
    rankings.add_argument("--format", choices=("table", "csv", "json"), default="table")
    _url(rankings)


def _add_signing(commands: Parsers) -> None:
    login = _command(commands, "login", LOGIN, signing.run_login)
    logout = _command(commands, "logout", "Forgets the token for a site.", signing.run_logout)
    for parser in (login, logout):
        _url(parser)


def _path(
    parser: argparse.ArgumentParser, name: str, kind: Any, words: str, *more: str, **options: Any
) -> None:
    action: Any = parser.add_argument(name, *more, type=Path, help=words, **options)
    action.complete = kind


def _yes_or_no(parser: argparse.ArgumentParser, name: str, words: str) -> None:
    parser.add_argument(name, action=argparse.BooleanOptionalAction, default=True, help=words)


def _url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", help="address of the site; else MLEB_URL, else that of the last login")


def _benchmark(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--benchmark",
        choices=list_benchmarks(),
        default=DEFAULT_BENCHMARK,
        help=f"the benchmark version ({DEFAULT_BENCHMARK})",
    )


def _scope(
    parser: argparse.ArgumentParser, words: str, name: str = "--scope", required: bool = False
) -> None:
    parser.add_argument(
        name, choices=[split.value for split in Split], default="", required=required, help=words
    )


def _jobs(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 8:
        raise argparse.ArgumentTypeError("write a number from 1 to 8")
    return number
