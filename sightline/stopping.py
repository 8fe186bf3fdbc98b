"""Ending politely: Ctrl-C and a kill end a command as they should, all written, all closed."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on Ctrl-C and on a polite kill while the block runs."""
    before = {
        number: signal.signal(number, lambda *_: stop())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_for_stop() -> None:
    """Return on Ctrl-C or a polite kill."""
    stopped = Event()
    with stopped_by_signals(stopped.set):
        stopped.wait()
