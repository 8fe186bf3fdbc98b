"""What the engine holds legal against a brute-force search written from the rulebook alone."""

import random

import pytest
from msgspec.structs import replace
from testkit import quarterback_oracle as oracle
from testkit.quarterback_play import GAME, start

from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.passing import legal_passes
from rules.games.quarterback.routes import movers, reachable
from rules.games.quarterback.state import State, put
from rules.games.quarterback.steps import position_of
from rules.games.quarterback.transcript import read_fact

LETTERS = "SSSDDDTTTTsssddddtttt"


def random_position(rng: random.Random) -> State:
    """A position with some of the pieces crowded together, so that they get in each other's way."""
    state = start()
    field = state.terms.field
    left, low = rng.randrange(5), rng.randrange(-3, 6)
    near = [
        square
        for square in range(field.size)
        if left < field.column(square) <= left + 7 and low <= field.row(square) <= low + 7
    ]
    pieces = "Q" + "".join(rng.sample(LETTERS, rng.randrange(6, 18)))
    squares = rng.sample(near, len(pieces) + 1)
    grid = EMPTY * field.size
    for square, letter in zip(squares, pieces, strict=False):
        grid = put(grid, square, letter)
    loose = rng.random() < 0.3
    ball = squares[-1] if loose else rng.choice([n for n, x in enumerate(grid) if x.isupper()])
    return replace(
        state,
        grid=grid,
        table=grid,
        ball=ball,
        loose=loose,
        disc=ball if loose else None,
        released=rng.random() < 0.6,
        turn=rng.choice("AD"),
        playing=True,
    )


def table_of(state: State) -> oracle.Table:
    field = state.terms.field

    def at(square: int) -> oracle.Square:
        return field.column(square), field.row(square)

    pieces = {at(n): x for n, x in enumerate(state.grid) if x != EMPTY}
    return oracle.Table(pieces, at(state.ball), state.loose, state.released)


@pytest.mark.parametrize("seed", range(12))
def test_every_piece_reaches_what_brute_force_finds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        state = random_position(rng)
        field, table = state.terms.field, table_of(state)
        for square, left in movers(state, state.turn).items():
            place = field.column(square), field.row(square)
            assert left == oracle.steps_of(state.grid[square], place)
            found = reachable(state.terms, position_of(state), square, left)
            ends = {(field.column(end), field.row(end)) for end in found}
            assert ends == oracle.reachable(table, place, left)


@pytest.mark.parametrize("seed", range(12))
def test_the_carrier_passes_where_brute_force_finds(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(40):
        state = replace(random_position(rng), turn="A")
        field = state.terms.field
        ends = {(field.column(end), field.row(end)) for end in legal_passes(state)}
        assert ends == oracle.passes(table_of(state))


@pytest.mark.parametrize("seed", range(8))
def test_a_move_seen_from_start_to_end_is_legal_where_brute_force_finds_a_way(seed: int) -> None:
    rng = random.Random(200 + seed)
    for _ in range(6):
        state = replace(random_position(rng), turn=rng.choice("AD"))
        field, table = state.terms.field, table_of(state)
        pieces = list(movers(state, state.turn))
        for square in rng.sample(pieces, min(3, len(pieces))):
            letter, place = state.grid[square], (field.column(square), field.row(square))
            ends = oracle.reachable(table, place, oracle.steps_of(letter, place))
            near = [end for end in range(field.size) if 0 < field.distance(square, end) <= 3]
            for end in rng.sample(near, 8):
                move = f"move {letter}{field.name(square)}~{field.name(end)}"
                lines = (move, move + "*") if state.loose else (move,)
                legal = any(is_one_legal_move(state, line) for line in lines)
                assert legal == ((field.column(end), field.row(end)) in ends), move


def is_one_legal_move(state: State, line: str) -> bool:
    """Whether it is ruled legal, and not as two equal pieces that took each other's places."""
    said = [ruling.call for ruling in GAME.judge(state, read_fact(line, state))]
    return bool(said) and not any(call.startswith(("FOUL", "INFO")) for call in said)
