"""A match that was played: the golden best of three in a log, with pictures and a recording."""

from pathlib import Path
from threading import Event

from msgspec.structs import replace
from testkit.numbered_frames import EVERY_MS, numbered
from testkit.reference_tables import TABLES
from testkit.sample_match import sample_evidence, sample_view

from rules.decisions import Overrule
from rules.engine import replay
from rules.facts import Settled
from rules.game import Entry, Setup
from rules.games.qsquare.board import default_board
from rules.registry import find_game
from rules.transcript import parse_transcript
from sightline.match_log.log import Draft, MatchHeader, Store
from sightline.review.recording import Recorder
from sightline.running.match import Change
from sightline.running.told import Told

TESTS = Path(__file__).parents[2]
TABLE = TABLES / "qsquare-oak"
NAME = "final & <replay>"
FIRST_FRAME = 150
FRAMES = 240


def play(db: Path, *, video: bool = True) -> Store:
    """A store that holds the match; its first penalty is overruled."""
    setup = Setup(game="qsquare", board=default_board(), options={"qs.best_of": "3"})
    header = MatchHeader(
        name=NAME, setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE)
    )
    store = Store(db)
    with store.create(header) as log:
        picture = log.evidence.put(sample_evidence()["s47-rest.jpg"])
        kept = (TESTS / "golden" / "qsquare_best_of_three.txt").read_text(encoding="utf-8")
        drafts = [
            Draft(
                at_ms=fact.at_ms,  # type: ignore[union-attr]
                body=fact,
                evidence=(picture,) if isinstance(fact, Settled) else (),
            )
            for fact in parse_transcript(kept)
        ]
        entries = log.append(drafts)
        game = find_game("qsquare")
        record = replay(game, setup, entries)
        told = Told(log.evidence.folder / "told.jsonl")
        told.heard(Change(entries=entries, steps=record.steps, view=sample_view()))
        step = next(s for s in record.steps if any(r.kind == "penalty" for r in s.rulings))
        nth = next(n for n, ruling in enumerate(step.rulings) if ruling.kind == "penalty")
        waived = Overrule(
            ruling=step.ids[nth], was=replace(step.judged[nth], effect=None), reason="both agree"
        )
        log.append([Draft(at_ms=19_000.0, body=waived)])
        if video:
            _record(log.evidence.folder / "video")
    return store


def _record(folder: Path) -> None:
    recorder = Recorder(folder, shift_ms=lambda: 0.0, free_bytes=lambda path: 10**12)
    recorder.start()
    for number in range(FIRST_FRAME, FIRST_FRAME + FRAMES):
        recorder.heard(numbered(number))
        while len(recorder._waiting) > 60:
            Event().wait(0.002)
    recorder.close()


def time_of(frame: int) -> float:
    """The match time of a numbered frame, ms."""
    return frame * EVERY_MS


def penalty_seq(entries: tuple[Entry, ...]) -> int:
    """The entry whose penalty was overruled."""
    overrule = entries[-1].body
    assert isinstance(overrule, Overrule)
    return overrule.ruling.seq
