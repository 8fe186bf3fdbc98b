"""While a foul stands or a push is due: what puts it right, what is kept back (QB-10.5, 10.8)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.calls import kept_with
from rules.facts import Batch, Cleared, Declared, Fact, Restored
from rules.games.quarterback import effects as e
from rules.games.quarterback.pieces import other
from rules.games.quarterback.places import changes_in, fact_of
from rules.games.quarterback.sight import agreeing, noticed
from rules.games.quarterback.state import Change, Correction, Displaced, State

if TYPE_CHECKING:
    from rules.games.quarterback.bench import Bench


def while_it_stands(bench: "Bench", fact: Fact) -> None:
    """Judge a fact while a correction stands: it puts something right, or it is kept back."""
    standing = bench.state.correction
    if standing is None:
        return
    if isinstance(fact, Restored):
        fixed(bench, as_recorded=True)
        return
    if isinstance(fact, Cleared):
        return
    changes = changes_in(bench.state, fact)
    if not changes:
        if isinstance(fact, Declared) or (isinstance(fact, Batch) and _says(fact)):
            kept = kept_with(bench.state.kept, fact)
            bench.say("HOLD", "QB-10.8", e.Keep(kept, standing.off, standing.due))
        return
    bench.state, news = noticed(bench.state, changes)
    if not news:
        return
    off, kept, fresh = _cancel(bench.state, standing, fact, news)
    due = tuple(each for each in standing.due if _still_due(each, off))
    if not off:
        bench.state = e.apply(bench.state, e.Keep(kept, off, due))
        fixed(bench)
    elif len(due) < len(standing.due) and not fresh:
        bench.say("OK", "QB-10.5", e.Keep(kept, off, due), pushed="yes")
    else:
        bench.say("HOLD", "QB-10.8", e.Keep(kept, off, due))


def _says(fact: Batch) -> bool:
    return any(isinstance(part, Declared) for part in fact.facts)


def _still_due(piece: Displaced, off: Sequence[Change]) -> bool:
    return any(
        change.letter == piece.letter
        and change.square == (piece.start if change.came else piece.end)
        for change in off
    )


def _cancel(
    state: State, standing: Correction, fact: Fact, news: Sequence[Change]
) -> tuple[tuple[Change, ...], tuple[Fact, ...], bool]:
    """What is still off, what is kept back, and whether this fact brought anything new.

    A change undoes its opposite: first in what is off, then in the facts kept back, newest first.
    """
    off = list(standing.off)
    kept = [(each, changes_in(state, each)) for each in state.kept]
    fresh = []
    for change in news:
        opposite = Change(change.square, change.letter, not change.came)
        if opposite in off:
            off.remove(opposite)
            continue
        for n in range(len(kept) - 1, -1, -1):
            old, held = kept[n]
            if opposite in held:
                held = [each for each in held if each != opposite]
                kept[n] = (_as_fact(state, held, old), held)
                if not held:
                    del kept[n]
                break
        else:
            fresh.append(change)
    facts = [each for each, _ in kept]
    if fresh:
        whole = len(fresh) == len(news)
        facts.append(fact if whole else _as_fact(state, fresh, fact))
    return tuple(off), tuple(facts), bool(fresh)


def _as_fact(state: State, changes: Sequence[Change], was: Fact) -> Fact:
    facts = tuple(fact_of(state, change, was.at_ms) for change in changes)
    return facts[0] if len(facts) == 1 else Batch(at_ms=was.at_ms, facts=facts)


def fixed(bench: "Bench", *, as_recorded: bool = False) -> None:
    """Say that all is right again, then judge what was kept back, in order."""
    state = bench.state
    standing, kept = state.correction, state.kept
    if standing is None:
        return
    plain = agreeing(state) if as_recorded else _without(state, kept)
    acting = state.turn
    bench.say("FIXED", "QB-10.8", e.Fix(plain.table, plain.under, plain.disc))
    if standing.due or standing.reason == "push-due":
        bench.turn_over()
    elif (
        state.terms.lose_turn
        and state.turn
        and standing.side == state.turn
        and standing.reason != "takeback"
    ):
        bench.end_turn(other(state.turn))
    for fact in kept:
        if not (_ends_turn(fact) and bench.state.turn != acting):  # it has ended by itself
            bench.judge(fact)


def _ends_turn(fact: Fact) -> bool:
    return isinstance(fact, Declared) and fact.what == "end"


def _without(state: State, kept: Sequence[Fact]) -> State:
    """The board as it would be seen had the facts kept back not come."""
    for fact in reversed(kept):
        undone = [
            Change(change.square, change.letter, not change.came)
            for change in reversed(changes_in(state, fact))
        ]
        state, _ = noticed(state, undone)
    return state
