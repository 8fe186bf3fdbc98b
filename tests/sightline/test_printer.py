"""What a watch prints of a match: rulings in words, or all of it as JSON lines."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from testkit.clock import ManualClock
from testkit.logs import PASS, POCKETED, SETUP
from testkit.toy import Toy

from rules.decisions import Overrule
from sightline.match_log.log import MatchHeader, Store
from sightline.run import printer
from sightline.running.match import Match, Seen


@contextmanager
def played(folder: Path, *, as_json: bool) -> Iterator[Match]:
    header = MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z")
    with (
        Store(folder / "matches.db") as store,
        Match(
            store.create(header), Toy(), clock=ManualClock(), listeners=(printer(as_json),)
        ) as match,
    ):
        match.take((Seen(fact=POCKETED), Seen(fact=PASS)))
        match.sync()
        yield match


def waive_the_first(match: Match) -> None:
    view = match.view()
    first = view.rulings[0]
    match.decide(Overrule(ruling=first.id, was=first.ruling), seen=view.version, key="tap")
    match.sync()


def test_a_correction_prints_what_is_new_and_what_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with played(tmp_path, as_json=False) as match:
        before = capsys.readouterr().out.splitlines()
        waive_the_first(match)
        after = capsys.readouterr().out.splitlines()
    assert [line.split("T-")[1][:1] for line in before] == ["1", "2"]
    assert len(after) == 2
    assert after[0].split("no longer: ")[1] == before[0].split("  ")[-1]
    assert "T-1" in after[1]
    assert "T-2" not in "".join(after)


def test_json_lines_tell_decisions_and_each_step_that_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with played(tmp_path, as_json=True) as match:
        waive_the_first(match)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["seq"] for line in lines[:4]] == [1, 2, 3, 1]
    assert lines[2]["decision"]["decision"] == "overrule"
    assert all("headline" in line for line in lines if "decision" not in line)
