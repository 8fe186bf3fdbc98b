"""Whole matches kept as transcripts: the facts in them must give the rulings in them, for ever."""

import json
from pathlib import Path

import pytest
from testkit.carrom_table import GAME, board

from rules.codec import fact_to_json
from rules.decisions import Decision
from rules.engine import Fold
from rules.game import Entry, Setup
from rules.registry import find_game
from rules.transcript import parse_transcript, transcript
from sightline.judging import judge_lines

FOLDER = Path(__file__).parents[2] / "golden"


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        (
            "carrom_two_boards",
            {"cr.game": "boards_2"},
            "Seat S and Seat N win the match. Points of the last game: Seat S and Seat N 20, "
            "Seat E and Seat W 0.",
        ),
        (
            "carrom_queen_phase",
            {"cr.game": "single_board"},
            "Seat E and Seat W win the match. Points of the last game: Seat S and Seat N 0, "
            "Seat E and Seat W 0.",
        ),
    ],
)
def test_a_kept_match_gives_the_rulings_it_gave(
    name: str, options: dict[str, str], words: str
) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    facts = [fact for fact in parse_transcript(kept) if not isinstance(fact, Decision)]
    fold = Fold(
        GAME,
        Setup(game="carrom", board=board(), options=options),
        [Entry(seq=n, at_ms=fact.at_ms, body=fact) for n, fact in enumerate(facts, start=1)],
    )
    said = "".join(f"{line}\n" for line in kept.splitlines() if not line.startswith("#"))
    assert transcript(fold.steps) == said
    outcome = GAME.outcome(fold.state)
    assert outcome is not None
    assert outcome.words == words


def test_a_kept_match_is_judged_the_same_from_json_lines() -> None:
    kept = (FOLDER / "carrom_two_boards.txt").read_text(encoding="utf-8")
    facts = [fact for fact in parse_transcript(kept) if not isinstance(fact, Decision)]
    setup = Setup(game="carrom", board=board(), options={"game": "boards_2"})
    lines = [json.dumps(fact_to_json(fact)).encode() for fact in facts]
    said = list(judge_lines(find_game("carrom"), lines, "facts", lambda _: setup))
    assert len(said) == len(facts)
    state = said[-1]["state"]
    assert isinstance(state, dict)
    assert state["score"] == {"SN": 20, "EW": 0}
    outcome = state["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["winner"] == "SN"
