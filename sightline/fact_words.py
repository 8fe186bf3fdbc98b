"""What was seen, as one would tell it: "red-3 fell into the NE pocket"."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.decisions import Amend, Insert
from rules.facts import (
    Batch,
    Cleared,
    Contacted,
    Cushioned,
    Declared,
    Emptied,
    Fact,
    Filled,
    HandEntered,
    HandLeft,
    LeftBoard,
    Loose,
    Moved,
    Placed,
    Pocketed,
    Rebounded,
    Removed,
    Restored,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
    Unclear,
)
from rules.geometry import Point

_AS_THEY_ARE: Mapping[str, str] = MappingProxyType({})


def words_of(fact: Fact, places: Mapping[str, str] = _AS_THEY_ARE) -> str:
    """Return a fact in a person's words; `places` says what players call a lattice's places."""
    match fact:
        case Struck(piece=piece, by=by):
            start = f"{piece} was struck" if not fact.dragged else f"{piece} was pushed along"
            return start if by is None else f"{start} from seat {by}"
        case Contacted(a=a, b=b):
            return f"{a} touched {b}"
        case Cushioned(piece=piece, border=border):
            return f"{piece} touched the {border} border"
        case Travelled(piece=piece):
            return f"{piece} ran its way"
        case Pocketed(piece=piece, pocket=pocket):
            return f"{piece} fell into the {pocket} pocket"
        case Rebounded(piece=piece, pocket=pocket):
            return f"{piece} came back out of the {pocket} pocket"
        case LeftBoard(piece=piece):
            return f"{piece} left the board"
        case HandEntered(side=side):
            return "a hand came over the board" + ("" if side is None else f" from seat {side}")
        case HandLeft():
            return "the hand left the board"
        case Settled(pieces=pieces):
            return f"all came to rest: {len(pieces)} pieces on the board"
        case Moved(piece=piece, after=after):
            return f"{piece} was moved to {_place(after)}"
        case Placed(piece=piece):
            return f"{piece.name} was put down at {_place(piece.at)}"
        case Removed(piece=piece):
            return f"{piece} was taken away"
        case Filled() | Emptied() | Loose():
            return _lattice_words(fact, places.get(fact.place, fact.place))
        case Cleared():
            return "the board was cleared"
        case Restored():
            return "the table again shows the referee’s position"
        case Batch(facts=facts):
            return "; ".join(words_of(each, places) for each in facts) or "nothing changed"
        case Declared(what=what, side=side, value=value):
            said = " ".join(part for part in (what, value) if part)
            return f"{side or 'the referee'} said: {said}"
        case Unclear(question=question):
            return f"unclear: {question}"
        case SightLost(why=why):
            return f"sight was lost: {why}"
        case SightRegained():
            return "sight was regained"


def _lattice_words(fact: Filled | Emptied | Loose, place: str) -> str:
    match fact:
        case Filled(kind=kind, colour=colour):
            return f"{colour} {kind} came onto {place}".lstrip()
        case Emptied(kind=kind, colour=colour):
            return f"{colour} {kind} went from {place}".lstrip()
        case Loose(kind=kind):
            return f"{kind} lies loose near {place}"


def _place(at: Point) -> str:
    return f"({at.x_mm:.0f}, {at.y_mm:.0f}) mm"


def correction_words(decision: Amend | Insert, was: Fact | None) -> str:
    """Return what a correction said; `was` is the fact it put right, where that is known."""
    match decision:
        case Amend(fact=None):
            struck = f"entry {decision.seq}" if was is None else words_of(was)
            return f"Struck out: {struck}"
        case Amend(fact=fact) if fact is not None:
            if isinstance(fact, Settled) and isinstance(was, Settled):
                return f"Put right on the board: {_board_changes(was, fact)}"
            return f"Put right at entry {decision.seq}: {words_of(fact)}"
        case Insert(fact=fact):
            return f"Added what was missed: {words_of(fact)}"
    raise ValueError(f"expected a correction, got {type(decision).__name__}")


def _board_changes(was: Settled, now: Settled) -> str:
    before = {piece.name: piece for piece in was.pieces}
    after = {piece.name: piece for piece in now.pieces}
    said = [f"{name} was not there" for name in before if name not in after]
    said += [f"{name} lay at {_place(p.at)}" for name, p in after.items() if name not in before]
    said += [
        f"{name} lay at {_place(piece.at)}"
        for name, piece in after.items()
        if name in before and before[name].at != piece.at
    ]
    return "; ".join(said) or "nothing changed"
