"""What was agreed before the match, checked and ready for use: teams, seats, names, options."""

from collections.abc import Mapping

from msgspec import Struct

from rules.game import Player, Setup
from rules.games.carrom.ground import Ground, read_ground
from rules.games.carrom.options import Options, read_options
from rules.geometry import PARTNER, Seat
from rules.said import listed, say

ANTICLOCKWISE = (Seat.S, Seat.E, Seat.N, Seat.W)
PIECES = 9


class Terms(Struct, frozen=True, kw_only=True):
    """The teams are 0 and 1, team 0 that of seat S (or the first of two seats).

    `seats` are in the order of play, anti-clockwise.
    """

    options: Options
    ground: Ground
    sides: tuple[str, str]
    seats: tuple[Seat, ...]
    names: Mapping[Seat, str]

    @property
    def pairs(self) -> bool:
        return len(self.seats) == 4

    def team_at(self, seat: Seat | None) -> int:
        """Return the team of a seat; of an empty seat, that of nobody: -1."""
        if seat not in self.seats:
            return -1
        return 0 if str(seat) in self.sides[0] else 1

    def team_named(self, name: str | None) -> int | None:
        """Return the team that a person means by a team's name, a seat or a player."""
        if not name:
            return None
        if name in self.sides:
            return self.sides.index(name)
        seat = self.seat_named(name)
        return None if seat is None else self.team_at(seat)

    def seat_named(self, name: str | None) -> Seat | None:
        """Return the seat that a person means; a team's name means its first seat."""
        for seat in self.seats:
            if name in (str(seat), self.names[seat]):
                return seat
        for team, id in enumerate(self.sides):
            if name == id:
                return self.seats_of(team)[0]
        return None

    def seats_of(self, team: int) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if self.team_at(seat) == team)

    def right_of(self, seat: Seat) -> Seat:
        """Return who sits to the right of `seat` and strikes after it (CR-11.1)."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def wins_needed(self) -> int:
        return int(self.options.best_of) // 2 + 1

    def who(self, seat: Seat) -> str:
        """Return what players call the player at `seat`."""
        return self.names.get(seat) or say("Seat {seat}", seat=seat)

    def team(self, team: int) -> str:
        """Return what players call a team."""
        return listed(self.names[seat] for seat in self.seats_of(team))


def agree(setup: Setup) -> Terms:
    """Return the terms of a match; ValueError where the set-up breaks a clause, naming it."""
    options = read_options(setup.options)
    ground = read_ground(setup.board)
    players = setup.players or _anybody(options.players)
    seats = [player.seat for player in players]
    if options.players == "2":
        if len(seats) != 2 or PARTNER[seats[0]] is not seats[1]:
            raise ValueError(
                f"expected two players on opposite seats (cr.players = 2), got {_told(seats)}"
            )
    elif len(seats) != 4 or len(set(seats)) != 4:
        raise ValueError(
            "expected two teams of two, one player on each of the seats S, E, N and W (CR-1.1; "
            f"cr.players = 2 is for singles), got {_told(seats)}"
        )
    _teams_sit_opposite(players)
    order = tuple(seat for seat in ANTICLOCKWISE if seat in seats)
    return Terms(
        options=options,
        ground=ground,
        sides=("SN", "EW") if len(order) == 4 else (str(order[0]), str(order[1])),
        seats=order,
        names={p.seat: p.name or say("Seat {seat}", seat=p.seat) for p in players},
    )


def _anybody(how_many: str) -> tuple[Player, ...]:
    seats = (Seat.S, Seat.N) if how_many == "2" else ANTICLOCKWISE
    return tuple(Player(seat=seat) for seat in seats)


def _told(seats: list[Seat]) -> str:
    return ", ".join(seats) or "nobody"


def _teams_sit_opposite(players: tuple[Player, ...]) -> None:
    """Refuse teams, told by the players' team colours where those are given, that sit wrongly."""
    teams: dict[str, list[Seat]] = {}
    for player in players:
        if player.colour:
            teams.setdefault(player.colour, []).append(player.seat)
    for name, seats in teams.items():
        if len(players) == 4 and (len(seats) != 2 or PARTNER[seats[0]] is not seats[1]):
            raise ValueError(
                f"expected partners to sit opposite each other (CR-2.1), got {name} on "
                f"{_told(seats)}"
            )
        if len(players) == 2 and len(seats) != 1:
            raise ValueError(f"expected opponents to have two colours, got {name} on both seats")
