"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.king_square.state import State
from rules.rulings import RulingKind
from rules.said import joined, listed, say, word

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
    "CLEAR-DUE": say("Please clear the field."),
    "CLEARED": say("The field is clear."),
    "DEAD-BOARD": say(
        "No square can be made any more. Both sides may agree to give up this board."
    ),
    "HOLD": say("Kept back until the foul is put right."),
    "FIXED": say("Put right. Play goes on."),
    "REJECT players": say("King Square is for two players, or four in two pairs."),
    "REJECT colours": say("The sides need pegs of different colours."),
    "REJECT partner-colours": say("Partners, who sit opposite each other, play one colour."),
    "REFUSED started": say("The match has begun."),
    "REFUSED no-such-seat": say("Nobody sits there."),
    "REFUSED no-pass": say("Every turn is one peg."),
    "REFUSED board-closed": say("This board is finished already."),
    "REFUSED not-the-losers": say("A seat of the pair that lost the last board starts."),
    "REFUSED tilted": say("The square stands at an angle to the rows."),
    "REFUSED lapsed": say("The claim came after the next peg: the square is lost for this board."),
    "INFO already-called": say("This King-Square has been called."),
    "INFO choose-starter": say("The pair that lost says which of them starts."),
    "VOID KS-5.1": say("The field is full without a King-Square. Please clear the field."),
    "VOID KS-5.2": say("The board is given up; nobody scores. Please clear the field."),
    "VOID KS-5.3": say("The next side has no peg left; nobody scores. Please clear the field."),
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
    colour = word(state.terms.colours[state.terms.side_of(seat)])
    return say("Seat {seat} ({colour})", seat=seat, colour=colour)


def side_name(state: State, side: int) -> str:
    """What a side is called: its colour."""
    return say("{Colour}", colour=word(state.terms.colours[side]))


def players_of(state: State, side: int) -> str:
    """The names of a side's players; its colour where none were given."""
    named = enumerate(state.terms.names, start=1)
    names = [name for seat, name in named if name and state.terms.side_of(seat) == side]
    return listed(names) or side_name(state, side)


def win_words(state: State, side: int, score: str) -> str:
    """That a side has won the match."""
    players = players_of(state, side)
    return say(
        "{players} win the match {score}."
        if " and " in players
        else "{players} wins the match {score}.",
        players=players,
        score=score,
    )


def _ok(state: State, call: Called[State]) -> str:
    detail = call.detail
    if "seats" in detail:
        return say("{count} players: accepted.", count=detail["seats"])
    if "score" in detail:
        return say("The score board is right: {score}.", score=detail["score"])
    if "back" in detail:
        return say("The peg on {hole} is taken back.", hole=detail["hole"])
    return say(
        "{who} lifts the peg on {hole} to play it elsewhere."
        if call.code == "KS-5.3"
        else "{who} plays {hole}.",
        who=_who(state, call),
        hole=detail["hole"],
    )


def _who(state: State, call: Called[State]) -> str:
    return seat_name(state, int(call.detail["seat"]))


def _king(state: State, call: Called[State]) -> str:
    side = side_name(state, "ABC".index(call.detail["side"]))
    if "penalty" in call.detail:
        return say("The board goes to {side} for the foul.", side=side)
    return say(
        "King-Square for {side}: {corners}, side {length}, made by {who}.",
        side=side,
        corners=call.detail["corners"],
        length=call.detail["length"],
        who=_who(state, call),
    )


def _match(state: State, call: Called[State]) -> str:
    return win_words(state, "ABC".index(call.detail["side"]), call.detail["score"])


def _foul(state: State, call: Called[State]) -> str:
    hole = call.detail.get("hole", "")
    who = seat_name(state, state.turn)
    match call.reason:
        case "hole-taken":
            return say("{hole} is occupied. Please take the second peg away.", hole=hole)
        case "peg-moved":
            return say(
                "The peg on {hole} stays until the field is cleared. Please put it back.", hole=hole
            )
        case "swept":
            return say("No King-Square was made. Please rebuild the position shown.")
        case "scoreboard":
            return say(
                "The score is {score}. Please correct the score board.", score=call.detail["score"]
            )
        case "out-of-turn":
            why = say("It is {who}'s turn.", who=who)
        case "second-peg":
            why = say("One peg a turn: it is {who}'s turn.", who=who)
        case "wrong-colour":
            colour = state.terms.colours[state.terms.side_of(state.turn)]
            why = say("{who} plays {colour}.", who=who, colour=word(colour))
        case "off-field":
            why = say("{hole} is not part of the field.", hole=hole)
        case "board-closed":
            why = say("The board is finished; clear the field first.")
        case _:
            why = say("{who} has used all the pegs of the side.", who=who)
    return joined((why, say("Please take the peg out of {hole}.", hole=hole)))


def _refused(state: State, call: Called[State]) -> str:
    detail = call.detail
    match call.reason:
        case "corners" if "hole" in detail:
            return say(
                "No King-Square: {hole} is empty."
                if detail["what"] == "empty"
                else "No King-Square: {hole} is of the other colour.",
                hole=detail["hole"],
            )
        case "corners":
            return say("No King-Square: name four different holes with pegs of the claiming side.")
        case "rectangle":
            return say(
                "The sides are {width} and {height}: a rectangle.",
                width=detail["p"],
                height=detail["q"],
            )
        case "not-dead":
            return say("The square {square} is still possible.", square=detail["square"])
        case "no-square" if "small" in detail:
            return say(
                "Squares of side {length} do not count in this match.", length=detail["small"]
            )
        case _:
            return say("These four holes form no square.")


def _order(state: State, call: Called[State]) -> str:
    return say(
        "Seen at once; taken as {order}. "
        "In another order the outcome differs: please say which peg came first."
        if call.call.endswith("open")
        else "Seen at once; taken as {order}.",
        order=call.detail["order"],
    )


_SPOKEN: Mapping[str, Callable[[State, Called[State]], str]] = {
    "OK": _ok,
    "TURN": lambda state, call: say("{who} to play.", who=_who(state, call)),
    "KING": _king,
    "MULTI": lambda _, call: say("{count} squares at once.", count=call.detail["n"]),
    "RECORD": lambda _, call: say("The score is {score}.", score=call.detail["score"]),
    "CLEARING": lambda _, call: say("{count} pegs still to take out.", count=call.detail["n"]),
    "START": lambda state, call: say("{who} starts.", who=_who(state, call)),
    "MATCH": _match,
    "FOUL": _foul,
    "REFUSED": _refused,
    "INFO": _order,
}
