"""What a finger or a cue may have done where it hid that: asked, not ruled as what it moved."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.board import Board
from rules.facts import Contacted, Fact, Moved, Piece, Pocketed, Removed, Struck, Unclear
from rules.geometry import Point, Seat
from rules.said import written
from rules.unseen import (
    BY_HAND,
    FELL_UNSEEN,
    NOT_STRUCK,
    PERHAPS_STRUCK,
    STRUCK,
    STRUCK_FIRST,
)
from vision.strikers import BY_CUE, FLICKED
from vision.tracking.held import SHIFTED_MM

_MOST = 9  # pieces at once: more are moved where a board is laid or cleared
_ANY_TIME_MS = 1000.0  # one sd of when a piece fell that nobody saw fall


def perhaps_struck(
    facts: Sequence[Fact],
    known: Sequence[Piece],
    board: Board,
    *,
    kinds: Collection[str] = FLICKED,
    otherwise: Sequence[Fact] | None = None,
) -> tuple[Fact, ...]:
    """`facts` of a visit of a hand or a cue, which perhaps struck a piece of these `kinds`.

    Where that and others of the `known` pieces lie elsewhere, and nobody saw how, a stroke may have
    sent them there as well as what was over the board. What is gone has then fallen into a pocket;
    nobody knows when. `otherwise` is what happened if there was no stroke: the facts as they are
    unless said.
    """
    unstruck = tuple(facts if otherwise is None else otherwise)
    lay = {piece.name: piece for piece in known}
    changed = [f for f in facts if isinstance(f, Moved | Removed) and f.piece in lay]
    flicked = [f for f in changed if lay[f.piece].kind in kinds]
    if len(changed) != len(facts) or len(flicked) != 1 or not 1 < len(changed) <= _MOST:
        return unstruck
    if len(lay) == sum(isinstance(f, Removed) for f in changed):
        return unstruck  # the surface was cleared
    piece, at_ms = lay[flicked[0].piece], flicked[0].at_ms
    struck = _struck(piece, at_ms, flicked[0].by)
    falls = [
        Pocketed(
            at_ms=at_ms,
            piece=fact.piece,
            pocket=_nearest(lay[fact.piece].at, board),
            error_ms=_ANY_TIME_MS,
        )
        for fact in changed
        if isinstance(fact, Removed)
    ]
    if falls and not board.pockets:
        return unstruck
    strokes: dict[str, tuple[Fact, ...]] = {written(STRUCK): (struck, *falls)}
    if piece.kind in BY_CUE:  # what it touched first matters
        strokes = {
            written(STRUCK_FIRST, piece=fact.piece): (
                struck,
                Contacted(
                    at_ms=at_ms,
                    a=piece.name,
                    b=fact.piece,
                    at=lay[fact.piece].at,
                    error_ms=_ANY_TIME_MS,
                ),
                *falls,
            )
            for fact in changed
            if fact is not flicked[0]
        }
    asked = Unclear(
        at_ms=at_ms,
        question=written(PERHAPS_STRUCK, piece=piece.name),
        answers=(*strokes.values(), unstruck),
        words=(*strokes, written(BY_HAND)),
    )
    return (asked,)


def perhaps_struck_in(fall: Pocketed, piece: Piece, by: Seat | None) -> Unclear:
    """A `fall` of a `piece` that lay over the pocket while a cue of `by` was over the surface.

    The way is too short for anybody to see a strike.
    """
    struck = _struck(piece, fall.at_ms, by)
    return Unclear(
        at_ms=fall.at_ms,
        question=written(FELL_UNSEEN, piece=piece.name, pocket=fall.pocket),
        answers=((struck, replace(fall, error_ms=_ANY_TIME_MS)), (fall,)),
        words=(written(STRUCK), written(NOT_STRUCK)),
    )


def _struck(piece: Piece, at_ms: float, by: Seat | None) -> Struck:
    hidden = piece.kind in FLICKED
    return Struck(
        at_ms=at_ms,
        piece=piece.name,
        at=piece.at,
        error_mm=max(piece.error_mm, SHIFTED_MM) if hidden else piece.error_mm,
        error_ms=_ANY_TIME_MS,
        by=by,
        hidden=hidden,
    )


def _nearest(at: Point, board: Board) -> str:
    return min(board.pockets, key=lambda pocket: pocket.centre.distance_mm(at)).id
