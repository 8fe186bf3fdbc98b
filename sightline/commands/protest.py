"""`sightline protest [MATCH] -o FILE`: a match with its evidence as one file that proves itself."""

from pathlib import Path

import click

from sightline.config import db_option
from sightline.match_log.archive import newest, opened


@click.command(name="protest")
@click.argument("match", required=False)
@db_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The zip to write; MATCH.zip here if left out.",
)
@click.option(
    "--language",
    type=click.Choice(("en", "de", "fr")),
    default="en",
    show_default=True,
    help="The language of its page; log and rulings have none.",
)
def command(match: str | None, db: Path, output: Path | None, language: str) -> None:
    """Write MATCH (the newest if left out) with log, rulings, pictures and hashes as one zip.

    It holds a page that opens without a network. `sightline verify` proves that it is whole.
    """
    from sightline.review.protest import write_protest

    with opened(db) as store:
        name = match or newest(store)
        header, entries = store.read(name)
        path = output or Path(f"{name}.zip")
        digest = write_protest(path, header, entries, store.evidence(name), language=language)
    click.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")
