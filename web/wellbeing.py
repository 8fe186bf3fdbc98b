"""How everything is: findings in words with their remedy, and numbers for who watches from afar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Level(StrEnum):
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at: how it is, and what to do where it is not good."""

    level: Level
    about: str
    words: str
    remedy: str = ""


class Wellbeing(Protocol):
    """What `sightline.running.wellbeing` knows of machine, camera, log, disk and devices."""

    def findings(self) -> Sequence[Finding]: ...

    def numbers(self) -> Mapping[str, float]:
        """Gauges by name, units in the names ("disk_free_bytes")."""
        ...
