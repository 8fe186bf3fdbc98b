"""Facts and rulings of Quarterback in the rulebook's readable form, and back (section 3)."""

from collections.abc import Sequence

from rules.facts import Batch, Cleared, Declared, Emptied, Fact, Filled, Loose, Restored
from rules.games.quarterback.pieces import BALL
from rules.games.quarterback.places import changes_in, fact_of, place_of, square_at
from rules.games.quarterback.sentences import SaidMove, read_move, write_move
from rules.games.quarterback.state import Change, State
from rules.rulings import Ruling

SAID = ("coin", "concede", "end", "not-ended", "pass", "points", "route", "setup", "shift",
        "stall", "takeback")  # fmt: skip


LETTERS = (*"QSDTqsdt", BALL)


def read_fact(text: str, state: State, at_ms: float = 0.0) -> Fact:
    """The fact of a transcript line such as `move Ta0~a3`; ValueError where it is none.

    A move along seen squares is what a person tapped; one with `~` is what the camera saw. `state`
    says which colour attacks.
    """
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    field = state.terms.field
    match word:
        case "move" if "~" in rest:
            said = read_move(rest, field)
            facts = [fact_of(state, change, at_ms) for change in _changes(said)]
            return Batch(at_ms=at_ms, facts=tuple(facts) + _vanished(state, said, at_ms))
        case "move":
            return Declared(at_ms=at_ms, what="move", value=rest)
        case "batch:":
            parts = [read_fact(part, state, at_ms) for part in rest.split(";")]
            return Batch(at_ms=at_ms, facts=_flat(parts))
        case "ball" if rest.startswith("off "):
            change = Change(field.named(rest[4:]), BALL, False)
            return Batch(at_ms=at_ms, facts=(fact_of(state, change, at_ms),))
        case "ball":
            return fact_of(state, Change(field.named(rest), BALL, True), at_ms)
        case "lift" | "gone" | "come" if rest[:1] in LETTERS and rest:
            change = Change(field.named(rest[1:]), rest[0], word == "come")
            found = fact_of(state, change, at_ms)
            return Batch(at_ms=at_ms, facts=(found,)) if word == "lift" else found
        case "across":
            place = place_of(field, field.named(rest))
            return Loose(at_ms=at_ms, place=place, kind="")
        case "restored":
            return Restored(at_ms=at_ms)
        case "cleared":
            return Cleared(at_ms=at_ms)
        case _ if word in SAID:
            return Declared(at_ms=at_ms, what=word, value=rest)
        case _:
            raise ValueError(f"expected a fact of Quarterback, got {text!r}")


def _changes(said: SaidMove) -> list[Change]:
    moved = [(said.letter, said.squares[0], said.squares[-1])]
    moved += [(each.letter, each.start, each.end) for each in said.displaced]
    found = [Change(start, letter, False) for letter, start, _ in moved]
    return found + [Change(end, letter, True) for letter, _, end in moved]


def _vanished(state: State, said: SaidMove, at_ms: float) -> tuple[Fact, ...]:
    if not said.picked or not state.loose:
        return ()
    return (fact_of(state, Change(state.ball, BALL, False), at_ms),)


def write_fact(fact: Fact, state: State) -> str | None:
    """The line that `read_fact` reads; None for a fact that Quarterback does not know."""
    field = state.terms.field
    match fact:
        case Declared(what=what, value=value) if what in (*SAID, "move"):
            return f"{what} {value}".strip()
        case Restored():
            return "restored"
        case Loose(place=place):
            square = square_at(field, place)
            return None if square is None else f"across {field.name(square)}"
        case Cleared():
            return "cleared"
        case Filled(kind="ball", place=place):
            square = square_at(field, place)
            return None if square is None else f"ball {field.name(square)}"
        case Filled() | Emptied():
            changes = changes_in(state, fact)
            if not changes:
                return None
            change = changes[0]
            verb = "come" if change.came else "gone"
            return f"{verb} {change.letter}{field.name(change.square)}"
        case Batch(facts=facts):
            return _batch(facts, state)
        case _:
            return None


def _batch(facts: Sequence[Fact], state: State) -> str | None:
    field = state.terms.field
    facts = _flat(facts)
    changes = [change for fact in facts for change in changes_in(state, fact)]
    if len(facts) == len(changes) == 1 and not changes[0].came:
        change = changes[0]
        if change.letter == BALL:
            return f"ball off {field.name(change.square)}"
        return f"lift {change.letter}{field.name(change.square)}"
    said = _as_move(changes, state)
    if said is not None and len(facts) == len(changes):
        return "move " + write_move(said, field)
    lines = [write_fact(fact, state) for fact in facts]
    return "batch: " + "; ".join(line for line in lines if line)


def _flat(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts of a frame, those of frames within it too."""
    found: list[Fact] = []
    for fact in facts:
        found += _flat(fact.facts) if isinstance(fact, Batch) else (fact,)
    return tuple(found)


def _as_move(changes: Sequence[Change], state: State) -> SaidMove | None:
    """A batch of one piece gone here and come there, the ball perhaps taken up, as a move."""
    pieces = [change for change in changes if change.letter != BALL]
    ball = [change for change in changes if change.letter == BALL]
    if len(pieces) != 2 or len({change.letter for change in pieces}) != 1:
        return None
    start, end = sorted(pieces, key=lambda change: change.came)
    taken = [Change(state.ball, BALL, False)] if state.loose else []
    if start.came or not end.came or ball not in ([], taken) or pieces[0].came:
        return None
    return SaidMove(
        letter=start.letter,
        squares=(start.square, end.square),
        seen=False,
        picked=bool(ball),
    )


def write_rulings(rulings: tuple[Ruling, ...]) -> str:
    """`OK @QB-3.1 | TURN D @QB-2.3`."""
    return " | ".join(f"{ruling.call} @{ruling.code}" for ruling in rulings)
