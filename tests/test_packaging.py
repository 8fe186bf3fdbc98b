"""What a fresh machine is given: locks with hashes, without hosts, of all that is asked for."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = ("requirements.lock", "requirements-test.lock", "requirements-opencv5.lock")


def pinned(lock: str) -> dict[str, set[Version]]:
    """The versions that a lock file pins, for one Python or another."""
    found: dict[str, set[Version]] = {}
    for name, number in re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / lock).read_text(), re.M):
        found.setdefault(canonicalize_name(name), set()).add(Version(number))
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_gives_each_package_its_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text()

    assert "://" not in text
    assert not re.search(r"^\s*(-i|--index-url|--extra-index-url|--find-links)\b", text, re.M)
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.M)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("requirements.lock", ["build"]), ("requirements-test.lock", ["build", "test"])],
)
def test_a_lock_has_all_that_the_project_asks_for_within_its_ranges(
    lock: str, extras: list[str]
) -> None:
    asked = list(PROJECT["dependencies"])
    for extra in extras:
        asked += PROJECT["optional-dependencies"][extra]
    locked = pinned(lock)

    for requirement in map(Requirement, asked):
        versions = locked[canonicalize_name(requirement.name)]
        assert all(number in requirement.specifier for number in versions), requirement


def test_both_tested_versions_of_opencv_are_within_the_range_that_is_asked_for() -> None:
    asked = next(
        requirement
        for requirement in map(Requirement, PROJECT["dependencies"])
        if requirement.name == "opencv-python-headless"
    )
    (four,) = pinned("requirements.lock")["opencv-python-headless"]
    (five,) = pinned("requirements-opencv5.lock")["opencv-python-headless"]

    assert (four.major, five.major) == (4, 5)
    assert four in asked.specifier
    assert five in asked.specifier
    assert Version(version("opencv-python-headless")) in asked.specifier
