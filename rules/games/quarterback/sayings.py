"""What people declare: moves and passes by tap, ends of turns, toss, concession, stall (3, 4.2)."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rules.facts import Declared
from rules.games.quarterback import effects as e
from rules.games.quarterback import frames, setting_out
from rules.games.quarterback.acts import Move
from rules.games.quarterback.book import PLAYERS, close_half
from rules.games.quarterback.passing import legal_passes
from rules.games.quarterback.pieces import other
from rules.games.quarterback.routes import can_step
from rules.games.quarterback.sentences import NotASentence, SaidMove, read_move, read_pass
from rules.games.quarterback.sight import differences
from rules.games.quarterback.state import Correction, State, player_of

if TYPE_CHECKING:
    from rules.games.quarterback.bench import Bench


def judge(bench: "Bench", fact: Declared) -> None:
    """Judge what somebody said."""
    try:
        _judge(bench, fact)
    except NotASentence:
        bench.say("REFUSED unreadable", "QB-10.11", what=fact.what, value=fact.value)


def _judge(bench: "Bench", fact: Declared) -> None:
    field = bench.state.terms.field
    match fact.what:
        case "move":
            said = read_move(fact.value, field)
            act = Move(
                letter=said.letter,
                squares=said.squares,
                seen=said.seen,
                displaced=said.displaced,
                picked=said.picked,
            )
            bench.move(act)
        case "pass":
            _pass(bench, *read_pass(fact.value, field))
        case "route":
            _route(bench, read_move(fact.value, field))
        case "shift":
            if bench.state.turn and bench.state.playing:
                bench.foul("piece-shifted", "QB-10.6", None, value=fact.value)
        case "end":
            _end(bench, fact.side)
        case "not-ended":
            _not_ended(bench)
        case "concede":
            _concede(bench)
        case "stall":
            _stall(bench)
        case "takeback":
            _take_back(bench)
        case "coin":
            _coin(bench, fact.value.split())
        case "setup":
            setting_out.judge_setup(bench, fact.value)
        case "points":
            _points(bench, fact.value.strip())
        case _:
            pass


def _route(bench: "Bench", said: SaidMove) -> None:
    """The squares of a move: of the one last seen, else of the one that comes (QB-10.3)."""
    state = bench.state
    if not said.seen or min(said.squares) < 0:
        bench.say("REFUSED route", "QB-10.3")
    elif state.grid[said.squares[0]] == said.letter:
        names = "-".join(map(bench.name, said.squares))
        bench.say("OK", "QB-10.3", e.Tap(said.squares), route=names)
    elif not frames.retold(bench, said.squares):
        bench.say("REFUSED route", "QB-10.3")


def _pass(bench: "Bench", start: int, end: int) -> None:
    if bench.state.told == (start, end):
        bench.say("INFO pass-known", "QB-10.4", start=bench.name(start), to=bench.name(end))
    else:
        bench.passed(start, end)


def _not_playing(bench: "Bench") -> bool:
    """Say that there is no turn to speak of, where that is so."""
    state = bench.state
    if state.turn and state.playing:
        return False
    if state.over:
        bench.foul("match-over", "QB-9.3", None)
    else:
        bench.say("REFUSED half-over" if state.points else "REFUSED not-set-up", "QB-2.4")
    return True


def _end(bench: "Bench", player: str | None) -> None:
    if _not_playing(bench):
        return
    state = bench.state
    if player in tuple(PLAYERS) and player != PLAYERS[player_of(state, state.turn)]:
        bench.say("REFUSED turn-ended", "QB-10.7")
        return
    if frames.unresolved(bench):
        return
    idle = not state.acted and not state.terms.empty_turn
    if idle and (can_step(state) or legal_passes(state)):
        bench.foul("no-action", "QB-3.14", state.turn)
    else:
        bench.end_turn(other(state.turn))


def _not_ended(bench: "Bench") -> None:
    """The side that was cut short objects: the other's acts since then are undone (QB-10.7)."""
    state = bench.state
    cut = state.cut
    if cut is None:
        bench.say("REFUSED turn-ended", "QB-10.7")
        return
    seen = replace(cut, table=state.table, under=state.under, disc=state.disc)
    off = differences(seen)
    correction = Correction(reason="out-of-turn", side=other(cut.turn), off=off, idle=not off)
    bench.say("FOUL out-of-turn", "QB-10.2", e.Resume(cut, correction), cut=cut.turn)


def _concede(bench: "Bench") -> None:
    if _not_playing(bench):
        return
    state = bench.state
    if not state.terms.concession:
        bench.say("REFUSED concede", "QB-2.10")
    elif state.loose:
        bench.say("REFUSED no-carrier", "QB-2.10")
    else:
        bench.tackle(state.ball, "QB-2.10")


def _stall(bench: "Bench") -> None:
    if _not_playing(bench):
        return
    state = bench.state
    limit, count = state.terms.stall_limit, still_turns(state)
    if not limit or count < limit:
        bench.say(
            "REFUSED not-stalled",
            "QB-2.12",
            square=bench.name(state.ball),
            loose="yes" if state.loose else "",
            n=str(count),
            limit=str(limit),
        )
    else:
        bench.tackle(state.ball, "QB-2.12")


def still_turns(state: State) -> int:
    """For how many of the attacker's last turns the carrier has stood where it is (QB-2.12)."""
    if state.loose or not state.turn:
        return 0
    return state.still if state.stood == (state.grid[state.ball], state.ball) else 0


def _take_back(bench: "Bench") -> None:
    """The last action is taken back, where that is agreed (house rule)."""
    state = bench.state
    before = state.before
    if before is None or not state.terms.takeback:
        bench.say("REFUSED takeback", "QB-10.8")
        return
    seen = replace(before, table=state.table, under=state.under, disc=state.disc)
    off = differences(seen)
    correction = Correction(reason="takeback", off=off) if off else None
    bench.say("OK", "QB-10.8", e.Resume(before, correction), back="yes")


def _coin(bench: "Bench", words: list[str]) -> None:
    state = bench.state
    if state.begun or state.points:
        bench.say("REFUSED started", "QB-10.11")
        return
    player = _player(state, words[0]) if words else None
    role = words[1] if len(words) > 1 else "attack"
    if player is None or role not in ("attack", "defend"):
        bench.say("REFUSED no-such-player", "QB-2.2", value=" ".join(words))
        return
    first = 1 - player if state.terms.toss_chooses and role == "defend" else player
    bench.say(f"ATTACK {PLAYERS[first]}", "QB-2.2", e.Toss(first), side=PLAYERS[first])


def _player(state: State, name: str) -> int | None:
    """The player called by letter or colour."""
    if name in state.terms.colours:
        return state.terms.colours.index(name)
    return PLAYERS.index(name) if name in tuple(PLAYERS) else None


def _points(bench: "Bench", value: str) -> None:
    """The result of a half that nobody refereed, for the match book (section 8.1)."""
    if bench.state.over:
        bench.foul("match-over", "QB-9.3", None)
    elif not (value.isascii() and value.isdigit() and len(value) < 4):
        bench.say("REFUSED unreadable", "QB-2.9", what="points", value=value)
    elif bench.state.first is None:
        bench.say("REFUSED no-toss", "QB-2.2")
    else:
        at = len(bench.calls)
        ended = e.EndHalf(int(value))
        bench.state = e.apply(bench.state, ended)
        close_half(bench)
        bench.calls[at] = replace(bench.calls[at], effect=ended)
