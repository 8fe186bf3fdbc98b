"""Bare lattice boards in another light than they were set up in: what is seen where nothing is.

    python benchmarks/other_light.py [--rooms 33] [--games quarterback,squarin_off,king_square]

In every third of the simulated rooms the light has changed since the table was set up: lamps that
were mirrored in the board or its border are gone, others have come. A hand seen there keeps a match
from beginning, a piece seen there is one that the referee has to take away on the page. Places that
are unknown wait until something lies there or the board is set up again.
"""

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from benchmarks.rooms import room  # noqa: E402
from calibration.table import load_table  # noqa: E402
from sightline.simulated.scene import Scene  # noqa: E402
from sightline.simulated.table import write_table  # noqa: E402
from vision.lattice.read import read_lattice  # noqa: E402

SIZE = (960, 720)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", type=int, default=33)
    parser.add_argument("--games", default="quarterback,squarin_off,king_square")
    asked = parser.parse_args()
    for game in asked.games.split(","):
        hands = unknown = phantoms = 0
        for number in range(3, 3 * asked.rooms + 1, 3):
            drawn = room(game, SIZE, number)
            with tempfile.TemporaryDirectory() as folder:
                table = load_table(write_table(drawn.at_setup, Path(folder) / "table"))
            seen = read_lattice(drawn.at_match.photographer.picture(Scene()), table)
            pieces = sum(len(places) for places in seen.lattice.values())
            hands, phantoms = hands + seen.hand, phantoms + pieces
            unknown += 0 if seen.hand else len(seen.unknown)
            if seen.hand or pieces:
                print(f"  {game}, room {number}: hand {seen.hand}, {pieces} pieces seen")
        print(
            f"{game}: {asked.rooms} rooms, hands seen in {hands}, {phantoms} pieces seen, "
            f"{unknown} places unknown"
        )


if __name__ == "__main__":
    main()
