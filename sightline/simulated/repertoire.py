"""The games that the simulated table can host, and who then plays them."""

from collections.abc import Callable, Mapping, Sequence

from rules.geometry import Seat
from sightline.simulated.carrom.players import FingerAgreement
from sightline.simulated.lattice.gridiron import FieldAgreement
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.matches import Agreement as PuckAgreement
from sightline.simulated.playing import Agreement

CLOCKWISE = (Seat.S, Seat.W, Seat.N, Seat.E)
Options = Sequence[tuple[str, str]]


def _qsquare(seats: tuple[Seat, ...], options: Options) -> Agreement:
    chosen = dict(options)
    pucks = chosen.pop("pucks_per_player", "8")
    return PuckAgreement(
        seats=seats, pucks=int(pucks) if pucks.isdecimal() else 8, options=tuple(chosen.items())
    )


def _king_square(seats: tuple[Seat, ...], options: Options) -> Agreement:
    return PegAgreement(seats=seats, options=tuple(options))


def _squarin_off(seats: tuple[Seat, ...], options: Options) -> Agreement:
    return StickAgreement(seats=seats, options=tuple(options))


def _quarterback(seats: tuple[Seat, ...], options: Options) -> Agreement:
    if len(seats) != 2:
        raise ValueError(f"Quarterback is for 2 players, not {len(seats)}")
    return FieldAgreement(options=tuple(options))


def _carrom(seats: tuple[Seat, ...], options: Options) -> Agreement:
    playing = (Seat.S, Seat.E, Seat.N, Seat.W) if len(seats) == 4 else seats
    return FingerAgreement(seats=playing, options=tuple(options))


HOSTED: Mapping[str, Callable[[tuple[Seat, ...], Options], Agreement]] = {
    "qsquare": _qsquare,
    "carrom": _carrom,
    "king_square": _king_square,
    "squarin_off": _squarin_off,
    "quarterback": _quarterback,
}


def agreement_on(game: str, players: int = 2, options: Options = ()) -> Agreement:
    """What simulated players of a game agree on: how many they are, and their options by name.

    ValueError names the games that are hosted, or how many may play.
    """
    if game not in HOSTED:
        raise ValueError(f"the simulated table hosts {', '.join(HOSTED)}, not {game}")
    if players not in (2, 4):
        raise ValueError(f"expected 2 or 4 players at the simulated table, got {players}")
    seats = CLOCKWISE if players == 4 else (Seat.S, Seat.N)
    return HOSTED[game](seats, options)
