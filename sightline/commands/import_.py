"""`sightline import FILE`: an exported match into the log."""

from dataclasses import replace
from pathlib import Path

import click

from sightline.complaint import Complaint
from sightline.config import db_option
from sightline.match_log.exchange import import_lines
from sightline.match_log.log import Draft, Store


@click.command(name="import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
@click.option("--name", help="Call the match so; else it keeps its name.")
def command(file: Path, db: Path, name: str | None) -> None:
    """Read an exported match from FILE into the log."""
    found = import_lines(file.read_bytes(), str(file))
    header = replace(found.header, name=name or found.header.name)
    if not header.name:
        raise Complaint(f"{file}: the match has no name; give it one with --name")
    with Store(db) as store, store.create(header) as log:
        log.append([Draft(at_ms=e.at_ms, body=e.body, evidence=e.evidence) for e in found.entries])
    click.echo(f"imported {header.name!r}: {len(found.entries)} entries")
    if found.torn is not None:
        click.echo(
            f"{file}: line {found.torn_line} was cut off while it was written and is left out: "
            f"{found.torn[:80]}",
            err=True,
        )
