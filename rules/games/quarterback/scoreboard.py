"""What a page says of a match: whose turn, the ball, what is to be put right, what may be said."""

from rules.games.quarterback.book import PLAYERS
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.frames import crossing
from rules.games.quarterback.names import piece_name, player_name, role, side_name
from rules.games.quarterback.passing import legal_passes
from rules.games.quarterback.pieces import ATTACK, DEFENCE
from rules.games.quarterback.places import kind_and_colour, place_of
from rules.games.quarterback.sayings import still_turns
from rules.games.quarterback.setting_out import to_set_out
from rules.games.quarterback.sight import differences
from rules.games.quarterback.state import (
    Change,
    State,
    attacker_of,
    game_points,
    match_points,
    player_of,
    sides_left,
)
from rules.geometry import Seat
from rules.rulings import Announcement, Mark, Scoreboard, SideScore, Task
from rules.said import plural, say, word


def scoreboard(state: State) -> Scoreboard:
    """All that a page says of a state."""
    acting = state.turn and state.playing
    player = player_of(state, state.turn)
    return Scoreboard(
        phase=_phase(state),
        headline=_headline(state),
        turn=PLAYERS[player] if acting else None,
        sides=tuple(_side_score(state, each) for each in (0, 1)),
        tasks=_tasks(state),
        announcements=_announcements(state),
        seat=_seat(state, player) if acting else None,
        marks=_marks(state),
    )


def _seat(state: State, player: int) -> Seat:
    """Where a player sits: as agreed, else the attacker at S, whose way is up the field."""
    if state.terms.seats is not None:
        return state.terms.seats[player]
    return Seat.S if player == state.attacker else Seat.N


def _phase(state: State) -> str:
    if state.over:
        return say("over")
    if state.correction is not None:
        return say("push" if state.correction.due else "foul")
    return say("play" if state.turn and state.playing else "set-up")


def _headline(state: State) -> str:
    standing = state.correction
    if state.over:
        return say("The match is over.")
    if standing is not None and standing.off:
        return say("Please carry out the push." if standing.due else "Please put the board right.")
    if not (state.turn and state.playing):
        half = len(state.points)
        return say(
            "Please set the pieces out for game {game}, half {half}: {who} attacks.",
            game=half // 2 + 1,
            half=half % 2 + 1,
            who=player_name(state, attacker_of(state.first, half)),
        )
    who = side_name(state, state.turn)
    if not state.acted:
        return say("{who} to act, the {role}.", who=who, role=role(state.turn))
    if state.going is not None:
        return _going_on(state, who, *state.going)
    return say(
        "{who} goes on, another action left." if sides_left(state) else "{who} goes on.", who=who
    )


def _going_on(state: State, who: str, square: int, steps: int) -> str:
    """The headline while a piece has steps left in its move."""
    piece, name = piece_name(state.grid[square]), state.terms.field.name(square)
    if sides_left(state):
        return plural(
            steps,
            one="{who} goes on: {piece} on {square} has {steps} step left, another action left.",
            many="{who} goes on: {piece} on {square} has {steps} steps left, another action left.",
            who=who,
            piece=piece,
            square=name,
            steps=steps,
        )
    return plural(
        steps,
        one="{who} goes on: {piece} on {square} has {steps} step left.",
        many="{who} goes on: {piece} on {square} has {steps} steps left.",
        who=who,
        piece=piece,
        square=name,
        steps=steps,
    )


def _side_score(state: State, player: int) -> SideScore:
    game = min(state.half_number // 2, 1)
    attacks = state.attacker == player
    ball = state.terms.field.name(state.ball) if state.turn and state.playing else ""
    where = say("loose on {square}" if state.loose else "{square}", square=ball)
    items = [
        (say("match points"), str(match_points(state)[player])),
        (say("game {number}", number=game + 1), str(game_points(state, game)[player])),
        (say("role"), role(ATTACK if attacks else DEFENCE)),
    ]
    if attacks and ball:
        items.append((say("ball"), where))
    return SideScore(
        side=PLAYERS[player],
        name=player_name(state, player),
        colour=state.terms.colours[player],
        items=tuple(items),
        seats=(_seat(state, player),),
    )


def _tasks(state: State) -> tuple[Task, ...]:
    """What is to be put on a square or taken from it: all of a correction, or what waits."""
    standing = state.correction
    if standing is not None:
        tasks = [_task(state, change) for change in standing.off]
        return tuple(sorted(tasks, key=lambda task: not task.away))
    if not (state.turn and state.playing):
        return tuple(_task(state, change) for change in to_set_out(state))
    return tuple(_task(state, change) for change in differences(state) if not change.came)


def _task(state: State, change: Change) -> Task:
    kind, colour = kind_and_colour(state, change.letter)
    return Task(
        words=say(
            "Take the {colour} {piece} off {square}."
            if change.came
            else "The {colour} {piece} is due on {square}.",
            colour=word(colour),
            piece=piece_name(change.letter),
            square=state.terms.field.name(change.square),
        ),
        kind=kind,
        colour=colour,
        place=place_of(state.terms.field, change.square),
        away=change.came,
    )


def _marks(state: State) -> tuple[Mark, ...]:
    """What the rows are called; where the ball is, the open sequence, what moved in this turn."""
    field = state.terms.field
    firsts = range(0, field.size, field.cols)
    rows = [
        Mark(kind="row", places=(place_of(field, at),), label=field.name(at)[1:], words=say("row"))
        for at in firsts
    ]
    if not (state.turn and state.playing):
        return tuple(rows)
    side = PLAYERS[state.attacker]
    name = field.name(state.ball)
    words = say(
        "The ball is loose on {square}." if state.loose else "{square} has the ball.", square=name
    )
    marks = [
        *rows,
        Mark(kind="ball", places=(place_of(field, state.ball),), side=side, words=words),
    ]
    if state.going is not None:
        square, steps = state.going
        left = plural(
            steps,
            one="{square}: {steps} step left",
            many="{square}: {steps} steps left",
            square=field.name(square),
            steps=steps,
        )
        marks.append(_moved(state, square, left))
    marks += [
        _moved(state, square, say("{square}: moved", square=field.name(square)))
        for square, _ in state.done
    ]
    return tuple(marks)


def _moved(state: State, square: int, words: str) -> Mark:
    """A piece that has moved in this turn."""
    return Mark(
        kind="last",
        places=(place_of(state.terms.field, square),),
        side=PLAYERS[player_of(state, state.turn)],
        words=words,
    )


def _announcements(state: State) -> tuple[Announcement, ...]:
    """What may be declared now with one tap."""
    standing = state.correction
    if state.over or (standing is not None and standing.off):
        return ()
    said: list[Announcement] = []
    if not (state.begun or state.points):
        said += [
            Announcement(
                what="coin",
                words=say("{who} attacks first", who=player_name(state, n)),
                value=letter,
            )
            for n, letter in enumerate(PLAYERS)
        ]
    if not (state.turn and state.playing):
        return (*said, Announcement(what="setup", words=say("The pieces stand set out")))
    if state.terms.empty_turn or state.acted:
        side = PLAYERS[player_of(state, state.turn)]
        said.append(Announcement(what="end", words=say("End the turn"), side=side))
    name = state.terms.field.name
    for square in legal_passes(state):
        if state.grid[square] != EMPTY:
            piece = piece_name(state.grid[square])
            words = say("Pass to the {piece} on {square}", piece=piece, square=name(square))
            value = f"{name(state.ball)}>{name(square)}"
            said.append(Announcement(what="pass", words=words, value=value))
    crossed = crossing(state)
    if crossed is not None:
        letter, route = crossed
        way = "-".join(map(name, route))
        words = say(
            "The {piece} crossed the line on its way to {square}",
            piece=piece_name(letter),
            square=name(route[-1]),
        )
        said.append(Announcement(what="route", words=words, value=f"{letter}{way}"))
    if state.cut is not None:
        words = say("{who}’s turn was not over", who=side_name(state, state.cut.turn))
        said.append(Announcement(what="not-ended", words=words))
    if state.terms.stall_limit and still_turns(state) >= state.terms.stall_limit:
        said.append(Announcement(what="stall", words=say("The half has stalled")))
    if state.before is not None:
        said.append(Announcement(what="takeback", words=say("Take the last action back")))
    if state.terms.concession and not state.loose:
        said.append(Announcement(what="concede", words=say("Both agree: the carrier is tackled")))
    return tuple(said)
