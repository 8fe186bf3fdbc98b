"""Who changed what lies on the table since it was looked at last: a hand, a cue, or nobody."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.board import Board
from rules.facts import Fact, Moved, Piece, Pocketed, Struck
from rules.geometry import Seat
from vision.strikers import BY_CUE, CUED, FLICKED
from vision.telling.fallen import Change, fallen_in
from vision.telling.perhaps_struck import perhaps_struck, perhaps_struck_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Who was there: `anybody` at all, `hands` or a cue alone. `side` is whence the one came that
    was there, None of several; `since_ms` when something reached in first.
    """

    anybody: bool
    hands: bool
    side: Seat | None
    since_ms: float


def done_by(
    visit: Visit,
    changes: Sequence[Change],
    known: Sequence[Piece],
    board: Board,
    *,
    unfollowed: Sequence[Piece],
) -> tuple[Fact, ...]:
    """The `changes` among the `known` pieces with who made them; asked where a stroke may have.

    `unfollowed` are those of which no run was seen.
    """
    if not visit.anybody:
        return fallen_in(changes, known, board)
    made = [change if change.by else replace(change, by=visit.side) for change in changes]
    if visit.hands:
        return perhaps_struck(made, unfollowed, board, kinds=FLICKED)
    told = fallen_in(made, known, board)  # nobody takes a piece up with a cue
    if len(told) == 1 and isinstance(fall := told[0], Pocketed):
        (piece,) = (piece for piece in known if piece.name == fall.piece)
        if piece.kind in BY_CUE:
            return (perhaps_struck_in(fall, piece, visit.side),)
    led = told if visit.side is None else _brought_by_cue(told, known, visit.since_ms)
    return perhaps_struck(made, unfollowed, board, kinds=CUED, otherwise=led)


def _brought_by_cue(
    facts: Sequence[Fact], known: Sequence[Piece], since_ms: float
) -> tuple[Fact, ...]:
    """`facts` of a time when a cue, but no hand, was over the surface from `since_ms` on.

    What is struck with a cue, and then lies elsewhere though nobody saw it run, was brought there
    with it: where the cue lies over it all the way, it is not followed.
    """
    cued = {p.name for p in known if p.kind in BY_CUE}
    return tuple(
        Struck(
            at_ms=since_ms,
            piece=fact.piece,
            at=fact.before,
            error_mm=fact.error_mm,
            error_ms=max(0.0, fact.at_ms - since_ms),
            by=fact.by,
            dragged=True,
        )
        if isinstance(fact, Moved) and fact.piece in cued
        else fact
        for fact in facts
    )
