"""The command line: reads it, runs one command, and ends with an exit code that says what came of it."""

import os
import sys
from collections.abc import Sequence

from ..errors import ClientError, Exit, Refused
from .parser import build_parser
from .terminal import Terminal


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code, as docs/client.md lists them."""
    said = build_parser().parse_args(arguments)
    terminal = Terminal()
    try:
        return int(said.run(said, terminal))
    except Refused as error:
        terminal.problem(str(error))
        terminal.faults(error.faults, unless=str(error))
        return int(error.exit_code)
    except ClientError as error:
        terminal.problem(str(error))
        return int(error.exit_code)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read the output has seen enough. Python must not complain about it while it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return int(Exit.OK)
        terminal.problem(f"{error.filename or 'A file'}: {error.strerror or error}.")
        return int(Exit.USAGE)
    except KeyboardInterrupt:
        terminal.note("Interrupted. The same command goes on from there.")
        return int(Exit.INTERRUPTED)
