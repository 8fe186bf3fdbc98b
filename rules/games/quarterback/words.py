"""The calls of the rulebook in a player's words (section 3.2)."""

from collections.abc import Callable, Mapping

from rules.calls import Called
from rules.games.quarterback.book import PLAYERS
from rules.games.quarterback.fouls import foul_words
from rules.games.quarterback.names import piece_name, player_name, role, side_name
from rules.games.quarterback.pieces import ATTACK
from rules.games.quarterback.state import State
from rules.rulings import RulingKind
from rules.said import joined, listed, plural, say

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
    "HOLD": say("Kept back until the board is put right."),
    "FIXED": say("Put right. Play goes on."),
    "HALF-END": say("The half is over."),
    "REJECT quarterbacks": say("There is exactly one quarterback, and it attacks."),
    "REJECT piece-count": say("Pieces are missing, or there are too many."),
    "REJECT setup": say("The pieces do not stand at their standard places."),
    "REFUSED started": say("The half has begun."),
    "REFUSED not-set-up": say("The pieces are not set out yet."),
    "REFUSED half-over": say("The half is over."),
    "REFUSED turn-ended": say("Your turn was over."),
    "REFUSED concede": say("Conceding a tackle was not agreed."),
    "REFUSED no-carrier": say("The ball is loose: nobody can be conceded as tackled."),
    "REFUSED takeback": say("There is nothing that may be taken back."),
    "REFUSED no-toss": say("The match book needs the toss first."),
    "REFUSED no-such-player": say("The toss is won by R or B."),
    "REFUSED route": say("No move went along these squares."),
    "REFUSED unreadable": say("That could not be read."),
    "FOUL half-over": say("The half is over."),
    "FOUL match-over": say("The match is over."),
    "FOUL third-action": say("Two actions a turn."),
    "FOUL third-move": say("No further piece may move in this turn."),
    "FOUL two-moves-and-pass": say("With a pass only one piece may move."),
    "FOUL no-action": say("At least one action."),
    "FOUL not-a-line": say("Not a row, column or diagonal."),
    "FOUL pass-to-opponent": say("A pass goes to a team-mate or an empty square."),
    "INFO between-squares": say("A piece lies between squares; please put it on one."),
    "INFO pass-known": say("That pass is known already."),
}


def words_for(call: Called[State]) -> str:
    """Say one call to the players."""
    fixed = _FIXED.get(call.call)
    return fixed if fixed is not None else _SPOKEN[call.verb](call)


def _ok(call: Called[State]) -> str:
    detail = call.detail
    if "setup" in detail:
        return say("The pieces stand at their standard places.")
    if "ball" in detail:
        return say("The ball is on {square}.", square=detail["square"])
    if "back" in detail:
        return say("Taken back.")
    if "pushed" in detail:
        return say("One push is carried out; another is due.")
    if "route" in detail:
        return say("The way {route} is noted.", route=detail["route"])
    start, to = detail["start"], detail["to"]
    if "letter" in detail:
        piece = piece_name(detail["letter"])
        return say("{Piece} from {start} to {to}.", piece=piece, start=start, to=to)
    return say("Pass from {start} to {to}.", start=start, to=to)


def _path(call: Called[State]) -> str:
    squares = joined(call.detail["route"].split("-"), ", ")
    return say("Seen from start to end only; taken to have gone {squares}.", squares=squares)


def _push(call: Called[State]) -> str:
    pushed = call.reason.partition(">")
    return say(
        "The {piece} on {start} is pushed to {to}.",
        piece=piece_name(pushed[0][0]),
        start=pushed[0][1:],
        to=pushed[2],
    )


def _no_push(call: Called[State]) -> str:
    to = call.detail["to"]
    reason = {
        "QB-6.5": say("{to} is next to a Single", to=to),
        "QB-6.6": say("the carrier may not push"),
        "QB-4.5": say("it may not be on {to}", to=to),
    }.get(call.code, say("there is no room"))
    return say(
        "The {piece} on {square} cannot be pushed: {reason}.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
        reason=reason,
    )


def _push_due(call: Called[State]) -> str:
    moves = []
    for pushed in call.detail["pieces"].split():
        start, _, to = pushed[1:].partition(">")
        piece = piece_name(pushed[0])
        moves.append(say("the {piece} on {start} to {to}", piece=piece, start=start, to=to))
    return say("Please move {moves}.", moves=listed(moves))


def _release(call: Called[State]) -> str:
    return say(
        "The {piece} on {square} is over the line: "
        "defending Doubles and Singles are free for this half.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
    )


def _catch(call: Called[State]) -> str:
    return say(
        "The {piece} on {square} has the ball.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
    )


def _pickup(call: Called[State]) -> str:
    return say(
        "The {piece} takes up the ball on {square}.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
    )


def _intercept(call: Called[State]) -> str:
    return say(
        "The {piece} is first on {square}: intercepted, no points.",
        piece=piece_name(call.detail["letter"]),
        square=call.detail["square"],
    )


def _tackle(call: Called[State]) -> str:
    field = call.before.terms.field
    square = field.named(call.detail["square"])
    row, column = field.row(square), field.column(square)
    where = say(
        "row {row}, column {column}" if row >= 0 else "an unnumbered row, column {column}",
        row=row,
        column=column,
    )
    if call.code == "QB-2.10":
        return say("Counted as tackled on {where}.", where=where)
    return say(
        "The half has stalled: tackled on {where}."
        if call.code == "QB-2.12"
        else "Tackled on {where}.",
        where=where,
    )


def _points(call: Called[State]) -> str:
    points = int(call.detail["points"])
    return plural(
        points,
        one="{points} point for {who}.",
        many="{points} points for {who}.",
        points=points,
        who=side_name(call.before, ATTACK),
    )


def _turn(call: Called[State]) -> str:
    side = call.detail["side"]
    return say("{who} is to act, the {role}.", who=side_name(call.before, side), role=role(side))


def _ball(call: Called[State]) -> str:
    return say("The quarterback on {square} has the ball.", square=call.detail["square"])


def _attack(call: Called[State]) -> str:
    return say("{who} attacks.", who=_player(call, call.detail["side"]))


def _game(call: Called[State]) -> str:
    result, scores, game = call.detail["result"], _scores(call), call.detail["game"]
    if result == "draw":
        return say("Game {game} is drawn: {scores}.", game=game, scores=scores)
    who = _player(call, result)
    return say("{who} wins game {game}: {scores}.", who=who, game=game, scores=scores)


def _match(call: Called[State]) -> str:
    result, scores = call.detail["result"], _scores(call)
    if result == "draw":
        return say("The match is drawn: {scores}.", scores=scores)
    return say("{who} wins the match: {scores}.", who=_player(call, result), scores=scores)


def _scores(call: Called[State]) -> str:
    ours, theirs = call.detail["scores"].split()
    return say(
        "{red} {ours}, {blue} {theirs}",
        red=player_name(call.before, 0),
        ours=ours[1:],
        blue=player_name(call.before, 1),
        theirs=theirs[1:],
    )


def _player(call: Called[State], letter: str) -> str:
    return player_name(call.before, PLAYERS.index(letter))


def _info(call: Called[State]) -> str:
    detail = call.detail
    if call.reason == "order-presumed":
        return say("Several moves were seen at once; taken as {order}.", order=detail["order"])
    if call.reason == "half-done":
        return _half_done(call)
    if call.reason == "completed":
        return say(
            "What was seen since belongs to the move of the {piece} on {square}.",
            piece=piece_name(detail["piece"][0]),
            square=detail["piece"][1:],
        )
    return say(
        "The ball was seen on {to}: taken as a pass from {start}.",
        to=detail["to"],
        start=detail["start"],
    )


def _half_done(call: Called[State]) -> str:
    piece, square = piece_name(call.detail["letter"]), call.detail["square"]
    if "to" in call.detail:
        return say(
            "The {piece} of {square} is on {to}: pushed, if its pusher follows.",
            piece=piece,
            square=square,
            to=call.detail["to"],
        )
    return say(
        "A {piece} has come to {square}; from where is not seen yet."
        if call.detail["came"]
        else "The {piece} of {square} is gone from there; it is in hand so far.",
        piece=piece,
        square=square,
    )


def _not_stalled(call: Called[State]) -> str:
    detail = call.detail
    if call.call != "REFUSED not-stalled":
        return say("Not accepted.")
    if detail["loose"]:
        return say("The ball is loose: nobody stands still with it.")
    turns = int(detail["n"])
    return plural(
        turns,
        one="The carrier has stood on {square} for {turns} turn, not {limit}.",
        many="The carrier has stood on {square} for {turns} turns, not {limit}.",
        square=detail["square"],
        turns=turns,
        limit=detail["limit"],
    )


_SPOKEN: Mapping[str, Callable[[Called[State]], str]] = {
    "OK": _ok,
    "PATH": _path,
    "PUSH": _push,
    "NO-PUSH": _no_push,
    "PUSH-DUE": _push_due,
    "RELEASE": _release,
    "CATCH": _catch,
    "LOOSE": lambda call: say("The ball lies loose on {square}.", square=call.detail["square"]),
    "PICKUP": _pickup,
    "INTERCEPT": _intercept,
    "TACKLE": _tackle,
    "POINTS": _points,
    "TURN": _turn,
    "BALL": _ball,
    "ATTACK": _attack,
    "GAME": _game,
    "MATCH-POINTS": lambda call: say("Match points: {scores}.", scores=_scores(call)),
    "MATCH": _match,
    "FOUL": foul_words,
    "REFUSED": _not_stalled,
    "INFO": _info,
}
