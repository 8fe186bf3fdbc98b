"""What fell into a pocket though nobody was there to strike it, or to take it up."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.board import Board
from rules.facts import Fact, Moved, Piece, Placed, Pocketed, Removed, Struck, Travelled, Unclear
from rules.geometry import Point

Change = Moved | Placed | Removed

_FELL_MS = 100.0  # one sd of when a piece fell that nobody touched


def fallen_in(
    changes: Sequence[Change], known: Sequence[Piece], board: Board
) -> tuple[Change | Pocketed, ...]:
    """`changes` of a time when nobody was there: what went from the brink of a pocket fell in."""
    lay = {piece.name: piece for piece in known}
    return tuple(
        Pocketed(at_ms=fact.at_ms, piece=fact.piece, pocket=pocket, error_ms=_FELL_MS)
        if isinstance(fact, Removed) and (pocket := _over_mouth(lay[fact.piece], board))
        else fact
        for fact in changes
    )


def rolled_in(
    lost: Sequence[Piece], ran: Mapping[str, tuple[float, float]], board: Board, *, at_ms: float
) -> tuple[Pocketed, ...]:
    """The falls of those `lost` that had come to a pocket's mouth when they were seen last.

    They `ran` there, none of them fast enough to clear the border; and they were gone by `at_ms`,
    though no hand has been over the surface.
    """
    return tuple(
        Pocketed(at_ms=at_ms, piece=piece.name, pocket=pocket, error_ms=_FELL_MS)
        for piece in lost
        if piece.name in ran
        and (pocket := _over_mouth(replace(piece, at=Point(*ran[piece.name])), board))
    )


def without_stroke(facts: Sequence[Fact], known: Sequence[Piece], board: Board) -> tuple[Fact, ...]:
    """`facts` of a spell when nobody was there: what fell from the brink by itself was not struck.

    So only where it was all that moved, and it touched nothing.
    """
    falls = [fact for fact in facts if isinstance(fact, Pocketed)]
    others = [fact for fact in facts if not isinstance(fact, Pocketed)]
    if len(falls) != 1 or not all(isinstance(f, Struck | Travelled | Unclear) for f in others):
        return tuple(facts)
    brinks = {piece.name: _over_mouth(piece, board) for piece in known}
    return tuple(falls) if brinks.get(falls[0].piece) == falls[0].pocket else tuple(facts)


def _over_mouth(piece: Piece, board: Board) -> str | None:
    """The pocket over whose rim a piece lies with a part of it, if it does."""
    radius = board.piece(piece.kind, piece.colour).diameter_mm / 2
    for pocket in board.pockets:
        if pocket.centre.distance_mm(piece.at) < pocket.radius_mm + radius:
            return pocket.id
    return None
