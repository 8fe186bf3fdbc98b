"""Composition: command line, match log, the running match, the simulated table."""

import os

# NumPy reads it when it is first imported. One camera takes one core: threads that wait for each
# other on a busy machine make a product that takes a millisecond take a tenth of a second.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
