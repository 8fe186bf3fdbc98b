"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.squarin_off.effects import Stop
from rules.games.squarin_off.grid import SIDES, groove_name
from rules.games.squarin_off.places import real_colour
from rules.games.squarin_off.state import Foul, State
from rules.rulings import RulingKind

KINDS: Mapping[str, RulingKind] = {
    "CLOSE": RulingKind.POCKET,
    "TURN": RulingKind.TURN,
    "AGAIN": RulingKind.TURN,
    "START": RulingKind.TURN,
    "MARK-DUE": RulingKind.PLACE,
    "GAME": RulingKind.WIN,
    "FOUL": RulingKind.FOUL,
    "REJECT": RulingKind.REFUSED,
    "REFUSED": RulingKind.REFUSED,
}

_FIXED: Mapping[str, str] = {
    "WAIT": "A stick is not seated in its groove yet.",
    "HOLD": "Kept back until the foul is put right.",
    "FIXED": "Put right. Play goes on.",
    "REJECT players": "Squarin' Off is for two, three or four players.",
    "REJECT teams": "Two pairs need four players.",
    "REJECT team-seating": "Only partners may share a colour, and they sit as agreed.",
    "REJECT colours": "Every player needs a colour of chips.",
    "REJECT layout": "A layout has 60 single, 28 double and 12 triple squares.",
    "REJECT allotment": "That number of blockers is not allowed for so many players.",
    "REFUSED started": "The game has begun.",
    "REFUSED no-such-seat": "Nobody sits there.",
    "REFUSED no-pass": "Every turn needs a stick.",
    "INFO order-presumed": "Several pieces were seen at once and taken in a legal order.",
    "TALLY ok": "The totals are right.",
}


def words_for(call: Called[State]) -> str:
    """Say one call to the players."""
    fixed = _FIXED.get(call.call)
    return fixed if fixed is not None else _SPOKEN[call.verb](call)


def seat_name(state: State, seat: int) -> str:
    """The player's name where one was given, else the seat and its colour."""
    names = state.terms.names
    if seat <= len(names) and names[seat - 1]:
        return names[seat - 1]
    return f"Seat {seat} ({real_colour(state.terms, state.terms.seats[seat - 1])})"


def side_name(state: State, side: str) -> str:
    """A side by its colours: "Black", or "Black and blue" for a pair."""
    colours = [real_colour(state.terms, letter) for letter in side.split("+")]
    return " and ".join(colours).capitalize()


def players_of(state: State, side: str) -> str:
    """The names of a side's players; its colours where none were given."""
    named = zip(state.terms.names, state.terms.seats, strict=False)
    names = [name for name, colour in named if name and colour in side]
    return " and ".join(names) or side_name(state, side)


def _ok(call: Called[State]) -> str:
    detail, state = call.detail, call.before
    if "setup" in detail:
        return "The set-up is accepted."
    if "back" in detail:
        return f"{detail['back']} is taken back."
    name = seat_name(state, int(detail["seat"]))
    if "groove" in detail:
        return f"{name} plays {detail['groove']}."
    return f"{name} blocks {detail['square']}."


def _close(call: Called[State]) -> str:
    detail = call.detail
    points = "point" if detail["worth"] == "1" else "points"
    colour = real_colour(call.before.terms, detail["colour"])
    return (
        f"{detail['groove']} is the fourth side of {detail['square']}: "
        f"{detail['worth']} {points} for {colour}."
    )


def _turn(call: Called[State]) -> str:
    name = seat_name(call.before, int(call.detail["seat"]))
    why = "Blocker and stick end the turn" if call.code == "SO-4.5" else "Nothing completed"
    return f"{why}: {name} is next."


def _mark_due(call: Called[State]) -> str:
    colour = real_colour(call.before.terms, call.detail["colour"])
    squares = call.detail["squares"].replace(",", ", ")
    return f"A {colour} chip is still due on {squares}; owned by {colour} all the same."


def _game(call: Called[State]) -> str:
    winners = [players_of(call.before, side) for side in call.detail["winners"].split("=")]
    win = "win" if " and " in winners[0] else "wins"
    ending = (
        f"{winners[0]} {win}." if len(winners) == 1 else f"{' and '.join(winners)} share the win."
    )
    scores = ", ".join(
        f"{side_name(call.before, said.rstrip('-0123456789'))} {said.lstrip('KWBY+')}"
        for said in call.detail["scores"].split()
    )
    return f"All squares are filled: {scores}. {ending}"


def _foul(call: Called[State]) -> str:
    place, state = call.detail["place"], call.before
    turn = seat_name(state, state.turn)
    match call.reason:
        case "out-of-turn" | "second-stick":
            return f"It is {turn}'s turn; please take {place} back."
        case "groove-taken":
            return f"{place} already has a stick."
        case "stick-moved":
            return f"The stick on {place} stays where it was; please put it back."
        case "chip-moved" | "blocker-moved":
            return f"Please put it back on {place}."
        case "stick-away-from-blocker":
            return f"After a blocker the stick must go on one of its open sides: {_sides(call)}."
        case "must-close":
            return "A square can be closed and must be."
        case "chip-on-open-square":
            return f"{place} is not completed; please take the chip off."
        case "wrong-colour":
            return _wrong_colour(call, place)
        case "second-chip":
            return f"{place} has its chip."
        case "chip-on-blocker":
            return f"{place} is blocked and takes no chip."
        case "blocker-on-filled":
            return f"{place} is already filled; please take the blocker off."
        case "blocker-adjacent":
            return f"{place} touches another blocker's ring; please take the blocker off."
        case "blocker-after-stick":
            return "The blocker comes before the stick."
        case "second-blocker":
            return "One blocker a turn."
        case "no-blockers-left":
            return f"{turn} has used all the blockers."
        case _:
            return "The game is over; nothing more counts."


def _wrong_colour(call: Called[State], place: str) -> str:
    foul = call.effect.foul if isinstance(call.effect, Stop) else None
    owner = _owner(call.before, foul)
    colour = real_colour(call.before.terms, owner)
    return (
        f"{place} was completed for {colour}: it takes a {colour} chip - "
        "unless the turn-ending stick was forgotten."
    )


def _owner(state: State, foul: Foul | None) -> str:
    at = None if foul is None or foul.extra is None else foul.extra[1]
    return (None if at is None else state.owner(at)) or state.colour_on_turn


def _sides(call: Called[State]) -> str:
    square = call.before.owes
    if square is None:
        return ""
    still = [g for g in SIDES[square] if not call.before.sticks >> g & 1]
    return ", ".join(map(groove_name, still))


def _info(call: Called[State]) -> str:
    seat, n = call.detail.get("seat"), call.detail["n"]
    if seat is not None:
        return f"{seat_name(call.before, int(seat))} used only {n} blockers."
    return f"{n} points off for {real_colour(call.before.terms, call.detail['colour'])}."


_SPOKEN: Mapping[str, Callable[[Called[State]], str]] = {
    "OK": _ok,
    "CLOSE": _close,
    "DEAD": lambda call: f"{call.detail['square']} is blocked; its fourth side counts for nobody.",
    "SHORT": lambda call: (
        f"{real_colour(call.before.terms, call.detail['colour']).capitalize()} has no chip left."
    ),
    "AGAIN": lambda call: (
        f"{seat_name(call.before, int(call.detail['seat']))} completed a square and plays on."
    ),
    "TURN": _turn,
    "MARK": lambda call: f"Chip on {call.detail['square']}.",
    "MARK-DUE": _mark_due,
    "MISSED": lambda call: f"{call.detail['n']} squares could still have been closed.",
    "START": lambda call: f"{seat_name(call.before, int(call.detail['seat']))} begins.",
    "GAME": _game,
    "TALLY": lambda call: f"The totals are wrong; right is {call.detail['right']}.",
    "FOUL": _foul,
    "INFO": _info,
}
