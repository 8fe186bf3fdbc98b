"""A match played before the camera and refereed from its pictures, with the truth beside it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from calibration.table import Table
from rules.facts import Fact
from rules.registry import find_game
from sightline.simulated.matches import Evening
from sightline.simulated.playing import Agreement
from sightline.simulated.referee import FoldedReferee
from sightline.simulated.source import SimulatedSource
from sightline.simulated.table import SimulatedTable
from vision.frame import Frame, Sighting


class Eye(Protocol):
    """What makes facts of frames: `vision.witness.Witness`."""

    def feed(self, frame: Frame) -> Iterable[Sighting]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMatch:
    """A match refereed from pictures: `seen` by the camera, and `evening.truth` as it was."""

    evening: Evening
    seen: FoldedReferee
    frames: int


def play_before_camera(
    simulated: SimulatedTable,
    table: Table,
    eye: Eye,
    agreement: Agreement,
    *,
    seed: int = 0,
    fps: float = 30.0,
    most_s: float = 7200.0,
    told: Callable[[Fact, FoldedReferee], None] = lambda fact, seen: None,
    **habits: Any,
) -> SeenMatch:
    """Plays a match as fast as it can be drawn and looked at. `told` hears each judged fact.

    The same seed gives the same pictures, whatever was photographed before.
    """
    simulated.photographer.begin_again(film=seed + 2)
    evening = Evening(
        table.board,
        agreement,
        lambda setup: FoldedReferee(find_game(setup.game), setup),
        seed=seed,
        **habits,
    )
    seen = evening.referee
    assert isinstance(seen, FoldedReferee)
    source = SimulatedSource(
        simulated,
        evening.stage,
        evening.director,
        fps=fps,
        before=evening.know,
        most_s=most_s,
    )
    frames = 0
    for frame in source:
        frames += 1
        for sighting in eye.feed(frame):
            seen.see(sighting.fact)
            told(sighting.fact, seen)
    evening.know(float("inf"))
    return SeenMatch(evening=evening, seen=seen, frames=frames)
