"""What a still picture says of the pieces that were known: kept, moved, placed, removed."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median

from rules.facts import Moved, Piece, Placed, Removed
from rules.geometry import Point, Seat
from vision.detection.crossings import Crossing
from vision.frame import Observation, SeenPiece
from vision.strikers import BY_CUE, CUED
from vision.tracking.naming import match

_UNMOVED_MM = 2.5  # nearer, it may still lie where it was
_NUDGED_MM, _SIGMAS = 0.8, 4.0  # so far what a hand may push at its stroke has been pushed
_ONE_MM = 8.0  # nearer to each other no two pieces lie
_RAN_MM = 12.0  # and nearer than this to where it was followed to, the following was right
_DIMLY_MM, _DIMLY = 1.0, 4.0  # a place known so badly, and so many times worse than usual
_BUTT_MM = 20.0  # so far in from the border the end of a cue's butt may pass for a puck there
_FEW = 3  # of them tell how well the like of them is seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """`pieces`: all that lies there. `gone`, `back`: names that left the surface, or came back.

    `doubtful`: where something is seen so badly that it may be no piece.
    """

    pieces: tuple[Piece, ...]
    facts: tuple[Moved | Placed | Removed, ...]
    gone: tuple[str, ...]
    back: tuple[str, ...]
    doubtful: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What the following of motion knows: places to which pieces ran, and what it may be asked."""

    ran: Mapping[str, tuple[float, float]]
    touched: Callable[[str], bool]  # has anything changed where the piece lay?
    places: Mapping[str, tuple[float, float]]  # of those that are still seen
    changed_at: Callable[[float, float], bool]  # does this place differ from what is known?
    was_hidden: Callable[[float, float], bool] = lambda x, y: False  # by a hand, from the start?
    unseen: frozenset[str] = frozenset()  # what a shot did with them nobody saw
    reaching: Callable[[], Sequence[Crossing]] = lambda: ()  # over the border, as thin as a cue too


def without_cue(
    seen: Observation, expected: Sequence[Piece], reaching: Callable[[], Sequence[Crossing]]
) -> Observation:
    """`seen` without what is perhaps a part of a cue: what is seen badly, where none of its look is
    `expected`, while something is `reaching` in over the border. What is struck with a cue may
    truly lie there, for that was perhaps brought along.
    """
    kept = tuple(
        piece
        for piece in seen.pieces
        if piece.kind in BY_CUE
        or not _is_dim(piece, seen.pieces)
        or any(
            (old.kind, old.colour) == (piece.kind, piece.colour)
            and old.at.distance_mm(piece.at) < _RAN_MM
            for old in expected
        )
        or not reaching()
    )
    return seen if len(kept) == len(seen.pieces) else replace(seen, pieces=kept)


def misses(seen: Observation, known: Sequence[Piece]) -> bool:
    """Whether fewer pieces of some look are `seen` than are `known`; of a blind look, or one at a
    hand, nobody can say.
    """
    if seen.blind is not None or seen.hand:
        return False
    looks = Counter((piece.kind, piece.colour) for piece in known)
    return not looks <= Counter((piece.kind, piece.colour) for piece in seen.pieces)


def is_seen(piece: Piece, seen: Sequence[Piece | SeenPiece]) -> bool:
    """Whether one of a piece's look is `seen` where it lies."""
    return any(
        (other.kind, other.colour) == (piece.kind, piece.colour)
        and other.at.distance_mm(piece.at) < _ONE_MM
        for other in seen
    )


def take_stock(
    known: Sequence[Piece],
    away: Sequence[str],
    seen: Observation,
    followed: Followed,
    *,
    at_ms: float,
    by: Seat | None = None,
) -> Stock:
    """Compare `seen` with the pieces `known`; `away` are names that left the surface before."""
    ran = followed.ran
    expected = [
        replace(piece, at=Point(*ran[piece.name])) if piece.name in ran else piece
        for piece in known
        if piece.name not in away
    ]
    sure = without_cue(seen, expected, followed.reaching)
    matched = match(expected, sure, away)
    before = {piece.name: piece for piece in expected}
    pieces: list[Piece] = []
    facts: list[Moved | Placed | Removed] = []
    gone, back = [], []
    doubtful = [piece.at for piece in seen.pieces if piece not in sure.pieces]
    for piece in matched.pieces:
        if piece.name in matched.fresh:
            if _may_be_cue(piece, matched.pieces, followed.reaching()):
                doubtful.append(piece.at)
                continue
            if followed.was_hidden(piece.at.x_mm, piece.at.y_mm):
                pieces.append(piece)  # it lay there all along
                continue
            if not followed.changed_at(piece.at.x_mm, piece.at.y_mm):
                stayed = _lay_there(piece, known, away)
                if stayed is None:
                    continue  # nothing has changed there: it is no new piece
                piece = replace(piece, name=stayed)  # it only seemed to have left
            pieces.append(piece)
            facts.append(Placed(at_ms=at_ms, piece=piece, by=by))
            if piece.name in away:
                back.append(piece.name)
            continue
        old = before[piece.name]
        if piece.name not in ran and not followed.touched(piece.name):
            pieces.append(old)
            continue
        pieces.append(piece)
        mistaken = _was_mistaken(old, expected) if piece.name in ran else _ran_as(piece, known, ran)
        if mistaken or piece.name in followed.unseen:
            continue  # the shot moved it, or its like
        # beside a hand its place was known roughly, and so it is after a run
        rough = piece.name in ran or followed.was_hidden(old.at.x_mm, old.at.y_mm)
        error = hypot(piece.error_mm, old.error_mm)
        least = max(_NUDGED_MM if piece.kind in CUED else _UNMOVED_MM, _SIGMAS * error)
        if piece.at.distance_mm(old.at) > (_RAN_MM if rough else min(least, _RAN_MM)):
            facts.append(
                Moved(
                    at_ms=at_ms,
                    piece=piece.name,
                    before=old.at,
                    after=piece.at,
                    error_mm=error,
                    by=by,
                )
            )
    for piece in matched.missing:
        held = followed.places.get(piece.name)
        stays = held is not None and not _like_is_seen(piece, held, matched.pieces)
        if stays and piece.name not in followed.unseen:
            pieces.append(piece)
            continue
        if piece.name not in followed.unseen:  # else it left in the shot: asked, as nobody saw how
            facts.append(Removed(at_ms=at_ms, piece=piece.name, by=by))
        gone.append(piece.name)
    return Stock(
        pieces=tuple(pieces),
        facts=tuple(facts),
        gone=tuple(gone),
        back=tuple(back),
        doubtful=tuple(doubtful),
    )


def _like_is_seen(piece: Piece, held: tuple[float, float], seen: Sequence[Piece]) -> bool:
    """Whether one of its like is seen where a piece seems to be: then it is not there itself.

    It seems to be where it is expected, or where it is `held`.
    """
    return is_seen(piece, seen) or is_seen(replace(piece, at=Point(*held)), seen)


def _was_mistaken(piece: Piece, expected: Sequence[Piece]) -> bool:
    """Whether a piece was followed to where another that looks like it lies: it ran elsewhere."""
    return any(
        other.name != piece.name
        and (other.kind, other.colour) == (piece.kind, piece.colour)
        and other.at.distance_mm(piece.at) < _ONE_MM
        for other in expected
    )


def _ran_as(piece: Piece, known: Sequence[Piece], ran: Collection[str]) -> bool:
    """Whether a piece is seen to lie where one lay that looks like it, and was followed as it ran
    from there: it was this piece that ran, and the other lies there still."""
    return any(
        other.name in ran
        and (other.kind, other.colour) == (piece.kind, piece.colour)
        and other.at.distance_mm(piece.at) < _UNMOVED_MM
        for other in known
    )


def _may_be_cue(piece: Piece, pieces: Sequence[Piece], reaching: Sequence[Crossing]) -> bool:
    """Whether a new piece may be a part of what reaches in: a tip seen badly, or a dark butt that
    looks like a puck where it comes over the border.
    """
    if any(piece.at.distance_mm(way.at) < way.width_mm / 2 + _BUTT_MM for way in reaching):
        return True
    return bool(reaching) and _is_dim(piece, pieces)


def _is_dim(piece: Piece | SeenPiece, pieces: Sequence[Piece | SeenPiece]) -> bool:
    """Whether the place of a piece is known much worse than is usual."""
    return piece.error_mm > max(_DIMLY_MM, _DIMLY * _usual_error_mm(piece, pieces))


def _usual_error_mm(piece: Piece | SeenPiece, pieces: Sequence[Piece | SeenPiece]) -> float:
    """How well the place of its like is known, or that of any piece where there are few like it.

    All that are as pale as the board are known less well.
    """
    looks = (piece.kind, piece.colour)
    alike = [other.error_mm for other in pieces if (other.kind, other.colour) == looks]
    return median(alike if len(alike) >= _FEW else [other.error_mm for other in pieces])


def _lay_there(piece: Piece, known: Sequence[Piece], away: Sequence[str]) -> str | None:
    """Which of the pieces taken to have left lay where its like is seen; None: no such piece."""
    look = (piece.kind, piece.colour)
    for old in known:
        alike = old.name in away and (old.kind, old.colour) == look
        if alike and old.at.distance_mm(piece.at) < _UNMOVED_MM:
            return old.name
    return None
