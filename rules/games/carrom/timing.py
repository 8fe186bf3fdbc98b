"""The game's clock and the queen phase that follows it (CR-F6, CR-X.21, CR-X.22).

Time is a fact: every fact says when it was, and a timer's reading is declared as "clock".
"""

from msgspec.structs import replace

from rules.case import YES_NO, Case
from rules.doubts import Doubt
from rules.facts import Declared, Fact, Struck
from rules.games.carrom.ends import game_over
from rules.games.carrom.ground import MAN, QUEEN, STRIKER
from rules.games.carrom.improper import improper
from rules.games.carrom.ledger import Ledger, placing
from rules.games.carrom.reading import Reading
from rules.games.carrom.rows import Strike
from rules.games.carrom.state import Clock, Errand, Phase, Queen, State, Where
from rules.games.carrom.words import shown
from rules.regions import Disc
from rules.rulings import RulingKind
from rules.said import say
from rules.verdicts import Verdict, verdict

WARNINGS_MS = (1_800_000.0, 2_040_000.0)
MINUTE_MS = 60_000.0
RUNNING = (Phase.STRIKE_DUE, Phase.PLACING, Phase.RACKING)


def limit_ms(state: State) -> float:
    return state.terms.options.time_limit_min * MINUTE_MS


def ticks(state: State, fact: Fact) -> bool:
    """Return whether the clock has something to say at this fact's time: cheap, for every fact."""
    clock = state.clock
    if not clock.started or state.phase not in RUNNING or state.tally.queen_phase:
        return False
    shows = clock.at(fact.at_ms)
    if shows > limit_ms(state):
        return True
    return clock.warned < len(WARNINGS_MS) and shows >= WARNINGS_MS[clock.warned]


def tick(case: Case, state: State, fact: Fact) -> State:
    """Warn at 30 and 34 minutes, and begin the queen phase when the clock has run out."""
    if not ticks(state, fact):
        return state
    clock = state.clock
    shows = clock.at(fact.at_ms)
    over = limit_ms(state)
    if shows > over:
        if isinstance(fact, Struck) and state.kind_of(fact.piece)[0] == STRIKER:
            match verdict(over - shows, fact.error_ms):
                case Verdict.YES:
                    return state
                case Verdict.CLOSE if case.oracle.yes(
                    Doubt(
                        key="in-time",
                        words=say(
                            "Was the strike made before the clock passed {limit}?",
                            limit=shown(over),
                        ),
                        answers=YES_NO,
                        piece=fact.piece,
                        margin_ms=over - shows,
                        error_ms=fact.error_ms,
                    )
                ):
                    return state
        return expire(case, state, fact.at_ms)
    warned = sum(shows >= mark for mark in WARNINGS_MS)
    left = max(0.0, over - shows)
    case.rule(
        "CR-X.21",
        say("The clock shows {shown}: {left} to play.", shown=shown(shows), left=shown(left)),
    )
    return replace(state, clock=replace(clock, warned=warned))


def begin_clock(state: State, at_ms: float) -> State:
    """Start the clock with the first strike of the game, or again with the break of a board."""
    clock = state.clock
    if not clock.started:
        return replace(state, clock=Clock(since_ms=at_ms, started=True))
    stands = state.terms.options.clock_stops == "between_boards"
    if stands and clock.stopped and not state.tally.strikes:
        return replace(state, clock=replace(clock, since_ms=at_ms, stopped=False))
    return state


def set_clock(state: State, fact: Declared) -> State:
    """Take over a timer's reading, "34:59.8" or seconds, or stop and start the clock."""
    clock = state.clock
    if fact.value in ("stop", "start"):
        stopped = fact.value == "stop"
        if not clock.started or stopped == clock.stopped:
            return state
        reading = clock.at(fact.at_ms)
        return replace(
            state,
            clock=replace(clock, shown_ms=reading, since_ms=fact.at_ms, stopped=stopped),
        )
    given = _reading_ms(fact.value)
    if given is None:
        return state
    return replace(state, clock=replace(clock, shown_ms=given, since_ms=fact.at_ms, started=True))


def _reading_ms(value: str) -> float | None:
    minutes, colon, seconds = value.rpartition(":")
    try:
        shown_s = float(seconds) + (60.0 * int(minutes) if colon else 0.0)
    except ValueError:
        return None
    return 1000.0 * shown_s if 0.0 <= shown_s < 86_400.0 else None


def expire(case: Case, state: State, at_ms: float) -> State:
    """Begin the queen phase (CR-F6.1, CR-X.22)."""
    terms, tally = state.terms, state.tally
    if not case.rule(
        "CR-F6.1",
        say(
            "The clock has passed {limit} with no winner: the queen phase begins.",
            limit=shown(limit_ms(state)),
        ),
        RulingKind.TURN,
    ):
        return replace(
            state,
            clock=replace(state.clock, shown_ms=limit_ms(state), since_ms=at_ms, stopped=True),
        )
    queen = tally.queen
    between = state.phase is Phase.RACKING
    if queen.covered and terms.options.timeout_queen == "holder_wins" and queen.team is not None:
        case.rule("CR-X.22", say("{team} holds the queen, as agreed.", team=terms.team(queen.team)))
        return game_over(case, state, queen.team)
    case.rule(
        "CR-F6.2",
        say("Both teams play for the queen only; {who} strikes.", who=terms.who(state.seat)),
    )
    tally = replace(tally, queen_phase=True, queen=Queen(), due=(0, 0))
    errands = [e for e in state.errands if e.where is not Where.CENTRE or e.kind != QUEEN]
    gone = not queen.on_board or any(e.kind == QUEEN for e in state.errands)
    alone = between or terms.options.timeout_pieces == "clear"
    if alone:
        tally = replace(tally, on=(0, 0))
        errands = [
            Errand(kind=p.kind, colour=p.colour, where=Where.AWAY, piece=p.name)
            for p in state.pieces
            if p.kind == MAN
        ]
        gone = gone or between
    if gone:
        case.rule("CR-X.22", say("The queen is put on the centre."), RulingKind.PLACE)
        back = Errand(
            kind=QUEEN,
            colour=terms.ground.queen_colour,
            where=Where.CENTRE,
            at=terms.ground.central_spot(QUEEN, () if alone else _discs(state)),
        )
        errands.append(back)
    lay = frozenset(p.name for p in state.pieces if not (gone and p.kind == QUEEN))
    if state.phase is Phase.PLACING:
        lay = state.lay
    after = placing(replace(state, excused=(0, 0), last=None), tally, errands)
    return replace(after, lay=lay) if after.phase is Phase.PLACING else after


def _discs(state: State) -> list[Disc]:
    ground = state.terms.ground
    return [
        Disc(p.at, ground.size_mm(p.kind)) for p in state.pieces if p.kind not in (STRIKER, QUEEN)
    ]


def too_late(case: Case, state: State) -> State:
    """Rule on a strike made when the clock had run out and the queen was not on the board yet."""
    case.rule(
        "CR-X.22",
        say(
            "The strike came when the clock had run out: it does not count. Put the "
            "queen back first."
        ),
        RulingKind.REFUSED,
        pieces=("late",),
    )
    return state


def queen_strike(case: Case, strike: Strike, ledger: Ledger, seen: State) -> State:
    """Rule on a strike of the queen phase (CR-X.22)."""
    reading: Reading = strike.reading
    state, terms = reading.state, reading.state.terms
    me, who = reading.team, strike.who
    wrong, _ = improper(strike)
    queen_off = any(g.kind == QUEEN for g in reading.jumped)
    ledger.on[me] -= min(len(reading.own), ledger.on[me])
    ledger.on[1 - me] -= min(len(reading.theirs), ledger.on[1 - me])
    if reading.queen is not None and reading.striker is None and not wrong:
        case.rule(
            "CR-F6.3",
            say(
                "{who} pocketed the queen: {team} win the game."
                if terms.pairs
                else "{who} pocketed the queen: {team} wins the game.",
                who=who,
                team=terms.team(me),
            ),
            RulingKind.WIN,
            side=strike.side,
        )
        case.rule("CR-X.22", say("Whatever the points."))
        return game_over(case, seen, me)
    if reading.queen is not None or queen_off:
        why = say("the striker fell too" if reading.striker is not None else "she left the board")
        why = say("the strike was improper") if wrong else why
        ledger.queen_back(why)
    for gone in reading.jumped:
        if gone.kind != QUEEN:
            ledger.jumped_back(gone.name)
    for _, _, _, name in reading.stroke.breaches:
        strike.put_right(name)
    after = terms.right_of(state.seat)
    case.rule(
        "CR-X.22",
        say("No queen won: the strike passes to {who}.", who=terms.who(after)),
        RulingKind.TURN,
        side=terms.sides[terms.team_at(after)],
        pieces=("passes",),
    )
    tally = replace(
        ledger.booked(state.tally),
        due=(0, 0),
        queen=Queen(),
        to_strike=after,
        strikes=state.tally.strikes + 1,
    )
    return ledger.placing(seen, tally)
