"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping
from functools import cache

from rules.calls import Called
from rules.games.squarin_off.effects import Stop
from rules.games.squarin_off.grid import SIDES, groove_name
from rules.games.squarin_off.places import real_colour
from rules.games.squarin_off.state import Foul, State
from rules.rulings import RulingKind
from rules.said import joined, listed, say, word

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
    "WAIT": say("A stick is not seated in its groove yet."),
    "HOLD": say("Kept back until the foul is put right."),
    "FIXED": say("Put right. Play goes on."),
    "REJECT players": say("Squarin' Off is for two, three or four players."),
    "REJECT teams": say("Two pairs need four players."),
    "REJECT team-seating": say("Only partners may share a colour, and they sit as agreed."),
    "REJECT colours": say("Every player needs a colour of chips."),
    "REJECT layout": say("A layout has 60 single, 28 double and 12 triple squares."),
    "REJECT allotment": say("That number of blockers is not allowed for so many players."),
    "REFUSED started": say("The game has begun."),
    "REFUSED no-such-seat": say("Nobody sits there."),
    "REFUSED no-pass": say("Every turn needs a stick."),
    "INFO order-presumed": say("Several pieces were seen at once and taken in a legal order."),
    "TALLY ok": say("The totals are right."),
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
    return _unnamed(seat, real_colour(state.terms, state.terms.seats[seat - 1]))


@cache
def _unnamed(seat: int, colour: str) -> str:
    return say("Seat {seat} ({colour})", seat=seat, colour=word(colour))


def colour_name(state: State, letter: str) -> str:
    """The word for the chips' colour on this table."""
    return word(real_colour(state.terms, letter))


def side_name(state: State, side: str) -> str:
    """A side by its colours: "Black", or "Black and blue" for a pair."""
    colours = listed(colour_name(state, letter) for letter in side.split("+"))
    return say("{Colours}", colours=colours)


def players_of(state: State, side: str) -> str:
    """The names of a side's players; its colours where none were given."""
    named = zip(state.terms.names, state.terms.seats, strict=False)
    names = [name for name, colour in named if name and colour in side]
    return listed(names) or side_name(state, side)


def _ok(call: Called[State]) -> str:
    detail, state = call.detail, call.before
    if "setup" in detail:
        return say("The set-up is accepted.")
    if "back" in detail:
        return say("{place} is taken back.", place=detail["back"])
    name = seat_name(state, int(detail["seat"]))
    if "groove" in detail:
        return say("{who} plays {groove}.", who=name, groove=detail["groove"])
    return say("{who} blocks {square}.", who=name, square=detail["square"])


def _close(call: Called[State]) -> str:
    detail = call.detail
    return say(
        "{groove} is the fourth side of {square}: {worth} point for {colour}."
        if detail["worth"] == "1"
        else "{groove} is the fourth side of {square}: {worth} points for {colour}.",
        groove=detail["groove"],
        square=detail["square"],
        worth=detail["worth"],
        colour=colour_name(call.before, detail["colour"]),
    )


def _turn(call: Called[State]) -> str:
    return say(
        "Blocker and stick end the turn: {who} is next."
        if call.code == "SO-4.5"
        else "Nothing completed: {who} is next.",
        who=seat_name(call.before, int(call.detail["seat"])),
    )


def _mark_due(call: Called[State]) -> str:
    return say(
        "A {colour} chip is still due on {squares}; owned by {colour} all the same.",
        colour=colour_name(call.before, call.detail["colour"]),
        squares=call.detail["squares"].replace(",", ", "),
    )


def _game(call: Called[State]) -> str:
    winners = [players_of(call.before, side) for side in call.detail["winners"].split("=")]
    if len(winners) > 1:
        ending = shared_win(winners)
    else:
        pair = " and " in winners[0]
        ending = say("{who} win." if pair else "{who} wins.", who=winners[0])
    scores = joined(
        (
            say(
                "{side} {points}",
                side=side_name(call.before, said.rstrip("-0123456789")),
                points=said.lstrip("KWBY+"),
            )
            for said in call.detail["scores"].split()
        ),
        ", ",
    )
    return say("All squares are filled: {scores}. {ending}", scores=scores, ending=ending)


def shared_win(winners: list[str]) -> str:
    return say("{sides} share the win.", sides=listed(winners))


def _foul(call: Called[State]) -> str:
    place, state = call.detail["place"], call.before
    turn = seat_name(state, state.turn)
    match call.reason:
        case "out-of-turn" | "second-stick":
            return say("It is {who}'s turn; please take {place} back.", who=turn, place=place)
        case "groove-taken":
            return say("{place} already has a stick.", place=place)
        case "stick-moved":
            return say("The stick on {place} stays where it was; please put it back.", place=place)
        case "chip-moved" | "blocker-moved":
            return say("Please put it back on {place}.", place=place)
        case "stick-away-from-blocker":
            return say(
                "After a blocker the stick must go on one of its open sides: {sides}.",
                sides=_sides(call),
            )
        case "must-close":
            return say("A square can be closed and must be.")
        case "chip-on-open-square":
            return say("{place} is not completed; please take the chip off.", place=place)
        case "wrong-colour":
            return _wrong_colour(call, place)
        case "second-chip":
            return say("{place} has its chip.", place=place)
        case "chip-on-blocker":
            return say("{place} is blocked and takes no chip.", place=place)
        case "blocker-on-filled":
            return say("{place} is already filled; please take the blocker off.", place=place)
        case "blocker-adjacent":
            return say(
                "{place} touches another blocker's ring; please take the blocker off.", place=place
            )
        case "blocker-after-stick":
            return say("The blocker comes before the stick.")
        case "second-blocker":
            return say("One blocker a turn.")
        case "no-blockers-left":
            return say("{who} has used all the blockers.", who=turn)
        case _:
            return say("The game is over; nothing more counts.")


def _wrong_colour(call: Called[State], place: str) -> str:
    foul = call.effect.foul if isinstance(call.effect, Stop) else None
    owner = _owner(call.before, foul)
    return say(
        "{place} was completed for {colour}: it takes a {colour} chip - "
        "unless the turn-ending stick was forgotten.",
        place=place,
        colour=colour_name(call.before, owner),
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
        who = seat_name(call.before, int(seat))
        return say("{who} used only {count} blockers.", who=who, count=n)
    colour = colour_name(call.before, call.detail["colour"])
    return say("{points} points off for {colour}.", points=n, colour=colour)


_SPOKEN: Mapping[str, Callable[[Called[State]], str]] = {
    "OK": _ok,
    "CLOSE": _close,
    "DEAD": lambda call: say(
        "{square} is blocked; its fourth side counts for nobody.", square=call.detail["square"]
    ),
    "SHORT": lambda call: say(
        "{Colour} has no chip left.", colour=colour_name(call.before, call.detail["colour"])
    ),
    "AGAIN": lambda call: say(
        "{who} completed a square and plays on.",
        who=seat_name(call.before, int(call.detail["seat"])),
    ),
    "TURN": _turn,
    "MARK": lambda call: say("Chip on {square}.", square=call.detail["square"]),
    "MARK-DUE": _mark_due,
    "MISSED": lambda call: say(
        "{count} squares could still have been closed.", count=call.detail["n"]
    ),
    "START": lambda call: say(
        "{who} begins.", who=seat_name(call.before, int(call.detail["seat"]))
    ),
    "GAME": _game,
    "TALLY": lambda call: say(
        "The totals are wrong; right is {right}.", right=call.detail["right"]
    ),
    "FOUL": _foul,
    "INFO": _info,
}
