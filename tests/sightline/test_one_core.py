"""One camera takes one core: the page, the log and the camera's driver have the others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_TASKS = Path("/proc/self/task")
_CORES = len(os.sched_getaffinity(0)) if _TASKS.exists() else 1


@pytest.mark.skipif(not _TASKS.exists(), reason="threads are counted as Linux shows them")
@pytest.mark.parametrize(("told", "threads"), [(None, 1), ("2", min(2, _CORES))])
def test_numpy_takes_one_core_unless_told_otherwise(told: str | None, threads: int) -> None:
    surroundings = {name: os.environ[name] for name in os.environ if "_NUM_THREADS" not in name}
    if told is not None:
        surroundings["OPENBLAS_NUM_THREADS"] = told
    program = f"import sightline.cli, os, numpy; print(len(os.listdir({str(_TASKS)!r})))"
    shown = subprocess.run(
        [sys.executable, "-c", program],
        env=surroundings,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(shown.stdout) == threads
