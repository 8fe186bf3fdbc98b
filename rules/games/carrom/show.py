"""What a page says of a state: headline, teams, tasks, and what may be announced."""

from rules.games.carrom.ground import QUEEN
from rules.games.carrom.placing import runs
from rules.games.carrom.state import Errand, Phase, State, Where
from rules.games.carrom.timing import limit_ms
from rules.rulings import Announcement, Scoreboard, SideScore, Task, Timer

PLAYING = (Phase.STRIKE_DUE, Phase.IN_MOTION, Phase.PLACING, Phase.PENDING_HUMAN)
STRIKING = (Phase.STRIKE_DUE, Phase.IN_MOTION, Phase.PLACING)


def scoreboard(state: State) -> Scoreboard:
    """Return the scoreboard of a state."""
    playing = state.phase in (*PLAYING, Phase.RACKING, Phase.PAUSED)
    queen_phase = state.tally.queen_phase and state.phase is Phase.STRIKE_DUE
    return Scoreboard(
        phase="queen phase" if queen_phase else str(state.phase),
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
            return "Before the match"
        case Phase.TOSS:
            return f"Toss for game {tally.game}" if tally.board == 1 else "Toss for the extra board"
        case Phase.CHOICE:
            return f"{terms.team(state.toss or 0)} {terms.verb('choose')} who strikes first"
        case Phase.RACKING:
            return f"Set the pieces; {who} breaks board {tally.board}"
        case Phase.STRIKE_DUE:
            return f"{who} strikes for the queen" if tally.queen_phase else _due(state, who)
        case Phase.IN_MOTION:
            return f"{who} has struck"
        case Phase.PENDING_HUMAN:
            return "A question for the referee"
        case Phase.PLACING:
            return f"Put the pieces back; then {who} strikes"
        case Phase.MATCH_OVER:
            winner = tally.winner or 0
            return f"{terms.team(winner)} {terms.verb('win')} the match"
        case Phase.PAUSED:
            return "Paused"


def _due(state: State, who: str) -> str:
    if state.tally.queen.pending:
        return f"{who} strikes to cover the queen"
    return f"{who} strikes, {state.colour(state.team)}"


def _side(state: State, team: int) -> SideScore:
    terms, tally = state.terms, state.tally
    queen = tally.queen
    held = "open" if tally.netted[team] else "locked"
    if queen.team == team:
        held = "covered" if queen.covered else "to cover"
    items = [
        ("points", str(tally.points[team])),
        ("on the board", str(tally.on[team])),
        ("pocketed", str(tally.down(team))),
        ("owes", str(tally.due[team]) if tally.due[team] else "–"),
        ("queen", held),
    ]
    if terms.options.best_of != "1":
        items.append(("games", str(tally.games[team])))
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
    return tuple(
        Task(
            words=_told(state, run.errand),
            kind=run.errand.kind,
            colour=run.errand.colour,
            at=run.errand.at,
            done=run.done,
            away=run.errand.where is Where.AWAY,
            by=run.errand.by,
        )
        for run in runs(state, state.pieces)
    )


def _told(state: State, errand: Errand) -> str:
    a_piece = f"a {errand.colour} piece"
    what = "the queen" if errand.kind == QUEEN else errand.piece or a_piece
    match errand.where:
        case Where.CENTRE:
            return f"Put {what} on the centre circle"
        case Where.SPOT:
            return f"Put {what} back where it lay"
        case Where.AWAY:
            return f"Take {what} off"
    who = state.terms.who(errand.by) if errand.by is not None else "The referee"
    return f"{who}: put {a_piece} anywhere inside the circle"


def announcements(state: State) -> tuple[Announcement, ...]:
    """Return what a person may declare now with one tap."""
    terms = state.terms
    seats = [(str(seat), terms.who(seat)) for seat in terms.seats]
    teams = [(terms.sides[team], terms.team(team)) for team in (0, 1)]
    offers: list[Announcement] = []
    if state.phase is Phase.SETUP:
        offers.append(Announcement(what="agreed", words="Everything agreed"))
    if state.phase in (Phase.SETUP, Phase.TOSS):
        offers += [
            Announcement(what="toss", side=id, words=f"{name} {terms.verb('win')} the toss")
            for id, name in teams
        ]
    if state.phase is Phase.CHOICE:
        offers += [
            Announcement(what="break", side=id, words=f"{name} strikes first") for id, name in seats
        ]
    if state.phase is Phase.RACKING:
        offers.append(Announcement(what="rack accepted", words="The rack is good"))
        if terms.pairs and state.tally.board == 1:
            offers += [
                Announcement(what="breaker", side=str(seat), words=f"{terms.who(seat)} breaks")
                for seat in terms.seats_of(state.tally.white)
                if seat is not state.tally.breaker
            ]
    if state.phase is Phase.PLACING:
        offers.append(Announcement(what="restored", words="The board is right"))
    if state.phase is Phase.IN_MOTION or (state.last is not None and state.phase in STRIKING):
        offers += [
            Announcement(what="push", words="The striker was pushed"),
            Announcement(what="jerk", words="Striker or board was jerked"),
            Announcement(what="broken", words="Not in one motion"),
        ]
        offers += [
            Announcement(what="out of turn", side=id, words=f"{name} struck out of turn")
            for id, name in seats
        ]
    if state.phase in STRIKING:
        for id, name in seats:
            offers += [
                Announcement(what="touch", side=id, words=f"{name} touched a piece"),
                Announcement(what="jolt", side=id, words=f"{name} knocked the board"),
                Announcement(
                    what="posture", side=id, value="chair", words=f"{name} moved chair or table"
                ),
                Announcement(
                    what="posture", side=id, value="support", words=f"{name} took support"
                ),
                Announcement(what="breach", side=id, words=f"{name}: another breach"),
            ]
    offers += _clock_and_end(state, teams)
    return tuple(offers)


def _clock_and_end(state: State, teams: list[tuple[str, str]]) -> list[Announcement]:
    terms = state.terms
    offers: list[Announcement] = []
    if state.clock.started and state.phase in (*PLAYING, Phase.RACKING):
        how = "start" if state.clock.stopped else "stop"
        offers.append(Announcement(what="clock", value=how, words=f"{how.capitalize()} the clock"))
    if state.phase in (Phase.STRIKE_DUE, Phase.PLACING, Phase.RACKING):
        whats = ["game", "match"] if terms.options.best_of != "1" else ["match"]
        if state.phase is not Phase.RACKING and not state.tally.queen_phase:
            whats = ["board", *whats]
        offers += [
            Announcement(
                what="concede", side=id, value=w, words=f"{name} {terms.verb('concede')} the {w}"
            )
            for w in whats
            for id, name in teams
        ]
    if state.phase is Phase.PAUSED:
        offers.append(Announcement(what="resume", words="Resume"))
    elif state.phase not in (Phase.MATCH_OVER, Phase.PENDING_HUMAN):
        offers.append(Announcement(what="pause", words="Pause"))
    return offers
