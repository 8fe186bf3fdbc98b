"""Facts in, rulings out, as JSON lines: the rules alone (docs/json.md)."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rules.codec import (
    Json,
    Malformed,
    body_from_json,
    body_to_json,
    check_version,
    entry_from_json,
    fact_to_json,
    outcome_to_json,
    ruling_to_json,
    scoreboard_to_json,
    setup_from_json,
)
from rules.engine import Fold
from rules.game import Entry, Game, Setup, Step
from rules.orders import fact_of
from sightline.complaint import Complaint

Agree = Callable[[Setup | None], Setup]
"""Makes the setup that holds of the one that stands at the head of a file, if one does."""


def read_entries(lines: Iterable[bytes], name: str, agree: Agree) -> Iterator[Setup | Entry]:
    """Yield the setup, then every entry. A line is a bare fact or decision, or a whole entry.

    Lines are JSON in UTF-8. The first line may be the header of an exported match. Complaint names
    the line.
    """
    agreed = False
    last = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            header = isinstance(value, dict) and "sightline" in value
            if not agreed:
                agreed = True
                yield agree(_setup_of(value) if header else None)
                if header:
                    continue
            entry = _entry(value, last)
        except (ValueError, RecursionError) as err:
            raise Complaint(f"{name}: line {number}: {_words(err)}") from err
        last = entry.seq
        yield entry
    if not agreed:
        yield agree(None)


def _setup_of(header: dict[str, object]) -> Setup:
    check_version(header.get("version"))
    return setup_from_json(header.get("setup"), "setup")


def _entry(value: object, last: int) -> Entry:
    if isinstance(value, dict) and "body" in value:
        entry = entry_from_json(value)
        if entry.seq <= last:
            raise Malformed("seq", f"a number above {last}", entry.seq)
        return entry
    body = body_from_json(value)
    return Entry(seq=last + 1, at_ms=getattr(body, "at_ms", 0.0), body=body)


def _words(err: ValueError | RecursionError) -> str:
    if isinstance(err, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
        return f"this is not JSON ({err})"
    return str(err)


def judged(game: Game[Any], fold: Fold[Any], entry: Entry) -> dict[str, Json]:
    """Fold one more entry and return what is printed for it.

    After a decision, `changed` holds every fact whose rulings are now other than they were, and
    `gone` the seqs of those that were struck out.
    """
    before = {step.seq: step for step in fold.steps}
    kept = fold.append(entry)
    fresh = fold.steps[kept:]
    said: dict[str, Json] = {"seq": entry.seq}
    if fact_of(entry) is not None:
        said |= step_to_json(fresh[-1])
    else:
        said["decision"] = body_to_json(entry.body)
        said["changed"] = [
            {"seq": step.seq, **step_to_json(step)}
            for step in fresh
            if step.seq not in before or before[step.seq].rulings != step.rulings
        ]
        said["gone"] = list[Json](sorted(before.keys() - {step.seq for step in fold.steps}))
        said["to_review"] = list(fold.to_review)
    said["state"] = state_to_json(game, fold.state)
    return said


def step_to_json(step: Step[Any]) -> dict[str, Json]:
    """Return a step's fact and rulings, each ruling with its id."""
    said: dict[str, Json] = {"fact": fact_to_json(step.fact), "rulings": _rulings(step)}
    if step.fault:
        said["fault"] = step.fault
    return said


def _rulings(step: Step[Any]) -> list[Json]:
    return [
        {"id": str(id), **ruling_to_json(ruling)}
        for id, ruling in zip(step.ids, step.rulings, strict=True)
    ]


def state_to_json(game: Game[Any], state: Any) -> dict[str, Json]:
    """Return what a state says: the scoreboard, the score, the outcome (null: none yet)."""
    outcome = game.outcome(state)
    return {
        "scoreboard": scoreboard_to_json(game.scoreboard(state)),
        "score": dict(game.score(state)),
        "outcome": None if outcome is None else outcome_to_json(outcome),
    }


def judge_lines(
    game: Game[Any], lines: Iterable[bytes], name: str, agree: Agree
) -> Iterator[dict[str, Json]]:
    """Yield what is printed for each line of facts. Complaint names the file and the line."""
    fold: Fold[Any] | None = None
    for item in read_entries(lines, name, agree):
        if isinstance(item, Setup):
            try:
                fold = Fold(game, item)
            except ValueError as err:
                raise Complaint(f"{name}: the setup is refused: {err}") from err
        elif fold is not None:
            yield judged(game, fold, item)
