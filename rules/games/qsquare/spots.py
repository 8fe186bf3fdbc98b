"""Where pucks are put back (QS-X.9), one by one, and whether they have been."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import inf

from msgspec import Struct, field

from rules.facts import Piece
from rules.games.qsquare.state import PENALTY_ZONE, Errand, State
from rules.games.qsquare.terms import Terms
from rules.geometry import Point, Seat, left_of, outward
from rules.regions import Bed, Disc
from rules.restored import SPOT_MM, shared_out
from rules.verdicts import Verdict, verdict

CENTRE = Point(0.0, 0.0)


class Restoring(Struct):
    """Puts pieces back in thought, each on the nearest free spot, and notes the errands."""

    terms: Terms
    offender: Seat
    lying: list[Piece]
    placed: list[Disc] = field(default_factory=list)
    errands: list[Errand] = field(default_factory=list)
    _taken: tuple[Disc, ...] = ()  # by the pockets and what lies

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
        spots = list(islice(bed.free_along(middle, left_of(seat)), 2))
        spot = spots[0] if spots else bed.nearest(middle, (-x, -y))
        # no hand and no eye tells which of two sides is nearer by less than it may err
        farthest_mm = spot.distance_mm(middle) + SPOT_MM
        as_near = (other for other in spots[1:2] if other.distance_mm(middle) <= farthest_mm)
        twin = next(as_near, None)
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
        if not self._taken:
            lying = (Disc(p.at, ground.radius_mm(p.kind, p.colour)) for p in self.lying)
            self._taken = (*ground.pockets, *lying)
        return Bed(
            half_x_mm=ground.board.width_mm / 2,
            half_y_mm=ground.board.height_mm / 2,
            radius_mm=ground.radius_mm(kind, colour),
            others=(*self._taken, *self.placed),
        )


def restoring(terms: Terms, offender: Seat, lying: Iterable[Piece]) -> Restoring:
    """Return a `Restoring` on a surface where the pieces `lying` stay where they are."""
    return Restoring(terms=terms, offender=offender, lying=list(lying))


class Service(Struct, frozen=True, kw_only=True):
    """An errand, the piece that serves it (None: none, or it needs none), and how surely it does.

    `margin_mm` is by how much the piece lies within the tolerance of where it may lie.
    """

    errand: Errand
    piece: Piece | None
    margin_mm: float
    sure: Verdict


def services(errands: Sequence[Errand], pieces: Sequence[Piece]) -> tuple[Service, ...]:
    """Return what serves each errand: a piece of its own within 5 mm of its spot, or perhaps.

    Pieces that are to be put back and are alike may lie in each other's places, and one that lies
    well for two spots serves the one for which no other does.
    """
    named = _named(errands)
    found: dict[int, Service] = {
        number: _taken_off(errand, pieces) for number, errand in enumerate(errands) if errand.away
    }
    may = {
        number: [
            service
            for piece in _suiting(errand, pieces, named)
            if (service := _service(errand, piece)) is not None
        ]
        for number, errand in enumerate(errands)
        if number not in found
    }
    for least in (Verdict.YES, Verdict.CLOSE):
        for number in sorted(may, key=lambda n: errands[n].piece is None):
            if number not in found:
                _serve(number, may, least, found, set())
    return tuple(
        found[number]
        if number in found
        else Service(errand=errand, piece=None, margin_mm=0.0, sure=Verdict.NO)
        for number, errand in enumerate(errands)
    )


def _serve(
    number: int,
    may: Mapping[int, Sequence[Service]],
    least: Verdict,
    found: dict[int, Service],
    tried: set[str],
) -> bool:
    """Find for errand `number` a piece that serves it at `least` so surely, and note it.

    A piece that serves another errand is taken from it where another piece serves that (Kuhn 1955,
    an augmenting path). `may` has, for each errand, the service of each piece that may serve it.
    """
    for service in sorted(may[number], key=lambda service: service.sure is not Verdict.YES):
        piece = service.piece
        if piece is None or piece.name in tried:
            continue
        if least is Verdict.YES and service.sure is not Verdict.YES:
            return False  # none of those that follow is surer
        tried.add(piece.name)
        holder = next((n for n, s in found.items() if s.piece is piece), None)
        if holder is None or _serve(holder, may, least, found, tried):
            found[number] = service
            return True
    return False


def _taken_off(errand: Errand, pieces: Sequence[Piece]) -> Service:
    gone = all(p.name != errand.piece for p in pieces)
    sure = Verdict.YES if gone else Verdict.NO
    return Service(errand=errand, piece=None, margin_mm=0.0, sure=sure)


def _named(errands: Iterable[Errand]) -> frozenset[str]:
    """Return the names of the pieces that are to be put back."""
    return frozenset(e.piece for e in errands if e.piece is not None and not e.away)


def _service(errand: Errand, piece: Piece) -> Service | None:
    """Return how a piece serves an errand; None where it surely does not."""
    margin = _within_mm(piece, errand)
    sure = verdict(margin, piece.error_mm)
    if sure is Verdict.NO:
        return None
    return Service(errand=errand, piece=piece, margin_mm=margin, sure=sure)


def _suiting(errand: Errand, pieces: Sequence[Piece], named: frozenset[str]) -> list[Piece]:
    kind, colour, anyone = errand.kind, errand.colour, errand.piece is None
    return [
        piece
        for piece in pieces
        if piece.kind == kind
        and (not colour or piece.colour == colour)
        and (anyone or piece.name in named)
    ]


def _within_mm(piece: Piece, errand: Errand) -> float:
    """Return by how much a piece lies within 5 mm of its errand's spot, or of one as good."""
    if errand.at is None:
        return inf
    off = piece.at.distance_mm(errand.at)
    if errand.twin is not None:
        off = min(off, piece.at.distance_mm(errand.twin))
    if errand.around is not None:
        off = min(off, abs(piece.at.distance_mm(errand.around) - errand.reach_mm))
    return SPOT_MM - off


def misplaced(
    state: State, pieces: Sequence[Piece], serving: Sequence[Service]
) -> tuple[tuple[Errand, Piece], ...]:
    """Return each errand whose piece lies on the table, but surely not on its spot.

    `serving` are the `services` of these pieces.
    Of pieces that are alike the nearest go together, and none belongs to two spots.
    """
    named = _named(state.errands)
    right = {s.piece.name for s in serving if s.piece is not None and s.sure is not Verdict.NO}
    undone = [
        (s.errand, s.errand.at)
        for s in serving
        if s.sure is Verdict.NO and s.errand.at is not None and not s.errand.away
    ]
    found: list[tuple[Errand, Piece]] = []
    for looks in dict.fromkeys((e.kind, e.colour, e.piece is None) for e, _ in undone):
        alike = [(e, spot) for e, spot in undone if (e.kind, e.colour, e.piece is None) == looks]
        kind, colour, anyone = looks
        near = [
            p
            for p in pieces
            if (p.kind, p.colour) == (kind, colour)
            and p.name not in right
            and p.name in (state.brought if anyone else named)
        ]
        lie = shared_out(near, [spot for _, spot in alike])
        found += [(e, p) for (e, _), p in zip(alike, lie, strict=True) if p is not None]
    return tuple(found)
