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
from rules.said import joined, said_again, say, word
from rules.unseen import question_words
from sightline.words.declared_words import DECLARED
from sightline.words.sight_words import why_words

_AS_THEY_ARE: Mapping[str, str] = MappingProxyType({})


def words_of(fact: Fact, places: Mapping[str, str] = _AS_THEY_ARE) -> str:
    """Return a fact in a person's words; `places` says what players call a lattice's places."""
    match fact:
        case Struck(piece=piece, by=by):
            if by is None:
                return say(
                    "{piece} was pushed along" if fact.dragged else "{piece} was struck",
                    piece=piece,
                )
            return say(
                "{piece} was pushed along from seat {seat}"
                if fact.dragged
                else "{piece} was struck from seat {seat}",
                piece=piece,
                seat=by,
            )
        case Contacted(a=a, b=b):
            return say("{a} touched {b}", a=a, b=b)
        case Cushioned(piece=piece, border=border):
            return say("{piece} touched the {border} border", piece=piece, border=border)
        case Travelled(piece=piece):
            return say("{piece} ran its way", piece=piece)
        case Pocketed(piece=piece, pocket=pocket):
            return say("{piece} fell into the {pocket} pocket", piece=piece, pocket=pocket)
        case Rebounded(piece=piece, pocket=pocket):
            return say("{piece} came back out of the {pocket} pocket", piece=piece, pocket=pocket)
        case LeftBoard(piece=piece):
            return say("{piece} left the board", piece=piece)
        case HandEntered(side=side):
            return say(
                "a hand came over the board"
                if side is None
                else "a hand came over the board from seat {seat}",
                seat=side,
            )
        case HandLeft():
            return say("the hand left the board")
        case Settled(pieces=pieces):
            return say("all came to rest: {count} pieces on the board", count=len(pieces))
        case Moved(piece=piece, after=after):
            return say("{piece} was moved to {place}", piece=piece, place=_place(after))
        case Placed(piece=piece):
            return say("{piece} was put down at {place}", piece=piece.name, place=_place(piece.at))
        case Removed(piece=piece):
            return say("{piece} was taken away", piece=piece)
        case Filled() | Emptied() | Loose():
            return _lattice_words(fact, places.get(fact.place, fact.place))
        case Cleared():
            return say("the board was cleared")
        case Restored():
            return say("the table again shows the referee’s position")
        case Batch(facts=facts):
            return joined((words_of(each, places) for each in facts), "; ") or say(
                "nothing changed"
            )
        case Declared(what=what, side=side, value=value):
            said = joined(part for part in (said_again(what, DECLARED), value) if part)
            return say(
                "{side} said: {what}" if side else "the referee said: {what}", side=side, what=said
            )
        case Unclear():
            return say("unclear: {question}", question=question_words(fact))
        case SightLost(why=why):
            return say("sight was lost: {why}", why=why_words(why))
        case SightRegained():
            return say("sight was regained")


def _lattice_words(fact: Filled | Emptied | Loose, place: str) -> str:
    match fact:
        case Filled(kind=kind, colour=colour):
            return say(
                "{colour} {kind} came onto {place}" if colour else "{kind} came onto {place}",
                colour=word(colour),
                kind=word(kind),
                place=place,
            )
        case Emptied(kind=kind, colour=colour):
            return say(
                "{colour} {kind} went from {place}" if colour else "{kind} went from {place}",
                colour=word(colour),
                kind=word(kind),
                place=place,
            )
        case Loose(kind=kind):
            return say("{kind} lies loose near {place}", kind=word(kind), place=place)


def _place(at: Point) -> str:
    return say("({x_mm:.0f}, {y_mm:.0f}) mm", x_mm=at.x_mm, y_mm=at.y_mm)


def correction_words(decision: Amend | Insert, was: Fact | None) -> str:
    """Return what a correction said; `was` is the fact it put right, where that is known."""
    match decision:
        case Amend(fact=None):
            if was is None:
                return say("Struck out: entry {number}", number=decision.seq)
            return say("Struck out: {fact}", fact=words_of(was))
        case Amend(fact=fact) if fact is not None:
            if isinstance(fact, Settled) and isinstance(was, Settled):
                return say("Put right on the board: {changes}", changes=_board_changes(was, fact))
            return say(
                "Put right at entry {number}: {fact}", number=decision.seq, fact=words_of(fact)
            )
        case Insert(fact=fact):
            return say("Added what was missed: {fact}", fact=words_of(fact))
    raise ValueError(f"expected a correction, got {type(decision).__name__}")


def _board_changes(was: Settled, now: Settled) -> str:
    before = {piece.name: piece for piece in was.pieces}
    after = {piece.name: piece for piece in now.pieces}
    gone = [name for name in before if name not in after]
    fresh = [name for name in after if name not in before]
    moved = [name for name, p in after.items() if name in before and before[name].at != p.at]
    said = [
        *(say("{piece} was not there", piece=name) for name in gone),
        *(
            say("{piece} lay at {place}", piece=name, place=_place(after[name].at))
            for name in fresh + moved
        ),
    ]
    return joined(said, "; ") or say("nothing changed")
