"""`sightline replay [MATCH]`: a match as a transcript."""

from pathlib import Path

import click

from sightline.config import db_option
from sightline.match_log.archive import filed, opened
from sightline.review.reading import transcript_lines


@click.command(name="replay")
@click.argument("match", required=False)
@db_option
def command(match: str | None, db: Path) -> None:
    """Fold MATCH (the newest if left out) anew and print every fact, decision and ruling."""
    with opened(db) as store:
        found = filed(store, match)
    for line in transcript_lines(found):
        click.echo(line)
