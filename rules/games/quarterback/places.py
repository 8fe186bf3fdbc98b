"""Between the table's words (places of the lattice, kinds, colours) and the game's own."""

from collections.abc import Sequence

from rules.facts import Batch, Declared, Emptied, Fact, Filled, Piece, Settled
from rules.games.quarterback.field import EMPTY, Field
from rules.games.quarterback.pieces import BALL, KINDS, LETTER_OF, side_of
from rules.games.quarterback.sentences import NotASentence, read_move, read_shift
from rules.games.quarterback.state import Change, State, player_of


def place_of(field: Field, square: int) -> str:
    """`cells:3,11` for d8."""
    return f"cells:{square % field.cols},{square // field.cols}"


def square_at(field: Field, place: str) -> int | None:
    """The square of a place `cells:3,11`; None where it is none of this field."""
    kind, _, at = place.partition(":")
    col, _, row = at.partition(",")
    if kind != "cells" or not (col.isascii() and col.isdigit() and row.isascii() and row.isdigit()):
        return None
    return field.square(int(col), int(row) - field.behind)


def letter_for(state: State, kind: str, colour: str) -> str | None:
    """The letter of a piece of that kind and colour in this half; None for what is not in play."""
    if kind == "ball":
        return BALL
    letter, colours = LETTER_OF.get(kind), state.terms.colours
    if letter is None or colour not in colours:
        return None
    return letter if colours.index(colour) == state.attacker else letter.lower()


def kind_and_colour(state: State, letter: str) -> tuple[str, str]:
    """Kind and colour on this table of a letter in this half."""
    if letter == BALL:
        return "ball", "white"
    player = player_of(state, side_of(letter))
    return KINDS[letter.upper()], state.terms.colours[player]


def fact_of(state: State, change: Change, at_ms: float) -> Fact:
    """The fact that a piece came to its square or is gone from it."""
    kind, colour = kind_and_colour(state, change.letter)
    place = place_of(state.terms.field, change.square)
    make = Filled if change.came else Emptied
    return make(at_ms=at_ms, place=place, kind=kind, colour=colour)


def changes_in(state: State, fact: Fact) -> list[Change]:
    """What a fact says of the board, one place at a time; empty where it says nothing of it."""
    match fact:
        case Filled(place=place, kind=kind, colour=colour):
            return _change(state, place, kind, colour, True)
        case Emptied(place=place, kind=kind, colour=colour):
            return _change(state, place, kind, colour, False)
        case Batch(facts=facts):
            return [
                change
                for part in facts
                if not isinstance(part, Declared)
                for change in changes_in(state, part)
            ]
        case Settled(pieces=pieces):
            return _whole(state, pieces)
        case Declared(what="move" | "shift"):
            return _said(state, fact)
        case _:
            return []


def _whole(state: State, pieces: Sequence[Piece]) -> list[Change]:
    """A look at the whole board, as changes of what was seen before; of stacks the top counts.

    Pieces are called by their places, one upon another as `cells:3,4/ball`.
    """
    field = state.terms.field
    seen: dict[int, str] = {}
    disc = None
    for piece in pieces:
        square = square_at(field, piece.name.partition("/")[0])
        letter = letter_for(state, piece.kind, piece.colour)
        if square is None or letter is None:
            continue
        if letter == BALL:
            disc = square
        else:
            seen[square] = letter
    if not seen:
        return []
    table = {n: letter for n, letter in enumerate(state.table) if letter != EMPTY}
    gone = [Change(n, letter, False) for n, letter in table.items() if seen.get(n) != letter]
    come = [Change(n, letter, True) for n, letter in seen.items() if table.get(n) != letter]
    if state.disc not in (None, disc):
        gone.append(Change(state.disc or 0, BALL, False))
    return gone + come + ([] if disc is None else [Change(disc, BALL, True)])


def _change(state: State, place: str, kind: str, colour: str, came: bool) -> list[Change]:
    square = square_at(state.terms.field, place)
    if square is None:
        return []
    if not came and colour == "" and kind != "ball":
        there = state.table[square]  # whose it was is known from the position
        return [] if there == EMPTY else [Change(square, there, False)]
    letter = letter_for(state, kind, colour)
    return [] if letter is None else [Change(square, letter, came)]


def _said(state: State, fact: Declared) -> list[Change]:
    """A move or a shift as people say it, as changes of the board."""
    field = state.terms.field
    try:
        if fact.what == "shift":
            displaced = [read_shift(fact.value, field)]
            squares: tuple[int, ...] = ()
            letter = ""
        else:
            said = read_move(fact.value, field)
            displaced, squares, letter = list(said.displaced), said.squares, said.letter
    except NotASentence:
        return []
    changes = [Change(each.start, each.letter, False) for each in displaced]
    changes += [Change(each.end, each.letter, True) for each in displaced]
    if squares and squares[0] != squares[-1]:
        if squares[0] >= 0:
            changes.append(Change(squares[0], letter, False))
        if squares[-1] >= 0:
            changes.append(Change(squares[-1], letter, True))
    return changes
