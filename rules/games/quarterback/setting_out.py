"""Between halves: the pieces are gathered and set out, and play begins (QB-1, QB-2.1, 2.2)."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.facts import Declared, Emptied, Fact
from rules.games.quarterback import effects as e
from rules.games.quarterback import sayings
from rules.games.quarterback.book import PLAYERS
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.places import square_at
from rules.games.quarterback.sentences import NotASentence, read_shift
from rules.games.quarterback.state import Change, State, attacker_of, put

if TYPE_CHECKING:
    from rules.games.quarterback.bench import Bench


def judge(bench: "Bench", fact: Fact, before: State, news: Sequence[Change]) -> None:
    """Judge a fact while no half is being played."""
    if isinstance(fact, Declared):
        acts = fact.what in ("move", "pass") and bool(before.turn)
        if acts and _unopened(before):
            begin(bench)
            bench.judge(fact)
        elif acts:
            bench.say("REFUSED not-set-up", "QB-1.3")
        else:
            sayings.judge(bench, fact)
        return
    if bench.state.over:
        return
    if _unopened(before) and _leaves_set_up(fact, before):
        bench.state = before
        begin(bench)
        bench.judge(fact)
    elif news:
        _begin_if_set_out(bench)


def _unopened(state: State) -> bool:
    """Whether nothing was ever seen or said of the board: it may stand set out all the same."""
    return bool(state.turn) and not state.points and not state.table.strip(EMPTY)


def _leaves_set_up(fact: Fact, state: State) -> bool:
    """Whether something is gone from where the standard set-up has a piece."""
    parts = getattr(fact, "facts", (fact,))
    for part in parts:
        if isinstance(part, Emptied):
            square = square_at(state.terms.field, part.place)
            if square is not None and state.terms.set_up[square] != EMPTY:
                return True
    return False


def _begin_if_set_out(bench: "Bench") -> None:
    """Begin the next half once all pieces are seen at their standard places."""
    state = bench.state
    following = len(state.points)
    turned = attacker_of(state.first, following) != state.attacker
    table = state.table.swapcase() if turned else state.table
    unknown = state.first is None and not following
    if table == state.terms.set_up:
        begin(bench, first=0 if unknown else None)
    elif unknown and table.swapcase() == state.terms.set_up:
        begin(bench, first=1)


def to_set_out(state: State) -> list[Change]:
    """How the board as it is seen differs from the next set-up, letters as on the board now.

    Empty while nothing was seen, and while a half is played.
    """
    if state.playing or state.over or not state.table.strip(EMPTY):
        return []
    following = len(state.points)
    turned = attacker_of(state.first, following) != state.attacker
    if state.first is None and not following:
        turned = "q" in state.table
    due = state.terms.set_up.swapcase() if turned else state.terms.set_up
    found = []
    for square, (seen, wanted) in enumerate(zip(state.table, due, strict=True)):
        if seen != wanted:
            found += [Change(square, seen, True)] if seen != EMPTY else []
            found += [Change(square, wanted, False)] if wanted != EMPTY else []
    return found


def begin(bench: "Bench", first: int | None = None) -> None:
    """Say that the set-up stands and who acts; `first` where the board shows who attacks."""
    if first is not None:
        bench.say(f"ATTACK {PLAYERS[first]}", "QB-2.2", e.Toss(first), side=PLAYERS[first])
    bench.say("OK", "QB-1.3", e.Begin(), setup="yes")
    at = bench.name(bench.state.ball)
    bench.say(f"BALL {at}", "QB-1.5", square=at)
    bench.say("TURN A", "QB-2.3", side="A")


def judge_setup(bench: "Bench", value: str) -> None:
    """Judge a declared set-up: `start` and how it differs, or nothing: what the camera saw."""
    state = bench.state
    if state.over:
        bench.foul("match-over", "QB-9.3", None)
        return
    if state.playing and state.begun:
        bench.say("REFUSED started", "QB-10.11")
        return
    words = value.split()
    if words and words[0] == "start":
        try:
            grid = _changed(state, words[1:])
        except NotASentence:
            bench.say("REFUSED unreadable", "QB-1.3", value=value)
            return
    else:
        grid = _seen(state)
    why = _rejection(state, grid)
    if why is None:
        begin(bench)
    else:
        bench.say(f"REJECT {why[0]}", why[1])


def _seen(state: State) -> str:
    """What the camera saw set out; the standard places where it saw nothing at all."""
    if not state.table.strip(EMPTY) or state.playing:
        return state.terms.set_up
    turned = attacker_of(state.first, len(state.points)) != state.attacker
    return state.table.swapcase() if turned else state.table


def _changed(state: State, changes: Sequence[str]) -> str:
    """The standard set-up with `-Ta0` missing, `+qe6` extra, `Tcu1>d2` misplaced."""
    field, grid = state.terms.field, state.terms.set_up
    for change in changes:
        if change[0] in "+-":
            text = f"{change[1:]}>{change[2:]}"
            piece = read_shift(text, field)
            grid = put(grid, piece.start, piece.letter if change[0] == "+" else EMPTY)
        else:
            piece = read_shift(change, field)
            grid = put(put(grid, piece.start, EMPTY), piece.end, piece.letter)
    return grid


def _rejection(state: State, grid: str) -> tuple[str, str] | None:
    """Why a set-up is refused, tested in the order QB-1.6, 1.2, 1.3; None where it is right."""
    wanted = state.terms.set_up
    have, due = Counter(grid), Counter(wanted)
    if have["Q"] != 1 or have["q"]:
        return "quarterbacks", "QB-1.6"
    if any(have[letter] != due[letter] for letter in "SDTsdt"):
        return "piece-count", "QB-1.2"
    return None if grid == wanted else ("setup", "QB-1.3")
