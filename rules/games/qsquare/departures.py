"""Step 4 of the decision table: what fell and what left."""

from rules.departures import Gone
from rules.games.qsquare.faults import Faults
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, Reading
from rules.games.qsquare.state import CENTRAL_ZONE, PENALTY_ZONE
from rules.rulings import RulingKind
from rules.said import say, word

FOUL, PENALTY = RulingKind.FOUL, RulingKind.PENALTY


def outcome(reading: Reading, faults: Faults) -> None:
    """Find the faults of step 4 in the drops and departures of the shot."""
    case, state = reading.case, reading.state
    terms = state.terms
    side, who = terms.sides[state.side], terms.who(state.shooter)
    for gone in reading.gone:
        if gone.kind == CUE:
            code = "QS-8a.1" if gone.pocket else "QS-8a.2"
            words = say(
                "{who}’s cue-puck went into a pocket."
                if gone.pocket
                else "{who}’s cue-puck left the table.",
                who=who,
            )
            if case.rule(
                code,
                words,
                PENALTY,
                side=side,
                pieces=(gone.name,),
            ):
                faults.letter("a", PENALTY_ZONE)
    for gone in reading.gone:
        if gone.kind == PUCK and gone.pocket is None:
            _forced_off(reading, gone, faults)
        elif gone.kind == QUEEN and gone.pocket is None:
            if case.rule(
                "QS-X.6", say("The Queen left the table."), PENALTY, side=side, pieces=(gone.name,)
            ):
                faults.letter("b", CENTRAL_ZONE)
        elif gone.kind == QUEEN:
            _queen_fell(reading, gone, faults)
    if not faults.penalties:
        return
    given = [letter for letter, _ in faults.penalties]
    causes = sum(r.kind is PENALTY and r.code.startswith("QS-8a.") for r in case.rulings)
    if len(given) > 1 or causes > 1:
        case.rule("QS-X.7", _added_up(terms.options.multi_penalty, len(given), causes))


def _added_up(how: str, given: int, causes: int) -> str:
    if how == "worst_only":
        return say("Several faults: one penalty puck in all.")
    if given > 1:
        return say("{given} penalties in one shot: they add up.", given=given)
    return say("{causes} causes under letter a: one penalty.", causes=causes)


def _forced_off(reading: Reading, gone: Gone, faults: Faults) -> None:
    case, options = reading.case, reading.state.terms.options
    side = reading.state.terms.sides[reading.state.side]
    case.rule(
        "QS-6.3", say("{name} left the table: off the game.", name=gone.name), pieces=(gone.name,)
    )
    if case.rule(
        "QS-8b",
        say("A {colour} puck was forced off the table.", colour=word(gone.colour)),
        PENALTY,
        side=side,
        pieces=(gone.name,),
    ):
        faults.foul = True
        if options.off_puck != "is_the_penalty":
            faults.letter("b", CENTRAL_ZONE)


def _queen_fell(reading: Reading, gone: Gone, faults: Faults) -> None:
    case, state = reading.case, reading.state
    if not early_queen(reading, gone):
        return
    terms = state.terms
    side = terms.sides[state.side]
    if terms.options.early_queen == "loss_of_game":
        if case.rule(
            "QS-8d.2",
            say(
                "The Queen fell too early: {who} loses the game, as agreed.",
                who=terms.who(state.shooter),
            ),
            PENALTY,
            side=side,
            pieces=(gone.name,),
        ):
            faults.foul = True
            faults.lost_by = state.side
    elif case.rule(
        "QS-8d.1",
        say(
            "The Queen fell while {colour} pucks were on the table.",
            colour=terms.colours[1 - state.side],
        ),
        PENALTY,
        side=side,
        pieces=(gone.name,),
    ):
        faults.letter("d", CENTRAL_ZONE)


def early_queen(reading: Reading, queen: Gone) -> bool:
    """Return whether target pucks were still on the table when the Queen fell (step 4)."""
    state = reading.state
    target = 1 - state.side
    on = state.tally.counts[target].on
    colour = state.terms.colours[target]
    gone = [g for g in reading.gone if g.kind == PUCK and g.colour == colour]
    if on == 0:
        return False
    if len(gone) < on or state.terms.options.queen_same_shot == "never":
        return True
    return not reading.order_before(queen.name, gone, queen)
