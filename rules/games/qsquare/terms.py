"""What was agreed before the match, checked and ready for use: sides, seats, colours, options."""

from collections.abc import Mapping
from math import hypot, sqrt

from msgspec import Struct

from rules.game import Player, Setup
from rules.games.qsquare.options import Options, read_options
from rules.games.qsquare.zones import Area, Bound, Ground, read_ground
from rules.geometry import PARTNER, Seat, toward
from rules.said import listed, say, word

CLOCKWISE = (Seat.S, Seat.W, Seat.N, Seat.E)


class Terms(Struct, frozen=True, kw_only=True):
    """The sides are 0 and 1, side 0 that of the first player; a side's colour is its own pucks'."""

    options: Options
    ground: Ground
    sides: tuple[str, str]
    colours: tuple[str, str]
    seats: tuple[Seat, ...]
    names: Mapping[Seat, str]
    rows: tuple[int, int]

    @property
    def four(self) -> bool:
        return len(self.seats) == 4

    @property
    def pucks(self) -> tuple[int, int]:
        """How many object pucks each side has."""
        return (2 * self.rows[0], 2 * self.rows[1]) if self.four else self.rows

    def side_at(self, seat: Seat) -> int:
        """Return the side of a seat; of an empty seat, that of nobody: -1."""
        if seat not in self.seats:
            return -1
        return 0 if seat in self.sides[0] else 1

    def side_named(self, name: str | None) -> int | None:
        """Return the side that a person means by a side's name, a seat, a colour or a player."""
        if not name:
            return None
        for side, id in enumerate(self.sides):
            if name == id or name == self.colours[side]:
                return side
        seat = self.seat_named(name)
        return None if seat is None else self.side_at(seat)

    def seat_named(self, name: str | None) -> Seat | None:
        """Return the seat that a person means; a side's name means its first seat."""
        for seat in self.seats:
            if name in (str(seat), self.names[seat]):
                return seat
        for side, id in enumerate(self.sides):
            if name in (id, self.colours[side]):
                return self.seats_of(side)[0]
        return None

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if self.side_at(seat) == side)

    def after(self, seat: Seat) -> Seat:
        """Return who shoots after `seat` (QS-X.10)."""
        order = CLOCKWISE if self.options.turn_order == "clockwise" else CLOCKWISE[::-1]
        start = order.index(seat)
        return next(s for s in order[start + 1 :] + order[: start + 1] if s in self.seats)

    def dead_seats(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats whose Home Zones are dead to the targets of the shooter at `seat`."""
        if self.four and self.options.partner_home_dead == "on":
            return (seat, PARTNER[seat])
        return (seat,)

    def side_of_colour(self, colour: str) -> int | None:
        return self.colours.index(colour) if colour in self.colours else None

    def wins_needed(self) -> int:
        return int(self.options.best_of) // 2 + 1

    def who(self, seat: Seat) -> str:
        """Return what players call the player at `seat`."""
        return self.names.get(seat) or say("seat {seat}", seat=seat)

    def team(self, side: int) -> str:
        """Return what players call a side."""
        return listed(self.names[seat] for seat in self.seats_of(side))


def agree(setup: Setup) -> Terms:
    """Return the terms of a match; ValueError where the set-up breaks a clause, naming it."""
    options = read_options(setup.options)
    ground = read_ground(setup.board, options)
    players = _seated(setup.players, ground)
    first = players[0]
    one = [p for p in players if p.seat in (first.seat, PARTNER[first.seat])]
    if len(players) == 2:
        sides = (one[:1], [p for p in players if p is not first])
    else:
        sides = (one, [p for p in players if p not in one])
    colours = (word(sides[0][0].colour), word(sides[1][0].colour))
    for side in sides:
        if len({p.colour for p in side}) > 1:
            raise ValueError("expected partners to share a colour (QS-10.3), got two in one team")
    if colours[0] == colours[1]:
        raise ValueError(f"expected two colours, got {colours[0]} for both sides (QS-3.2)")
    terms = Terms(
        options=options,
        ground=ground,
        sides=(_id(sides[0]), _id(sides[1])),
        colours=colours,
        seats=tuple(p.seat for side in sides for p in side),
        names=_named(players, len(players) == 4),
        rows=options.pucks_per_player,
    )
    _check(terms)
    return terms


def _seated(players: tuple[Player, ...], ground: Ground) -> tuple[Player, ...]:
    colours = list(
        dict.fromkeys(spec.colour for spec in ground.board.pieces if spec.kind == "puck")
    )
    players = players or (Player(seat=Seat.S), Player(seat=Seat.N))
    seats = [player.seat for player in players]
    two = len(players) == 2 and PARTNER[seats[0]] is seats[1]
    if not two and not (len(players) == 4 and len(set(seats)) == 4):
        raise ValueError(
            "expected two players on opposite seats or four players on S, E, N and W, got "
            f"{', '.join(seats)}"
        )
    given: dict[Seat, str] = {p.seat: p.colour for p in players if p.colour}
    for seat, colour in given.items():
        if colour not in colours:
            raise ValueError(
                f"expected a colour of the board's pucks ({', '.join(colours)}) for seat {seat}, "
                f"got {colour!r}"
            )
    team = [seats[0]] if two else [seats[0], PARTNER[seats[0]]]
    rest = [seat for seat in seats if seat not in team]
    mine = next((given[s] for s in team if s in given), None)
    theirs = next((given[s] for s in rest if s in given), None)
    mine = mine or next(c for c in colours if c != theirs)
    theirs = theirs or next(c for c in colours if c != mine)
    return tuple(
        Player(
            seat=p.seat,
            name=p.name,
            colour=p.colour or (mine if p.seat in team else theirs),
        )
        for p in players
    )


def _id(side: list[Player]) -> str:
    order = (Seat.S, Seat.N, Seat.E, Seat.W)
    return "".join(sorted((str(p.seat) for p in side), key=lambda s: order.index(Seat(s))))


def _named(players: tuple[Player, ...], four: bool) -> dict[Seat, str]:
    return {
        p.seat: p.name
        or say("{Colour} {seat}" if four else "{Colour}", colour=word(p.colour), seat=p.seat)
        for p in players
    }


def _check(terms: Terms) -> None:
    """Refuse a profile that section 1.2 rejects."""
    ground, board = terms.ground, terms.ground.board
    black, red = half_mm(ground, "central"), half_mm(ground, "red")
    radius = ground.puck_radius_mm
    for side, count in enumerate(terms.rows):
        if count * 2 * radius > 2 * black:
            raise ValueError(
                f"{count} pucks of {2 * radius:g} mm make a row of {count * 2 * radius:g} mm, "
                f"longer than the Central Zone's {2 * black:g} mm (QS-1.4): expected at most "
                f"{int(black / radius)} for {terms.sides[side]}"
            )
    if terms.four:
        middle = (black + red) / 2
        gaps = [middle - (count - 1) * radius for count in terms.rows]
        near = min(gaps) <= 0 or hypot(gaps[0], gaps[1]) < 2 * radius
        if near or sqrt(2) * min(gaps) < 2 * radius:
            most = int((middle - sqrt(2) * radius) / radius) + 1
            raise ValueError(
                f"rows of {terms.rows[0]} and {terms.rows[1]} pucks run into each other at the "
                f"corners of the band (QS-1.4): expected at most {most} per player"
            )
    narrowest = min(pocket.radius_mm for pocket in ground.pockets)
    if narrowest <= ground.cue_radius_mm:
        raise ValueError(
            f"expected pockets wider than the cue-puck's {2 * ground.cue_radius_mm:g} mm (QS-1.1), "
            f"got {2 * narrowest:g} mm"
        )
    if abs(board.width_mm - board.height_mm) > 0.005 * board.width_mm:
        raise ValueError(
            f"expected a square surface (QS-1.1), got {board.width_mm:g} x {board.height_mm:g} mm"
        )
    for seat, home in ground.homes.items():
        front = front_line(home, seat)
        depth = board.width_mm / 2 - min(toward(seat, p) for p in front.line.points)
        need = ground.cue_radius_mm + ground.cue_hole_mm + front.line.width_mm / 2
        if depth <= need:
            raise ValueError(
                f"expected the line {front.line.id} more than {need:g} mm from its border, "
                f"got {depth:g} mm (QS-1.1)"
            )


def front_line(home: Area, seat: Seat) -> Bound:
    """Return the line that bounds a Home Zone towards the middle of the board."""
    return max(
        home.bounds, key=lambda b: min((toward(seat, p) for p in b.line.points), default=0.0)
    )


def half_mm(ground: Ground, which: str) -> float:
    """Return the half side (or radius) of the black or the red outline."""
    region = (ground.central if which == "central" else ground.red).region
    if region.polygon:
        return max(p.x_mm for p in region.polygon)
    return region.radius_mm


def narrow_band(ground: Ground) -> bool:
    """Return whether the band between black and red is narrower than a puck (section 1.2)."""
    width = ground.central.bounds[0].line.width_mm if ground.central.bounds else 0.0
    band = half_mm(ground, "central") - half_mm(ground, "red")
    return band < 2 * ground.puck_radius_mm + width
