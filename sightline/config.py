"""Where Sightline keeps what it keeps, and what the command line takes for granted."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def data_folder() -> Path:
    """Return the folder of this user's matches, as the desktop's conventions have it."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "sightline"


def default_db() -> Path:
    return data_folder() / "matches.db"


def db_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--db`, the file of the matches."""
    return click.option(
        "--db",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="SIGHTLINE_DB",
        default=default_db,
        show_default="matches.db in your data folder, or $SIGHTLINE_DB",
        help="The file of the match log.",
    )(function)


def tls_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that serves pages `--tls`, and `--tls-cert` with `--tls-key`."""
    files = click.Path(exists=True, dir_okay=False, path_type=Path)
    options = (
        click.option("--tls", is_flag=True, help="Speak HTTPS, with the club's own certificate."),
        click.option(
            "--tls-cert",
            type=files,
            help="Speak HTTPS with this certificate (PEM, with its chain) …",
        ),
        click.option(
            "--tls-key", type=files, help="… and this key of it (PEM, without a password)."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function
