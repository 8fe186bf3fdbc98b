"""Names that pieces keep: who is who after a shot or a hand."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from rules.facts import Piece
from vision.frame import Observation, SeenPiece

_SOLE = ("cue-puck", "striker", "queen")


@dataclass(frozen=True, slots=True)
class Matched:
    """`pieces`: all that lies there, by name. `fresh`: names of those new on the surface."""

    pieces: tuple[Piece, ...]
    fresh: tuple[str, ...]
    missing: tuple[Piece, ...]


def first_names(seen: Sequence[SeenPiece]) -> tuple[Piece, ...]:
    """Names for pieces seen for the first time, in the order they were seen."""
    counts: Counter[str] = Counter()
    kinds = Counter(piece.kind for piece in seen)
    pieces = []
    for piece in seen:
        stem = piece.kind if piece.kind in _SOLE and kinds[piece.kind] == 1 else piece.colour
        counts[stem] += 1
        sole = stem == piece.kind
        pieces.append(_named(stem if sole else f"{stem}-{counts[stem]}", piece))
    return tuple(pieces)


def match(
    expected: Iterable[Piece], seen: Observation, away: Sequence[str], *, reach_mm: float = 1e9
) -> Matched:
    """Give each seen piece the name of the nearest expected one of its kind and colour.

    Pieces never change their looks, so only like is matched with like; the nearest pairs first.
    What is left over takes the name of a piece that is `away` (pocketed, fallen, taken), or a new
    one.
    """
    known = list(expected)
    pairs = sorted(
        (hypot(a.at.x_mm - b.at.x_mm, a.at.y_mm - b.at.y_mm), i, j)
        for i, a in enumerate(known)
        for j, b in enumerate(seen.pieces)
        if (a.kind, a.colour) == (b.kind, b.colour)
    )
    by_seen: dict[int, str] = {}
    used: set[int] = set()
    for far, i, j in pairs:
        if i in used or j in by_seen or far > reach_mm:
            continue
        used.add(i)
        by_seen[j] = known[i].name
    taken = {piece.name for piece in known} | set(by_seen.values())
    free = [name for name in away if name not in taken]
    pieces, fresh = [], []
    for j, piece in enumerate(seen.pieces):
        name = by_seen.get(j)
        if name is None:
            name = _old_or_new(piece, free, taken)
            taken.add(name)
            fresh.append(name)
        pieces.append(_named(name, piece))
    missing = tuple(piece for i, piece in enumerate(known) if i not in used)
    return Matched(tuple(pieces), tuple(fresh), missing)


def _old_or_new(piece: SeenPiece, free: list[str], taken: set[str]) -> str:
    stems = (piece.kind, piece.colour)
    for name in free:
        if name in stems or name.rsplit("-", 1)[0] == piece.colour:
            free.remove(name)
            return name
    if piece.kind in _SOLE and piece.kind not in taken:
        return piece.kind
    number = 1
    while f"{piece.colour}-{number}" in taken:
        number += 1
    return f"{piece.colour}-{number}"


def _named(name: str, piece: SeenPiece) -> Piece:
    return Piece(
        name=name,
        kind=piece.kind,
        colour=piece.colour,
        at=piece.at,
        error_mm=piece.error_mm,
        visible=piece.visible,
    )
