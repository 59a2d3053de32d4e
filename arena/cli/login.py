"""`arena login`: makes a site's token known to the other commands."""

from __future__ import annotations

import argparse
import getpass
import sys

from arena.cli import credentials, options, screen
from arena.cli.credentials import Login
from arena.cli.failure import USAGE, Failure
from arena.cli.site import Site

EXAMPLES = """  arena login --url https://arena.example.org
  arena login --token-stdin <token.txt

Make the token on the site, at /accounts/tokens/. The variables ARENA_URL and
ARENA_TOKEN go before what is stored, and need no login.
"""


def add_to(commands: options.Commands) -> None:
    about = "Log in to a site, with a token that you made there."
    parser = options.add_command(commands, run, "login", about, EXAMPLES)
    parser.add_argument(
        "--url",
        metavar="URL",
        help=f"the site (default ARENA_URL, else the one of the last login, else {credentials.LOCAL})",
    )
    parser.add_argument("--token-stdin", action="store_true", help="read the token from stdin, and ask for nothing")
    parser.add_argument("--json", action="store_true", help="print who is logged in as JSON")


def run(parsed: argparse.Namespace) -> int:
    url = credentials.checked_url(parsed.url) if parsed.url else credentials.usual_url()
    login = Login(url, credentials.checked_token(_token(url, parsed.token_stdin)))
    with Site(login) as site:
        me = site.get("/me")
    path = credentials.save(login)
    if parsed.json:
        screen.show_json({"url": url, "file": str(path), **me})
        return 0
    token = me["token"]
    scopes = f"the scopes {', '.join(token['scopes'])}" if token["scopes"] else "no scopes"
    ends = f"expires at {token['expires_at']}" if token["expires_at"] else "holds until it is revoked"
    screen.say(f"logged in to {url} as {screen.printable(me['name'])}", "bold green")
    screen.say(f"the token {screen.printable(token['name'])} has {scopes} and {ends}")
    screen.say(f"stored in {path}")
    return 0


def _token(url: str, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().strip()
    if not sys.stdin.isatty():
        raise Failure("there is no terminal to ask for the token at; give it with --token-stdin", USAGE)
    print(f"Make a token at {url}/accounts/tokens/ and paste it here; it is not shown.", file=sys.stderr)
    try:
        return getpass.getpass("Token: ").strip()
    except EOFError:
        raise Failure("expected a token, got the end of the input", USAGE) from None
