"""What is compiled once is kept, and is made anew where it cannot be, or is damaged."""

import runpy
from pathlib import Path

import numba
import pytest

MODULE = """
from vision.compiled import compiled

@compiled("int64(int64)")
def twice(number: int) -> int:
    return 2 * number
"""


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    (tmp_path / "doubling.py").write_text(MODULE)
    return tmp_path / "kept"


def twice_21(kept_in: Path) -> int:
    """What a function reckons that is compiled, or fetched from where it is kept, as if anew."""
    number = runpy.run_path(str(kept_in.parent / "doubling.py"))["twice"](21)
    assert isinstance(number, int)
    return number


def test_what_is_compiled_is_kept_for_the_next_time(kept_in: Path) -> None:
    assert twice_21(kept_in) == 42
    (kept,) = kept_in.rglob("*.nbc")
    made_at = kept.stat().st_mtime_ns
    assert twice_21(kept_in) == 42
    assert kept.stat().st_mtime_ns == made_at


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 40, None], ids=["empty", "torn", "other bytes"])
def test_damage_to_what_was_kept_stops_nothing(
    kept_in: Path, suffix: str, left: int | None
) -> None:
    assert twice_21(kept_in) == 42
    (kept,) = kept_in.rglob(f"*.{suffix}")
    kept.write_bytes(b"\x93\x00no" * 30 if left is None else kept.read_bytes()[:left])
    assert twice_21(kept_in) == 42


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(kept_in: Path) -> None:
    kept_in.write_text("no folder")
    assert twice_21(kept_in) == 42
