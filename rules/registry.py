"""The games Sightline knows. A sixth is one more function and one more line here."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.game import Game


def _qsquare() -> Game[Any]:
    from rules.games.qsquare.game import QSquare

    return QSquare()


def _king_square() -> Game[Any]:
    from rules.games.king_square.game import KingSquare

    return KingSquare()


def _squarin_off() -> Game[Any]:
    from rules.games.squarin_off.game import SquarinOff

    return SquarinOff()


def _quarterback() -> Game[Any]:
    from rules.games.quarterback.game import Quarterback

    return Quarterback()


def _carrom() -> Game[Any]:
    from rules.games.carrom.game import Carrom

    return Carrom()


GAMES: Mapping[str, Callable[[], Game[Any]]] = {
    "qsquare": _qsquare,
    "carrom": _carrom,
    "king_square": _king_square,
    "squarin_off": _squarin_off,
    "quarterback": _quarterback,
}


def find_game(name: str) -> Game[Any]:
    """Return the game of that name ("qsquare", "Q-Square"); ValueError names those there are."""
    plain = "".join(c for c in name.casefold() if c.isalnum() or c == "_")
    for known, make in GAMES.items():
        if plain.replace("_", "") == known.replace("_", ""):
            return make()
    raise ValueError(f"expected one of the games {', '.join(GAMES)}, got {name!r}")
