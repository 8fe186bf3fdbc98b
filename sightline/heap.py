"""What Python's garbage collector need not look through again and again."""

import gc

FRESH = 50_000
"""So many values more than were let go are made before the collector looks through the new ones."""


def set_apart() -> None:
    """Leave what is loaded so far out of the collector's rounds, for the rest of this process.

    A full round over a loaded table stops all threads for longer than a ruling may take. To be
    called once, when all that stays is loaded and before what is waited for begins.
    """
    collect_seldom()
    gc.collect()
    gc.freeze()


def collect_seldom() -> None:
    """Let the collector make its rounds seldom, for the rest of this process.

    It looks for values that hold each other in a circle. Facts, rulings and states are frozen and
    hold only what was there before them, pictures hold nothing: of a match nothing is ever found,
    and the search takes time from every fact that is judged.
    """
    gc.set_threshold(FRESH, 20, 20)
