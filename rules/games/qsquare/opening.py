"""Before the first shot: the agreement, the lag or the lot, and who breaks."""

from collections.abc import Sequence
from math import hypot

from msgspec.structs import replace

from rules.case import YES_NO, Case
from rules.doubts import Doubt
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Settled,
    Struck,
    Travelled,
)
from rules.games.qsquare.options import Options
from rules.games.qsquare.racking import accept_rack, board_words, set_rack
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, STILL_MM
from rules.games.qsquare.state import Lag, Phase, State, fresh_tally, lay
from rules.games.qsquare.words import LOT_OR_LAG, pucks
from rules.geometry import PARTNER, Seat, toward
from rules.phrases import BORDERS
from rules.rulings import RulingKind
from rules.said import listed, say
from rules.verdicts import SIGMAS

EARLY = say(
    "A stroke before the rack was accepted is not judged. If the rack was good, "
    "say so before this stroke."
)
EQUAL_MM = 5.0
SIDE_SHARE = 0.005


def play_opening(case: Case, state: State, fact: Fact) -> State:
    """Play a fact in SETUP or OPENING."""
    match fact:
        case Declared(what="measured", value=value):
            return _measured(case, state, value)
        case Declared(what="agreed"):
            return _agreed(case, state)
        case Declared(what="lot" | "lag", side=side, value=value):
            state = _agreed(case, state)
            winner = state.terms.side_named(side)
            if value == "repeat" or winner is None:
                return replace(state, lag=Lag())
            return _decided(case, state, winner, fact.what)
        case Declared(what="break", side=side):
            state = _agreed(case, state)
            return choose_break(case, state, side)
        case Settled():
            return _settled(case, state, fact)
        case Struck() | Contacted() | Cushioned() | Travelled() | Pocketed() | LeftBoard():
            if len(state.lag.start) != 2:
                return state
            return replace(state, lag=replace(state.lag, facts=(*state.lag.facts, fact)))
    return state


def _agreed(case: Case, state: State) -> State:
    """State what was agreed, once (QS-1.x and the options that change the game)."""
    if state.phase is not Phase.SETUP:
        return state
    terms, options = state.terms, state.terms.options
    board = terms.ground.board
    case.rule("QS-1.1", board_words(terms))
    case.rule("QS-1.2", say("The surface is {width_mm:g} mm square.", width_mm=board.width_mm))
    case.rule(
        "QS-1.3",
        say(
            "{Pucks}, {others}, one Queen and a cue-puck."
            if options.queen == "on"
            else "{Pucks}, {others} and a cue-puck.",
            pucks=pucks(terms.pucks[0], terms.colours[0]),
            others=pucks(terms.pucks[1], terms.colours[1]),
        ),
    )
    plain = Options()
    if terms.rows != plain.pucks_per_player:
        case.rule(
            "QS-1.4",
            say(
                "Agreed: {count} against {other} pucks a player.",
                count=terms.rows[0],
                other=terms.rows[1],
            ),
        )
    if options.queen == "off":
        case.rule("QS-2.7", say("Agreed: no Queen."))
    if options.best_of != "1":
        case.rule(
            "QS-2.9", say("Agreed: best of {best_of} games.", best_of=options.best_of), side=None
        )
    if options.call_shots == "on":
        case.rule("QS-4.9", say("Agreed: puck and pocket are called before each stroke."))
    if options.early_queen == "loss_of_game":
        case.rule("QS-8d.2", say("Agreed: the Queen pocketed too early loses the game."))
    return replace(state, phase=Phase.OPENING)


def _measured(case: Case, state: State, value: str) -> State:
    """Check the measured side of the surface, "1016.4 0.8": millimetres and their error."""
    numbers = _numbers(value)
    if not numbers or state.phase not in (Phase.SETUP, Phase.OPENING):
        return state
    side = state.terms.ground.board.width_mm
    error = numbers[1] if len(numbers) > 1 else 0.0
    margin = SIDE_SHARE * side - abs(numbers[0] - side)
    good = case.holds(
        margin,
        error,
        "measured",
        say(
            "Is the surface {side_mm:g} mm ± 0.5 % square? Measured {measured_mm:g} mm.",
            side_mm=side,
            measured_mm=numbers[0],
        ),
    )
    if not good:
        case.rule(
            "QS-1.2",
            say(
                "The surface measures {measured_mm:g} mm, not {side_mm:g} mm within 0.5 %.",
                measured_mm=numbers[0],
                side_mm=side,
            ),
            RulingKind.REFUSED,
            margin_mm=margin,
            error_mm=error,
        )
        return replace(state, table_seen=False)
    after = _agreed(case, state)
    case.rule(
        "QS-1.2",
        say("Measured {measured_mm:g} mm: good.", measured_mm=numbers[0]),
        pieces=("measured",),
        margin_mm=margin,
        error_mm=error,
    )
    return replace(after, table_seen=True)


def _numbers(value: str) -> list[float]:
    numbers = []
    for part in value.replace("±", " ").split():
        try:
            numbers.append(float(part))
        except ValueError:
            continue
    return numbers


def _decided(case: Case, state: State, winner: int, how: str) -> State:
    terms = state.terms
    case.rule(
        "QS-5.1" if how == "lot" else "QS-5.4",
        say(
            "{team} win the {how} and choose who breaks."
            if terms.four
            else "{team} wins the {how} and chooses who breaks.",
            team=terms.team(winner),
            how=LOT_OR_LAG[how],
        ),
        RulingKind.TURN,
        side=terms.sides[winner],
    )
    return replace(state, phase=Phase.BREAK_CHOICE, chooser=winner, lag=Lag())


def choose_break(case: Case, state: State, side: str | None) -> State:
    """Record who breaks (QS-5.5), and look at once whether the rack is set already."""
    terms = state.terms
    breaker = terms.seat_named(side)
    if breaker is None:
        return state
    case.rule(
        "QS-5.5",
        say("{who} breaks.", who=terms.who(breaker)),
        RulingKind.TURN,
        side=terms.sides[terms.side_at(breaker)],
    )
    state = replace(
        state, phase=Phase.RACKING, tally=fresh_tally(terms, breaker), lag=Lag(), said=""
    )
    return set_rack(case, state, quiet=True)


def play_racking(case: Case, state: State, fact: Fact) -> State:
    """Play a fact in BREAK_CHOICE or RACKING."""
    match fact:
        case Settled(pieces=pieces):
            state = lay(state, pieces)
            return set_rack(case, state) if state.phase is Phase.RACKING else state
        case Struck(piece=name, dragged=False) if state.kind_of(name)[0] == CUE:
            return _too_early(case, state)
        case Declared(what="break", side=side) if state.phase is Phase.BREAK_CHOICE:
            return choose_break(case, state, side)
        case Declared(what="breaker", side=side) if state.phase is Phase.RACKING:
            return _name_breaker(case, state, side)
        case Declared(what="rack accepted") if state.phase is Phase.RACKING:
            return accept_rack(case, state)
    return state


def _too_early(case: Case, state: State) -> State:
    """Say, once, that a stroke before the rack was accepted is not judged."""
    if state.hand is not None or state.said == EARLY:
        return state
    case.rule("QS-3.1", EARLY, RulingKind.REFUSED)
    return replace(state, said=EARLY)


def _name_breaker(case: Case, state: State, side: str | None) -> State:
    terms = state.terms
    breaker = terms.seat_named(side)
    if breaker is None or terms.side_at(breaker) != terms.side_at(state.tally.breaker):
        return state
    case.rule(
        "QS-5.1",
        say(
            "{team} name {who} to break.",
            team=terms.team(terms.side_at(breaker)),
            who=terms.who(breaker),
        ),
        RulingKind.TURN,
        side=terms.sides[terms.side_at(breaker)],
    )
    return replace(state, tally=replace(state.tally, breaker=breaker, to_shoot=breaker))


# -- the lag ---------------------------------------------------------------------------------


def _settled(case: Case, state: State, fact: Settled) -> State:
    pucks_there = [p for p in fact.pieces if p.kind == PUCK]
    start = state.lag.start
    if state.lag.facts and len(start) == 2:
        now = {p.name: p for p in pucks_there}
        played = [p for p in start if p.name not in now or _moved(p, now[p.name])]
        state = lay(state, fact.pieces)
        return _judge_lag(case, state, now) if len(played) == 2 else state
    state = lay(state, fact.pieces)
    two = len(pucks_there) == 2 and len({p.colour for p in pucks_there}) == 2
    alone = two and not any(p.kind == QUEEN for p in fact.pieces)
    alone = alone and state.terms.options.opening == "lag"
    return replace(state, lag=Lag(start=tuple(pucks_there) if alone else ()))


def _moved(before: Piece, now: Piece) -> bool:
    reach = STILL_MM + SIGMAS * hypot(before.error_mm, now.error_mm)
    return now.at.distance_mm(before.at) > reach


def _judge_lag(case: Case, state: State, now: dict[str, Piece]) -> State:
    """Judge a lag whose two pucks have both been played (QS-5.2 to QS-5.4)."""
    state = _agreed(case, state)
    terms = state.terms
    again = replace(state, lag=Lag())
    home = _start_border(case, state)
    if home is None:
        case.rule(
            "QS-5.2",
            say("The two pucks were not equally far from one side: the lag is repeated."),
            RulingKind.REFUSED,
        )
        return again
    far = PARTNER[home]
    owner = {terms.side_of_colour(p.colour): p for p in state.lag.start}
    if None in owner or len(owner) != 2:
        return again
    case.rule("QS-5.1", say("The right to decide on the break is found by a lag."))
    case.rule(
        "QS-5.2", say("Both pucks were equally far from the {border} border.", border=BORDERS[home])
    )
    failed = {side: _failure(state, p, far, now) for side, p in owner.items() if side is not None}
    for side, why in failed.items():
        if why:
            case.rule(
                "QS-5.3",
                say("{team}: {why}.", team=terms.team(side), why=why),
                RulingKind.FOUL,
                side=terms.sides[side],
                pieces=(owner[side].name,),
            )
    if all(failed.values()):
        case.rule(
            "QS-5.3",
            say("Both lags failed: the lag is repeated."),
            RulingKind.TURN,
            pieces=("repeat",),
        )
        return again
    if any(failed.values()):
        return _decided(case, state, 1 if failed[0] else 0, "lag")
    case.rule("QS-5.3", say("Both pucks touched the {border} border.", border=BORDERS[far]))
    rest = [now[owner[side].name] for side in (0, 1)]
    half = terms.ground.board.width_mm / 2
    gaps = [half - toward(far, p.at) for p in rest]
    margin, error = gaps[1] - gaps[0], hypot(rest[0].error_mm, rest[1].error_mm)
    if abs(margin) > SIGMAS * error:
        return _decided(case, state, 0 if margin > 0 else 1, "lag")
    answer = case.oracle.pick(
        Doubt(
            key="lag",
            words=say(
                "Whose puck lies nearer the {border} border: {gap_mm:.1f} mm and "
                "{other_mm:.1f} mm?",
                border=BORDERS[far],
                gap_mm=gaps[0],
                other_mm=gaps[1],
            ),
            answers=(
                (terms.sides[0], terms.team(0)),
                (terms.sides[1], terms.team(1)),
                ("repeat", say("Repeat the lag")),
            ),
            margin_mm=margin,
            error_mm=error,
        )
    )
    if answer == "repeat":
        case.rule("QS-5.4", say("The lag is repeated."), RulingKind.TURN)
        return again
    return _decided(case, state, terms.sides.index(answer), "lag")


def _start_border(case: Case, state: State) -> Seat | None:
    """Return the border from which both pucks started equally far, the nearest such."""
    a, b = state.lag.start
    half = state.terms.ground.board.width_mm / 2
    near = sorted(Seat, key=lambda s: -(toward(s, a.at) + toward(s, b.at)))
    for seat in near[:2]:
        gaps = [half - toward(seat, p.at) for p in (a, b)]
        if case.holds(
            EQUAL_MM - abs(gaps[0] - gaps[1]),
            hypot(a.error_mm, b.error_mm),
            f"lag-start-{seat}",
            say(
                "Were {names} equally far from the {border} border, within {equal_mm:g} mm?",
                names=listed((a.name, b.name)),
                border=BORDERS[seat],
                equal_mm=EQUAL_MM,
            ),
            answers=YES_NO,
        ):
            return seat
    return None


def _failure(state: State, puck: Piece, far: Seat, now: dict[str, Piece]) -> str:
    facts: Sequence[Fact] = state.lag.facts
    if state.terms.options.lag_method == "cue_puck" and any(
        isinstance(f, Struck) and f.piece == puck.name for f in facts
    ):
        return say("{puck} was struck directly, not with the cue-puck", puck=puck.name)
    if not any(
        isinstance(f, Cushioned) and f.piece == puck.name and f.border is far for f in facts
    ):
        return say("{puck} did not touch the {border} border", puck=puck.name, border=BORDERS[far])
    if puck.name in now:
        return ""
    fell = any(isinstance(f, Pocketed) and f.piece == puck.name for f in facts)
    return say("{puck} was pocketed" if fell else "{puck} left the table", puck=puck.name)
