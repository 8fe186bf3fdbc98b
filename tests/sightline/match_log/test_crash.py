"""What was acknowledged survives a kill at any instant. The full run is benchmarks/crash.py."""

import random
from pathlib import Path

from testkit.crashing import crash_rounds


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    rounds = list(crash_rounds(tmp_path / "matches.db", 3, random.Random(7)))
    assert sum(done.facts for done in rounds) > 0
    assert sum(done.lost for done in rounds) == 0
    assert all(done.sound for done in rounds)
