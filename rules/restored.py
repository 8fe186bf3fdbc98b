"""Whether a piece that had to be put back lies where it may."""

from collections.abc import Sequence

from rules.case import Case
from rules.facts import Piece
from rules.geometry import Point
from rules.said import say

SPOT_MM = 5.0
"""So far from its spot a piece may lie."""


def lies_right(case: Case, piece: Piece, spot: Point | None, margin_mm: float) -> bool:
    """Return whether a piece lies near enough to its spot, by `margin_mm`.

    What is too close to call is asked.
    """
    return case.holds(
        margin_mm,
        piece.error_mm,
        f"spot-{piece.name}",
        lambda: say(
            "Does {piece} lie within {spot_mm:g} mm of its spot?", piece=piece.name, spot_mm=SPOT_MM
        ),
        piece=piece.name,
        at=spot,
    )


def shared_out(pieces: Sequence[Piece], spots: Sequence[Point]) -> tuple[Piece | None, ...]:
    """Return for each spot the piece that belongs there, of pieces that nobody tells apart.

    The nearest go together, so that what lies right already stays; None where too few are there.
    """
    pairs = [
        (piece.at.distance_mm(spot), number, place)
        for number, spot in enumerate(spots)
        for place, piece in enumerate(pieces)
    ]
    found: dict[int, Piece] = {}
    taken: set[int] = set()
    for _, number, place in sorted(pairs):
        if number not in found and place not in taken:
            found[number] = pieces[place]
            taken.add(place)
    return tuple(found.get(number) for number in range(len(spots)))


def displaced(
    before: Sequence[Piece], now: Sequence[Piece], least_mm: float
) -> tuple[tuple[Piece, Piece | None], ...]:
    """Return what must lie again as `before`, each with the piece that is to go back there.

    Which of the pieces of one kind and colour lies where is all one: as few as possible are moved,
    those that lie more than `least_mm` off. None stands for one that is not on the surface.
    """
    found: list[tuple[Piece, Piece | None]] = []
    for looks in dict.fromkeys((p.kind, p.colour) for p in before):
        lay = [p for p in before if (p.kind, p.colour) == looks]
        lie = shared_out([p for p in now if (p.kind, p.colour) == looks], [p.at for p in lay])
        found += [
            (was, there)
            for was, there in zip(lay, lie, strict=True)
            if there is None or there.at.distance_mm(was.at) > least_mm
        ]
    return tuple(found)
