"""How holes and grooves looked a moment ago, in the light of this minute.

Beneath a lamp's reflection, or of wood as dark as the board, a piece may change its place by less
than light may change a board since it was set up. But nothing changes the light on one place alone
from one look to the next: there it tells by far more that a place looks otherwise than just now,
and as that piece would make it look.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.lattice.judge import Judged

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

_SAME = np.array([0.1, 0.03, 0.021])
"""One sd of how much a place that stays as it is looks otherwise from one look to the next, in log
codes: brightness, red against blue, and green against both; shadows of what is laid beside it."""
_TAUGHT = np.array([0.33, 0.106, 0.075])
"""The same of a piece that comes, from how it was taught."""
_FITS, _STAYS = 0.8, 9.0
"""What is likeliest at a place looks no farther off than so many sd, rms; and what has stayed, than
so many of these above, squared and summed."""
_NEWER = 0.3
"""How much the newest look counts of what is remembered."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kept:
    """What each place of a layer was taken for, `held` (P,) as numbers of classes, -1 where it was
    not seen yet; how it looked, `look` (3, P): off the empty place in the same light; and whether
    that was `clear` (P,)."""

    held: Ints
    look: Floats
    clear: Bools


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remembered:
    """What is known of each layer by its id."""

    layers: Mapping[str, Kept] = field(default_factory=dict)


def with_memory(judged: Judged, away: Floats, kept: Kept, sure: float) -> Judged:
    """`judged`, but where that is less than `sure` of a place, by what was `kept` of it.

    One class has come, and is likelier by so much than that all stays as it was; or that was clear
    and nothing has changed. What is judged to have come though the place looks nearly as it did is
    as much less sure. `away` (C, 3, P) is how each place's mean look deviates from each class.
    """
    places = np.arange(len(judged.best))
    stays = np.square((away[0] - kept.look) / _SAME[:, None]).sum(axis=0)
    comes = np.square(away / _TAUGHT[:, None]).sum(axis=1)
    comes[np.maximum(kept.held, 0), places] = np.inf
    changes = 0.5 * (stays - comes) - np.log(_TAUGHT / _SAME).sum()
    still_ahead = judged.ahead - _doubt(judged, kept, changes[judged.best, places])
    asked = (still_ahead < sure) & (judged.off < _FITS) & (kept.held >= 0)
    new = comes.argmin(axis=0)
    ahead = changes[new, places]
    changed = asked & (ahead >= sure)
    same = asked & ~changed & kept.clear & (stays < _STAYS)
    return replace(
        judged,
        best=np.where(changed, new, np.where(same, kept.held, judged.best)),
        ahead=np.where(changed, ahead, np.where(same, sure, still_ahead)),
    )


def _doubt(judged: Judged, kept: Kept, changes: Floats) -> Floats:
    """By how much what is judged of a place is less sure: where it contradicts what was `kept` as
    clear, by as much as `changes` (P,), how much likelier its coming is than staying, falls short.
    """
    contradicted = kept.clear & (kept.held >= 0) & (judged.best != kept.held)
    return np.where(contradicted, np.maximum(-changes, 0.0), 0.0)


def and_now(kept: Kept | None, best: Ints, look: Floats, *, seen: Bools, clear: Bools) -> Kept:
    """What is known after one more look, in which places are `seen` (P,), some of them `clear`."""
    if kept is None:
        return Kept(held=np.where(seen, best, -1), look=look, clear=clear)
    same = (kept.held == best) & (kept.clear | ~clear)
    newest = np.where(same, kept.look + _NEWER * (look - kept.look), look)
    return Kept(
        held=np.where(seen, best, kept.held),
        look=np.where(seen, newest, kept.look),
        clear=np.where(seen, clear, kept.clear),
    )
