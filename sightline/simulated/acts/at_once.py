"""An act that begins before what came before it is over."""

from dataclasses import dataclass, replace
from math import inf

from rules.facts import Fact, Moved, Settled, Struck
from sightline.simulated.acts.act import Act, Pieces, act_facts
from sightline.simulated.scene import Scene

_BEFORE_MS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AtOnce:
    """`first` is done, and `then` from `then_s` on, which does not wait for its end.

    All that `first` sets running lies still by then; that it rests is told before `then` moves any.
    """

    first: Act
    then: Act
    then_s: float

    @property
    def before(self) -> Pieces:
        return self.first.before

    @property
    def lasts_s(self) -> float:
        return max(self.first.lasts_s, self.then_s + self.then.lasts_s)

    @property
    def after(self) -> Pieces:
        return self.then.after

    def scene(self, at_s: float) -> Scene:
        first = self.first.scene(at_s)
        if at_s < self.then_s:
            return first
        then = self.then.scene(at_s - self.then_s)
        return replace(then, limbs=(*first.limbs, *then.limbs))

    def facts(self) -> tuple[Fact, ...]:
        then = act_facts(self.then, 1000 * self.then_s)
        touched_ms = min((f.at_ms for f in then if isinstance(f, Struck | Moved)), default=inf)
        first = (
            replace(fact, at_ms=min(fact.at_ms, touched_ms - _BEFORE_MS))
            if isinstance(fact, Settled)
            else fact
            for fact in self.first.facts()
        )
        return (*first, *then)
