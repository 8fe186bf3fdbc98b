"""`sightline observe TABLE PICTURE_OR_VIDEO...`: what they show."""

import json
from pathlib import Path

import click


@click.command(name="observe")
@click.argument("table", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PICTURE_OR_VIDEO...",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each file.")
def command(table: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Say what pictures and videos of the table in the folder TABLE show."""
    from calibration.table import load_table
    from sightline.observing import in_words, seen_in

    for seen in seen_in(list(files), load_table(table)):
        if as_json:
            click.echo(json.dumps(seen, ensure_ascii=False))
        else:
            for line in in_words(seen):
                click.echo(line)
