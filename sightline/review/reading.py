"""A match for people to read: its rulings, what was decided, what waits for the referee."""

from collections.abc import Iterator, Mapping
from typing import Any

from rules.game import Entry, Step
from rules.orders import decision_of
from rules.rulings import Standing
from rules.transcript import fact_line, ruling_line
from sightline.match_log.archive import Filed
from sightline.running.views import decision_words


def clock_of(at_ms: float) -> str:
    """Return a time of the match as h:mm:ss.t."""
    tenths = round(at_ms / 100)
    seconds, tenth = divmod(tenths, 10)
    minutes, second = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}.{tenth}"


def head_lines(match: Filed) -> Iterator[str]:
    """Yield what the match is."""
    header = match.header
    yield f"# {match.game.title} · {header.name} · started {header.started}"
    for player in header.setup.players:
        yield f"# seat {player.seat}: {player.name or '-'} {player.colour}".rstrip()
    for name, value in header.setup.options.items():
        yield f"# {name} = {value}"


def review_lines(match: Filed) -> Iterator[str]:
    """Yield every ruling with its time, the decisions below those they changed, and the result."""
    yield from head_lines(match)
    decisions = {e.seq: d for e in match.entries if (d := decision_of(e)) is not None}
    for step in match.record.steps:
        for reply in step.replies:
            yield f"{clock_of(step.fact.at_ms):>11}  {ruling_line(reply.asked)}"
            yield f"{'':>13}-> {decision_words(decisions[reply.seq])}"
        for ruling, *said in zip(step.rulings, step.overruled_by, step.confirmed_by, strict=True):
            yield f"{clock_of(step.fact.at_ms):>11}  {ruling_line(ruling)}"
            for by in filter(None, said):
                yield f"{'':>13}-> {decision_words(decisions[by])}"
    yield from _result(match, decisions)


def _result(match: Filed, decisions: Mapping[int, Any]) -> Iterator[str]:
    state = match.record.state
    asked = [
        ruling.question.words
        for step in match.record.steps
        for ruling in step.rulings
        if ruling.standing is Standing.OPEN and ruling.question is not None
    ]
    yield "# score: " + ", ".join(f"{s} {n}" for s, n in match.game.score(state).items())
    outcome = match.game.outcome(state)
    yield f"# {outcome.words}" if outcome is not None else "# unfinished"
    for words in asked[-1:]:
        yield f"# the referee is asked: {words}"
    for seq in match.record.to_review:
        yield f"# to review, entry {seq}: {decision_words(decisions[seq])}"


def transcript_lines(match: Filed) -> Iterator[str]:
    """Yield the log in its own order: facts and decisions, rulings indented below their fact."""
    yield from head_lines(match)
    steps = {step.seq: step for step in match.record.steps}
    for entry in match.entries:
        yield fact_line(entry.body)
        yield from _rulings(entry, steps)
    if match.record.to_review:
        yield "# to review: " + ", ".join(map(str, match.record.to_review))


def _rulings(entry: Entry, steps: Mapping[int, Step[Any]]) -> Iterator[str]:
    step = steps.get(entry.seq)
    if step is None:
        return
    for reply in step.replies:
        yield f"    {ruling_line(reply.asked)} -> {reply.answer}"
    for ruling in step.rulings:
        yield f"    {ruling_line(ruling)}"
    if step.fault:
        yield f"    fault: {step.fault}"
