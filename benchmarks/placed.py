"""How far off pieces are placed all round a simulated table, and how far off its camera.

    python benchmarks/placed.py [--game qsquare] [--kind cue-puck] [--size 960x720] [--light panels]
    python benchmarks/placed.py --poses 24

The first lays single pieces along each border, and in the middle, and prints what is left on
average (mm, x and y), how that spreads, and the error that is told. The second hangs cameras up at
random and prints how far off their poses put points in the plane of the tops, in standard
deviations of what is told.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from calibration.damage import TableDamaged  # noqa: E402
from calibration.table import Table, load_table  # noqa: E402
from rules.board import PieceSpec  # noqa: E402
from sightline.simulated.boards import club_board  # noqa: E402
from sightline.simulated.pieces import Lying  # noqa: E402
from sightline.simulated.scene import Scene  # noqa: E402
from sightline.simulated.table import SimulatedTable, set_up_table, write_table  # noqa: E402
from vision.observe import observe  # noqa: E402

GAPS_MM = (0.5, 15.0, 60.0)
ALONG_MM = tuple(-200.0 + 87.3 * k for k in range(6))
SIDES = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0), "middle": (0, 0)}
SIZES = ((960, 720), (1280, 720), (1920, 1080), (640, 480))
LIGHTS = ("panels", "window", "lamp")
INSIDE_MM = 20.0


def ready(simulated: SimulatedTable) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        return load_table(write_table(simulated, Path(folder) / "table"))


def places(
    table: Table, side: str, gap_mm: float, spec: PieceSpec
) -> Iterator[tuple[float, float]]:
    """Where pieces lie along a side, so far from its border; in the middle, so far from it."""
    east, north = SIDES[side]
    out_x = table.board.width_mm / 2 - gap_mm - spec.diameter_mm / 2
    out_y = table.board.height_mm / 2 - gap_mm - spec.diameter_mm / 2
    for along in ALONG_MM:
        if east or north:
            yield east * out_x + abs(north) * along, north * out_y + abs(east) * along
        else:
            yield along, 3 * gap_mm


def missed(
    simulated: SimulatedTable, table: Table, spec: PieceSpec, at: tuple[float, float]
) -> tuple[float, float, float] | None:
    """How far off a piece is seen, x and y, and the error told; None: not seen, or not alone."""
    body = Lying(name="piece", spec=spec, x_mm=at[0], y_mm=at[1]).body()
    seen = observe(simulated.photographer.picture(Scene(bodies=(body,))), table).pieces
    if len(seen) != 1 or (seen[0].kind, seen[0].colour) != (spec.kind, spec.colour):
        return None
    return seen[0].at.x_mm - at[0], seen[0].at.y_mm - at[1], seen[0].error_mm


def around(game: str, kind: str, size: tuple[int, int], light: str) -> None:
    simulated = set_up_table(size, board=club_board(game, size), light=light)
    table = ready(simulated)
    spec = next(s for s in simulated.board.pieces if s.kind == kind)
    print("side    gap    mean x, y      spread x, y    told")
    for side in SIDES:
        for gap_mm in GAPS_MM:
            found = [missed(simulated, table, spec, at) for at in places(table, side, gap_mm, spec)]
            off = np.array([one for one in found if one is not None])
            lost = f"   {len(found) - len(off)} not seen" if len(off) < len(found) else ""
            (x, y, told), (sx, sy, _) = off.mean(axis=0), off.std(axis=0)
            mean, spread = f"{x:+.2f} {y:+.2f}", f"{sx:.2f} {sy:.2f}"
            print(f"{side:6} {gap_mm:4.1f}   {mean}    {spread}      {told:.2f}{lost}", flush=True)


def poses(count: int) -> None:
    draw = random.Random(5)
    every: list[NDArray[np.float64]] = []
    for number in range(count):
        size = SIZES[number % len(SIZES)]
        simulated = set_up_table(
            size,
            board=club_board("qsquare", size),
            light=LIGHTS[number % len(LIGHTS)],
            height_mm=draw.uniform(1050, 1600),
            aside_mm=(draw.uniform(-150, 150), draw.uniform(-150, 150)),
            turn_deg=draw.uniform(0, 360),
            seed=number,
        )
        try:
            table = ready(simulated)
        except TableDamaged as err:
            print(f"{number:3} {size[0]} x {size[1]}: refused, {err}")
            continue
        off = off_in_sigmas(simulated, table)
        every.append(off)
        print(
            f"{number:3} {size[0]} x {size[1]}: rms {rms(off):.2f}, worst {np.abs(off).max():.2f}"
        )
    off = np.concatenate(every)
    print(f"all: rms {rms(off):.2f}, within 2: {100 * np.mean(np.abs(off) < 2):.1f} %")


def off_in_sigmas(simulated: SimulatedTable, table: Table) -> NDArray[np.float64]:
    """(18,) how far off the middle, the sides and the corners are put, x and y."""
    top = simulated.board.pieces[0].thickness_mm
    half_x = simulated.board.width_mm / 2 - INSIDE_MM
    half_y = simulated.board.height_mm / 2 - INSIDE_MM
    off: list[float] = []
    for x, y in ((i * half_x, j * half_y) for i in (-1, 0, 1) for j in (-1, 0, 1)):
        seen = table.camera.to_plane(simulated.camera.project(np.array([[x, y, top]])), top)[0]
        told = np.sqrt(np.diag(table.pose_error.covariance_at(x, y, top)))
        off += [*((seen - (x, y)) / told)]
    return np.array(off)


def rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values**2)))


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    ask.add_argument("--game", default="qsquare", choices=("qsquare", "carrom"))
    ask.add_argument("--kind", default="cue-puck")
    ask.add_argument("--size", default="960x720")
    ask.add_argument("--light", default="panels", choices=LIGHTS)
    ask.add_argument("--poses", type=int, default=0)
    args = ask.parse_args()
    cv2.setNumThreads(1)
    if args.poses:
        poses(args.poses)
    else:
        width, height = (int(n) for n in args.size.split("x"))
        around(args.game, args.kind, (width, height), args.light)


if __name__ == "__main__":
    main()
