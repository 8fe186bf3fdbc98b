"""Whether a rack is set as section 2 wants it; a refused one names each puck and what is wrong."""

from collections.abc import Iterator, Sequence
from math import atan2, cos, degrees, hypot, sin, sqrt

from msgspec import Struct
from msgspec.structs import replace

from rules.case import Case
from rules.facts import Piece
from rules.games.qsquare.reading import PUCK, QUEEN
from rules.games.qsquare.state import Phase, State, fresh_tally
from rules.games.qsquare.terms import Terms, half_mm, narrow_band
from rules.games.qsquare.words import pucks
from rules.geometry import PARTNER, Point, Seat, toward
from rules.racks import Check, doubted, failed, refuse
from rules.rulings import RulingKind
from rules.said import joined, listed, say, word

OVERRUN_MM = 2.0
GAP_MM = 1.5
LINED_UP_MM = 3.0
QUEEN_MM = 3.0
OPPOSITE_DEG = 10.0
MIDDLE = Point(0.0, 0.0)


class Row(Struct, frozen=True, kw_only=True):
    side: int
    seat: Seat
    pieces: tuple[Piece, ...]


def set_rack(case: Case, state: State, *, quiet: bool = False) -> State:
    """Judge the rack that lies on the table; `quiet` says nothing of one that is not there yet."""
    terms = state.terms
    miscounted = _miscounted(terms, state.pieces)
    if miscounted:
        return state if quiet else _refused(case, state, [miscounted])
    checks = list(_checks(terms, state.pieces))
    wrong = failed(checks)
    if wrong:
        return state if quiet else _refused(case, state, wrong)
    close = doubted(case, checks)
    if close:
        return _refused(case, state, close)
    return accept_rack(case, state)


def _refused(case: Case, state: State, checks: Sequence[Check]) -> State:
    return replace(state, said=refuse(case, checks, state.said))


def accept_rack(case: Case, state: State) -> State:
    """Accept the rack: the breaker may place the cue-puck."""
    terms = state.terms
    case.rule("QS-3.1", say("The pucks lie between the black and the red line."))
    if terms.four:
        case.rule("QS-10.1", say("Two teams of two: counts, debts and the win belong to the team."))
        case.rule(
            "QS-10.2",
            say(
                "{sum} pucks: {count} and {other}.",
                sum=sum(terms.pucks),
                count=terms.pucks[0],
                other=terms.pucks[1],
            ),
        )
        case.rule("QS-10.3", say("Partners sit opposite each other and share a colour."))
        case.rule("QS-10.4", say("Each team’s two rows lie opposite each other."))
        case.rule("QS-10.5", say("Every player faces the other team’s pucks."))
    else:
        case.rule("QS-3.2", say("Each colour lies in one row, the rows on opposite sides."))
    case.rule("QS-3.3", say("The pucks of each row touch."))
    case.rule("QS-3.4", say("Hands and a holder may be used while racking."))
    if terms.options.queen == "on":
        case.rule("QS-3.5", say("The Queen stands on the centre."))
        case.rule("QS-7.1", say("The Queen stays locked until a side has pocketed its targets."))
    case.rule(
        "QS-4.2",
        say(
            "{who} brings the cue-puck into the Home Zone and breaks.",
            who=terms.who(state.tally.breaker),
        ),
        RulingKind.TURN,
        side=terms.sides[terms.side_at(state.tally.breaker)],
    )
    fresh = fresh_tally(terms, state.tally.breaker)
    tally = replace(
        state.tally,
        counts=fresh.counts,
        debts=fresh.debts,
        to_shoot=fresh.to_shoot,
        shots=0,
        skips=fresh.skips,
        unlocked=fresh.unlocked,
    )
    return replace(
        state,
        tally=tally,
        phase=Phase.AIMING,
        said="",
        errands=(),
        brought=frozenset(),
        last=None,
        excused=(0, 0),
    )


def _miscounted(terms: Terms, pieces: Sequence[Piece]) -> Check | None:
    wrong = []
    for side, colour in enumerate(terms.colours):
        there = sum(p.kind == PUCK and p.colour == colour for p in pieces)
        if there != terms.pucks[side]:
            wrong.append(
                say(
                    "{pucks}, expected {expected}",
                    pucks=pucks(there, colour),
                    expected=terms.pucks[side],
                )
            )
    strangers = [p.name for p in pieces if p.kind == PUCK and p.colour not in terms.colours]
    if strangers:
        wrong.append(say("{names} of neither colour", names=listed(strangers)))
    queens = sum(p.kind == QUEEN for p in pieces)
    expected = int(terms.options.queen == "on")
    if queens != expected:
        wrong.append(say("{queens} Queens, expected {expected}", queens=queens, expected=expected))
    if not wrong:
        return None
    return Check(code="QS-1.3", words=joined(wrong, "; "), margin_mm=-1.0)


def _checks(terms: Terms, pieces: Sequence[Piece]) -> Iterator[Check]:
    rows = _rows(terms, pieces)
    for row in rows:
        yield from _between_lines(terms, row)
        yield from _touching(terms, row)
        yield _lined_up(terms, row)
    yield from _grouped(terms, rows)
    for piece in pieces:
        if piece.kind == QUEEN:
            off = piece.at.distance_mm(MIDDLE)
            yield Check(
                code="QS-3.5",
                words=say("the Queen is {off:.1f} mm off the centre", off=off),
                margin_mm=QUEEN_MM - off,
                error_mm=piece.error_mm,
                pieces=(piece.name,),
            )


def _rows(terms: Terms, pieces: Sequence[Piece]) -> list[Row]:
    rows = []
    for side, colour in enumerate(terms.colours):
        mine = [p for p in pieces if p.kind == PUCK and p.colour == colour]
        if not terms.four:
            seat = max(Seat, key=lambda s: sum(toward(s, p.at) for p in mine))
            rows.append(Row(side=side, seat=seat, pieces=_along(terms, seat, mine)))
            continue
        for seat in Seat:
            there = [p for p in mine if _sector(p.at) is seat]
            if there:
                rows.append(Row(side=side, seat=seat, pieces=_along(terms, seat, there)))
    return rows


def _sector(at: Point) -> Seat:
    return max(Seat, key=lambda seat: toward(seat, at))


def _along(terms: Terms, seat: Seat, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces in their order along a side of the band, or round the circle."""
    turn = {Seat.S: -90.0, Seat.E: 0.0, Seat.N: 90.0, Seat.W: 180.0}[seat]

    def place(piece: Piece) -> float:
        if terms.ground.central.region.polygon:
            return piece.at.x_mm if seat in (Seat.S, Seat.N) else piece.at.y_mm
        angle = degrees(atan2(piece.at.y_mm, piece.at.x_mm)) - turn
        return (angle + 180.0) % 360.0

    return tuple(sorted(pieces, key=place))


def _between_lines(terms: Terms, row: Row) -> Iterator[Check]:
    ground = terms.ground
    narrow = narrow_band(ground)
    for piece in row.pieces:
        inside = ground.central.region.depth_mm(piece.at)
        outside = -ground.red.region.depth_mm(piece.at)
        radius = ground.radius_mm(piece.kind, piece.colour)
        if narrow:
            margin = min(inside, outside)
            words = say(
                "{piece}’s centre lies {margin:.1f} mm outside the band",
                piece=piece.name,
                margin=-margin,
            )
        else:
            over = radius - min(inside, outside)
            margin = OVERRUN_MM - over
            line = "black" if inside < outside else "red"
            words = say(
                "{piece} reaches {over:.1f} mm over the {line} line",
                piece=piece.name,
                over=over,
                line=word(line),
            )
        yield Check(
            code="QS-3.1",
            words=words,
            margin_mm=margin,
            error_mm=piece.error_mm,
            pieces=(piece.name,),
        )


def _touching(terms: Terms, row: Row) -> Iterator[Check]:
    ground = terms.ground
    for a, b in zip(row.pieces, row.pieces[1:], strict=False):
        reach = ground.radius_mm(a.kind, a.colour) + ground.radius_mm(b.kind, b.colour)
        gap = a.at.distance_mm(b.at) - reach
        yield Check(
            code="QS-3.3",
            words=say("{a} and {b} are {gap:.1f} mm apart", a=a.name, b=b.name, gap=gap),
            margin_mm=GAP_MM - gap,
            error_mm=hypot(a.error_mm, b.error_mm),
            pieces=(a.name, b.name),
        )


def _lined_up(terms: Terms, row: Row) -> Check:
    at = [p.at for p in row.pieces]
    if terms.ground.central.region.polygon:
        spread = _off_line_mm(at)
    else:
        radii = [p.distance_mm(MIDDLE) for p in at]
        mean = sum(radii) / len(radii)
        spread = sqrt(sum((r - mean) ** 2 for r in radii) / len(radii))
    return Check(
        code="QS-3.1",
        words=say(
            "the {colour} row is {spread:.1f} mm out of line",
            colour=terms.colours[row.side],
            spread=spread,
        ),
        margin_mm=LINED_UP_MM - spread,
        error_mm=max(p.error_mm for p in row.pieces) / sqrt(len(at)),
        pieces=tuple(p.name for p in row.pieces),
    )


def _off_line_mm(at: Sequence[Point]) -> float:
    """Return the root-mean-square distance of points from their best straight line."""
    n = len(at)
    mx, my = sum(p.x_mm for p in at) / n, sum(p.y_mm for p in at) / n
    xx = sum((p.x_mm - mx) ** 2 for p in at)
    yy = sum((p.y_mm - my) ** 2 for p in at)
    xy = sum((p.x_mm - mx) * (p.y_mm - my) for p in at)
    turn = atan2(2 * xy, xx - yy) / 2
    c, s = cos(turn), sin(turn)
    return sqrt(max(0.0, xx * s * s - 2 * xy * s * c + yy * c * c) / n)


def _grouped(terms: Terms, rows: Sequence[Row]) -> Iterator[Check]:
    if terms.four:
        yield from _teams_grouped(terms, rows)
        return
    for row in rows:
        apart = [p.name for p in row.pieces if toward(row.seat, p.at) <= 0]
        if apart:
            yield Check(
                code="QS-3.2",
                words=say(
                    "{names} not in the {colour} row",
                    names=listed(apart),
                    colour=terms.colours[row.side],
                ),
                margin_mm=-1.0,
                pieces=tuple(apart),
            )
    if not _opposite(rows[0], rows[1]):
        yield Check(
            code="QS-3.2", words=say("the two rows are not on opposite sides"), margin_mm=-1.0
        )
    how = terms.options.rack_orientation
    own = rows[0].seat is terms.seats[0]
    far = rows[0].seat is PARTNER[terms.seats[0]]
    if (how == "own_near" and not own) or (how == "own_far" and not far):
        yield Check(
            code="QS-3.2",
            words=say(
                "each row belongs near its own player"
                if how == "own_near"
                else "each row belongs far from its own player"
            ),
            margin_mm=-1.0,
        )


def _opposite(a: Row, b: Row) -> bool:
    angles = []
    for row in (a, b):
        x = sum(p.at.x_mm for p in row.pieces)
        y = sum(p.at.y_mm for p in row.pieces)
        angles.append(degrees(atan2(y, x)))
    return abs(abs(angles[0] - angles[1]) % 360.0 - 180.0) <= OPPOSITE_DEG


def _teams_grouped(terms: Terms, rows: Sequence[Row]) -> Iterator[Check]:
    for row in rows:
        if terms.side_at(row.seat) == row.side:
            yield Check(
                code="QS-10.5",
                words=say(
                    "the row before {who} must be the other team’s colour", who=terms.who(row.seat)
                ),
                margin_mm=-1.0,
                pieces=tuple(p.name for p in row.pieces),
            )
        if len(row.pieces) != terms.rows[row.side]:
            yield Check(
                code="QS-3.2",
                words=say(
                    "{pucks} in the row before {who}, expected {row}",
                    pucks=pucks(len(row.pieces), terms.colours[row.side]),
                    who=terms.who(row.seat),
                    row=terms.rows[row.side],
                ),
                margin_mm=-1.0,
            )
    for side in (0, 1):
        mine = [row for row in rows if row.side == side]
        if len(mine) != 2 or not _opposite(mine[0], mine[1]):
            yield Check(
                code="QS-10.4",
                words=say(
                    "the two {colour} rows are not opposite each other", colour=terms.colours[side]
                ),
                margin_mm=-1.0,
            )


def board_words(terms: Terms) -> str:
    """Return what is said of the board, with a remark where its band is narrower than a puck."""
    if not narrow_band(terms.ground):
        return say("A square board with every zone.")
    band = half_mm(terms.ground, "central") - half_mm(terms.ground, "red")
    return say(
        "A square board with every zone. The band of {band_mm:g} mm is narrower than a puck: "
        "centres are tested.",
        band_mm=band,
    )
