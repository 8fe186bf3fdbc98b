"""The reference tables of the tests' data, each calibrated once a run."""

from functools import cache
from pathlib import Path

from calibration.table import Table, load_table

TABLES = Path(__file__).parents[2] / "data" / "tables"


@cache
def reference_table(name: str) -> Table:
    """The table of that folder, with all that has been derived of it so far."""
    return load_table(TABLES / name)
