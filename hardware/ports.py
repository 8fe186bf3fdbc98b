"""Which serial ports there are, by the names that stay the same when a cable is moved."""

import os
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

_BY_ID = Path("/dev/serial/by-id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """`path` is the name to use, stable where the system gives one; `device` what it is now."""

    path: str
    device: str
    words: str
    usable: bool


def find_ports(by_id: Path = _BY_ID) -> tuple[Port, ...]:
    """The ports that a box can be on: USB and Bluetooth, not the sockets of the mainboard."""
    stable = {str(link.resolve()): str(link) for link in _links(by_id)}
    return tuple(
        Port(
            path=stable.get(found.device, found.device),
            device=found.device,
            words=_words(found.description, found.hwid),
            usable=_may_use(Path(found.device)),
        )
        for found in sorted(list_ports.comports(), key=lambda each: str(each.device))
        if found.hwid not in ("n/a", "PNP0501") and found.vid is not None
    )


def _links(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _words(description: str, hwid: str) -> str:
    return description if description and description != "n/a" else hwid


def _may_use(device: Path) -> bool:
    return os.access(device, os.R_OK | os.W_OK)
