"""Whole simulated matches of any game: are the rulings from pictures those from the truth?

    python benchmarks/games.py king_square [--matches 20] [--size 640x480] [--option target=2]
    python benchmarks/games.py qsquare [--option pucks_per_player=3] [--most-s 600] [--room 7]

Each match is played on the simulated table, slips and all, and refereed twice: from the pictures
of its camera (calibration, eye, rules) and from the truth. Rulings are compared in order (in games
of shots: stroke by stroke): clause, side and call of every firm ruling that counts or decides
something. Of a match that is broken off (`--most-s`) the last moments are not compared. Questions
are named that were asked of what is plain in truth: others, as who it was that shot from another's
Home Zone, nothing that happens on the board can answer. Of these, `near` are those about a line, or
the like, that was measured well and within 0.5 mm, or about two touches within 1 ms of each other:
there the clause is near, and a camera must ask. `--room`
plays in another room (`rooms.py`): other light, wood and camera; `--camera` changes the pictures as
clubs' cameras and lamps do (`cameras.py`). `--show`
prints each fact as it is seen and what is ruled of it, what was asked, and what truly happened
where the first difference is; `--flawless` lets the players make no slips. `--keep FOLDER` keeps
what was seen of each match, so that `benchmarks/moments.py` can look at a moment of it again.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402

from benchmarks.cameras import CAMERAS, STEADY, through  # noqa: E402
from benchmarks.moments import CHOSEN, Keeping  # noqa: E402
from benchmarks.rooms import room  # noqa: E402
from calibration.table import load_table  # noqa: E402
from rules.facts import Fact, HandEntered, HandLeft, Settled  # noqa: E402
from rules.game import Step  # noqa: E402
from rules.rulings import Ruling, Standing  # noqa: E402
from rules.transcript import fact_line  # noqa: E402
from sightline.simulated.matches import (  # noqa: E402
    Said,
    by_shot,
    counted,
    first_difference,
    first_unlike,
    said_in_order,
    strokes_of,
)
from sightline.simulated.referee import FoldedReferee  # noqa: E402
from sightline.simulated.repertoire import HOSTED, agreement_on  # noqa: E402
from sightline.simulated.seen import Eye, SeenMatch, play_before_camera  # noqa: E402
from sightline.simulated.slips import FLAWLESS  # noqa: E402
from sightline.simulated.table import write_table  # noqa: E402
from vision.answers_clip import witness_of  # noqa: E402

LATE_MS = 2500.0
"""What happened so shortly before a match was broken off need not have been seen."""
AROUND_MS = 5000.0
"""So much before and after the first ruling that differs is told of the truth."""
NEAR_MM, WELL_MM = 0.5, 0.25  # of a margin, and of its error (one standard deviation)
NEAR_MS, WELL_MS = 1.0, 0.5  # the same of two touches: which was first
WHO = frozenset({"wrong-player"})  # whose hand it was: the truth knows it, no board shows it
AT_ONCE_S = 2.0  # sooner after each other, two questions in the same words are one


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("game", choices=list(HOSTED))
    ask.add_argument("--matches", type=int, default=20)
    ask.add_argument("--first-seed", type=int, default=0)
    ask.add_argument("--players", type=int, default=2)
    ask.add_argument("--size", default="960x720")
    ask.add_argument("--fps", type=float, default=30.0)
    ask.add_argument("--room", type=int, default=0, help="another light, wood and camera")
    ask.add_argument("--camera", default=STEADY, choices=[STEADY, *CAMERAS])
    ask.add_argument("--most-s", type=float, default=1800.0, help="of match time, each")
    ask.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    ask.add_argument("--flawless", action="store_true", help="players make no slips")
    ask.add_argument("--show", action="store_true")
    ask.add_argument("--keep", type=Path, metavar="FOLDER", help="for moments.py")
    args = ask.parse_args()
    if args.flawless and args.game != "qsquare":
        ask.error("--flawless is for qsquare")
    cv2.setNumThreads(1)
    width, height = (int(n) for n in args.size.split("x"))
    options = [(name, value) for name, _, value in (o.partition("=") for o in args.option)]
    with tempfile.TemporaryDirectory() as folder:
        played_in = room(args.game, (width, height), args.room)
        table = load_table(write_table(played_in.at_setup, Path(folder) / "table"))
        equal = asked = doubtful = near = strokes = alike = 0
        habits = {"slips": FLAWLESS} if args.flawless else {}
        clauses: Counter[str] = Counter()
        for seed in range(args.first_seed, args.first_seed + args.matches):
            began = time.process_time()
            match = play_before_camera(
                through(played_in.at_match, args.camera),
                table,
                _keeping(witness_of(table), args, seed),
                agreement_on(args.game, args.players, options),
                seed=seed,
                fps=args.fps,
                most_s=args.most_s,
                told=_print if args.show else _keep_quiet,
                **habits,
            )
            spent = time.process_time() - began
            unlike = difference(match, 1000 * args.most_s)
            equal += unlike is None
            put = questions(match.seen.steps)
            doubts = doubted(put, questions(match.evening.truth.steps))
            asked, doubtful = asked + len(put), doubtful + len(doubts)
            near += _near(doubts)
            done, same = _strokes(match, unlike)
            strokes, alike = strokes + done, alike + same
            clauses.update(counted(match.evening.truth.steps))
            outcome = match.seen.outcome()
            print(
                f"seed {seed:3d}: {match.evening.director.tally()}, {match.frames} pictures "
                f"of {1000 * spent / match.frames:.1f} ms; "
                f"{'no end' if outcome is None else outcome.words}, {len(put)} asked, "
                f"{len(doubts)} of what is plain in truth, {_near(doubts)} of them near; "
                f"{'rulings equal' if unlike is None else f'differs: {unlike}'}",
                flush=True,
            )
            for one in put if args.show else doubts:
                print(f"  asked of @{one.at_ms:.0f}{' (near)' if one.near else ''}: {one.words}")
            if args.show and unlike is not None:
                _explain(match)
    print(
        f"matches with equal rulings: {equal} of {args.matches}; questions asked: {asked}, "
        f"{doubtful} of what is plain in truth, {near} of them near"
    )
    if strokes:
        print(f"strokes ruled alike before the first difference: {alike} of {strokes}")
    print(f"clauses cited: {len(clauses)}: {dict(clauses.most_common())}")


def _keeping(eye: Eye, args: argparse.Namespace, seed: int) -> Eye:
    """The eye, and with `--keep` what it sees kept in a file."""
    if args.keep is None:
        return eye
    chosen = {name: getattr(args, name) for name in CHOSEN}
    return Keeping(eye, args.keep / f"{args.game}-{args.players}-{seed}.jsonl", chosen, seed)


def difference(match: SeenMatch, most_ms: float) -> str | None:
    """Where the match was first ruled otherwise than in truth; None: nowhere."""
    seen, true = match.seen.steps, match.evening.truth.steps
    if match.evening.setup.board.lattices:
        over = match.seen.outcome() is not None
        unlike = first_unlike(seen, true, float("inf") if over else most_ms - LATE_MS)
        if unlike is None:
            return None
        k, ruled, ought = unlike
        return f"ruling {k + 1}: seen {_said(ruled)}, in truth {_said(ought)}"
    found = first_difference(seen, true)
    if found is None or (match.seen.outcome() is None and found[0] >= len(by_shot(true)) - 1):
        return None  # of the stroke in which a match was broken off not all need have been seen
    return f"stroke {found[0]}: seen {dict(found[1])}, in truth {dict(found[2])}"


def _said(said: Sequence[Said]) -> str:
    return f"{said[0][2]} @{said[0][0]}" if said else "nothing"


def _strokes(match: SeenMatch, unlike: str | None) -> tuple[int, int]:
    """How many strokes were played, and how many were ruled as in truth before any was not."""
    if match.evening.setup.board.lattices:
        return 0, 0
    true = match.evening.truth.steps
    played = len(by_shot(true)) - 1
    found = first_difference(match.seen.steps, true)
    return played, played if unlike is None or found is None else max(0, found[0] - 1)


class Put(NamedTuple):
    """A question that was put, by what happened at `at_ms`; `near`: a clause is near."""

    at_ms: float
    words: str
    near: bool


def questions(steps: Sequence[Step[Any]]) -> list[Put]:
    """What the referee was asked of the board, answered or not."""
    return [
        Put(step.fact.at_ms, asked.words, _is_near(asked))
        for step in steps
        for asked in (
            *(reply.asked for reply in step.replies),
            *(ruling for ruling in step.rulings if ruling.standing is Standing.OPEN),
        )
        if asked.question is None or asked.question.key not in WHO
    ]


def _is_near(asked: Ruling) -> bool:
    return _is_close(asked.margin_mm, asked.error_mm, NEAR_MM, WELL_MM) or _is_close(
        asked.margin_ms, asked.error_ms, NEAR_MS, WELL_MS
    )


def _is_close(margin: float | None, error: float | None, near: float, well: float) -> bool:
    """Whether what a clause hangs on was measured well, and lies so near to where it turns."""
    return margin is not None and error is not None and abs(margin) < near and error < well


def _near(doubts: Sequence[Put]) -> int:
    return sum(one.near for one in doubts)


def doubted(put: Sequence[Put], in_truth: Sequence[Put]) -> list[Put]:
    """The questions `put` that the truth does not put as well just then, as that of who shot out of
    turn."""
    left = list(in_truth)
    doubts = []
    for one in put:
        alike = (n for n, o in enumerate(left) if o.words == one.words and _at_once(o, one))
        if (number := next(alike, None)) is None:
            doubts.append(one)
        else:
            del left[number]
    return doubts


def _at_once(one: Put, other: Put) -> bool:
    return abs(one.at_ms - other.at_ms) < 1000 * AT_ONCE_S


def _keep_quiet(fact: Fact, seen: FoldedReferee) -> None:
    """Nothing to tell."""


def _print(fact: Fact, seen: FoldedReferee) -> None:
    rulings = seen.steps[-1].rulings if seen.steps else ()
    _tell(fact, [r.call or r.code for r in rulings])


def _tell(fact: Fact, said: list[str]) -> None:
    if isinstance(fact, HandEntered | HandLeft):
        return
    told = f"@{fact.at_ms:.0f} settled" if isinstance(fact, Settled) else fact_line(fact)
    print(f"  {told[:160]} | {'; '.join(said)}")


def _explain(match: SeenMatch) -> None:
    """What truly happened around the first stroke, or ruling, that was ruled otherwise."""
    true = match.evening.truth.steps
    if match.evening.setup.board.lattices:
        steps = _around_ruling(match.seen.steps, true)
    else:
        steps = _around_stroke(match.seen.steps, true)
    print("  the truth there:")
    for step in steps:
        _tell(step.fact, [r.call or r.code for r in step.rulings])


def _around_stroke(seen: Sequence[Step[Any]], true: Sequence[Step[Any]]) -> Iterator[Step[Any]]:
    """What truly happened from the stroke before the first difference to its end."""
    found = first_difference(seen, true)
    assert found is not None
    for stroke in strokes_of(true)[max(0, found[0] - 1) : found[0] + 1]:
        yield from stroke


def _around_ruling(seen: Sequence[Step[Any]], true: Sequence[Step[Any]]) -> Iterator[Step[Any]]:
    """What truly happened shortly before and after the first ruling that is not the truth's."""
    unlike = first_unlike(seen, true)
    assert unlike is not None
    ruled = [step for step in true for _ in said_in_order([step])]
    at_ms = ruled[min(unlike[0], len(ruled) - 1)].fact.at_ms
    return (step for step in true if abs(step.fact.at_ms - at_ms) <= AROUND_MS)


if __name__ == "__main__":
    main()
