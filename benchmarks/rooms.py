"""Rooms in which simulated matches are played: where the camera hangs, the board's wood, the light.

Room 0 is the usual one, that of the demo. Any other number draws a room of its own: lamps, or a
window, of some colour and brightness; a wood that tells the game's pieces apart; a camera higher or
lower, aside and turned, now and then by a quarter or a half, more or less noisy. In every third the
match is played in another light than the table was set up in, as when evening comes.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sightline.simulated.boards import club_board
from sightline.simulated.optics.light import LIGHTS, Light
from sightline.simulated.table import SimulatedTable, hung_nearer, set_up_table

WOODS: Mapping[str, tuple[str, ...]] = {
    "qsquare": ("oak", "birch", "melamine", "cherry"),
    "carrom": ("birch", "oak", "cherry"),
    "king_square": ("cherry", "oak", "birch"),
    "squarin_off": ("walnut", "cherry"),
    "quarterback": ("turf",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A table as it was set up, and the same at the match."""

    at_setup: SimulatedTable
    at_match: SimulatedTable


def room(game: str, size: tuple[int, int], number: int = 0) -> Room:
    """Room `number` of a game, through a camera of `size` (width, height) px."""
    board = club_board(game, size)
    if number == 0:
        usual = set_up_table(size, board=board)
        return Room(at_setup=usual, at_match=usual)
    draw = random.Random(f"{game} {number}")
    far = hung_nearer(board)
    finish = draw.choice(WOODS[game])
    height_mm = far * draw.uniform(1100, 1550)
    aside_mm = far * draw.uniform(-140, 140), far * draw.uniform(-140, 140)
    turn_deg = draw.choice((0, 0, 0, 90, 180, 270)) + draw.uniform(-10, 10)
    noise = draw.uniform(0.9, 2.6)
    before, now = (_lit(draw), _lit(draw))
    if number % 3:
        now = before

    def lit(light: Light) -> SimulatedTable:
        return set_up_table(
            size,
            board=board,
            finish=finish,
            light=light,
            noise=noise,
            height_mm=height_mm,
            aside_mm=aside_mm,
            turn_deg=turn_deg,
            seed=number,
        )

    at_setup = lit(before)
    return Room(at_setup=at_setup, at_match=at_setup if now is before else lit(now))


def _lit(draw: random.Random) -> Light:
    """One of the three kinds of light, a little brighter or darker, warmer or colder, than it."""
    light = LIGHTS[draw.choice(sorted(LIGHTS))]
    warm = draw.uniform(-0.08, 0.08)
    blue, green, red = light.colour
    return replace(
        light,
        gain=light.gain * draw.uniform(0.85, 1.1),
        colour=(blue * (1 - warm), green, red * (1 + warm)),
    )
