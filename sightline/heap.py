"""What Python's garbage collector need not look through again and again."""

import gc


def set_apart() -> None:
    """Leave what is loaded so far out of the collector's rounds, for the rest of this process.

    A full round over a loaded table stops all threads for longer than a ruling may take. To be
    called once, when all that stays is loaded and before what is waited for begins.
    """
    gc.collect()
    gc.freeze()
