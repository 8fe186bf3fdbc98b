"""Every option of the rulebook: what it changes, against what happens without it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from testkit.qsquare_table import GAME, Table, four, rack

from rules.facts import Contacted, Cushioned, HandEntered, HandLeft, Pocketed, Struck
from rules.game import Player, Setup
from rules.games.qsquare.board import default_board
from rules.games.qsquare.game import QSquare
from rules.games.qsquare.options import Options, choices, read_options
from rules.games.qsquare.state import Phase
from rules.geometry import Point, Seat

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
RED_DEAD = (-98.0, 0.0)


def fresh(down: tuple[int, int] = (3, 0), **options: str) -> Table:
    return Table(options=options).open().reach(*down)


def outcome_of(table: Table) -> tuple[str, str, list[str], Seat, set[str]]:
    return (
        table.count("blue"),
        table.count("red"),
        table.debt(),
        table.state.shooter,
        table.faults(),
    )


def dead(table: Table, name: str, x: float, y: float) -> None:
    table.put(name, x, y)
    table.settle()
    table.hush()


def two_in_a_foul(t: Table) -> None:
    t.shot("red-1", drops=["blue-2", "red-2"])


def red_then_dead_by_side(t: Table) -> None:
    dead(t, "blue-1", *RED_DEAD)
    t.shot("blue-1", borders="W", drops=["blue-1"])


def home_dead_hit(t: Table) -> None:
    dead(t, "blue-1", 200.0, -430.0)
    t.shot("blue-1")


def dead_after_live(t: Table) -> None:
    dead(t, "blue-2", 200.0, -430.0)
    late = Contacted(at_ms=t.now_ms + 900.0, a="cue-puck", b="blue-2", at=Point(0.0, 0.0))
    t.shot("blue-1", more=[late])


def red_after_live(t: Table) -> None:
    dead(t, "blue-2", *RED_DEAD)
    late = Contacted(at_ms=t.now_ms + 900.0, a="cue-puck", b="blue-2", at=Point(0.0, 0.0))
    t.shot("blue-1", more=[late])


def own_off_a_border(t: Table) -> None:
    t.shot("red-1", borders="W")


def queen_later(t: Table) -> None:
    late = Contacted(at_ms=t.now_ms + 900.0, a="cue-puck", b="queen", at=Point(0.0, 0.0))
    t.shot("blue-1", more=[late])


def split(t: Table) -> None:
    same = Contacted(at_ms=t.now_ms + 200.0, a="cue-puck", b="red-1", at=Point(0.0, 0.0))
    t.shot("blue-1", more=[same])
    t.answer("split")


def miscue_miss(t: Table) -> None:
    t.shot(None)
    t.say("miscue")


def forced_off(t: Table) -> None:
    t.shot("blue-1", off=["blue-2"])


def nudge(t: Table) -> None:
    t.shot(None, at=(0.0, -440.0), path=[(15.0, -460.0)])


def disturb(t: Table) -> None:
    t.moved("blue-1", 0.0, 300.0, by=S)


def queen_hit_directly(t: Table) -> None:
    t.shot("queen")


def e_foul(t: Table) -> None:
    dead(t, "blue-1", *RED_DEAD)
    t.shot("blue-1")


EFFECTS: dict[str, tuple[tuple[int, int], Callable[[Table], None], str, str]] = {
    # option = value: (down before, what happens, blue without, blue with)
    "foul_drops=own_stay_down": ((3, 0), two_in_a_foul, "6/2/0", "6/2/0"),
    "foul_drops=all_stay_down": ((3, 0), two_in_a_foul, "6/2/0", "5/3/0"),
    "side_border=direct": ((3, 0), red_then_dead_by_side, "5/3/0", "6/2/0"),
    "home_dead_direct=penalty": ((3, 0), home_dead_hit, "5/3/0", "6/2/0"),
    "ricochet_own=always": ((3, 0), own_off_a_border, "6/2/0", "5/3/0"),
    "queen_touch=any": ((3, 0), queen_later, "5/3/0", "6/2/0"),
    "split_hit=fault": ((3, 0), split, "5/3/0", "6/2/0"),
    "miscue_absorbs=on": ((3, 0), miscue_miss, "6/2/0", "5/3/0"),
    "off_puck=returns_too": ((3, 0), forced_off, "5/2/1", "6/2/0"),
    "off_puck=is_the_penalty": ((3, 0), forced_off, "5/2/1", "5/3/0"),
    "queen_same_shot=never": (
        (7, 0),
        lambda t: t.shot("blue-1", drops=["blue-1", "queen"]) and None,
        "0/8/0",
        "2/6/0",
    ),
    "queen_miss=penalty": ((8, 0), lambda t: t.shot(None) and None, "0/8/0", "1/7/0"),
}


@pytest.mark.parametrize("named", EFFECTS)
def test_an_option_changes_the_count(named: str) -> None:
    option, value = named.split("=")
    down, act, without, with_it = EFFECTS[named]
    for options, blue in (({}, without), ({f"qs.{option}": value}, with_it)):
        table = Table(options=options).open().reach(*down)
        act(table)
        assert table.count("blue") == blue, (options, [(r.code, r.words) for r in table.told])


def test_foul_drops_own_stay_down_keeps_own_pucks_down() -> None:
    for options, red in (({}, "8/0/0"), ({"foul_drops": "own_stay_down"}, "7/1/0")):
        table = fresh(**options)
        two_in_a_foul(table)
        assert table.count("red") == red


def test_all_stay_down_still_wins_nothing_by_a_foul_without_the_queen() -> None:
    table = fresh((7, 0), queen="off", foul_drops="all_stay_down")
    table.shot("red-1", drops=["blue-1"])
    assert table.state.phase is not Phase.SET_OVER
    assert table.state.tally.counts[1].on >= 1


def test_weak_strokes_may_cost_the_turn() -> None:
    for options, shooter in (({}, S), ({"weak_stroke": "turn_lost"}, N)):
        table = fresh(**options)
        nudge(table)
        assert "QS-X.1" in table.codes()
        assert table.state.shooter is shooter


def test_aiming_disturbances_may_be_put_back_only() -> None:
    for options, shooter in (({}, N), ({"aim_disturb": "restore_only"}, S)):
        table = fresh(**options)
        disturb(table)
        assert "QS-X.21" in table.codes()
        assert table.state.shooter is shooter
        assert len(table.spots()) == 1


def test_an_idle_hand_may_cost_the_next_turn() -> None:
    for options, after in (({}, N), ({"idle_hand": "lose_next_turn"}, S)):
        table = fresh(**options)
        table.hand(N)
        assert "QS-X.13" in table.codes()
        assert table.state.shooter is S
        table.shot("blue-1")
        assert table.state.shooter is after
    table.shot("blue-1")
    assert table.state.shooter is N


def test_hands_may_place_the_cue_puck_where_that_was_agreed() -> None:
    for depth, shooter in ((80.0, S), (200.0, N)):
        table = fresh(hand_placement="aiming_allowed")
        table.hand(S, depth)
        assert table.state.shooter is shooter
    table = fresh()
    table.hand(S, 80.0)
    assert table.state.shooter is N


def test_e_return_near_centre_puts_the_dead_puck_by_the_queen() -> None:
    for options, spot in (
        ({}, ("blue", -98.0, 0.0)),
        ({"e_return": "near_centre"}, ("blue", 0.0, 25.0)),
    ):
        table = fresh(**options)
        e_foul(table)
        assert table.spots()[0] == spot


def test_dead_scope_judges_later_contacts_too() -> None:
    for options, faults in (({}, set()), ({"dead_scope": "any_cue_contact"}, {"QS-9.5", "QS-8f"})):
        table = fresh(**options)
        dead_after_live(table)
        assert table.faults() == faults
    table = fresh(dead_scope="any_cue_contact")
    red_after_live(table)
    assert table.faults() == set()


def test_the_ricochet_border_may_have_to_be_the_opposite_one() -> None:
    for options, border, faults in (
        ({}, "W", set()),
        ({"ricochet_border": "opposite"}, "W", {"QS-8a.4"}),
        ({"ricochet_border": "opposite"}, "N", set()),
    ):
        table = fresh((6, 0), **options)
        table.put("blue-1", 200.0, -440.0)
        dead(table, "blue-2", 50.0, 50.0)
        table.shot("red-1", borders=border)
        assert table.faults() == faults


def test_a_dead_queen_may_need_the_opposite_border() -> None:
    for options, borders, faults in (
        ({}, "", set()),
        ({"queen_dead": "on"}, "", {"QS-9.1", "QS-8f"}),
        ({"queen_dead": "on"}, "N", set()),
    ):
        table = fresh((8, 0), **options)
        table.shot("queen", borders=borders)
        assert table.faults() == faults


def test_debt_may_block_a_win() -> None:
    for options, won in (({}, True), ({"debt_blocks_win": "on"}, False)):
        table = Table(options=options).open()
        table.put("blue-1", -350.0, 200.0)
        table.put("red-1", -350.0, 260.0)
        table.settle()
        table.shot(None)
        table.shot("red-1")
        table.shot("blue-1", drops=[f"blue-{n}" for n in range(2, 9)])
        table.shot("blue-1", drops=["blue-1"])
        table.shot("queen", drops=["queen"])
        assert (table.state.phase is Phase.SET_OVER) is won
        if not won:
            assert (table.count("blue"), table.debt()) == ("1/7/0", [])
            assert table.spots()[0] == ("queen", 0.0, 0.0)
            assert table.state.shooter is N


@pytest.mark.parametrize("blocks", ["off", "on"])
def test_without_a_queen_debt_may_block_the_win_too(blocks: str) -> None:
    table = Table(options={"queen": "off", "debt_blocks_win": blocks}).open()
    table.put("blue-1", -350.0, 200.0)
    table.put("red-1", -350.0, 260.0)
    table.settle()
    table.shot(None)
    table.shot("red-1")
    table.shot("blue-1", drops=[f"blue-{n}" for n in range(1, 9)])
    if blocks == "off":
        assert table.state.phase is Phase.SET_OVER
    else:
        assert (table.count("blue"), table.debt()) == ("1/7/0", [])
        assert (table.state.phase, table.state.shooter) == (Phase.SERVICE, N)


@pytest.mark.parametrize(("options", "blue"), [({}, "1/7/0"), ({"miscue_absorbs": "on"}, "0/8/0")])
def test_a_miscue_may_absorb_the_penalty_for_a_missed_queen(
    options: dict[str, str], blue: str
) -> None:
    table = fresh((8, 0), queen_miss="penalty", **options)
    table.shot(None)
    table.say("miscue")
    assert (table.count("blue"), table.state.shooter) == (blue, N)


def test_where_two_return_with_the_cue_puck_a_dead_puck_hit_directly_returns_besides() -> None:
    table = fresh(scratch_returns="always_2")
    dead(table, "blue-1", *RED_DEAD)
    table.shot("blue-1", drops=["blue-2", "blue-3", "blue-4", "blue-1"], cue="falls")
    assert (table.count("blue"), table.debt()) == ("5/3/0", [])
    assert table.spots() == [
        ("blue", -98.0, 0.0),
        ("blue", 0.0, 495.5),
        ("blue", 25.0, 495.5),
        ("blue", -25.0, 495.5),
    ]


@pytest.mark.parametrize(("answer", "keeps"), [("yes", True), ("no", False)])
def test_whether_an_unseen_fall_was_as_called_is_asked(answer: str, keeps: bool) -> None:
    table = fresh(call_shots="on")
    table.say("call", "S", "blue NE")
    del table.pieces["blue-1"]
    table.shot("blue-2")
    table.answer("pocket")
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer(answer)
    assert table.count("blue") == "4/4/0"
    assert (table.state.shooter is S) is keeps


@pytest.mark.parametrize(
    ("value", "order", "winner"),
    [
        ("shooter", ["blue-1", "red-1"], "S"),
        ("opponent", ["blue-1", "red-1"], "N"),
        ("drop_order", ["blue-1", "red-1"], "S"),
        ("drop_order", ["red-1", "blue-1"], "N"),
    ],
)
def test_a_double_finish_is_decided_as_agreed(value: str, order: list[str], winner: str) -> None:
    table = fresh((7, 7), queen="off", double_finish=value)
    table.shot("blue-1", drops=order)
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == winner


def test_without_the_queen_a_double_finish_in_no_known_order_is_asked() -> None:
    table = fresh((7, 7), queen="off", double_finish="drop_order")
    table.shot("blue-1", drops=[["blue-1", "red-1"]])
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("no")
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "S"


@pytest.mark.parametrize(
    ("value", "breaker"), [("alternate", N), ("loser", N), ("winner", S)], ids=str
)
def test_the_next_break_goes_as_agreed(value: str, breaker: Seat) -> None:
    table = Table(options={"best_of": "3", "next_break": value}).open("S")
    table.say("concede", "N")
    table.rack()
    assert table.state.shooter is breaker


@pytest.mark.parametrize(("value", "after"), [("clockwise", W), ("anticlockwise", E)])
def test_four_players_go_round_as_agreed(value: str, after: Seat) -> None:
    table = Table(options={"turn_order": value}, players=four()).open("S")
    table.shot("blue-1")
    assert table.state.shooter is after


def test_a_partners_home_zone_may_be_dead() -> None:
    for options, faults in (({}, set()), ({"partner_home_dead": "on"}, {"QS-9.5", "QS-8f"})):
        table = Table(options=options, players=four()).open("S")
        table.put("blue-1", 0.0, 440.0)
        table.settle()
        table.hush()
        table.shot("blue-1")
        assert table.faults() == faults


def test_opponents_may_choose_whose_zone_takes_the_penalty_puck() -> None:
    table = Table(options={"penalty_home": "opponents_choose"}, players=four()).open("S")
    table.put("blue-1", -350.0, 200.0)
    table.settle()
    table.shot("blue-1", drops=["blue-16"])
    table.shot("blue-1", cue="falls")
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("E")
    assert table.spots() == [("blue", 495.5, 0.0)]


@pytest.mark.parametrize(("value", "good"), [("any", True), ("own_near", True), ("own_far", False)])
def test_racks_face_as_agreed(value: str, good: bool) -> None:
    table = Table(options={"rack_orientation": value})
    table.say("lot", "S")
    table.say("break", "S")
    table.pieces = rack({"S": ("red", 8), "N": ("blue", 8)})
    table.settle()
    assert (table.state.phase is Phase.AIMING) is good


def test_with_a_cue_puck_each_the_idle_one_must_be_off_the_surface() -> None:
    for options, void in (({}, False), ({"cue_pucks": "per_side"}, True)):
        table = fresh(**options)
        table.put("cue-puck-2", 0.0, 470.0)
        table.settle()
        table.shot("blue-1", drops=["blue-2"])
        assert ("QS-1.3" in table.codes()) is void
        assert table.count("blue") == ("5/3/0" if void else "4/4/0")


def test_a_shot_clock_only_reminds() -> None:
    table = fresh(shot_clock="45")
    (ruling,) = table.say("shot clock")
    assert "45 s" in ruling.words
    assert table.state.shooter is S
    assert fresh().say("shot clock") == ()


def test_a_queen_not_as_called_goes_back() -> None:
    for call, won in (("queen NE", True), ("queen SW", False)):
        table = Table(options={"call_shots": "on"}).open()
        for name, (x, y) in {"blue-1": (-350.0, 200.0), "red-1": (-350.0, 260.0)}.items():
            table.put(name, x, y)
        table.settle()
        table.say("call", "S", "blue NE")
        table.shot("blue-1", drops=table.lying("blue"))
        table.say("call", "S", call)
        table.hush()
        table.shot("queen", drops=["queen"])
        assert (table.state.phase is Phase.SET_OVER) is won
        assert ("QS-4.9" in table.codes()) is not won


def test_arcs_let_the_home_zone_run_the_full_width() -> None:
    for options, faults in (({}, {"QS-4.1", "QS-8f"}), ({"pocket_zone_shape": "arc"}, set())):
        table = fresh(**options)
        table.shot("blue-1", at=(-440.0, -470.0))
        assert table.faults() == faults


def test_a_round_centre_makes_the_square_corners_live() -> None:
    for options, faults in (({}, {"QS-8e"}), ({"central_shape": "circle"}, set())):
        table = fresh(**options)
        dead(table, "blue-1", 85.0, 85.0)
        table.shot("blue-1")
        assert table.faults() == faults


@pytest.mark.parametrize(
    ("value", "live_at"), [("centreline", -100.2), ("inner", -98.7), ("outer", -101.7)]
)
def test_zone_edges_may_be_taken_at_either_side_of_the_paint(value: str, live_at: float) -> None:
    for x, faults in ((live_at, set()), (live_at + 0.4, {"QS-8e"})):
        table = fresh(zone_edge=value)
        dead(table, "blue-1", x, 0.0)
        table.shot("blue-1")
        assert table.faults() == faults


@pytest.mark.parametrize(
    ("value", "live_at"), [("half", -100.1), ("centre", -100.1), ("hole_clear", -94.6)]
)
def test_the_dead_test_may_be_another(value: str, live_at: float) -> None:
    for x, faults in ((live_at, set()), (live_at + 0.2, {"QS-8e"})):
        table = fresh(dead_test=value)
        dead(table, "blue-1", x, 0.0)
        table.shot("blue-1")
        assert table.faults() == faults


@pytest.mark.parametrize(("value", "winner"), [("cue_puck", 1), ("direct", 0)])
def test_a_lag_may_be_played_by_striking_the_object_puck_itself(value: str, winner: int) -> None:
    table = Table(options={"lag_method": value})
    table.put("red-1", -100.0, -208.0)
    table.put("blue-1", 100.0, -208.0)
    table.settle()
    for name, striker, y in (("red-1", "red-1", 300.0), ("blue-1", "cue-puck", 200.0)):
        table.tell(
            Struck(at_ms=table.tick(), piece=striker, at=Point(0.0, -450.0)),
            Cushioned(at_ms=table.tick(), piece=name, border=N),
        )
        table.put(name, table.pieces[name].at.x_mm, y)
        table.settle()
    assert table.state.chooser == winner


def test_with_the_lot_agreed_on_no_lag_is_judged() -> None:
    for options, offered in (({}, {"lot", "lag"}), ({"opening": "lot"}, {"lot"})):
        table = Table(options=options)
        offers = GAME.scoreboard(table.state).announcements
        assert {a.what for a in offers} & {"lot", "lag"} == offered


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"qs.quenn": "on"}, "expected an option of Q-Square .*queen.* got 'qs.quenn'"),
        ({"qs.queen": "maybe"}, r"expected qs.queen = on \| off, got 'maybe'"),
        ({"pucks_per_player": "0"}, "QS-1.4"),
        ({"pucks_per_player": "8,x"}, "QS-1.4"),
        ({"pucks_per_player": "12"}, "300 mm"),
        ({"shot_clock": "-3"}, "off | seconds"),
    ],
)
def test_an_unknown_option_or_value_is_refused_with_what_is_allowed(
    options: dict[str, str], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Table(options=options)


def test_ten_pucks_each_do_not_fit_round_a_four_player_rack() -> None:
    Table(options={"pucks_per_player": "9"}, players=four())
    with pytest.raises(ValueError, match="at most 9"):
        Table(options={"pucks_per_player": "10"}, players=four())


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ((Player(seat=S), Player(seat=E)), "opposite seats"),
        ((Player(seat=S),), "opposite seats"),
        ((Player(seat=S, colour="red"), Player(seat=N, colour="red")), "two colours"),
        ((Player(seat=S, colour="pink"), Player(seat=N)), "red, blue"),
        (
            tuple(
                Player(seat=seat, colour=c)
                for seat, c in zip(Seat, ("red", "blue", "blue", "red"), strict=True)
            ),
            "QS-10.3",
        ),
    ],
)
def test_seats_and_colours_that_cannot_be_are_refused(
    players: tuple[Player, ...], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Table(players=players)


def test_a_board_without_its_zones_is_refused() -> None:
    board = default_board()
    bare = replace(board, zones=tuple(z for z in board.zones if z.kind != "dead-centre"))
    with pytest.raises(ValueError, match=r"dead-centre \(QS-1.1\)"):
        QSquare().start(Setup(game="qsquare", board=bare))


def test_every_option_has_its_first_value_as_default() -> None:
    plain = Options()
    for name, values in choices().items():
        if name not in ("pucks_per_player", "shot_clock"):
            assert getattr(plain, name) == values[0]
            for value in values:
                assert getattr(read_options({f"qs.{name}": value}), name) == value


def test_every_option_of_the_rulebook_is_known(request: pytest.FixtureRequest) -> None:
    text = (request.config.rootpath / "docs/games/qsquare.md").read_text(encoding="utf-8")
    written = {
        part.split("=")[0].strip()
        for part in text.replace("`", "\n").splitlines()
        if part.startswith("qs.") and "=" in part
    }
    assert {name.removeprefix("qs.") for name in written if name != "qs.name"} <= set(choices())
    assert len(written) > 10


def test_hands_in_a_shot_and_late_drops_keep_their_order() -> None:
    table = fresh()
    hand = [HandEntered(at_ms=1.0, side=S, depth_mm=2.0), HandLeft(at_ms=2.0, side=S, depth_mm=4.0)]
    table.shot("blue-1", drops=["blue-2"], more=hand)
    assert table.faults() == set()
    table.tell(Pocketed(at_ms=table.tick(500.0), piece="blue-3", pocket="NW"))
    assert table.count("blue") == "3/5/0"
