"""What a settled board may have shown instead of what was read, the likeliest mistakes first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot
from statistics import median
from types import MappingProxyType

from rules.facts import Fact, LeftBoard, Piece, Pocketed, Removed, Settled
from rules.said import joined, say, word
from sightline.review.appearance import Look
from web.study import Doubt, Runner

NOTHING_ALIKE: Mapping[str, tuple[Look, ...]] = MappingProxyType({})

HALF_SEEN = 0.6
"""A piece of which less was visible is a doubtful one."""
POORLY_MEASURED = 2.5
"""So is one whose error is so many times that of its neighbours,"""
HARDLY_MOVED_MM = 3.0
"""or one that moved by less than this while nothing is known to have touched it."""
_MOST = 4


def doubts_of(
    settled: Settled,
    earlier: Settled | None,
    between: Sequence[Fact],
    known: Mapping[str, Piece],
    alike: Mapping[str, tuple[Look, ...]] = NOTHING_ALIKE,
) -> tuple[Doubt, ...]:
    """Return for each piece what else it may have been, the doubtful ones first.

    `earlier` is the settled board before, `between` what was seen since, `known` every piece of
    the match, `alike` the looks that each piece comes nearest to in the picture. A piece that
    vanished without a word comes first: it may lie there unseen.
    """
    was = {piece.name: piece for piece in earlier.pieces} if earlier else {}
    here = {piece.name: piece for piece in settled.pieces}
    told = {fact.piece for fact in between if isinstance(fact, Pocketed | LeftBoard | Removed)}
    vanished = [
        Doubt(
            name=name,
            words=say("{piece} vanished without being seen to go", piece=name),
            likely=True,
            runners=(
                Runner(words=say("{piece} still lies where it lay", piece=name), piece=piece),
            ),
        )
        for name, piece in was.items()
        if name not in here and name not in told
    ]
    usual_mm = median([piece.error_mm for piece in settled.pieces] or [0.0])
    doubts = [
        _doubt(p, was.get(p.name), here, known, usual_mm, alike.get(p.name, ()))
        for p in settled.pieces
    ]
    return (*vanished, *sorted(doubts, key=lambda doubt: not doubt.likely))


def _doubt(
    piece: Piece,
    before: Piece | None,
    here: Mapping[str, Piece],
    known: Mapping[str, Piece],
    usual_mm: float,
    alike: tuple[Look, ...],
) -> Doubt:
    reasons: list[str] = []
    if alike and alike[0] != (piece.kind, piece.colour):
        kind, colour = alike[0]
        reasons.append(
            say("looks more like a {colour} {kind}", colour=word(colour), kind=word(kind))
        )
    if piece.visible < HALF_SEEN:
        reasons.append(say("half hidden"))
    if usual_mm > 0 and piece.error_mm > POORLY_MEASURED * usual_mm:
        reasons.append(say("measured poorly"))
    if before is None:
        reasons.append(say("it was not there before"))
    runners = []
    if before is not None and before.at != piece.at:
        moved_mm = hypot(before.at.x_mm - piece.at.x_mm, before.at.y_mm - piece.at.y_mm)
        if moved_mm < HARDLY_MOVED_MM:
            reasons.append(say("moved by {moved_mm:.1f} mm only", moved_mm=moved_mm))
        back = replace(piece, at=before.at, error_mm=before.error_mm)
        runners.append(Runner(words=say("It lay where it lay before"), piece=back))
    runners += _others(piece, here, known, alike)
    runners.append(Runner(words=say("Nothing lay there"), piece=None))
    return Doubt(
        name=piece.name,
        words=joined(reasons, ", "),
        likely=bool(reasons),
        runners=tuple(runners),
    )


def _others(
    piece: Piece,
    here: Mapping[str, Piece],
    known: Mapping[str, Piece],
    alike: tuple[Look, ...],
) -> list[Runner]:
    """Return the pieces now missing that it may have been taken for: one of each look.

    Those come first whose look it comes nearest to in the picture.
    """
    looks: dict[tuple[str, str], Piece] = {}
    for name, other in known.items():
        if name not in here and (other.kind, other.colour) != (piece.kind, piece.colour):
            looks.setdefault((other.kind, other.colour), other)
    nearest = {look: place for place, look in enumerate(alike)}
    likely = sorted(
        looks.values(),
        key=lambda other: (
            nearest.get((other.kind, other.colour), len(alike)),
            other.kind != piece.kind,
        ),
    )
    return [
        Runner(
            words=say("It was {piece}", piece=other.name),
            piece=replace(other, at=piece.at, error_mm=piece.error_mm, visible=piece.visible),
        )
        for other in likely[:_MOST]
    ]
