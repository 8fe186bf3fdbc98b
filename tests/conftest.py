"""Property tests try the same examples in every run, unless the run is asked to explore."""

import os

import pytest
from hypothesis import settings
from testkit import exploring


def pytest_configure() -> None:
    try:
        profile = exploring.profile(os.environ)
    except ValueError as err:
        raise pytest.UsageError(str(err)) from err
    settings.register_profile("sightline", profile)
    settings.load_profile("sightline")
