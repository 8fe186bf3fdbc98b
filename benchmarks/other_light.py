"""Lattice boards in another light than they were set up in, bare and filled: what is misread.

    python benchmarks/other_light.py [--rooms 33] [--games quarterback,squarin_off,king_square]

In every third of the simulated rooms the light has changed since the table was set up: lamps that
were mirrored in the board or its border are gone, others have come. A hand seen there keeps a match
from beginning, a piece seen there is one that the referee has to take away on the page. Places that
are unknown wait until something lies there or the board is set up again. On a filled board a part
of all places holds something: how many are misread, or unknown, is told.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from testkit.lattice_tables import LatticeTable, misread, truth_of  # noqa: E402

from benchmarks.rooms import room  # noqa: E402
from calibration.table import load_table  # noqa: E402
from sightline.simulated.table import write_table  # noqa: E402
from vision.lattice.read import read_lattice  # noqa: E402

SIZE = (960, 720)
FILLED = 0.4
"""This share of the places is filled."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", type=int, default=33)
    parser.add_argument("--games", default="quarterback,squarin_off,king_square")
    asked = parser.parse_args()
    for game in asked.games.split(","):
        bare, filled = Tally(), Tally()
        for number in range(3, 3 * asked.rooms + 1, 3):
            drawn = room(game, SIZE, number)
            with tempfile.TemporaryDirectory() as folder:
                table = load_table(write_table(drawn.at_setup, Path(folder) / "table"))
            match = LatticeTable(simulated=drawn.at_match, table=table)
            for tally, laid in ((bare, ()), (filled, match.laid_at_random(FILLED, seed=number))):
                seen = read_lattice(match.picture(laid), table)
                tally.hands += seen.hand
                if not seen.hand:
                    wrong = misread(seen, truth_of(laid))
                    tally.wrong += len(wrong)
                    tally.unknown += len(seen.unknown)
                    if wrong:
                        print(f"  {game}, room {number}: misread {', '.join(sorted(wrong))}")
        print(f"{game}, {asked.rooms} rooms: bare: {bare}; filled: {filled}")


@dataclass
class Tally:
    """What is seen amiss."""

    hands: int = 0
    wrong: int = 0
    unknown: int = 0

    def __str__(self) -> str:
        return f"{self.hands} hands seen, {self.wrong} places misread, {self.unknown} unknown"


if __name__ == "__main__":
    main()
