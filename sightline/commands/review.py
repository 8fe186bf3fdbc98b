"""`sightline review [MATCH]`: the rulings of a match."""

import json
from pathlib import Path

import click

from sightline.config import db_option
from sightline.judging import state_to_json, step_to_json
from sightline.match_log.archive import filed, opened
from sightline.review.reading import review_lines


@click.command(name="review")
@click.argument("match", required=False)
@db_option
@click.option("--json", "as_json", is_flag=True, help="One JSON line per fact with rulings.")
def command(match: str | None, db: Path, as_json: bool) -> None:
    """Print the rulings of MATCH (the newest if left out), and what the referee decided."""
    with opened(db) as store:
        found = filed(store, match)
    if not as_json:
        for line in review_lines(found):
            click.echo(line)
        return
    evidence = {entry.seq: list(entry.evidence) for entry in found.entries}
    for step in found.record.steps:
        if step.rulings or step.replies:
            said = {
                "seq": step.seq,
                **step_to_json(step),
                "overruled_by": list(step.overruled_by),
                "confirmed_by": list(step.confirmed_by),
                "answers": [{"id": str(r.id), "answer": r.answer} for r in step.replies],
                "evidence": evidence.get(step.seq, []),
            }
            click.echo(json.dumps(said, ensure_ascii=False))
    end = {
        "state": state_to_json(found.game, found.record.state),
        "to_review": list(found.record.to_review),
    }
    click.echo(json.dumps(end, ensure_ascii=False))
