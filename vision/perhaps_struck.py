"""What a finger may have done where a hand hid it: asked, not ruled as what a hand moved."""

from collections.abc import Sequence

from rules.board import Board
from rules.facts import Fact, Moved, Piece, Pocketed, Removed, Struck, Unclear
from rules.geometry import Point
from rules.said import written
from rules.unseen import BY_HAND, PERHAPS_STRUCK, STRUCK
from vision.motion.body import FLICKED

_MOST = 9  # pieces at once: more are moved where a board is laid or cleared
_ANY_TIME_MS = 1000.0  # one sd of when a piece fell that nobody saw fall


def perhaps_struck(facts: Sequence[Fact], known: Sequence[Piece], board: Board) -> tuple[Fact, ...]:
    """`facts` of a visit of a hand, which perhaps struck what is flicked; else as they are.

    Where that and others of the `known` pieces lie elsewhere, and nobody saw how, a stroke may have
    sent them there as well as the hand. What is gone has then fallen into a pocket; nobody knows
    when.
    """
    lay = {piece.name: piece for piece in known}
    changed = [f for f in facts if isinstance(f, Moved | Removed) and f.piece in lay]
    flicked = [f for f in changed if lay[f.piece].kind in FLICKED]
    if len(changed) != len(facts) or len(flicked) != 1 or not 1 < len(changed) <= _MOST:
        return tuple(facts)
    if len(lay) == sum(isinstance(f, Removed) for f in changed):
        return tuple(facts)  # the surface was cleared
    piece, at_ms = lay[flicked[0].piece], flicked[0].at_ms
    struck = Struck(
        at_ms=at_ms,
        piece=piece.name,
        at=piece.at,
        error_mm=piece.error_mm,
        error_ms=_ANY_TIME_MS,
        by=flicked[0].by,
    )
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
        return tuple(facts)
    asked = Unclear(
        at_ms=at_ms,
        question=written(PERHAPS_STRUCK, piece=piece.name),
        answers=((struck, *falls), tuple(facts)),
        words=(written(STRUCK), written(BY_HAND)),
    )
    return (asked,)


def _nearest(at: Point, board: Board) -> str:
    return min(board.pockets, key=lambda pocket: pocket.centre.distance_mm(at)).id
