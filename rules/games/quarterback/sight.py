"""What is seen on the board against what is on record.

The camera says what came to a square and what is gone from one. Where a piece lies upon another the
lower one is not seen; it is known from the position.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.pieces import BALL
from rules.games.quarterback.state import Change, State, put


def noticed(state: State, changes: Iterable[Change]) -> tuple[State, list[Change]]:
    """The state once these changes are seen, and those of them that were news."""
    table, disc = state.table, state.disc
    under = {sq: letter for sq, letter in state.under if table[sq] != state.grid[sq]}
    news = []
    for change in changes:
        square, letter = change.square, change.letter
        if letter == BALL:
            if (disc == square) == change.came:
                continue
            disc = square if change.came else None
        elif change.came:
            if table[square] == letter:
                continue
            if table[square] != EMPTY:
                under[square] = table[square]
            table = put(table, square, letter)
        elif table[square] == letter:
            table = put(table, square, under.pop(square, EMPTY))
        elif under.get(square) == letter:
            del under[square]
        else:
            continue
        news.append(change)
    if not news:
        return state, news
    return replace(state, table=table, disc=disc, under=tuple(under.items())), news


def differences(state: State) -> tuple[Change, ...]:
    """How the board as it is seen differs from the record: what came, and what is gone."""
    if not state.turn or not state.playing:
        return ()
    found = []
    table, grid = state.table, state.grid
    if table != grid:
        under = dict(state.under)
        for square, (seen, due) in enumerate(zip(table, grid, strict=True)):
            if seen == due:
                continue
            if due != EMPTY and under.get(square) != due:
                found.append(Change(square, due, False))
            if seen != EMPTY:
                found.append(Change(square, seen, True))
    if state.disc != state.ball:
        if state.loose or state.terms.disc_always:
            found.append(Change(state.ball, BALL, False))
        if state.disc is not None:
            found.append(Change(state.disc, BALL, True))
    return tuple(found)


def agreeing(state: State) -> State:
    """The state with the board as it is on record: nothing lies elsewhere, nothing is missing."""
    lies = state.loose or state.terms.disc_always
    on_carrier = state.disc == state.ball
    disc = state.ball if lies or on_carrier else None
    return replace(state, table=state.grid, under=(), disc=disc)
