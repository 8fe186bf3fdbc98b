"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.king_square.state import State
from rules.rulings import RulingKind

KINDS: Mapping[str, RulingKind] = {
    "OK": RulingKind.NOTE,
    "TURN": RulingKind.TURN,
    "KING": RulingKind.POCKET,
    "MULTI": RulingKind.NOTE,
    "RECORD": RulingKind.NOTE,
    "CLEAR-DUE": RulingKind.PLACE,
    "CLEARING": RulingKind.PLACE,
    "CLEARED": RulingKind.NOTE,
    "START": RulingKind.TURN,
    "MATCH": RulingKind.WIN,
    "VOID": RulingKind.NOTE,
    "DEAD-BOARD": RulingKind.NOTE,
    "FOUL": RulingKind.FOUL,
    "HOLD": RulingKind.NOTE,
    "FIXED": RulingKind.NOTE,
    "REJECT": RulingKind.REFUSED,
    "REFUSED": RulingKind.REFUSED,
    "INFO": RulingKind.NOTE,
}

_FIXED: Mapping[str, str] = {
    "CLEAR-DUE": "Please clear the field.",
    "CLEARED": "The field is clear.",
    "DEAD-BOARD": "No square can be made any more. Both sides may agree to give up this board.",
    "HOLD": "Kept back until the foul is put right.",
    "FIXED": "Put right. Play goes on.",
    "REJECT players": "King Square is for two players, or four in two pairs.",
    "REJECT colours": "The sides need pegs of different colours.",
    "REJECT partner-colours": "Partners, who sit opposite each other, play one colour.",
    "REFUSED started": "The match has begun.",
    "REFUSED no-such-seat": "Nobody sits there.",
    "REFUSED no-pass": "Every turn is one peg.",
    "REFUSED board-closed": "This board is finished already.",
    "REFUSED not-the-losers": "A seat of the pair that lost the last board starts.",
    "REFUSED tilted": "The square stands at an angle to the rows.",
    "REFUSED lapsed": "The claim came after the next peg: the square is lost for this board.",
    "INFO already-called": "This King-Square has been called.",
    "INFO choose-starter": "The pair that lost says which of them starts.",
    "VOID KS-5.1": "The field is full without a King-Square. Please clear the field.",
    "VOID KS-5.2": "The board is given up; nobody scores. Please clear the field.",
    "VOID KS-5.3": "The next side has no peg left; nobody scores. Please clear the field.",
}


def words_for(state: State, call: Called[State]) -> str:
    """Say one call to the players; `state` is the one it was made in."""
    fixed = _FIXED.get(call.call) or _FIXED.get(f"{call.call} {call.code}")
    if fixed is not None:
        return fixed
    return _SPOKEN[call.verb](state, call)


def seat_name(state: State, seat: int) -> str:
    """The player's name where one was given, else the seat and its colour."""
    names = state.terms.names
    if seat <= len(names) and names[seat - 1]:
        return names[seat - 1]
    colour = state.terms.colours[state.terms.side_of(seat)]
    return f"Seat {seat} ({colour})"


def side_name(state: State, side: int) -> str:
    """What a side is called: its colour."""
    return state.terms.colours[side].capitalize()


def players_of(state: State, side: int) -> str:
    """The names of a side's players; its colour where none were given."""
    named = enumerate(state.terms.names, start=1)
    names = [name for seat, name in named if name and state.terms.side_of(seat) == side]
    return " and ".join(names) or side_name(state, side)


def win_words(state: State, side: int, score: str) -> str:
    """That a side has won the match."""
    players = players_of(state, side)
    return f"{players} {'win' if ' and ' in players else 'wins'} the match {score}."


def _ok(state: State, call: Called[State]) -> str:
    detail = call.detail
    if "seats" in detail:
        return f"{detail['seats']} players: accepted."
    if "score" in detail:
        return f"The score board is right: {detail['score']}."
    if "back" in detail:
        return f"The peg on {detail['hole']} is taken back."
    name = seat_name(state, int(detail["seat"]))
    if call.code == "KS-5.3":
        return f"{name} lifts the peg on {detail['hole']} to play it elsewhere."
    return f"{name} plays {detail['hole']}."


def _king(state: State, call: Called[State]) -> str:
    side = side_name(state, "ABC".index(call.detail["side"]))
    if "penalty" in call.detail:
        return f"The board goes to {side} for the foul."
    return (
        f"King-Square for {side}: {call.detail['corners']}, side {call.detail['length']}, "
        f"made by {seat_name(state, int(call.detail['seat']))}."
    )


def _match(state: State, call: Called[State]) -> str:
    return win_words(state, "ABC".index(call.detail["side"]), call.detail["score"])


def _foul(state: State, call: Called[State]) -> str:
    hole = call.detail.get("hole", "")
    turn = seat_name(state, state.turn)
    colour = state.terms.colours[state.terms.side_of(state.turn)]
    undo = f"Please take the peg out of {hole}." if hole else ""
    match call.reason:
        case "out-of-turn":
            return f"It is {turn}'s turn. {undo}"
        case "second-peg":
            return f"One peg a turn: it is {turn}'s turn. {undo}"
        case "wrong-colour":
            return f"{turn} plays {colour}. {undo}"
        case "hole-taken":
            return f"{hole} is occupied. Please take the second peg away."
        case "off-field":
            return f"{hole} is not part of the field. {undo}"
        case "peg-moved":
            return f"The peg on {hole} stays until the field is cleared. Please put it back."
        case "board-closed":
            return f"The board is finished; clear the field first. {undo}"
        case "swept":
            return "No King-Square was made. Please rebuild the position shown."
        case "scoreboard":
            return f"The score is {call.detail['score']}. Please correct the score board."
        case _:
            return f"{turn} has used all the pegs of the side. {undo}"


def _refused(state: State, call: Called[State]) -> str:
    detail = call.detail
    match call.reason:
        case "corners" if "hole" in detail:
            return f"No King-Square: {detail['hole']} is {detail['what']}."
        case "corners":
            return "No King-Square: name four different holes with pegs of the claiming side."
        case "rectangle":
            return f"The sides are {detail['p']} and {detail['q']}: a rectangle."
        case "not-dead":
            return f"The square {detail['square']} is still possible."
        case "no-square" if "small" in detail:
            return f"Squares of side {detail['small']} do not count in this match."
        case _:
            return "These four holes form no square."


_SPOKEN: Mapping[str, Callable[[State, Called[State]], str]] = {
    "OK": _ok,
    "TURN": lambda state, call: f"{seat_name(state, int(call.detail['seat']))} to play.",
    "KING": _king,
    "MULTI": lambda _, call: f"{call.detail['n']} squares at once.",
    "RECORD": lambda _, call: f"The score is {call.detail['score']}.",
    "CLEARING": lambda _, call: f"{call.detail['n']} pegs still to take out.",
    "START": lambda state, call: f"{seat_name(state, int(call.detail['seat']))} starts.",
    "MATCH": _match,
    "FOUL": _foul,
    "REFUSED": _refused,
    "INFO": lambda _, call: (
        f"Seen at once; taken as {call.detail['order']}."
        + (
            " In another order the outcome differs: please say which peg came first."
            if call.call.endswith("open")
            else ""
        )
    ),
}
