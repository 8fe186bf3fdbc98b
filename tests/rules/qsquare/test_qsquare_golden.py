"""Whole matches kept as transcripts: the facts in them must give the rulings in them, for ever."""

from pathlib import Path

import pytest

from rules.decisions import Decision
from rules.engine import Fold
from rules.game import Entry, Setup
from rules.games.qsquare.board import default_board
from rules.games.qsquare.game import QSquare
from rules.transcript import parse_transcript, transcript


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [("qsquare_best_of_three", {"qs.best_of": "3"}, "Red wins the match, 2 to 0.")],
)
def test_a_kept_match_gives_the_rulings_it_gave(
    name: str, options: dict[str, str], words: str, request: pytest.FixtureRequest
) -> None:
    root: Path = request.config.rootpath
    kept = (root / "tests/golden" / f"{name}.txt").read_text(encoding="utf-8")
    facts = list(parse_transcript(kept))
    assert not any(isinstance(fact, Decision) for fact in facts)
    fold = Fold(
        QSquare(),
        Setup(game="qsquare", board=default_board(), options=options),
        [
            Entry(seq=n + 1, at_ms=fact.at_ms, body=fact)
            for n, fact in enumerate(facts)
            if not isinstance(fact, Decision)
        ],
    )
    said = "".join(f"{line}\n" for line in kept.splitlines() if not line.startswith("#"))
    assert transcript(fold.steps) == said
    outcome = QSquare().outcome(fold.state)
    assert outcome is not None
    assert outcome.words == words
