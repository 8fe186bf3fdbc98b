"""A moment of a simulated match can be looked at again, and shows what it showed the first time."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.moments import Keeping, look_again
from calibration.table import load_table
from rules.facts import Settled, Struck
from sightline.simulated.boards import club_board
from sightline.simulated.repertoire import agreement_on
from sightline.simulated.seen import SeenMatch, play_before_camera
from sightline.simulated.table import set_up_table, write_table
from vision.answers_clip import witness_of

SIZE = (640, 480)
CHOSEN = {
    "game": "qsquare",
    "players": 2,
    "option": ["pucks_per_player=3"],
    "size": "640x480",
    "fps": 25.0,
    "most_s": 1800.0,
}
SEED = 1
UNTIL_S = 11.9
"""The second stroke of that match has come to rest by then."""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[SeenMatch, Path]:
    """The beginning of a match seen from its start, and the file in which that was kept."""
    folder = tmp_path_factory.mktemp("kept")
    simulated = set_up_table(SIZE, board=club_board("qsquare", SIZE))
    table = load_table(write_table(simulated, folder / "table"))
    path = folder / "qsquare.jsonl"
    match = play_before_camera(
        simulated,
        table,
        Keeping(witness_of(table), path, CHOSEN, seed=SEED),
        agreement_on("qsquare", options=(("pucks_per_player", "3"),)),
        seed=SEED,
        fps=25.0,
        most_s=UNTIL_S,
    )
    return match, path


@pytest.mark.slow
def test_the_moment_is_played_as_it_was_and_seen_as_it_was(once: tuple[SeenMatch, Path]) -> None:
    first, path = once
    played = [s.fact.at_ms for s in first.evening.truth.steps if isinstance(s.fact, Struck)]
    strikes = [at for at in played if at < 1000 * UNTIL_S]
    still = [s.fact.at_ms for s in first.seen.steps if isinstance(s.fact, Settled)]
    begin_ms = max(at for at in still if at < strikes[-1]) + 40.0
    again = look_again(path, begin_ms, 1000 * UNTIL_S)
    assert [replace(s, seq=0) for s in again.evening.truth.steps] == [
        replace(s, seq=0) for s in first.evening.truth.steps
    ]
    seen = [s.fact.at_ms for s in again.seen.steps if isinstance(s.fact, Struck)]
    ought = [s.fact.at_ms for s in first.seen.steps if isinstance(s.fact, Struck)]
    assert len(ought) == len(strikes)
    assert seen == pytest.approx(ought, abs=1.0)


@pytest.mark.slow
def test_no_picture_is_drawn_before_the_moment(
    once: tuple[SeenMatch, Path], tmp_path: Path
) -> None:
    look_again(once[1], 9_400.0, 9_600.0, tmp_path)
    at_ms = sorted(float(path.stem) for path in tmp_path.glob("*.png"))
    assert at_ms == pytest.approx(np.arange(9_400.0, 9_601.0, 1000 / 25), abs=0.6)
