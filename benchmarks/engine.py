"""How fast facts are judged, and how long a 2,000-fact match takes to replay.

    python benchmarks/engine.py [--game GAME] [--facts N] [--seed N]

The facts are those of whole simulated matches (the truth, no pictures), each with its log and with
what the referee answers and overrules in it: a match whose questions nobody answers waits for ever,
and its facts would cost next to nothing. Or they are those of whole Quarterback matches played at
random by the rules, most moves seen from start to end only, so that judging one means finding its
legal route. For Quarterback the last row has every legal move and pass of the side to act generated
after each fact as well.
Times are of the processor, not of the clock on the wall. Compare runs on one machine only; the
baseline row, a plain Python loop that makes as many frozen values as the engine makes steps, is
measured in the same run.
"""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from rules.engine import Fold, replay  # noqa: E402
from rules.game import Entry, Setup  # noqa: E402
from rules.orders import fact_of  # noqa: E402
from rules.registry import find_game  # noqa: E402
from sightline.games import built_in_board  # noqa: E402
from sightline.heap import set_apart  # noqa: E402
from sightline.simulated.matches import FoldedReferee, play_truly  # noqa: E402
from sightline.simulated.repertoire import agreement_on  # noqa: E402

MATCH = 2000
PASSES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A frozen value of as many fields as a step has, made as the standard library makes them."""

    seq: int = 1
    fact: object = None
    rulings: tuple[object, ...] = ()
    ids: tuple[object, ...] = ()
    state: object = None
    judged: tuple[object, ...] = ()
    overruled_by: tuple[object, ...] = ()
    confirmed_by: tuple[object, ...] = ()
    replies: tuple[object, ...] = ()
    fault: str = ""


def hosted_logs(game: str, seed: int, wanted: int) -> tuple[Setup, list[list[Entry]]]:
    """Return at least `wanted` facts of simulated matches, one log for each match."""
    board = built_in_board(game)
    found: list[list[Entry]] = []
    setup = None
    while sum(map(len, found)) < wanted:
        evening = play_truly(board, agreement_on(game, players=PLAYERS.get(game, 2)), seed=seed)
        assert isinstance(evening.referee, FoldedReferee)
        setup = evening.setup
        found.append(list(evening.referee.fold.entries))
        seed += 1
    assert setup is not None
    return setup, found


def quarterback_logs(seed: int, wanted: int) -> tuple[Setup, list[list[Entry]]]:
    """Return at least `wanted` facts of matches played at random, one log for each match."""
    from testkit.quarterback_play import BOARD, whole_match

    found: list[list[Entry]] = []
    while sum(map(len, found)) < wanted:
        facts = whole_match(seed)
        found.append([Entry(seq=n, at_ms=0.0, body=f) for n, f in enumerate(facts, start=1)])
        seed += 1
    return Setup(game="quarterback", board=BOARD), found


PLAYERS = {"carrom": 4}
HOSTED = ("qsquare", "carrom", "king_square", "squarin_off")


def logs_of(game: str, seed: int, wanted: int) -> tuple[Setup, list[list[Entry]]]:
    if game == "quarterback":
        return quarterback_logs(seed, wanted)
    return hosted_logs(game, seed, wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=(*HOSTED, "quarterback"), default="qsquare")
    parser.add_argument("--facts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = find_game(given.game)
    setup, logs = logs_of(given.game, given.seed, given.facts)
    count = sum(fact_of(entry) is not None for log in logs for entry in log)
    decisions = sum(map(len, logs)) - count
    set_apart()  # as a watch does; here also the simulated matches, which no other carries along

    blank = Plain()
    began = process_time()
    for log in logs:
        for entry in log:
            replace(blank, seq=entry.seq)
    plain_s = process_time() - began

    passes = []
    for _ in range(PASSES):
        folds = [Fold(game, setup) for _ in logs]
        began = process_time()
        for fold, log in zip(folds, logs, strict=True):
            for entry in log:
                fold.append(entry)
        passes.append(process_time() - began)
    judged_s = median(passes)
    steps = [step for fold in folds for step in fold.steps]
    rulings = sum(len(step.rulings) for step in steps)
    faults = sum(bool(step.fault) for step in steps)

    match = [log[:MATCH] for log in logs]
    while sum(map(len, match)) > MATCH and len(match) > 1:
        match.pop()
    times = []
    for _ in range(PASSES):
        began = process_time()
        for log in match:
            replay(game, setup, log)
        times.append(process_time() - began)
    replayed = sum(map(len, match))
    print(
        f"facts judged one by one    {count:>9}   {rulings} rulings, {decisions} decisions, "
        f"{faults} faults"
    )
    print(
        f"facts a second             {count / judged_s:>9.0f}   median of {PASSES} passes, "
        f"best {count / min(passes):.0f}"
    )
    print(f"against plain values       {judged_s / plain_s:>9.1f} times their time")
    print(f"replay of {replayed} entries    {median(times):>9.3f} s (median of {PASSES})")
    if given.game == "quarterback":
        from rules.games.quarterback.passing import legal_passes
        from rules.games.quarterback.routes import legal_moves

        began = process_time()
        for step in steps:
            legal_moves(step.state)
            legal_passes(step.state)
        listed_s = judged_s + process_time() - began
        print(f"all legal actions listed   {count / listed_s:>9.0f} facts a second")


if __name__ == "__main__":
    main()
