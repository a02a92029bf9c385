"""`login` and `logout`."""

import argparse
import getpass
import sys

from ..client import Client
from ..errors import ClientError, Exit
from ..settings import choose_site, config_path, read_config, require_safe, write_config
from .terminal import Terminal


def run_login(said: argparse.Namespace, terminal: Terminal) -> int:
    """Asks for a token, tries it, and keeps it for this site alone."""
    site = choose_site(said.url)
    require_safe(site)
    token = _ask(site)
    with Client(site, token) as client:
        next(client.submissions(), None)
    config = read_config()
    config.url, config.tokens[site] = site, token
    terminal.say(f"Signed in at {site}. The token is in {write_config(config)}, which only you may read.")
    return int(Exit.OK)


def run_logout(said: argparse.Namespace, terminal: Terminal) -> int:
    """Forgets the token here; the site still takes it until it is revoked there."""
    site = choose_site(said.url)
    config = read_config()
    if config.tokens.pop(site, None) is None:
        terminal.say(f"There is no token for {site} in {config_path()}.")
        return int(Exit.OK)
    write_config(config)
    terminal.say(f"Forgot the token for {site}. Revoke it on your account page if others may have seen it.")
    return int(Exit.OK)


def _ask(site: str) -> str:
    """Typed unseen, or from a pipe. Never an option: others can read the command lines of a machine."""
    if sys.stdin.isatty():
        token = getpass.getpass(f"Token for {site} (from your account page): ")
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise ClientError("No token was given. Type it when asked, or pipe it in: login < token.txt")
    return token.strip()
