"""How much of each hint is true, as experience has it: a sum, learned by `training/learn.py`."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from calibration.camera import Floats
from vision.localisation.trust.case import Case
from vision.localisation.trust.hints import hints_mm

_OUTSTANDING = 6.0
"""A hint that would move a piece farther than so many times the usual is held to say so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """`names` of K hints, how far they `usual`ly move a piece in mm, (K,), and `amounts` (K,)."""

    names: tuple[str, ...]
    usual_mm: Floats
    amounts: Floats

    def step_mm(self, case: Case) -> Floats:
        """(2,) from where the case has the piece to where it stands, as far as is known."""
        said = hints_mm(case)
        hints = np.stack([said[name] for name in self.names])
        return np.asarray(self.amounts @ relative(hints, self.usual_mm), dtype=np.float64)


def relative(hints: Floats, usual_mm: Floats) -> Floats:
    """(..., K, 2) of `hints` (..., K, 2) in mm, in what each usually says, and none too much."""
    return np.clip(hints / usual_mm[:, None], -_OUTSTANDING, _OUTSTANDING)


@cache
def learned() -> Law:
    """The law that comes with the program."""
    with files(__package__).joinpath("law.json").open(encoding="utf-8") as file:
        stored: dict[str, tuple[float, float]] = json.load(file)
    return Law(
        names=tuple(stored),
        usual_mm=np.array([usual for usual, _ in stored.values()]),
        amounts=np.array([amount for _, amount in stored.values()]),
    )
