"""How many examples property tests try, and whether they are the same in every run.

They are: whoever runs the tests, wherever, tries the same examples, so that what fails for one
fails for all. With SIGHTLINE_EXPLORE=N every run tries new ones, and N times as many.
"""

import os
from collections.abc import Mapping

from hypothesis import HealthCheck, settings

VARIABLE = "SIGHTLINE_EXPLORE"
USUAL = 100


def profile(environ: Mapping[str, str]) -> settings:
    """What holds where a test does not say otherwise; ValueError where VARIABLE is no number."""
    times = _times(environ)
    return settings(
        settings.get_profile("default"),
        max_examples=USUAL * max(times, 1),
        deadline=None,
        derandomize=times == 0,
        print_blob=times > 0,
        suppress_health_check=[HealthCheck.too_slow],  # that would say the machine is busy
    )


def examples(usual: int) -> int:
    """How many examples a test tries that usually tries so many."""
    return usual * max(_times(os.environ), 1)


def _times(environ: Mapping[str, str]) -> int:
    """How many times as many examples, all new, are asked for; 0: the usual ones."""
    said = environ.get(VARIABLE, "")
    if not said:
        return 0
    if not (said.isascii() and said.isdigit() and int(said) >= 1):
        raise ValueError(f"expected {VARIABLE} to be a whole number from 1, got {said!r}")
    return int(said)
