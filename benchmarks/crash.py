"""Kills a running match with SIGKILL at random instants and looks what is left in its log.

    python benchmarks/crash.py [--kills 200] [--seed N]

A child goes on with the match, hands in facts and makes decisions as fast as they are acknowledged,
and tells each acknowledged one on its standard output. After the kill the log must hold all of
them, without gaps, and the child of the next round must be able to go on. A match is killed 40
times, then the next one begins.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from testkit.crashing import Round, crash_rounds  # noqa: E402

KILLS_A_MATCH = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rounds: list[Round] = []
        draw = random.Random(given.seed)
        while (left := given.kills - len(rounds)) > 0:
            db = Path(folder) / f"matches-{len(rounds)}.db"
            for done in crash_rounds(db, min(left, KILLS_A_MATCH), draw):
                rounds.append(done)
                if sys.stderr.isatty():
                    print(f"\r{len(rounds)} of {given.kills}", end="", file=sys.stderr)
    facts = sum(done.facts for done in rounds)
    decisions = sum(done.decisions for done in rounds)
    print(f"kills                       {len(rounds):>8}")
    print(f"acknowledged facts          {facts:>8}")
    print(f"acknowledged decisions      {decisions:>8}")
    print(f"lost                        {sum(done.lost for done in rounds):>8}")
    print(f"logs that could not go on   {sum(not done.sound for done in rounds):>8}")


if __name__ == "__main__":
    main()
