"""Every clause of carrom: earned, and narrowly not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin

import pytest
from testkit.carrom_table import Table, canonical_rack, man

from rules.facts import Pocketed
from rules.game import Player
from rules.games.carrom.clauses import CLAUSES
from rules.games.carrom.state import Queen
from rules.geometry import Seat
from rules.rulings import RulingKind

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
PENDING, MINE, THEIRS = Queen(team=0), Queen(team=0, covered=True), Queen(team=1, covered=True)
Play = Callable[[Table], object]
At = Mapping[str, object]
HERE: At = {}
FRESH: At = {"white": 9, "black": 9, "fresh": True, "netted": (False, False)}
NONE_NETTED: At = {"white": 9, "netted": (False, False)}
DUE: At = {"white": 9, "due": (1, 0)}
LAST: At = {"white": 1, "black": 3}
REFUSED, FOUL = RulingKind.REFUSED, RulingKind.FOUL


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A play that earns the clause and one that narrowly does not.

    Each starts from its position (None: before the match). Where `kind` is given, only such
    rulings count.
    """

    earn: Play
    miss: Play
    at: At | None = field(default_factory=dict)
    missed_at: At | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    missed_options: Mapping[str, str] = field(default_factory=dict)
    kind: RulingKind | None = None


def strike(*drops: str, **more: object) -> Play:
    return lambda table: table.strike(drops, **more)  # type: ignore[arg-type]


def say(what: str, side: str | None = None, value: str = "") -> Play:
    return lambda table: table.say(what, side, value)


def twice(first: Play, second: Play) -> Play:
    """Play two strikes and look at the second only."""

    def play(table: Table) -> None:
        first(table)
        table.hush()
        second(table)

    return play


def rack(change: Callable[[Table], object]) -> Play:
    def play(table: Table) -> None:
        table.say("toss", "S")
        table.say("break", "S")
        table.pieces = canonical_rack()
        change(table)
        table.hush()
        table.settle()

    return play


def queen_off(mm: float) -> Play:
    return lambda table: table.put("queen", mm, 0.0)


def outer_at(mm: float) -> Play:
    """Put the outer white disc at 90 degrees so far from the centre."""
    return lambda table: table.put("white-5", 0.0, mm)


def swap(table: Table) -> None:
    """Let two neighbours of the outer ring change places, so that like lies by like."""
    a, b = table.pieces["white-5"].at, table.pieces["black-5"].at
    table.put("white-5", b.x_mm, b.y_mm)
    table.put("black-5", a.x_mm, a.y_mm)


def rounded(turn: float) -> Play:
    """Lay the outer ring as twelve on one circle, turned by an angle."""

    def change(table: Table) -> None:
        ring = [n for n, p in table.pieces.items() if abs(complex(p.at.x_mm, p.at.y_mm)) > 40]
        whites = [n for n in ring if n.startswith("white")]
        blacks = [n for n in ring if n.startswith("black")]
        for k in range(12):
            at = radians(30 * k + turn)
            name = (whites, blacks)[k % 2][k // 2]
            table.pieces[name] = man(name, 59.9 * cos(at), 59.9 * sin(at))

    return change


def one_less(table: Table) -> None:
    del table.pieces["white-9"]


def same(table: Table) -> None:
    """Leave everything as it is."""


def fall_late(token: str) -> Play:
    def play(table: Table) -> None:
        table.strike()
        name = "striker" if token == "S" else table.named(token)
        table.pieces.pop(name, None)
        table.tell(Pocketed(at_ms=table.tick(), piece=name, pocket="NE"))

    return play


def move(token: str, by: Seat | None, mm: float = 20.0) -> Play:
    return lambda table: table.moved(token, by, mm)


def sleeve(table: Table) -> None:
    table.strike(["W"], more=table.sleeve("K", S))


def place(x: float) -> Play:
    def play(table: Table) -> None:
        table.strike(["S"])
        table.hush()
        table.place("W", x, 0.0, E)
        table.settle()

    return play


def phase(play: Play) -> Play:
    def in_phase(table: Table) -> None:
        table.in_queen_phase()
        play(table)

    return in_phase


PUSH = {"calls": ["push"]}
OFF_LINE = {"hit": None, "path": [(0.0, 0.0)]}
TRIALS: dict[str, Trial] = {
    "CR-1.1": Trial(
        at=None, earn=say("agreed"), miss=say("agreed"), missed_options={"cr.players": "2"}
    ),
    "CR-2.1": Trial(
        at=None, earn=say("agreed"), miss=say("agreed"), missed_options={"cr.players": "2"}
    ),
    "CR-3.1": Trial(earn=say("posture", "S", "chair"), miss=say("posture", "S", "leaned")),
    "CR-3.2": Trial(earn=say("posture", "S", "leaned"), miss=say("posture", "S", "chair")),
    "CR-4.1": Trial(earn=say("posture", "S", "support"), miss=say("posture", "S", "leaned")),
    "CR-5.1": Trial(at=None, earn=say("toss", "S"), miss=say("toss", "nobody")),
    "CR-6.1": Trial(
        at=None,
        earn=twice(say("toss", "S"), say("break", "E")),
        miss=twice(say("toss", "S"), say("break", "nobody")),
    ),
    "CR-7.1": Trial(at=None, kind=REFUSED, earn=rack(queen_off(3.1)), miss=rack(queen_off(2.9))),
    "CR-7.2": Trial(at=None, kind=REFUSED, earn=rack(one_less), miss=rack(same)),
    "CR-8.1": Trial(at=None, kind=REFUSED, earn=rack(swap), miss=rack(rounded(15.0))),
    "CR-8.2": Trial(at=None, kind=REFUSED, earn=rack(outer_at(69.6)), miss=rack(outer_at(63.9))),
    "CR-9.1": Trial(at=FRESH, earn=strike(), miss=twice(strike(), strike())),
    "CR-10.1": Trial(earn=strike("W"), miss=strike("K")),
    "CR-11.1": Trial(earn=strike("K"), miss=strike("W")),
    "CR-12.1": Trial(
        at=FRESH,
        earn=twice(strike(), strike()),
        miss=twice(lambda t: [t.strike() for _ in range(3)], strike()),
    ),
    "CR-12.2": Trial(at=FRESH, earn=strike(), miss=twice(strike(), strike())),
    "CR-13.1": Trial(kind=FOUL, earn=strike(at=(0.0, -258.9)), miss=strike(at=(0.0, -258.8))),
    "CR-13.2": Trial(kind=FOUL, earn=strike(calls=["broken"]), miss=strike()),
    "CR-13.3": Trial(earn=strike(calls=["jerk"]), miss=say("jolt", "S")),
    "CR-14.1": Trial(at=FRESH, earn=strike("W"), miss=strike("K")),
    "CR-15.1": Trial(earn=strike("Q"), miss=strike("Q"), missed_at=NONE_NETTED),
    "CR-16.1": Trial(earn=strike("Q"), miss=strike("Q", "W")),
    "CR-16.2": Trial(
        at={**LAST, "queen": MINE},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": THEIRS},
    ),
    "CR-17.1": Trial(
        at={**LAST, "queen": THEIRS}, earn=strike("W"), miss=strike("W"), missed_at=LAST
    ),
    "CR-17.2": Trial(
        at={**LAST, "queen": MINE},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": THEIRS},
    ),
    "CR-18.1": Trial(
        at={**LAST, "queen": MINE},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": THEIRS},
    ),
    "CR-19.1": Trial(
        at={**LAST, "queen": MINE},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "white": 2, "queen": MINE},
    ),
    "CR-19.2": Trial(
        at={**LAST, "queen": MINE},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": THEIRS},
    ),
    "CR-19.3": Trial(
        at={**LAST, "queen": THEIRS},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": MINE},
    ),
    "CR-19.4": Trial(
        at={**LAST, "queen": THEIRS},
        earn=strike("W"),
        miss=strike("W"),
        missed_at={**LAST, "queen": MINE},
    ),
    "CR-20.1": Trial(earn=strike("Q", "S"), miss=strike("Q", "S", "W")),
    "CR-20.2": Trial(
        earn=strike("Q", "S"),
        miss=strike("Q", "S"),
        missed_options={"cr.striker_turn": "always_lost"},
    ),
    "CR-21.1": Trial(
        at={"queen": PENDING}, earn=strike("W", "S"), miss=strike("W", "S"), missed_at=HERE
    ),
    "CR-21.2": Trial(at={"queen": PENDING}, earn=strike("W", "S"), miss=strike("K", "S")),
    "CR-21.3": Trial(earn=strike("Q", "K", "S"), miss=strike("Q", "K")),
    "CR-21.4": Trial(earn=strike("Q", "K", "S"), miss=strike("Q", "W", "K", "S")),
    "CR-22.1": Trial(at=DUE, earn=strike("W"), miss=strike("K")),
    "CR-22.2": Trial(at=DUE, earn=strike("W"), miss=strike("W"), missed_at={**DUE, "seat": E}),
    "CR-22.3": Trial(at=DUE, earn=strike("W"), miss=strike("W"), missed_at={**DUE, "seat": E}),
    "CR-23.1": Trial(
        at={"white": 1, "black": 1},
        earn=strike("Q", "K"),
        miss=strike("Q", "K"),
        missed_at={"white": 2, "black": 1},
    ),
    "CR-23.2": Trial(at={"white": 1, "black": 1}, earn=strike("Q", "K"), miss=strike("K")),
    "CR-24.1": Trial(earn=strike("Q", "W"), miss=strike("Q", "K")),
    "CR-F0.1": Trial(at=NONE_NETTED, earn=strike("Q"), miss=strike("Q"), missed_at=HERE),
    "CR-F1.1": Trial(earn=move("K", N, 2.1), miss=move("K", N, 1.9)),
    "CR-F1.2": Trial(earn=say("touch", "N"), miss=say("posture", "N", "leaned")),
    "CR-F2.1": Trial(earn=strike(off=["K"]), miss=strike(back=["K"])),
    "CR-F3.1": Trial(earn=strike(**PUSH), miss=strike(calls=["broken"])),
    "CR-F3.2": Trial(earn=strike(**PUSH), miss=strike()),
    "CR-F4.1": Trial(earn=strike("S", "K"), miss=strike("K", off=["S"])),
    "CR-F4.2": Trial(earn=strike("S", "W"), miss=strike("S", "K")),
    "CR-F4.3": Trial(kind=REFUSED, earn=place(69.6), miss=place(69.4)),
    "CR-F4.4": Trial(earn=strike("S"), miss=strike("S", "Q")),
    "CR-F5.1": Trial(at=NONE_NETTED, earn=strike("Q", "W"), miss=strike("W", "Q")),
    "CR-F6.1": Trial(earn=say("clock", value="35:00.1"), miss=say("clock", value="35:00")),
    "CR-F6.2": Trial(earn=say("clock", value="2100.1"), miss=say("clock", value="2100")),
    "CR-F6.3": Trial(earn=phase(strike("Q", "W")), miss=phase(strike("Q", "S"))),
    "CR-X.1": Trial(at=LAST, earn=strike("W"), miss=strike("K")),
    "CR-X.2": Trial(
        at=LAST, earn=strike("W"), miss=strike("W"), missed_at={**LAST, "points": (0, 22)}
    ),
    "CR-X.3": Trial(at=FRESH, earn=strike(**OFF_LINE), miss=strike()),
    "CR-X.4": Trial(earn=strike("W", **PUSH), miss=strike("W")),
    "CR-X.5": Trial(earn=strike("K"), miss=strike("W")),
    "CR-X.6": Trial(at=NONE_NETTED, earn=strike("Q"), miss=strike("Q"), missed_at=HERE),
    "CR-X.7": Trial(earn=strike("S"), miss=strike("S"), missed_at={"white": 9}),
    "CR-X.8": Trial(earn=strike(off=["K"]), miss=strike(back=["K"])),
    "CR-X.9": Trial(earn=strike(back=["K"]), miss=strike(off=["K"])),
    "CR-X.10": Trial(earn=strike(off=["S"]), miss=strike("S")),
    "CR-X.11": Trial(at=LAST, earn=strike("W"), miss=strike("W", "Q")),
    "CR-X.12": Trial(
        at={"white": 2, "black": 1},
        earn=strike("K"),
        miss=strike("K"),
        missed_at={"white": 2, "black": 2},
    ),
    "CR-X.13": Trial(at={"white": 1, "black": 1}, earn=strike("W", "K"), miss=strike("W")),
    "CR-X.14": Trial(
        at={**LAST, "queen": MINE}, earn=sleeve, miss=sleeve, missed_at={"queen": MINE}
    ),
    "CR-X.15": Trial(at={"white": 9}, earn=strike("S"), miss=strike("S"), missed_at={"white": 8}),
    "CR-X.16": Trial(at={"queen": PENDING}, earn=strike("K"), miss=strike("W")),
    "CR-X.17": Trial(earn=fall_late("W"), miss=fall_late("S")),
    "CR-X.18": Trial(earn=say("posture", "S", "chair"), miss=say("touch", "S")),
    "CR-X.19": Trial(at=NONE_NETTED, earn=strike("W", "Q"), miss=strike("W", "Q"), missed_at=HERE),
    "CR-X.20": Trial(
        earn=strike(hit=None, path=[(0.0, -284.0)], ends=(0.0, -284.0)),
        miss=strike(hit=None, path=[(0.0, -290.0)], ends=(0.0, -290.0)),
    ),
    "CR-X.21": Trial(earn=say("clock", value="30:00"), miss=say("clock", value="29:59.9")),
    "CR-X.22": Trial(
        at={"queen": MINE}, earn=say("clock", value="35:00.1"), miss=say("clock", value="35:00")
    ),
    "CR-X.23": Trial(
        earn=strike(at=(0.0, -258.7), error_mm=0.08), miss=strike(at=(0.0, -258.7), error_mm=0.07)
    ),
    "CR-X.24": Trial(earn=move("K", N), miss=say("touch", "N")),
    "CR-X.25": Trial(earn=strike(by=N), miss=strike(by=S)),
    "CR-X.26": Trial(
        at={"queen": PENDING},
        earn=strike("W", "W", "S"),
        miss=strike("W", "W", "S"),
        missed_at=HERE,
    ),
    "CR-X.27": Trial(earn=strike("K", hit="Q"), miss=strike("K", hit="white-1")),
    "CR-X.28": Trial(earn=say("concede", "SN", "board"), miss=say("concede", "X", "board")),
    "CR-X.29": Trial(earn=say("touch", "N"), miss=sleeve),
}


def told(trial: Trial, play: Play, at: At | None, options: Mapping[str, str]) -> set[str]:
    players = tuple(Player(seat=s) for s in (S, N)) if options.get("cr.players") == "2" else ()
    table = Table(options=options, players=players)
    if at is not None:
        table.position(**at)  # type: ignore[arg-type]
    play(table)
    return {r.code for r in table.told if trial.kind in (None, r.kind)}


@pytest.mark.parametrize("code", TRIALS)
def test_the_clause_is_ruled_when_it_is_earned(code: str) -> None:
    trial = TRIALS[code]
    assert code in told(trial, trial.earn, trial.at, trial.options)


@pytest.mark.parametrize("code", TRIALS)
def test_the_clause_is_not_ruled_when_it_is_narrowly_missed(code: str) -> None:
    trial = TRIALS[code]
    at = trial.at if trial.missed_at is None else trial.missed_at
    assert code not in told(trial, trial.miss, at, trial.missed_options)


def test_every_clause_is_tried() -> None:
    assert set(TRIALS) == {clause.code for clause in CLAUSES}
