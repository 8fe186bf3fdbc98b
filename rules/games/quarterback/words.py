"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.quarterback.effects import Stop
from rules.games.quarterback.pieces import ATTACK, BALL, STRENGTH, kind_of, side_of
from rules.games.quarterback.state import State, player_of
from rules.rulings import RulingKind

KINDS: Mapping[str, RulingKind] = {
    "TURN": RulingKind.TURN,
    "ATTACK": RulingKind.TURN,
    "TACKLE": RulingKind.POCKET,
    "INTERCEPT": RulingKind.POCKET,
    "POINTS": RulingKind.POCKET,
    "PUSH-DUE": RulingKind.PLACE,
    "GAME": RulingKind.WIN,
    "MATCH": RulingKind.WIN,
    "FOUL": RulingKind.FOUL,
    "REJECT": RulingKind.REFUSED,
    "REFUSED": RulingKind.REFUSED,
}

_FIXED: Mapping[str, str] = {
    "HOLD": "Kept back until the board is put right.",
    "FIXED": "Put right. Play goes on.",
    "HALF-END": "The half is over.",
    "REJECT quarterbacks": "There is exactly one quarterback, and it attacks.",
    "REJECT piece-count": "Pieces are missing, or there are too many.",
    "REJECT setup": "The pieces do not stand at their standard places.",
    "REFUSED started": "The half has begun.",
    "REFUSED not-set-up": "The pieces are not set out yet.",
    "REFUSED half-over": "The half is over.",
    "REFUSED turn-ended": "Your turn was over.",
    "REFUSED concede": "Conceding a tackle was not agreed.",
    "REFUSED no-carrier": "The ball is loose: nobody can be conceded as tackled.",
    "REFUSED takeback": "There is nothing that may be taken back.",
    "REFUSED no-toss": "The match book needs the toss first.",
    "REFUSED no-such-player": "The toss is won by R or B.",
    "REFUSED route": "No move went along these squares.",
    "REFUSED unreadable": "That could not be read.",
    "FOUL half-over": "The half is over.",
    "FOUL match-over": "The match is over.",
    "FOUL third-action": "Two actions a turn.",
    "FOUL third-move": "No further piece may move in this turn.",
    "FOUL two-moves-and-pass": "With a pass only one piece may move.",
    "FOUL no-action": "At least one action.",
    "FOUL not-a-line": "Not a row, column or diagonal.",
    "FOUL pass-to-opponent": "A pass goes to a team-mate or an empty square.",
    "INFO between-squares": "A piece lies between squares; please put it on one.",
    "INFO pass-known": "That pass is known already.",
}


def words_for(call: Called[State]) -> str:
    """Say one call to the players."""
    fixed = _FIXED.get(call.call)
    return fixed if fixed is not None else _SPOKEN[call.verb](call)


def side_name(state: State, side: str) -> str:
    """Who attacks or defends, by name or colour: "Red"."""
    return player_name(state, player_of(state, side))


def player_name(state: State, player: int) -> str:
    return state.terms.names[player] or state.terms.colours[player].capitalize()


def piece_name(letter: str) -> str:
    return kind_of(letter) if letter and letter != BALL else "ball"


def role(side: str) -> str:
    return "attacker" if side == ATTACK else "defender"


def _the(letter: str, square: str) -> str:
    return f"the {piece_name(letter)} on {square}"


def _at_first(letter: str, square: str) -> str:
    """The piece at the beginning of a sentence."""
    return "T" + _the(letter, square)[1:]


def _ok(call: Called[State]) -> str:
    detail = call.detail
    if "setup" in detail:
        return "The pieces stand at their standard places."
    if "ball" in detail:
        return f"The ball is on {detail['square']}."
    if "back" in detail:
        return "Taken back."
    if "pushed" in detail:
        return "One push is carried out; another is due."
    if "route" in detail:
        return f"The way {detail['route']} is noted."
    start, to = detail["start"], detail["to"]
    if "letter" in detail:
        name = piece_name(detail["letter"])
        return f"{name[0].upper()}{name[1:]} from {start} to {to}."
    return f"Pass from {start} to {to}."


def _path(call: Called[State]) -> str:
    way = call.detail["route"].replace("-", ", ")
    return f"Seen from start to end only; taken to have gone {way}."


def _push(call: Called[State]) -> str:
    pushed = call.reason.partition(">")
    return f"The {piece_name(pushed[0][0])} on {pushed[0][1:]} is pushed to {pushed[2]}."


def _no_push(call: Called[State]) -> str:
    letter, square, to = call.detail["letter"], call.detail["square"], call.detail["to"]
    reason = {
        "QB-6.5": f"{to} is next to a Single",
        "QB-6.6": "the carrier may not push",
        "QB-4.5": f"it may not be on {to}",
    }.get(call.code, "there is no room")
    return f"{_at_first(letter, square)} cannot be pushed: {reason}."


def _push_due(call: Called[State]) -> str:
    moves = [
        f"{_the(piece[0], piece[1:].partition('>')[0])} to {piece.partition('>')[2]}"
        for piece in call.detail["pieces"].split()
    ]
    return f"Please move {' and '.join(moves)}."


def _release(call: Called[State]) -> str:
    piece = _at_first(call.detail["letter"], call.detail["square"])
    return f"{piece} is over the line: defending Doubles and Singles are free for this half."


def _tackle(call: Called[State]) -> str:
    field = call.before.terms.field
    square = field.named(call.detail["square"])
    column = f"column {field.column(square)}"
    row = field.row(square)
    where = f"row {row}, {column}" if row >= 0 else f"an unnumbered row, {column}"
    how = {"QB-2.10": "Counted as tackled", "QB-2.12": "The half has stalled: tackled"}
    return f"{how.get(call.code, 'Tackled')} on {where}."


def _points(call: Called[State]) -> str:
    n = call.detail["points"]
    return f"{n} point{'' if n == '1' else 's'} for {side_name(call.before, ATTACK)}."


def _turn(call: Called[State]) -> str:
    side = call.detail["side"]
    return f"{side_name(call.before, side)} is to act, the {role(side)}."


def _attack(call: Called[State]) -> str:
    return f"{player_name(call.before, 'RB'.index(call.detail['side']))} attacks."


def _result(call: Called[State]) -> str:
    what = f"Game {call.detail['game']}" if "game" in call.detail else "The match"
    result, scores = call.detail["result"], _scores(call)
    if result == "draw":
        return f"{what} is drawn: {scores}."
    return f"{player_name(call.before, 'RB'.index(result))} wins {what.lower()}: {scores}."


def _scores(call: Called[State]) -> str:
    ours, theirs = call.detail["scores"].split()
    names = player_name(call.before, 0), player_name(call.before, 1)
    return f"{names[0]} {ours[1:]}, {names[1]} {theirs[1:]}"


def _info(call: Called[State]) -> str:
    if call.reason == "order-presumed":
        return f"Several moves were seen at once; taken as {call.detail['order']}."
    if call.reason == "half-done":
        return _half_done(call)
    if call.reason == "completed":
        piece = call.detail["piece"]
        return f"What was seen since belongs to the move of {_the(piece[0], piece[1:])}."
    start, to = call.detail["start"], call.detail["to"]
    return f"The ball was seen on {to}: taken as a pass from {start}."


def _half_done(call: Called[State]) -> str:
    name, square = piece_name(call.detail["letter"]), call.detail["square"]
    if "to" in call.detail:
        to = call.detail["to"]
        return f"The {name} of {square} is on {to}: pushed, if its pusher follows."
    if call.detail["came"]:
        return f"A {name} has come to {square}; from where is not seen yet."
    return f"The {name} of {square} is gone from there; it is in hand so far."


def _not_stalled(call: Called[State]) -> str:
    detail = call.detail
    if call.call != "REFUSED not-stalled":
        return "Not accepted."
    if detail["loose"]:
        return "The ball is loose: nobody stands still with it."
    turns = f"{detail['n']} turn{'' if detail['n'] == '1' else 's'}"
    return f"The carrier has stood on {detail['square']} for {turns}, not {detail['limit']}."


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


def _foul(call: Called[State]) -> str:
    said = _FOULS[call.reason](call)
    correction = call.effect.correction if isinstance(call.effect, Stop) else None
    mover, start = call.detail.get("mover"), call.detail.get("start")
    if mover is None and call.reason in _OF_THE_MOVER:
        mover = call.detail.get("letter")
    if correction is not None and correction.off and mover and start:
        began = next((c for c in correction.off if c.letter == mover and not c.came), None)
        if began is not None:
            return f"{said} Back to {call.before.terms.field.name(began.square)}."
    return said


def _too_far(call: Called[State]) -> str:
    mover, n = piece_name(call.detail["mover"]), int(call.detail["steps"])
    if not n:
        return f"The {mover} has no steps left in this turn."
    return f"The {mover} has {n} step{'' if n == 1 else 's'} left; this would be one more."


def _out_of_turn(call: Called[State]) -> str:
    state = call.before
    if "cut" in call.detail:
        return f"{side_name(state, call.detail['cut'])}’s turn was not over."
    return f"{side_name(state, state.turn)} is to act."


def _no_path(call: Called[State]) -> str:
    d = call.detail
    steps = f"{d['steps']} step{'' if d['steps'] == '1' else 's'}"
    said = f"No free route from {d['start']} to {d['to']} in {steps}."
    why = d.get("why", "")
    return f"{said} {_FOULS[why](_inner(call))}" if why else said


def _inner(call: Called[State]) -> Called[State]:
    """The step that barred the way, as if it had been ruled by itself."""
    detail = {key.removeprefix("why_"): v for key, v in call.detail.items() if "why_" in key}
    what = f"FOUL {call.detail['why']}"
    return Called(what, detail["code"], None, call.before, {**call.detail, **detail})


def _interrupted(call: Called[State]) -> str:
    d = call.detail
    by = d["by"]
    return f"{_at_first(d['letter'], d['start'])} was interrupted by {_the(by[0], by[1:])}."


def _offside(call: Called[State]) -> str:
    if call.code == "QB-4.1":
        return "A defending Triple stays on rows 1 to 12."
    return (
        "No attacking Double or quarterback has crossed yet: "
        f"the {piece_name(call.detail['mover'])} keeps to row 1 and behind."
    )


def _blocked(call: Called[State]) -> str:
    d = call.detail
    strong, weak = STRENGTH[d["by"]], STRENGTH[d["mover"]]
    return (
        f"From {d['start']} to {d['to']} the piece passes {_the(d['by'], d['square'])}: "
        f"strength {strong} against {weak}."
    )


def _too_strong(call: Called[State]) -> str:
    d = call.detail
    return (
        f"{_at_first(d['by'], d['square'])} ({STRENGTH[d['by']]}) is not weaker than "
        f"the {piece_name(d['mover'])} ({STRENGTH[d['mover']]})."
    )


def _occupied(call: Called[State]) -> str:
    d = call.detail
    state = call.before
    said = f"{d['square']} is held by a {piece_name(d['by'])}."
    if not state.loose and side_of(d["by"]) == ATTACK != side_of(d["mover"]):
        where = state.terms.field.name(state.ball)
        said += f" On record the ball is with {_the(state.grid[state.ball], where)}."
    return said


def _no_room(call: Called[State]) -> str:
    d = call.detail
    to = d["to"]
    piece = _at_first(d["by"], d["square"])
    if to == "off the board":
        return f"{piece} would be pushed off the board."
    if call.code == "QB-4.5":
        return f"{piece} would land on {to}, where it may not be."
    next_to = call.reason == "push-next-to-single"
    return f"{piece} would land on {to}: {'next to a Single' if next_to else 'occupied'}."


def _wrong_push(call: Called[State]) -> str:
    d = call.detail
    if d.get("to"):
        return f"{_at_first(d['letter'], d['start'])} goes to {d['to']}."
    if d.get("start"):
        return f"{_at_first(d['letter'], d['start'])} was not pushed."
    return "A piece was displaced that was not pushed."


def _no_ball(call: Called[State]) -> str:
    state, d = call.before, call.detail
    piece = _at_first(d["mover"], d["start"]) if d["mover"] else d["start"].capitalize()
    where = state.terms.field.name(state.ball)
    if state.loose:
        return f"{piece} does not have the ball; it is loose on {where}."
    holder = _the(state.grid[state.ball], where)
    return f"{piece} does not have the ball; on record {holder} has it."


def _cannot_tackle(call: Called[State]) -> str:
    d = call.detail
    return f"A {piece_name(d['mover'])} does not tackle a {piece_name(d['by'])}."


def _missing(call: Called[State]) -> str:
    d = call.detail
    return f"Please put {_the(d['letter'], d['square'])} back."


def _shifted(call: Called[State]) -> str:
    return "A piece was shifted without a move; please put it back."


_FOULS: Mapping[str, Callable[[Called[State]], str]] = {
    "too-far": _too_far,
    "not-a-step": lambda call: f"{call.detail['to']} is not next to {call.detail['start']}.",
    "off-board": lambda call: "Off the board.",
    "no-legal-path": _no_path,
    "occupied": _occupied,
    "push-too-strong": _too_strong,
    "interrupted": _interrupted,
    "moved-twice": lambda call: (
        f"{_at_first(call.detail['letter'], call.detail['start'])} has moved."
    ),
    "offside": _offside,
    "blocked-diagonal": _blocked,
    "next-to-single": lambda call: (
        f"{call.detail['to']} is next to the Single on {call.detail['square']}."
    ),
    "push-no-room": _no_room,
    "push-next-to-single": _no_room,
    "carrier-push": lambda call: "The carrier may not push.",
    "wrong-push": _wrong_push,
    "cannot-tackle": _cannot_tackle,
    "no-ball": _no_ball,
    "forward-pass": lambda call: (
        "Only the quarterback, and only from behind the line, passes forward."
    ),
    "line-blocked": lambda call: (
        f"{_at_first(call.detail['by'], call.detail['square'])} is in the way."
    ),
    "out-of-turn": _out_of_turn,
    "no-such-piece": lambda call: (
        f"On record there is no such {piece_name(call.detail['letter'])} on {call.detail['start']}."
    ),
    "piece-missing": _missing,
    "piece-shifted": _shifted,
    "ball-moved": lambda call: "The ball was disturbed; please put it back.",
}

_SPOKEN: Mapping[str, Callable[[Called[State]], str]] = {
    "OK": _ok,
    "PATH": _path,
    "PUSH": _push,
    "NO-PUSH": _no_push,
    "PUSH-DUE": _push_due,
    "RELEASE": _release,
    "CATCH": lambda call: (
        f"{_at_first(call.detail['letter'], call.detail['square'])} has the ball."
    ),
    "LOOSE": lambda call: f"The ball lies loose on {call.detail['square']}.",
    "PICKUP": lambda call: (
        f"The {piece_name(call.detail['letter'])} takes up the ball on {call.detail['square']}."
    ),
    "INTERCEPT": lambda call: (
        f"The {piece_name(call.detail['letter'])} is first on {call.detail['square']}: "
        "intercepted, no points."
    ),
    "TACKLE": _tackle,
    "POINTS": _points,
    "TURN": _turn,
    "BALL": lambda call: f"The quarterback on {call.detail['square']} has the ball.",
    "ATTACK": _attack,
    "GAME": _result,
    "MATCH-POINTS": lambda call: f"Match points: {_scores(call)}.",
    "MATCH": _result,
    "FOUL": _foul,
    "REFUSED": _not_stalled,
    "INFO": _info,
}
