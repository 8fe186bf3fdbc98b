"""What was not legal, in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.quarterback.effects import Stop
from rules.games.quarterback.names import piece_name, side_name
from rules.games.quarterback.pieces import ATTACK, STRENGTH, side_of
from rules.games.quarterback.state import State
from rules.said import joined, plural, say

_OF_THE_MOVER = frozenset(
    {
        "third-action",
        "third-move",
        "two-moves-and-pass",
        "interrupted",
        "moved-twice",
        "out-of-turn",
    }
)


def foul_words(call: Called[State]) -> str:
    """Say what was not legal, and where the piece goes back to."""
    said = _FOULS[call.reason](call)
    correction = call.effect.correction if isinstance(call.effect, Stop) else None
    mover, start = call.detail.get("mover"), call.detail.get("start")
    if mover is None and call.reason in _OF_THE_MOVER:
        mover = call.detail.get("letter")
    if correction is not None and correction.off and mover and start:
        began = next((c for c in correction.off if c.letter == mover and not c.came), None)
        if began is not None:
            square = call.before.terms.field.name(began.square)
            return joined((said, say("Back to {square}.", square=square)))
    return said


def _too_far(call: Called[State]) -> str:
    steps = int(call.detail["steps"])
    return plural(
        steps,
        none="The {piece} has no steps left in this turn.",
        one="The {piece} has {steps} step left; this would be one more.",
        many="The {piece} has {steps} steps left; this would be one more.",
        piece=piece_name(call.detail["mover"]),
        steps=steps,
    )


def _out_of_turn(call: Called[State]) -> str:
    state = call.before
    if "cut" in call.detail:
        return say("{who}’s turn was not over.", who=side_name(state, call.detail["cut"]))
    return say("{who} is to act.", who=side_name(state, state.turn))


def _no_path(call: Called[State]) -> str:
    d = call.detail
    steps = int(d["steps"])
    said = plural(
        steps,
        one="No free route from {start} to {to} in {steps} step.",
        many="No free route from {start} to {to} in {steps} steps.",
        start=d["start"],
        to=d["to"],
        steps=steps,
    )
    why = d.get("why", "")
    return joined((said, _FOULS[why](_inner(call)))) if why else said


def _inner(call: Called[State]) -> Called[State]:
    """The step that barred the way, as if it had been ruled by itself."""
    detail = {key.removeprefix("why_"): v for key, v in call.detail.items() if "why_" in key}
    what = f"FOUL {call.detail['why']}"
    return Called(what, detail["code"], None, call.before, {**call.detail, **detail})


def _interrupted(call: Called[State]) -> str:
    d = call.detail
    return say(
        "The {piece} on {start} was interrupted by the {other} on {square}.",
        piece=piece_name(d["letter"]),
        start=d["start"],
        other=piece_name(d["by"][0]),
        square=d["by"][1:],
    )


def _offside(call: Called[State]) -> str:
    if call.code == "QB-4.1":
        return say("A defending Triple stays on rows 1 to 12.")
    return say(
        "No attacking Double or quarterback has crossed yet: "
        "the {piece} keeps to row 1 and behind.",
        piece=piece_name(call.detail["mover"]),
    )


def _blocked(call: Called[State]) -> str:
    d = call.detail
    return say(
        "From {start} to {to} the piece passes the {other} on {square}: "
        "strength {strong} against {weak}.",
        start=d["start"],
        to=d["to"],
        other=piece_name(d["by"]),
        square=d["square"],
        strong=STRENGTH[d["by"]],
        weak=STRENGTH[d["mover"]],
    )


def _too_strong(call: Called[State]) -> str:
    d = call.detail
    return say(
        "The {other} on {square} ({strong}) is not weaker than the {piece} ({weak}).",
        other=piece_name(d["by"]),
        square=d["square"],
        strong=STRENGTH[d["by"]],
        piece=piece_name(d["mover"]),
        weak=STRENGTH[d["mover"]],
    )


def _occupied(call: Called[State]) -> str:
    d = call.detail
    state = call.before
    said = say("{square} is held by a {piece}.", square=d["square"], piece=piece_name(d["by"]))
    if not state.loose and side_of(d["by"]) == ATTACK != side_of(d["mover"]):
        recorded = say(
            "On record the ball is with the {piece} on {square}.",
            piece=piece_name(state.grid[state.ball]),
            square=state.terms.field.name(state.ball),
        )
        return joined((said, recorded))
    return said


def _no_room(call: Called[State]) -> str:
    d = call.detail
    piece, square, to = piece_name(d["by"]), d["square"], d["to"]
    if to == "off the board":
        return say(
            "The {piece} on {square} would be pushed off the board.", piece=piece, square=square
        )
    if call.code == "QB-4.5":
        return say(
            "The {piece} on {square} would land on {to}, where it may not be.",
            piece=piece,
            square=square,
            to=to,
        )
    return say(
        "The {piece} on {square} would land on {to}: next to a Single."
        if call.reason == "push-next-to-single"
        else "The {piece} on {square} would land on {to}: occupied.",
        piece=piece,
        square=square,
        to=to,
    )


def _wrong_push(call: Called[State]) -> str:
    d = call.detail
    if not d.get("start"):
        return say("A piece was displaced that was not pushed.")
    return say(
        "The {piece} on {start} goes to {to}."
        if d.get("to")
        else "The {piece} on {start} was not pushed.",
        piece=piece_name(d["letter"]),
        start=d["start"],
        to=d.get("to"),
    )


def _no_ball(call: Called[State]) -> str:
    state, d = call.before, call.detail
    start, ball = d["start"], state.terms.field.name(state.ball)
    piece = piece_name(d["mover"])
    if state.loose:
        return say(
            "The {piece} on {start} does not have the ball; it is loose on {ball}."
            if d["mover"]
            else "{Start} does not have the ball; it is loose on {ball}.",
            piece=piece,
            start=start,
            ball=ball,
        )
    return say(
        "The {piece} on {start} does not have the ball; on record the {carrier} on {ball} has it."
        if d["mover"]
        else "{Start} does not have the ball; on record the {carrier} on {ball} has it.",
        piece=piece,
        start=start,
        carrier=piece_name(state.grid[state.ball]),
        ball=ball,
    )


def _no_such_piece(call: Called[State]) -> str:
    return say(
        "On record there is no such {piece} on {square}.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["start"],
    )


def _next_to_single(call: Called[State]) -> str:
    return say(
        "{to} is next to the Single on {square}.",
        to=call.detail["to"],
        square=call.detail["square"],
    )


def _cannot_tackle(call: Called[State]) -> str:
    return say(
        "A {piece} does not tackle a {carrier}.",
        piece=piece_name(call.detail["mover"]),
        carrier=piece_name(call.detail["by"]),
    )


def _moved_twice(call: Called[State]) -> str:
    return say(
        "The {piece} on {square} has moved.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["start"],
    )


def _line_blocked(call: Called[State]) -> str:
    return say(
        "The {piece} on {square} is in the way.",
        piece=piece_name(call.detail["by"]),
        square=call.detail["square"],
    )


def _missing(call: Called[State]) -> str:
    return say(
        "Please put the {piece} on {square} back.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
    )


def _not_a_step(call: Called[State]) -> str:
    return say("{to} is not next to {start}.", to=call.detail["to"], start=call.detail["start"])


_FOULS: Mapping[str, Callable[[Called[State]], str]] = {
    "too-far": _too_far,
    "not-a-step": _not_a_step,
    "off-board": lambda call: say("Off the board."),
    "no-legal-path": _no_path,
    "occupied": _occupied,
    "push-too-strong": _too_strong,
    "interrupted": _interrupted,
    "moved-twice": _moved_twice,
    "offside": _offside,
    "blocked-diagonal": _blocked,
    "next-to-single": _next_to_single,
    "push-no-room": _no_room,
    "push-next-to-single": _no_room,
    "carrier-push": lambda call: say("The carrier may not push."),
    "wrong-push": _wrong_push,
    "cannot-tackle": _cannot_tackle,
    "no-ball": _no_ball,
    "forward-pass": lambda call: say(
        "Only the quarterback, and only from behind the line, passes forward."
    ),
    "line-blocked": _line_blocked,
    "out-of-turn": _out_of_turn,
    "no-such-piece": _no_such_piece,
    "piece-missing": _missing,
    "piece-shifted": lambda call: say("A piece was shifted without a move; please put it back."),
    "ball-moved": lambda call: say("The ball was disturbed; please put it back."),
}
