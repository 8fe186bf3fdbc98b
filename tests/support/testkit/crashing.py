"""A match in a process of its own that is killed without warning, again and again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.decisions import Amend, Overrule
from rules.facts import Declared, Pocketed
from rules.game import Entry
from sightline.match_log.log import Store
from sightline.match_log.log_file import LogError

CHILD = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from testkit.crashing import play_on
play_on(Path({db!r}), {seed})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What one kill left behind: how much was acknowledged, and how much of that is lost."""

    facts: int
    decisions: int
    lost: int
    sound: bool


def play_on(db: Path, seed: int) -> None:
    """Go on with the match for ever, and tell what is acknowledged. Runs in the child."""
    from testkit.clock import ManualClock
    from testkit.toy import SETUP, Toy

    from sightline.match_log.log import MatchHeader
    from sightline.running.match import Change, Match, Seen

    draw = random.Random(seed)
    store = Store(db)
    if store.matches():
        log = store.open("final")
    else:
        log = store.create(MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z"))

    def tell(change: Change) -> None:
        try:
            for entry in change.entries:
                sys.stdout.write(f"{entry.seq} {_mark(entry)}\n")
            sys.stdout.flush()
        except BrokenPipeError:  # nobody counts any more: without this it would play on unheard
            os._exit(1)

    with Match(log, Toy(), clock=ManualClock(), listeners=[tell]) as match:
        for n in range(1_000_000):
            pieces = draw.randrange(1, 4)
            match.take(
                Seen(
                    fact=Pocketed(at_ms=n, piece=f"{seed}-{n}-{k}", pocket="NE"),
                    evidence=(lambda n=n: f"picture {seed}-{n}".encode(),),
                )
                for k in range(pieces)
            )
            match.sync()
            view = match.view()
            ruled = view.rulings[-1]
            if draw.random() < 0.3:
                decision = Overrule(ruling=ruled.id, was=ruled.ruling, reason=f"{seed}-{n}")
                match.decide(decision, seen=view.version, key=f"tap-{seed}-{n}")
            elif draw.random() < 0.3:
                said = Declared(at_ms=n, what="pass", value=f"{seed}-{n}")
                match.declare(said, seen=view.version, key=f"said-{seed}-{n}")
            elif draw.random() < 0.1:
                amend = Amend(seq=ruled.id.seq, fact=None, reason=f"{seed}-{n}")
                match.decide(amend, seen=view.version, key=f"amend-{seed}-{n}")


def crash_rounds(db: Path, kills: int, draw: random.Random) -> Iterator[Round]:
    """Kill the match `kills` times at random instants, and look at the log after each.

    Most instants are within 0.15 s of the first acknowledged fact; every fifth kill comes without
    waiting for one, while the match may still be starting.
    """
    support = Path(__file__).parents[1]
    paths = [str(support), str(support.parents[1])]
    told: dict[int, str] = {}
    for seed in range(kills):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD.format(paths=paths, db=str(db), seed=seed)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        early = seed % 5 == 4
        first = "" if early else child.stdout.readline()
        time.sleep(draw.uniform(0.0, 1.5 if early else 0.15))
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read()
        child.wait()
        child.stdout.close()
        fresh: dict[int, str] = {}
        for line in (first + rest).splitlines(keepends=True):
            seq, _, mark = line.partition(" ")
            if line.endswith("\n"):
                fresh[int(seq)] = mark.strip()
        told |= fresh
        yield _looked_at(db, fresh, told, expected=not early)


def _looked_at(db: Path, fresh: dict[int, str], told: dict[int, str], *, expected: bool) -> Round:
    decisions = sum(not mark.startswith("Pocketed") for mark in fresh.values())
    facts = len(fresh) - decisions
    try:
        with Store(db, must_exist=True) as store:
            _, entries = store.read("final")
            evidence = store.evidence("final")
            pictures = all(evidence.get(name) for e in entries for name in e.evidence)
    except LogError:
        return Round(facts=facts, decisions=decisions, lost=len(told), sound=False)
    there = {entry.seq: _mark(entry) for entry in entries}
    lost = sum(there.get(seq) != mark for seq, mark in told.items())
    return Round(
        facts=facts, decisions=decisions, lost=lost, sound=pictures and bool(fresh or not expected)
    )


def _mark(entry: Entry) -> str:
    body = entry.body
    own = getattr(body, "piece", "") or getattr(body, "reason", "") or getattr(body, "value", "")
    return f"{type(body).__name__}:{own}"
