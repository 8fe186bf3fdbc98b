"""What a stream asks to read its still pictures."""

from collections.abc import Callable, Sequence

from calibration.table import Table
from rules.facts import Piece
from vision.frame import Observation, Picture

Look = Callable[[Picture, Table, Sequence[Piece]], Observation]
"""Reads a still picture. The pieces are those that were followed meanwhile, where they should lie
now: good places to begin at, and no more."""
