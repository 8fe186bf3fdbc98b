"""`sightline rerun MATCH`: look at a recording again with other settings."""

import json
import os
from dataclasses import asdict
from pathlib import Path

import click

from sightline.config import db_option


@click.command(name="rerun")
@click.argument("match", required=False)
@db_option
@click.option(
    "--table",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Look with this table folder; else the one the match was played on, as it is now.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Rule with this option."
)
@click.option(
    "--entry", type=int, help="Only from the settled board before this entry to the next."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines: progress, the difference.")
def command(
    match: str | None,
    db: Path,
    table: Path | None,
    options: tuple[str, ...],
    entry: int | None,
    as_json: bool,
) -> None:
    """Look at the recording of MATCH (the newest if left out) again: what comes out otherwise?

    What was seen and ruled then is compared with what is seen and ruled now, without decisions.
    Lines begin with "-" for what was so then only, "+" now only, "~" otherwise now. The match is
    not changed.
    """
    import cv2

    from calibration.table import load_table
    from sightline.complaint import Complaint
    from sightline.games import with_options
    from sightline.match_log.archive import filed, opened
    from sightline.review.again import look_again, span_around
    from sightline.review.footage import Footage
    from sightline.review.reading import clock_of
    from sightline.words.kept_words import kept

    cv2.setNumThreads(1)
    os.nice(10)  # whoever referees meanwhile comes first
    with opened(db) as store:
        found = filed(store, match)
        footage = Footage(store.evidence(found.header.name).folder / "video")
    folder = table or found.header.table
    if not folder:
        raise Complaint(f"match {found.header.name!r} names no table folder; give one with --table")
    setup = found.header.setup
    agreed = with_options(setup, options, ())
    told = [0]

    def tell(done: int, of: int) -> None:
        percent = 100 * done // of
        if percent > told[0]:
            told[0] = percent
            said = json.dumps({"done": done, "of": of})
            click.echo(said if as_json else f"\r{percent} %", nl=as_json, err=not as_json)

    try:
        start_ms, end_ms = (
            (float("-inf"), float("inf")) if entry is None else span_around(found.entries, entry)
        )
        again = look_again(
            footage,
            load_table(folder),
            found.game,
            setup,
            found.entries,
            options=dict(agreed.options),
            start_ms=start_ms,
            end_ms=end_ms,
            tell=tell,
        )
    except ValueError as err:
        raise Complaint(f"match {found.header.name!r}: {err}") from err
    if as_json:
        said = asdict(again)
        for kind, lines in (("facts", again.facts), ("rulings", again.rulings)):
            for line, of in zip(said[kind], lines, strict=True):
                line["told"] = kept(of.told or of.words)
        click.echo(json.dumps(said, ensure_ascii=False))
        return
    click.echo("\r", nl=False, err=True)
    head = f"# {again.frames} frames from {clock_of(again.start_ms)} to {clock_of(again.end_ms)}"
    click.echo(f"{head}, {again.untrusted} not trusted")
    click.echo(f"# facts: {again.facts_then} then, {again.facts_now} now")
    for title, lines in (("what was seen", again.facts), ("what was ruled", again.rulings)):
        click.echo(f"# {title}: {len(lines) or 'no'} difference{'' if len(lines) == 1 else 's'}")
        for line in lines:
            click.echo(f"{line.sign} {clock_of(line.at_ms):>11}  {line.words}")
