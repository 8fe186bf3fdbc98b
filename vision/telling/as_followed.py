"""Pieces at rest as they were followed to there, where no close look was to be had."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.facts import Piece

FOLLOWED_MM = 0.4
"""One standard deviation, in mm, of a place to which a piece was followed."""

LOST_MM = 60.0
"""The same where nobody saw it come to rest, or go at all."""


def as_followed(
    pieces: Sequence[Piece],
    ran: Collection[str],
    *,
    gone: Collection[str],
    unseen: Collection[str],
) -> tuple[Piece, ...]:
    """`pieces` at the places known last, with what the following leaves open as their errors.

    `ran`: names of those that were seen to run, of which `gone` were not seen to rest; `unseen`:
    those of which nobody can say what the stroke did with them.
    """

    def error_mm(name: str) -> float:
        if name in ran:
            return LOST_MM if name in gone else FOLLOWED_MM
        return LOST_MM if name in unseen else 0.0

    return tuple(replace(p, error_mm=max(p.error_mm, error_mm(p.name))) for p in pieces)
