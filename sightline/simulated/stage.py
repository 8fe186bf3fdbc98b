"""The simulated table as time goes by: act after act, what it looks like, and the truth so far."""

from bisect import bisect_right
from dataclasses import dataclass, field

from rules.board import Board
from rules.facts import Declared, Fact
from sightline.simulated.acts.act import Act, Pieces, Wait, act_facts
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Scene


@dataclass(slots=True, kw_only=True)
class Stage:
    """All that is on the table and beside it. Grows by `add`; looked at with `scene`.

    `pool` are the pieces that are not on the surface. `truth` are the facts of all acts added so
    far, in match milliseconds, which is the stage's own time.
    """

    board: Board
    lying: Pieces = ()
    pool: list[Lying] = field(default_factory=list)
    truth: list[Fact] = field(default_factory=list)
    end_s: float = 0.0
    _starts: list[float] = field(default_factory=list)
    _acts: list[Act] = field(default_factory=list)

    def add(self, act: Act) -> None:
        """Lets `act` follow on what has been added so far."""
        self._starts.append(self.end_s)
        self._acts.append(act)
        self.truth += act_facts(act, 1000 * self.end_s)
        self.end_s += act.lasts_s
        there = {p.name for p in act.after}
        self.pool += [p for p in act.before if p.name not in there]
        self.pool = [p for p in self.pool if p.name not in there]
        self.lying = act.after
        # what is long past is never looked at again
        if len(self._acts) > 8:
            del self._starts[:4], self._acts[:4]

    def rest(self, lasts_s: float) -> None:
        """Lets nothing happen for a while."""
        self.add(Wait(before=self.lying, lasts_s=lasts_s))

    def say(self, fact: Declared) -> None:
        """Notes what a person said; it happened, too."""
        self.truth.append(fact)

    def scene(self, at_s: float) -> Scene:
        """What stands before the camera at an instant."""
        k = bisect_right(self._starts, at_s) - 1
        if k < 0:
            first = self._acts[0].before if self._acts else self.lying
            return Scene(bodies=tuple(p.body() for p in first))
        return self._acts[k].scene(at_s - self._starts[k])

    def piece(self, name: str) -> Lying | None:
        """The piece of that name on the surface, None where it is not there."""
        return next((p for p in self.lying if p.name == name), None)

    def spare(self, kind: str, colour: str) -> Lying | None:
        """A piece of that kind and colour from the pool; any colour where `colour` is empty."""
        for piece in self.pool:
            if piece.spec.kind == kind and colour in ("", piece.spec.colour):
                return piece
        return None
