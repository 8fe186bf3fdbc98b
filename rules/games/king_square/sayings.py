"""What people declare: set-up, who begins, the score, a void board (KS-1, 2.6, 4.1, 4.4, 5.2)."""

from typing import TYPE_CHECKING

from rules.facts import Declared
from rules.games.king_square import effects as e
from rules.games.king_square import state as s
from rules.games.king_square.claims import judge_claim
from rules.games.king_square.state import Foul, Phase

if TYPE_CHECKING:
    from rules.games.king_square.bench import Bench


def judge_saying(bench: "Bench", fact: Declared) -> None:
    """Judge what somebody said or tapped; what means nothing here is passed over."""
    match fact.what:
        case "setup":
            _setup(bench, fact.value)
        case "begin":
            _begin(bench, fact.value)
        case "record":
            _score_board(bench, fact.value.strip())
        case "agree" if fact.value == "void":
            _agree_void(bench)
        case "claim":
            judge_claim(bench, fact)
        case "pass":
            bench.say("REFUSED no-pass", "KS-2.7")
        case _:
            pass


def _setup(bench: "Bench", value: str) -> None:
    said = dict(part.split("=", 1) for part in value.split() if "=" in part)
    if bench.state.begun:
        bench.say("REFUSED started", "KS-2.6")
        return
    seats = said.get("seats", "")
    solo = bench.state.terms.solo and seats == "3"
    if seats not in ("2", "4") and not solo:
        bench.say("REJECT players", "KS-1.3")
        return
    colours = tuple(c for c in said.get("colours", "").split(".") if c)
    if colours:
        sides = 3 if solo else 2
        if len(colours) not in (sides, int(seats)) or len(set(colours)) < sides:
            bench.say("REJECT colours", "KS-1.2")
            return
        if len(colours) == 4 and (colours[0] != colours[2] or colours[1] != colours[3]):
            bench.say("REJECT partner-colours", "KS-1.5")
            return
        if len(set(colours)) > sides:
            bench.say("REJECT colours", "KS-1.2")
            return
    bench.say("OK", "KS-1.3", e.Agree(int(seats), colours), seats=seats)


def _begin(bench: "Bench", value: str) -> None:
    state = bench.state
    seat = int(value) if value.isascii() and value.isdigit() else 0
    if state.phase is Phase.CHOOSE:
        losers = {state.terms.side_of(state.turn)}
        if 1 <= seat <= state.terms.seats and state.terms.side_of(seat) in losers:
            bench.say(f"START {seat}", "KS-4.4", e.Start(seat), seat=str(seat))
        else:
            bench.say("REFUSED not-the-losers", "KS-4.4")
    elif state.begun:
        bench.say("REFUSED started", "KS-2.6")
    elif not 1 <= seat <= state.terms.seats:
        bench.say("REFUSED no-such-seat", "KS-2.6")
    else:
        bench.say(f"START {seat}", "KS-2.6", e.Start(seat), seat=str(seat))


def _score_board(bench: "Bench", value: str) -> None:
    score = "-".join(map(str, bench.state.score))
    if value == score:
        bench.say("OK", "KS-4.1", score=score)
    else:
        foul = Foul(reason="scoreboard", seat=bench.state.turn)
        bench.say("FOUL scoreboard", "KS-6.8", e.Stop(foul), score=score)


def _agree_void(bench: "Bench") -> None:
    state = bench.state
    square = s.first_living(state)
    squares = state.field.squares
    if state.phase is not Phase.BOARD:
        bench.say("REFUSED board-closed", "KS-5.2")
    elif square < len(squares) and state.terms.dead_board != "off":
        bench.say("REFUSED not-dead", "KS-5.2", square=squares[square].name)
    else:
        bench.say("VOID", "KS-5.2", e.Void())
        bench.clear_if_empty()
