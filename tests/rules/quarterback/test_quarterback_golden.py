"""Whole matches kept as transcripts: the facts in them must give the rulings in them, for ever."""

from pathlib import Path

import pytest
from testkit.quarterback_play import BOARD, GAME, start

from rules.engine import Fold, replay
from rules.game import Entry, Setup
from rules.games.quarterback.transcript import read_fact, write_fact, write_rulings
from rules.transcript import parse_transcript, transcript

KEPT = [
    ("quarterback_red_wins", "Red wins the match, 3 to 1."),
    ("quarterback_drawn", "The match is drawn, 2 to 2."),
    ("quarterback_four_nil", "Red wins the match, 4 to 0."),
]


def kept(name: str) -> list[str]:
    folder = Path(__file__).parents[2] / "golden"
    lines = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("name", "words"), KEPT)
def test_a_kept_match_gives_the_rulings_it_gave(name: str, words: str) -> None:
    state = start()
    entries = []
    for seq, line in enumerate(kept(name), start=1):
        text, _, expected = line.partition(" => ")
        fact = read_fact(text, state)
        assert write_fact(fact, state) == text
        rulings = GAME.judge(state, fact)
        assert (write_rulings(rulings) or "-") == expected, line
        state = GAME.advance(state, fact, rulings)
        entries.append(Entry(seq=seq, at_ms=0.0, body=fact))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.words == words

    setup = Setup(game="quarterback", board=BOARD)
    fold = Fold(GAME, setup, entries)
    assert fold.state == state
    assert replay(GAME, setup, entries).steps == tuple(fold.steps)
    assert list(parse_transcript(transcript(fold.steps))) == [step.fact for step in fold.steps]
