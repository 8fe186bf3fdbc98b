"""A lattice's board at one moment, and what a change on it may have been instead."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

from rules.board import Board
from rules.codec import fact_to_json
from rules.facts import Batch, Emptied, Fact, Filled, Piece
from rules.game import Step
from rules.said import say, word
from sightline.running.views import pieces_of
from sightline.words.place_names import places_of
from web.study import Doubt, LatticeBoard, LatticeLook, Runner

_NEIGHBOURS = 4
_BEFORE, _AFTER = 8, 4
"""How many facts are told before a change, and after it."""


def around_change(steps: Sequence[Step[Any]], here: int) -> tuple[int, int]:
    """Return the first and last place of what was seen about the fact in place `here`."""
    return max(0, here - _BEFORE), min(len(steps) - 1, here + _AFTER)


def change_at(steps: Sequence[Step[Any]], here: int, start: int) -> int | None:
    """Return the place of the last change of the lattice from `start` up to `here`, if any."""
    for place in range(here, start - 1, -1):
        if isinstance(steps[place].fact, Filled | Emptied | Batch):
            return place
    return None


def lattice_board(
    steps: Sequence[Step[Any]], change: int, board: Board, names: Mapping[str, str]
) -> LatticeBoard:
    """Return the board right after the change in place `change`.

    What that change put somewhere comes first among the doubts: it may have been put beside it,
    or been another piece, or not have come at all.
    """
    fact = steps[change].fact
    pieces = pieces_of((step.fact for step in steps[: change + 1]), board)
    looks = _looks(board)
    fresh = {part.place for part in _parts(fact) if isinstance(part, Filled)}
    taken = {_place(piece) for piece in pieces}
    return LatticeBoard(
        seq=steps[change].seq,
        fact=fact_to_json(fact),
        pieces=pieces,
        doubts=tuple(
            _doubt(piece, board, names, taken, looks) for piece in pieces if _place(piece) in fresh
        ),
        names=names,
        looks=looks,
    )


def _doubt(
    piece: Piece,
    board: Board,
    names: Mapping[str, str],
    taken: set[str],
    looks: Sequence[LatticeLook],
) -> Doubt:
    layer = _layer(_place(piece))
    runners = [
        Runner(words=names[place], piece=_standing(piece, place, board))
        for place in _nearest(piece, board, layer, taken)
    ]
    runners += [
        Runner(
            words=say("It was a {colour} {kind}", colour=word(look.colour), kind=word(look.kind)),
            piece=replace(piece, kind=look.kind, colour=look.colour),
        )
        for look in looks
        if look.layer == layer and (look.kind, look.colour) != (piece.kind, piece.colour)
    ][:_NEIGHBOURS]
    runners.append(Runner(words=say("Nothing lay there"), piece=None))
    return Doubt(name=piece.name, words="", likely=True, runners=tuple(runners))


def _nearest(piece: Piece, board: Board, layer: str, taken: set[str]) -> list[str]:
    """Return the empty places next to a piece, the nearest first."""
    away: list[tuple[float, str]] = []
    for place in places_of(board, layer):
        at = board.at(place)
        if at is not None and place not in taken:
            away.append((hypot(at.x_mm - piece.at.x_mm, at.y_mm - piece.at.y_mm), place))
    return [place for _, place in sorted(away)[:_NEIGHBOURS]]


def _standing(piece: Piece, place: str, board: Board) -> Piece:
    at = board.at(place)
    assert at is not None
    turn_deg = 90.0 if place.startswith("edges:v:") else 0.0
    return replace(piece, name=place, at=at, turn_deg=turn_deg)


def _looks(board: Board) -> tuple[LatticeLook, ...]:
    """Return which pieces may stand on which layer: sticks along edges, all others elsewhere."""
    layers = ["edges" if lattice.id == "dots" else lattice.id for lattice in board.lattices]
    return tuple(
        LatticeLook(kind=spec.kind, colour=spec.colour, layer=layer)
        for spec in board.pieces
        for layer in layers
        if (layer == "edges") == (spec.length_mm > 0 and "edges" in layers)
    )


def _parts(fact: Fact) -> tuple[Fact, ...]:
    return fact.facts if isinstance(fact, Batch) else (fact,)


def _place(piece: Piece) -> str:
    return piece.name.partition("/")[0]


def _layer(place: str) -> str:
    return place.partition(":")[0]
