"""What is drawn for one test does not hang on which tests were run before it."""

import pytest
from testkit.simulated_table import tables


@pytest.fixture(autouse=True)
def noise_from_its_start() -> None:
    """The table that all tests share takes its pictures as if none had been taken of it."""
    if tables.cache_info().currsize:
        tables()[0].photographer.begin_again()
