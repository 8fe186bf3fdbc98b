"""`sightline matches`: what is in the log."""

import json
from pathlib import Path

import click

from rules.codec import outcome_to_json
from sightline.config import db_option
from sightline.match_log.archive import filed, opened
from sightline.match_log.log_file import LogError
from sightline.review.reading import clock_of


@click.command(name="matches")
@db_option
@click.option("--results", is_flag=True, help="Work out how each match stands.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per match.")
def command(db: Path, results: bool, as_json: bool) -> None:
    """List the matches in the log, the newest first."""
    with opened(db) as store:
        for match in store.matches():
            said: dict[str, object] = {
                "name": match.name,
                "game": match.game,
                "started": match.started,
                "table": match.table,
                "entries": match.entries,
                "last_at_ms": match.last_at_ms,
            }
            words = "unfinished"
            if results:
                try:
                    found = filed(store, match.name)
                except (LogError, click.ClickException) as err:
                    words = said["trouble"] = str(err)
                else:
                    outcome = found.game.outcome(found.record.state)
                    said["outcome"] = None if outcome is None else outcome_to_json(outcome)
                    words = words if outcome is None else outcome.words
            if as_json:
                click.echo(json.dumps(said, ensure_ascii=False))
            else:
                day = match.started[:16].replace("T", " ")
                click.echo(
                    f"{match.name:<28} {match.game:<12} {day}  {clock_of(match.last_at_ms):>9} "
                    f"{match.entries:>6} entries" + (f"  {words}" if results else "")
                )
