"""`sightline doctor`: what is wrong with this set-up, and what to do about it."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from sightline.checkup import Health, look_over
from sightline.config import data_folder

_MARKS = {Health.GOOD: ("ok", "green"), Health.WARNING: ("!", "yellow"), Health.BAD: ("X", "red")}


@click.command(name="doctor")
@click.argument("table", required=False, type=click.Path(path_type=Path))
@click.option("--source", help="A camera, video or folder to look through, as for `watch`.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per finding.")
@click.pass_context
def command(context: click.Context, table: Path | None, source: str | None, as_json: bool) -> None:
    """Look over this machine, and TABLE's folder and a source where they are given.

    Exits with 2 where something is bad, 0 otherwise.
    """
    bad = 0
    for finding in look_over(table=table, source=source, data=data_folder()):
        bad += finding.health is Health.BAD
        if as_json:
            click.echo(json.dumps(asdict(finding), ensure_ascii=False))
            continue
        mark, colour = _MARKS[finding.health]
        click.echo(f"{click.style(f'{mark:>2}', fg=colour)}  {finding.about}: {finding.words}")
        if finding.remedy:
            click.echo(f"      -> {finding.remedy}")
    if not as_json:
        click.echo(f"\n{bad} to mend" if bad else "\nAll is well.")
    if bad:
        context.exit(2)
