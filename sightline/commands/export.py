"""`sightline export [MATCH] [-o FILE]`: a match as one JSON Lines file."""

from pathlib import Path
from typing import TextIO

import click

from sightline.config import db_option
from sightline.match_log.archive import newest, opened
from sightline.match_log.exchange import export_lines


@click.command(name="export")
@click.argument("match", required=False)
@db_option
@click.option(
    "-o",
    "--output",
    type=click.File("w", encoding="utf-8", atomic=True),
    default="-",
    help="The file to write; standard output if left out.",
)
def command(match: str | None, db: Path, output: TextIO) -> None:
    """Write MATCH (the newest if left out) with all its facts and decisions as JSON lines."""
    with opened(db) as store:
        header, entries = store.read(match or newest(store))
    for line in export_lines(header, entries):
        click.echo(line, file=output, nl=False)
