"""What a page says of a state: headline, teams, tasks, and what may be announced."""

from rules.games.carrom.ground import QUEEN
from rules.games.carrom.placing import Run, runs
from rules.games.carrom.state import Phase, State, Where
from rules.games.carrom.timing import limit_ms
from rules.games.carrom.words import a_man, conceded, won_match
from rules.rulings import Announcement, Scoreboard, SideScore, Task, Timer
from rules.said import say, word

PLAYING = (Phase.STRIKE_DUE, Phase.IN_MOTION, Phase.PLACING, Phase.PENDING_HUMAN)
STRIKING = (Phase.STRIKE_DUE, Phase.IN_MOTION, Phase.PLACING)


def scoreboard(state: State) -> Scoreboard:
    """Return the scoreboard of a state."""
    playing = state.phase in (*PLAYING, Phase.RACKING, Phase.PAUSED)
    queen_phase = state.tally.queen_phase and state.phase is Phase.STRIKE_DUE
    return Scoreboard(
        phase=say("queen phase") if queen_phase else word(str(state.phase)),
        headline=headline(state),
        turn=str(state.seat) if playing else None,
        seat=state.seat if playing else None,
        sides=tuple(_side(state, team) for team in (0, 1)),
        tasks=tasks(state),
        announcements=announcements(state),
        timer=_timer(state),
    )


def _timer(state: State) -> Timer | None:
    """Return what is left of the game's time while it counts."""
    clock = state.clock
    if not clock.started or state.tally.queen_phase or state.phase is Phase.MATCH_OVER:
        return None
    left_ms = max(0.0, limit_ms(state) - clock.shown_ms)
    return Timer(left_ms=left_ms, at_ms=clock.since_ms, running=not clock.stopped)


def headline(state: State) -> str:
    """Return what is going on, in one sentence."""
    terms, tally = state.terms, state.tally
    who = terms.who(state.seat)
    match state.phase:
        case Phase.SETUP:
            return say("Before the match")
        case Phase.TOSS:
            return say(
                "Toss for game {game}" if tally.board == 1 else "Toss for the extra board",
                game=tally.game,
            )
        case Phase.CHOICE:
            return say(
                "{team} choose who strikes first"
                if terms.pairs
                else "{team} chooses who strikes first",
                team=terms.team(state.toss or 0),
            )
        case Phase.RACKING:
            return say("Set the pieces; {who} breaks board {board}", who=who, board=tally.board)
        case Phase.STRIKE_DUE:
            return (
                say("{who} strikes for the queen", who=who)
                if tally.queen_phase
                else _due(state, who)
            )
        case Phase.IN_MOTION:
            return say("{who} has struck", who=who)
        case Phase.PENDING_HUMAN:
            return say("A question for the referee")
        case Phase.PLACING:
            return say("Put the pieces back; then {who} strikes", who=who)
        case Phase.MATCH_OVER:
            return won_match(terms, tally.winner or 0)
        case Phase.PAUSED:
            return say("Paused")


def _due(state: State, who: str) -> str:
    if state.tally.queen.pending:
        return say("{who} strikes to cover the queen", who=who)
    white = state.team == state.tally.white
    return say("{who} strikes, white" if white else "{who} strikes, black", who=who)


def _side(state: State, team: int) -> SideScore:
    terms, tally = state.terms, state.tally
    queen = tally.queen
    held = say("open" if tally.netted[team] else "locked")
    if queen.team == team:
        held = say("covered" if queen.covered else "to cover")
    items = [
        (say("points"), str(tally.points[team])),
        (say("on the board"), str(tally.on[team])),
        (say("pocketed"), str(tally.down(team))),
        (say("owes"), str(tally.due[team]) if tally.due[team] else "–"),
        (say("queen"), held),
    ]
    if terms.options.best_of != "1":
        items.append((say("games"), str(tally.games[team])))
    return SideScore(
        side=terms.sides[team],
        name=terms.team(team),
        colour=state.colour(team),
        items=tuple(items),
        seats=terms.seats_of(team),
    )


def tasks(state: State) -> tuple[Task, ...]:
    """Return what must be put right by hand, in order, each with whether it is done."""
    if state.phase is not Phase.PLACING:
        return ()
    there = {piece.name: piece.at for piece in state.pieces}
    return tuple(
        Task(
            words=_told(state, run),
            kind=run.errand.kind,
            colour=run.errand.colour,
            at=run.errand.at,
            done=run.done,
            away=run.errand.where is Where.AWAY,
            by=run.errand.by,
            lies=None if run.done or run.name is None else there.get(run.name),
        )
        for run in runs(state, state.pieces)
    )


def _told(state: State, run: Run) -> str:
    errand = run.errand
    what = say("the queen") if errand.kind == QUEEN else run.name or a_man(errand.colour)
    match errand.where:
        case Where.CENTRE:
            return say("Put {what} on the centre circle", what=what)
        case Where.SPOT:
            return say("Put {what} back where it lay", what=what)
        case Where.AWAY:
            return say("Take {what} off", what=what)
    what = a_man(errand.colour)
    if errand.by is None:
        return say("The referee: put {what} anywhere inside the circle", what=what)
    who = state.terms.who(errand.by)
    return say("{who}: put {what} anywhere inside the circle", who=who, what=what)


def announcements(state: State) -> tuple[Announcement, ...]:
    """Return what a person may declare now with one tap."""
    terms = state.terms
    seats = [(str(seat), terms.who(seat)) for seat in terms.seats]
    teams = [(terms.sides[team], terms.team(team)) for team in (0, 1)]
    offers: list[Announcement] = []
    if state.phase is Phase.SETUP:
        offers.append(Announcement(what="agreed", words=say("Everything agreed")))
    if state.phase in (Phase.SETUP, Phase.TOSS):
        offers += [
            Announcement(
                what="toss",
                side=id,
                words=say(
                    "{team} win the toss" if terms.pairs else "{team} wins the toss", team=name
                ),
            )
            for id, name in teams
        ]
    if state.phase is Phase.CHOICE:
        offers += [
            Announcement(what="break", side=id, words=say("{who} strikes first", who=name))
            for id, name in seats
        ]
    if state.phase is Phase.RACKING:
        offers.append(Announcement(what="rack accepted", words=say("The rack is good")))
        if terms.pairs and state.tally.board == 1:
            offers += [
                Announcement(
                    what="breaker", side=str(seat), words=say("{who} breaks", who=terms.who(seat))
                )
                for seat in terms.seats_of(state.tally.white)
                if seat is not state.tally.breaker
            ]
    if state.phase is Phase.PLACING:
        offers.append(Announcement(what="restored", words=say("The board is right")))
    if state.phase is Phase.IN_MOTION or (state.last is not None and state.phase in STRIKING):
        offers += [
            Announcement(what="push", words=say("The striker was pushed")),
            Announcement(what="jerk", words=say("Striker or board was jerked")),
            Announcement(what="broken", words=say("Not in one motion")),
        ]
        offers += [
            Announcement(
                what="out of turn", side=id, words=say("{who} struck out of turn", who=name)
            )
            for id, name in seats
        ]
    if state.phase in STRIKING:
        for id, name in seats:
            offers += [
                Announcement(what="touch", side=id, words=say("{who} touched a piece", who=name)),
                Announcement(what="jolt", side=id, words=say("{who} knocked the board", who=name)),
                Announcement(
                    what="posture",
                    side=id,
                    value="chair",
                    words=say("{who} moved chair or table", who=name),
                ),
                Announcement(
                    what="posture",
                    side=id,
                    value="support",
                    words=say("{who} took support", who=name),
                ),
                Announcement(what="breach", side=id, words=say("{who}: another breach", who=name)),
            ]
    offers += _clock_and_end(state)
    return tuple(offers)


def _clock_and_end(state: State) -> list[Announcement]:
    terms = state.terms
    offers: list[Announcement] = []
    if state.clock.started and state.phase in (*PLAYING, Phase.RACKING):
        offers.append(
            Announcement(what="clock", value="start", words=say("Start the clock"))
            if state.clock.stopped
            else Announcement(what="clock", value="stop", words=say("Stop the clock"))
        )
    if state.phase in (Phase.STRIKE_DUE, Phase.PLACING, Phase.RACKING):
        whats = ["game", "match"] if terms.options.best_of != "1" else ["match"]
        if state.phase is not Phase.RACKING and not state.tally.queen_phase:
            whats = ["board", *whats]
        offers += [
            Announcement(
                what="concede",
                side=terms.sides[team],
                value=what,
                words=conceded(terms, team, what),
            )
            for what in whats
            for team in (0, 1)
        ]
    if state.phase is Phase.PAUSED:
        offers.append(Announcement(what="resume", words=say("Resume")))
    elif state.phase not in (Phase.MATCH_OVER, Phase.PENDING_HUMAN):
        offers.append(Announcement(what="pause", words=say("Pause")))
    return offers
