"""Racking, and putting right what the referee asks for: hands, now and then careless ones."""

from collections.abc import Sequence
from math import hypot

from rules.board import PieceSpec
from rules.geometry import Point, Seat
from rules.rulings import Scoreboard, Task
from sightline.simulated.floor import CUE, Floor
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.pieces import Lying, free_place, name_of
from sightline.simulated.players import home_box

FULFILS_MM = 12.0
TOUCH_UP_MM = 4.5
CARELESS_MM = 9.0


def rack(floor: Floor) -> None:
    """Clears what lies there, sets the rows with a holder, the Queen, and the cue-puck."""
    if floor.stage.lying:
        floor.carry(floor.stage.lying, floor.seats[0], brings=False, more_follow=True)
    groups = _rows(floor)
    if floor.queen:
        spec = next(s for s in floor.board.pieces if s.kind == "queen")
        groups.append([Lying(name="queen", spec=spec, x_mm=0.3, y_mm=-0.2)])
    for k, group in enumerate(groups):
        dx, dy = floor.draw.gauss(0, 0.25), floor.draw.gauss(0, 0.25)
        laid = tuple(
            Lying(name=p.name, spec=p.spec, x_mm=p.x_mm + dx, y_mm=p.y_mm + dy) for p in group
        )
        floor.carry(laid, floor.seats[k % len(floor.seats)], brings=True, more_follow=True)
    lay_cue_puck(floor, floor.seats[0])


def lay_cue_puck(floor: Floor, seat: Seat) -> None:
    """Lays the cue-puck into the middle of a Home Zone, by hand."""
    spec = next(s for s in floor.board.pieces if s.kind == CUE)
    x, y = home_box(floor.board, seat, spec.hole_mm, spec.diameter_mm / 2, 4.0).at(0.5, 0.5)
    floor.carry((Lying(name=CUE, spec=spec, x_mm=x, y_mm=y),), seat, brings=True)


def _rows(floor: Floor) -> list[list[Lying]]:
    """The rows of the rack, in the band between the black line and the red.

    Two players: each one's own row on the own side; four: the opponents' before each.
    """
    zones = {z.kind: z for z in floor.board.zones}
    outer = max(p.x_mm for p in zones["central"].polygon)
    inner = max(p.x_mm for p in zones["dead-centre"].polygon)
    middle = (outer + inner) / 2
    rows = []
    numbers: dict[str, int] = {}
    for seat in floor.seats:
        colour = floor.colours[str(seat)]
        if len(floor.seats) == 4:
            colour = next(c for c in floor.colours.values() if c != colour)
        spec = floor.board.piece("puck", colour)
        ox, oy = OUTWARDS[seat]
        row = []
        for k in range(floor.pucks):
            numbers[colour] = numbers.get(colour, 0) + 1
            along = (k - (floor.pucks - 1) / 2) * (spec.diameter_mm + 0.08)
            x, y = ox * middle + abs(oy) * along, oy * middle + abs(ox) * along
            row.append(Lying(name=name_of(spec, numbers[colour]), spec=spec, x_mm=x, y_mm=y))
        rows.append(row)
    return rows


def serve(floor: Floor, board: Scoreboard, *, again: bool) -> bool:
    """Does the first thing that the referee asks for; False where nothing can be done.

    `again` is whether it has just been tried: then with care.
    """
    for task in board.tasks:
        if not task.done and _do(floor, task, board, again=again):
            return True
    for spec in floor.board.pieces:
        here = [p for p in floor.stage.lying if p.spec == spec]
        if spec.kind == "puck" and len(here) > _wanted(spec, board):
            floor.carry((here[-1],), floor.seat_of(board.turn), brings=False)
            return True
    return False


def _do(floor: Floor, task: Task, board: Scoreboard, *, again: bool) -> bool:
    seat = floor.seat_of(board.turn)
    spec = next(
        (s for s in floor.board.pieces if s.kind == task.kind and task.colour in ("", s.colour)),
        None,
    )
    if spec is None:
        return False
    if task.at is None:
        return _do_anywhere(floor, spec, seat)
    spare = floor.stage.spare(spec.kind, spec.colour)
    here = [p for p in floor.stage.lying if p.spec == spec]
    if spare is not None and len(here) < _wanted(spec, board):
        x, y = _near(floor, task.at, spare, careful=again)
        floor.carry((Lying(name=spare.name, spec=spec, x_mm=x, y_mm=y),), seat, brings=True)
        return True
    spots = [t.at for t in board.tasks if t.kind == spec.kind and t.at is not None]
    free = [p for p in here if not _lies_at(p, spots, FULFILS_MM)]
    free = free or [p for p in here if not _lies_at(p, spots, TOUCH_UP_MM)]
    if not free:
        return False
    at, shown = task.at, task.lies or task.at  # the page shows which piece is meant
    nearest = min(
        here if task.lies else free, key=lambda p: hypot(p.x_mm - shown.x_mm, p.y_mm - shown.y_mm)
    )
    x, y = _near(floor, at, nearest, careful=again)
    moved = Lying(name=nearest.name, spec=nearest.spec, x_mm=x, y_mm=y)
    floor.carry((moved,), seat, brings=True, moves_from=(nearest.x_mm, nearest.y_mm))
    return True


def _do_anywhere(floor: Floor, spec: PieceSpec, seat: Seat) -> bool:
    """A cue-puck is wanted at home; any other piece named without a place is to go."""
    here = [p for p in floor.stage.lying if p.spec == spec]
    if spec.kind == CUE:
        return bring_home(floor, seat)
    if not here:
        return False
    floor.carry((here[0],), seat, brings=False)
    return True


def bring_home(floor: Floor, seat: Seat) -> bool:
    """Brings the cue-puck into a seat's Home Zone: with the cue, or by hand where it is off."""
    cue = floor.stage.piece(CUE)
    if cue is not None:
        return floor.haul(seat, cue, floor.home_spot(cue, seat))
    spare = floor.stage.spare(CUE, "")
    if spare is None:
        return False
    x, y = floor.home_spot(spare, seat)
    floor.carry((Lying(name=CUE, spec=spare.spec, x_mm=x, y_mm=y),), seat, brings=True)
    return True


def _wanted(spec: PieceSpec, board: Scoreboard) -> int:
    """How many pieces of a kind and colour belong on the surface, as the scoreboard says."""
    if spec.kind != "puck":
        return 1
    for side in board.sides:
        if side.colour != spec.colour:
            return int(dict(side.items).get("to pocket", "0"))
    return 0


def _near(floor: Floor, at: Point, piece: Lying, *, careful: bool) -> Spot:
    """Where a piece is really put: near its spot, now and then carelessly."""
    sd = floor.skill.place_mm
    if not careful and floor.draw.random() < floor.slips.put_back:
        sd = CARELESS_MM
    half_x = floor.board.width_mm / 2 - piece.radius_mm
    half_y = floor.board.height_mm / 2 - piece.radius_mm
    others = [p for p in floor.stage.lying if p.name != piece.name]
    for tried in range(600):
        x = min(max(at.x_mm + floor.draw.gauss(0, sd), -half_x), half_x)
        y = min(max(at.y_mm + floor.draw.gauss(0, sd), -half_y), half_y)
        if free_place(floor.board, piece.spec, x, y, others, 0.02):
            break
        # A spot that is taken all around: the hand looks for room ever farther away.
        sd += 0.02 if tried < 300 else 0.2
    return x, y


def _lies_at(piece: Lying, spots: Sequence[Point], within_mm: float) -> bool:
    at = Point(piece.x_mm, piece.y_mm)
    return any(spot.distance_mm(at) < within_mm for spot in spots)
