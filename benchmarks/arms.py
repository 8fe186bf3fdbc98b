"""Arms that reach over the border, on tables of every wood, in every light, seen from every side.

    python benchmarks/arms.py [--game carrom] [--arms 8] [--show]

For each wood, light and side of the table that is down in the picture, arms of all four players
are drawn still over the surface, and the empty surface once. Counted are the arms that are seen to
cross the border on their side (`vision/detection/crossings.py`), and arms that are seen where there
is none.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402

from calibration.table import load_table  # noqa: E402
from rules.geometry import Seat  # noqa: E402
from sightline.simulated.boards import club_board  # noqa: E402
from sightline.simulated.hands import limb_at  # noqa: E402
from sightline.simulated.optics.light import LIGHTS  # noqa: E402
from sightline.simulated.scene import Limb, Scene  # noqa: E402
from sightline.simulated.table import SimulatedTable, set_up_table, write_table  # noqa: E402
from vision.detection.crossings import crossings  # noqa: E402
from vision.frame import Picture  # noqa: E402

SIZE = (960, 720)
WOODS = ("oak", "birch", "melamine", "cherry", "walnut")
TURNS_DEG = (1.5, 91.0, 181.0, 271.0)


def picture(table: SimulatedTable, *limbs: Limb) -> Picture:
    """The table with these limbs over it, (H, W, 3) BGR."""
    scene = Scene(bodies=(), limbs=limbs)
    return table.photographer.frame(lambda at_s: scene, 0.5, 0.006)


def counted(simulated: SimulatedTable, folder: Path, arms: int, label: str) -> Counter[str]:
    """Arms seen and not seen over one table; `label` names it, where it is to be shown."""
    table = load_table(write_table(simulated, folder))
    random = np.random.default_rng(0)
    found = Counter({"empty": 1, "empty, arm seen": len(crossings(picture(simulated), table))})
    for number in range(arms):
        seat = list(Seat)[number % 4]
        x, y = (0.34 * side for side in (table.board.width_mm, table.board.height_mm))
        tip = float(random.uniform(-x, x)), float(random.uniform(-y, y))
        limb = limb_at(table.board, seat, tip, float(random.uniform(15, 40)))
        seen = {way.side for way in crossings(picture(simulated, limb), table)}
        found += Counter(
            {"arms": 1, "arms seen": int(seat in seen), "seen elsewhere": int(bool(seen - {seat}))}
        )
        if label and seen != {seat}:
            print(f"{label}: {seat.name} at {tip[0]:.0f}, {tip[1]:.0f} mm: {seen or 'not seen'}")
    return found


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--game", default="carrom")
    ask.add_argument("--arms", type=int, default=8)
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for wood in WOODS:
            of_wood: Counter[str] = Counter()
            for light in LIGHTS:
                for turn_deg in TURNS_DEG:
                    name = f"{wood}-{light}-{turn_deg:.0f}"
                    board = club_board(args.game, SIZE)
                    simulated = set_up_table(
                        SIZE, board=board, finish=wood, light=light, turn_deg=turn_deg
                    )
                    label = name if args.show else ""
                    of_wood += counted(simulated, Path(folder) / name, args.arms, label)
            print(f"{wood:9} {of_wood['arms seen']} of {of_wood['arms']} arms seen", flush=True)
            total += of_wood
    print(f"arms seen on their side      {total['arms seen']} of {total['arms']}")
    print(f"arms seen on another side    {total['seen elsewhere']}")
    print(f"arms seen over the empty     {total['empty, arm seen']} of {total['empty']}")


if __name__ == "__main__":
    main()
