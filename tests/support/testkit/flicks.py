"""A hand that flicks a striker or carries pieces, or a cue's stroke, drawn and watched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testkit.at_once import Twice, push

from calibration.table import Table, load_table
from rules.board import Board
from rules.facts import Fact, Piece
from rules.geometry import Point, Seat
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.acts.cue import Haul, Stroke
from sightline.simulated.boards import club_board
from sightline.simulated.carrom.flick import Flick
from sightline.simulated.carrom.players import SLOWING_MM_S2
from sightline.simulated.cueing import stroke_stick
from sightline.simulated.director import SLOWING_MM_S2 as CUED_SLOWING_MM_S2
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.scene import Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.frame import Frame, Observation, Picture, SeenPiece
from vision.witness import Witness

SIZE = (960, 720)
FPS, EXPOSURE_MS = 30.0, 6.0
STRUCK_S = 1.0
_LEAVES_S = 0.45  # after its own stroke
_COMES_S = 0.9
Set = tuple[SimulatedTable, Table]
Man = tuple[str, float, float]
"""Its colour and its place; the red one is the queen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideCue(Stroke):
    """A stroke before which another cue lies there still, its tip at `tip_mm`, and then goes."""

    tip_mm: tuple[float, float]
    along: tuple[float, float]
    lay_s: float

    def scene(self, at_s: float) -> Scene:
        scene = Stroke.scene(self, at_s)
        stick = stroke_stick(self.tip_mm, 0.0, self.along, self.lay_s - _LEAVES_S - at_s)
        return scene if stick is None else replace(scene, sticks=(*scene.sticks, stick))


def carrom_tables(folder: Path) -> Set:
    """A simulated table for Carrom, and what calibration makes of it in `folder`."""
    return _tables("carrom", folder)


def qsquare_tables(folder: Path) -> Set:
    """The same for Q-Square."""
    return _tables("qsquare", folder)


def _tables(game: str, folder: Path) -> Set:
    simulated = set_up_table(SIZE, board=club_board(game, SIZE))
    return simulated, load_table(write_table(simulated, folder))


def flick(
    table: Table,
    men: list[Man],
    speed_mm_s: float,
    at: tuple[float, float] = (-79.0, -252.6),
    aim: tuple[float, float] | None = None,
    *,
    struck_s: float = STRUCK_S,
    pushed_mm: float = 0.0,
) -> Flick:
    """The striker at the S base line, flicked at the first of `men` (colour, x, y), or at `aim`.

    The finger pushes it there first, by `pushed_mm` along the base line: then it may be struck from
    `PUSHED_S` on.
    """
    board = table.board
    lies = _laid(board, at, men)
    x, y = aim or (lies[1].x_mm, lies[1].y_mm)
    run = play(
        surface_of(board, slowing_mm_s2=SLOWING_MM_S2),
        [piece.disc() for piece in lies],
        {"striker": push(at, (x, y), speed_mm_s)},
        start_s=struck_s,
    )
    return Flick(
        before=lies,
        run=run,
        struck="striker",
        by=Seat.S,
        board=board,
        pushed_from=(at[0] - pushed_mm, at[1]) if pushed_mm else None,
    )


def cue_stroke(
    table: Table,
    pucks: Sequence[Man],
    speed_mm_s: float,
    at: tuple[float, float],
    aim: tuple[float, float],
    *,
    struck_s: float = STRUCK_S,
    hops: Callable[[float], bool] = lambda _: False,
) -> Stroke:
    """The cue-puck struck by a cue towards `aim`, among `pucks` (colour, x, y).

    `hops` tells whether a piece that is so fast, mm/s, where it is hit jumps.
    """
    board = table.board
    cue = Lying(name="cue-puck", spec=board.piece("cue-puck", "natural"), x_mm=at[0], y_mm=at[1])
    lies = (
        cue,
        *(
            Lying(name=f"{colour}-{n}", spec=board.piece("puck", colour), x_mm=x, y_mm=y)
            for n, (colour, x, y) in enumerate(pucks, start=1)
        ),
    )
    run = play(
        surface_of(board, slowing_mm_s2=CUED_SLOWING_MM_S2),
        [piece.disc() for piece in lies],
        {"cue-puck": push(at, aim, speed_mm_s)},
        start_s=struck_s,
        hops=hops,
    )
    return Stroke(before=lies, run=run, struck="cue-puck", by=Seat.S)


def brought(
    table: Table,
    at: tuple[float, float],
    to: tuple[float, float],
    *,
    speed_mm_s: float = 220.0,
) -> Haul:
    """The cue-puck alone, which the cue brings from one place straight to another."""
    spec = table.board.piece("cue-puck", "natural")
    cue = Lying(name="cue-puck", spec=spec, x_mm=at[0], y_mm=at[1])
    return Haul(
        before=(cue,),
        piece="cue-puck",
        way=(at, to),
        by=Seat.S,
        speed_mm_s=speed_mm_s,
        come_s=_COMES_S,
    )


def beside_cue(stroke: Stroke, tip_mm: tuple[float, float], *, lay_s: float = 0.3) -> BesideCue:
    """The same with another cue there for so long, its tip over a place, which then goes."""
    x, y = tip_mm
    return BesideCue(
        before=stroke.before,
        run=stroke.run,
        struck=stroke.struck,
        by=stroke.by,
        tip_mm=tip_mm,
        along=(x, y),
        lay_s=lay_s,
    )


def fetch(
    board: Board,
    men: Sequence[Man],
    striker: tuple[float, float],
    to: tuple[float, float],
    by: Seat,
    *,
    which: int = 0,
) -> Carry:
    """One piece taken up and laid elsewhere: the striker, or the man number `which`, from 1."""
    lies = _laid(board, striker, men)
    taken = lies[which]
    laid = replace(taken, x_mm=to[0], y_mm=to[1])
    return Carry(
        before=lies, pieces=(laid,), by=by, board=board, moves_from=(taken.x_mm, taken.y_mm)
    )


def clear(board: Board, men: Sequence[Man], striker: tuple[float, float], by: Seat) -> Carry:
    """The striker and all men taken off the board at once."""
    lies = _laid(board, striker, men)
    return Carry(before=lies, pieces=lies, by=by, board=board, brings=False)


def _laid(board: Board, at: tuple[float, float], men: Sequence[Man]) -> tuple[Lying, ...]:
    """The striker at its place, and the men."""
    lies = [Lying(name="striker", spec=board.piece("striker", "ivory"), x_mm=at[0], y_mm=at[1])]
    for colour, x, y in men:
        spec = board.piece("queen" if colour == "red" else "carromman", colour)
        lies.append(Lying(name=f"{colour}-{len(lies)}", spec=spec, x_mm=x, y_mm=y))
    return tuple(lies)


def watched(
    tables: Set, act: Flick | Stroke | Haul | Carry | Twice, *, film: int | None = None
) -> tuple[list[Fact], tuple[Piece, ...]]:
    """What is told of the drawn frames; still pictures are told by the truth.

    With a `film` the frames are the same whatever was drawn before.
    """
    simulated, table = tables
    if film is not None:
        simulated.photographer.begin_again(film=film)
    now_s = 0.0

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        if isinstance(act, Carry):
            lying = act.before if now_s <= STRUCK_S else act.after
        else:
            lying = tuple(
                Lying(name=body.name, spec=body.spec, x_mm=body.x_mm, y_mm=body.y_mm)
                for body in act.scene(now_s).bodies
                if body.lift_mm == 0
            )
        return Observation(
            pieces=tuple(
                SeenPiece(
                    kind=p.spec.kind,
                    colour=p.spec.colour,
                    at=Point(p.x_mm, p.y_mm),
                    error_mm=0.1,
                )
                for p in lying
            )
        )

    witness = Witness(table, look=look)
    facts: list[Fact] = []
    for number in range(int((act.lasts_s + 1.2) * FPS)):
        now_s = number / FPS
        picture = simulated.photographer.frame(act.scene, now_s, EXPOSURE_MS / 1000)
        frame = Frame(image=picture, at_ms=1000 * now_s, number=number, exposure_ms=EXPOSURE_MS)
        facts += [sighting.fact for sighting in witness.feed(frame)]
    return facts + [s.fact for s in witness.finish()], witness.start_pieces
