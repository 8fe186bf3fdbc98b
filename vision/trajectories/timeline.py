"""One piece's shot as a row of phases: at rest, free stretches, and how it ended."""

from dataclasses import dataclass
from math import inf

from vision.tracking.track import Track
from vision.trajectories.gone import Ending
from vision.trajectories.paths import Stretch


@dataclass(frozen=True, slots=True)
class Timeline:
    """`came_unseen`: it came to lie elsewhere, and no run of it was seen."""

    track: Track
    phases: tuple[Stretch, ...]
    ending: Ending
    rebounds: tuple[tuple[float, str], ...] = ()
    slowing: float = 1500.0  # what is known of friction, mm/s², and one sd of it
    slowing_error: float = 1500.0
    came_unseen: bool = False

    @property
    def moved(self) -> bool:
        return len(self.phases) > 1

    @property
    def lay_until_s(self) -> float:
        """When a piece, whether it moved or not, was last seen to lie at home."""
        if self.moved:
            return self.phases[0].last_s
        lain = [*self.track.t[~self.track.is_off()]]
        return max(lain if self.track.lay_s is None else [*lain, self.track.lay_s], default=-inf)

    @property
    def left_by_s(self) -> float:
        """When a piece that moved was first seen off its rest, on a path or not."""
        track, run = self.track, self.phases[1]
        off = (track.t > self.phases[0].last_s + 1e-9) & track.is_off()
        return min([run.first_s, *(float(t) for t in track.t[off][:1])])

    def phase_at(self, t_s: float) -> int:
        """Which phase holds at `t_s`: the last that had begun."""
        found = 0
        for k, phase in enumerate(self.phases):
            if phase.first_s <= t_s:
                found = k
        return found

    def final_place(self) -> tuple[float, float]:
        last = self.phases[-1]
        return last.at(max(last.last_s, last.first_s))
