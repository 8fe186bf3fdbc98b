"""Who changed what lies on the table since it was looked at last: a hand, a cue, or nobody."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.board import Board
from rules.facts import Fact, Moved, Piece, Placed, Pocketed, Removed
from rules.geometry import Seat
from vision.motion.body import BY_CUE, CUED, FLICKED
from vision.perhaps_struck import perhaps_struck, perhaps_struck_in
from vision.stocktaking import brought_by_cue, fallen_in

Changes = Sequence[Moved | Placed | Removed]


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
    changes: Changes,
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
    led = told if visit.side is None else brought_by_cue(told, known, visit.since_ms)
    return perhaps_struck(made, unfollowed, board, kinds=CUED, otherwise=led)
