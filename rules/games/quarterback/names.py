"""What sides, players and pieces are called in a sentence."""

from functools import cache

from rules.games.quarterback.pieces import ATTACK, BALL
from rules.games.quarterback.state import State, player_of
from rules.said import say, word

_PIECES = {
    "S": say("Single"),
    "D": say("Double"),
    "T": say("Triple"),
    "Q": say("quarterback"),
    BALL: say("ball"),
    "": say("ball"),
}


def side_name(state: State, side: str) -> str:
    """Who attacks or defends, by name or colour: "Red"."""
    return player_name(state, player_of(state, side))


def player_name(state: State, player: int) -> str:
    return state.terms.names[player] or _by_colour(state.terms.colours[player])


@cache
def _by_colour(colour: str) -> str:
    return say("{Colour}", colour=word(colour))


def piece_name(letter: str) -> str:
    """What a piece is called; the ball too, which has no letter where it is not named."""
    return _PIECES[letter.upper()]


def role(side: str) -> str:
    return say("attacker") if side == ATTACK else say("defender")
