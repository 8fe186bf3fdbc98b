"""Which pieces are struck, and with what: a cue or a finger."""

from rules.board import Board

BY_CUE = ("cue-puck", "cue-ball")
FLICKED = ("striker",)
CUED = (*BY_CUE, *FLICKED)


def has_cues(board: Board) -> bool:
    """Whether a board is played with cue sticks."""
    return any(piece.kind in BY_CUE for piece in board.pieces)


def is_flicked(board: Board) -> bool:
    """Whether a board is played with the fingers, by a striker."""
    return any(piece.kind in FLICKED for piece in board.pieces)
