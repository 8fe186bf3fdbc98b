"""Where pucks are put back (QS-X.9), one by one, and whether they have been."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules.facts import Piece
from rules.games.qsquare.state import PENALTY_ZONE, Errand, State
from rules.games.qsquare.terms import Terms
from rules.geometry import Point, Seat, left_of, outward
from rules.regions import Bed, Disc
from rules.verdicts import SIGMAS

CENTRE = Point(0.0, 0.0)
SPOT_MM = 5.0


@dataclass(slots=True)
class Restoring:
    """Puts pieces back in thought, each on the nearest free spot, and notes the errands."""

    terms: Terms
    offender: Seat
    lying: list[Piece]
    placed: list[Disc] = field(default_factory=list)
    errands: list[Errand] = field(default_factory=list)

    def queen(self, why: str) -> None:
        """Put the Queen back to the centre, or to the free spot nearest it."""
        colour = next((c for k, c in self.terms.ground.radii_mm if k == "queen"), "white")
        self._nearest("queen", colour, CENTRE, why)

    def central(self, colour: str, why: str) -> None:
        """Put a puck in the Central Zone, as near the centre as possible."""
        self._nearest("puck", colour, CENTRE, why)

    def home(self, colour: str, spot: Point, why: str, piece: str | None = None) -> None:
        """Put a puck back to where it lay, or to the free spot nearest that."""
        self._nearest("puck", colour, spot, why, piece)

    def penalty(self, colour: str, seat: Seat, why: str) -> None:
        """Put a puck at the middle of the border of `seat`, or as near along it as is free."""
        bed = self._bed("puck", colour)
        x, y = outward(seat)
        room = (bed.half_x_mm if x else bed.half_y_mm) - bed.radius_mm
        middle = Point(x * room, y * room)
        left = left_of(seat)
        spot = bed.nearest_along(middle, left)
        if spot is None:
            spot = bed.nearest(middle, (-x, -y))
        mirror = Point(2 * middle.x_mm - spot.x_mm, 2 * middle.y_mm - spot.y_mm)
        twin = mirror if spot != middle and bed.free(mirror) else None
        self._put(Errand(kind="puck", colour=colour, at=spot, twin=twin, why=why), bed.radius_mm)

    def place(self, place: str, colour: str, seat: Seat, why: str) -> None:
        """Put a puck to the place that a penalty prescribes."""
        if place == PENALTY_ZONE:
            self.penalty(colour, seat, why)
        else:
            self.central(colour, why)

    def _nearest(
        self, kind: str, colour: str, target: Point, why: str, piece: str | None = None
    ) -> None:
        bed = self._bed(kind, colour)
        x, y = outward(self.offender)
        spot = bed.nearest(target, (-x, -y))
        reach = spot.distance_mm(target)
        self._put(
            Errand(
                kind=kind,
                colour=colour,
                at=spot,
                around=target if reach > 0 else None,
                reach_mm=reach,
                piece=piece,
                why=why,
            ),
            bed.radius_mm,
        )

    def _put(self, errand: Errand, radius_mm: float) -> None:
        if errand.at is not None:
            self.placed.append(Disc(errand.at, radius_mm))
        self.errands.append(errand)

    def _bed(self, kind: str, colour: str) -> Bed:
        ground = self.terms.ground
        return Bed(
            half_x_mm=ground.board.width_mm / 2,
            half_y_mm=ground.board.height_mm / 2,
            radius_mm=ground.radius_mm(kind, colour),
            others=(
                *ground.pockets,
                *(Disc(p.at, ground.radius_mm(p.kind, p.colour)) for p in self.lying),
                *self.placed,
            ),
        )


def restoring(terms: Terms, offender: Seat, lying: Iterable[Piece]) -> Restoring:
    """Return a `Restoring` on a surface where the pieces `lying` stay where they are."""
    return Restoring(terms=terms, offender=offender, lying=list(lying))


def settled_errands(errands: Sequence[Errand], pieces: Sequence[Piece]) -> tuple[bool, ...]:
    """Return which errands are done: each needs a piece of its own within 5 mm of its spot."""
    free = list(pieces)
    done = [False] * len(errands)
    for number in sorted(range(len(errands)), key=lambda n: errands[n].piece is None):
        errand = errands[number]
        if errand.away:
            done[number] = all(p.name != errand.piece for p in pieces)
            continue
        found = next((p for p in free if _serves(p, errand)), None)
        if found is not None:
            free.remove(found)
            done[number] = True
    return tuple(done)


def _serves(piece: Piece, errand: Errand) -> bool:
    if piece.kind != errand.kind or (errand.colour and piece.colour != errand.colour):
        return False
    if errand.piece is not None and piece.name != errand.piece:
        return False
    if errand.at is None:
        return True
    reach = SPOT_MM + SIGMAS * piece.error_mm
    if piece.at.distance_mm(errand.at) <= reach:
        return True
    if errand.twin is not None and piece.at.distance_mm(errand.twin) <= reach:
        return True
    if errand.around is None:
        return False
    return abs(piece.at.distance_mm(errand.around) - errand.reach_mm) <= reach


def misplaced(state: State, pieces: Sequence[Piece]) -> tuple[tuple[Errand, Piece], ...]:
    """Return each errand whose piece lies on the table, but not on its spot."""
    done = settled_errands(state.errands, pieces)
    known = {p.name for p in state.pieces}
    found = []
    for errand, ok in zip(state.errands, done, strict=True):
        if ok or errand.at is None or errand.away:
            continue
        spot = errand.at
        near = [
            p
            for p in pieces
            if (p.kind, p.colour) == (errand.kind, errand.colour)
            and (p.name == errand.piece or (errand.piece is None and p.name not in known))
        ]
        if near:
            found.append((errand, min(near, key=lambda p: p.at.distance_mm(spot))))
    return tuple(found)
