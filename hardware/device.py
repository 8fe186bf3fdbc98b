"""What Sightline asks of a device, so that a match is played the same without one."""

from typing import Protocol

from hardware.cues import Cue, Press


class DeviceLost(Exception):
    """The device does not answer; the message says which, why, and the remedy. Play goes on."""


class Device(Protocol):
    """A box with a buzzer, lamps, a clock, buttons; or nothing at all."""

    @property
    def name(self) -> str:
        """What it is called, for the page."""
        ...

    @property
    def lost(self) -> str | None:
        """Why it is not to be reached, None while all is well."""
        ...

    def send(self, cue: Cue) -> None:
        """Tell it something. `DeviceLost` where it cannot be told; lamps and clock are told again
        when it is back, sounds are not."""
        ...

    def poll(self) -> tuple[Press, ...]:
        """What was pressed since the last poll, in order. Call it some 50 times a second.

        `DeviceLost` once, when it goes; after that () until it is back.
        """
        ...

    def close(self) -> None: ...


class NullDevice:
    """No device: takes every cue, is never pressed."""

    name = "none"
    lost: str | None = None

    def send(self, cue: Cue) -> None:
        """Nothing to tell."""

    def poll(self) -> tuple[Press, ...]:
        return ()

    def close(self) -> None:
        """Nothing to let go of."""
