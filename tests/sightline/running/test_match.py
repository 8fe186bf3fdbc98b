"""The running match: what is said is logged, ruled and shown; a tap that comes late is refused."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from testkit.clock import ManualClock
from testkit.logs import HAND, PASS, POCKETED, SETUP, lying
from testkit.toy import Toy, ToyState

from rules.decisions import Amend, Confirm, Insert, Overrule, Reply, Withdraw
from rules.engine import replay
from rules.facts import Contacted, Declared, Fact, HandLeft, SightLost, SightRegained, Struck
from rules.game import Entry
from rules.geometry import Point
from rules.rulings import Ruling, RulingId, Standing
from sightline.match_log.log import Draft, MatchHeader, MatchLog, Store
from sightline.match_log.log_file import LogUnwritable
from sightline.running.match import Change, Match, Seen
from web.desk import Desk, Sight, Stale, View

POINT_ID = RulingId(1, "T-1")
BURST = Declared(at_ms=5, what="burst")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.db") as store:
        yield store


@pytest.fixture
def log(store: Store) -> MatchLog:
    return store.create(MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z"))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def match(log: MatchLog, clock: ManualClock) -> Iterator[Match]:
    with Match(log, Toy(), clock=clock) as match:
        yield match


def see(match: Match, *facts: Fact) -> View:
    match.take([Seen(fact=fact) for fact in facts])
    match.sync()
    return match.view()


def waive(view: View, id: RulingId = POINT_ID) -> Overrule:
    ruled = next(r for r in view.rulings if r.id == id)
    return Overrule(ruling=id, was=ruled.ruling, reason="it was touched")


def test_a_match_is_a_desk(match: Match) -> None:
    desk: Desk = match
    assert desk.board() == SETUP.board
    assert {clause.code for clause in desk.clauses()} >= {"T-1", "SIGHTLINE-1"}
    assert desk.live() is None


def test_facts_are_ruled_and_shown_with_what_they_rest_on(match: Match) -> None:
    match.take(
        [Seen(fact=POCKETED, evidence=(lambda: b"a picture", lambda: None)), Seen(fact=lying(3))]
    )
    match.sync()
    view = match.view()
    assert [(str(r.id), r.ruling.words) for r in view.rulings] == [
        ("1/T-1/0", "A +1"),
        ("2/T-3/0", "blue-1 is over the line"),
    ]
    assert view.seq == 2
    assert view.scoreboard.sides[0].items == (("points", "11"),)
    assert [piece.name for piece in view.pieces] == ["blue-1"]
    (name,) = view.rulings[0].evidence
    assert match.evidence(name) == b"a picture"
    assert match.evidence("../matches.db") is None


def test_what_was_shown_is_on_disk(match: Match, store: Store) -> None:
    see(match, POCKETED, PASS)
    assert [e.body for e in store.read("final")[1]] == [POCKETED, PASS]


def test_time_in_the_log_is_time_since_the_match_began(
    match: Match, clock: ManualClock, store: Store
) -> None:
    clock.at_ms += 250
    view = see(match, POCKETED)
    match.declare(PASS, seen=view.version, key="key-1")
    entries = store.read("final")[1]
    assert [e.at_ms for e in entries] == [250, 250]
    assert entries[1].body == replace(PASS, at_ms=250)


@pytest.mark.parametrize(
    ("fact", "sight"),
    [
        (lying(3), Sight.STILL),
        (HAND, Sight.HAND),
        (HandLeft(at_ms=3), Sight.SETTLING),
        (Struck(at_ms=3, piece="cue-puck", at=Point(0, 0)), Sight.SETTLING),
        (SightLost(at_ms=3, why="the lens is covered"), Sight.BLIND),
        (SightRegained(at_ms=3), Sight.SETTLING),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_state_of_sight_follows_what_is_seen(
    match: Match, clock: ManualClock, fact: Fact, sight: Sight
) -> None:
    clock.at_ms += 70
    view = see(match, SightLost(at_ms=1, why="dark"), fact)
    assert view.sight is sight
    assert (view.sight_since_ms, view.now_ms) == (70, 70)
    assert "lens is covered" in view.sight_words or not isinstance(fact, SightLost)


def test_a_look_changes_what_is_shown_and_not_the_log(match: Match, store: Store) -> None:
    before = match.view()
    match.look(Sight.HAND, "A hand is near.")
    match.sync()
    view = match.view()
    assert (view.sight, view.sight_words) == (Sight.HAND, "A hand is near.")
    assert view.version > before.version
    match.look(Sight.HAND, "A hand is near.")
    match.sync()
    assert match.view().version == view.version
    assert store.read("final")[1] == ()


def test_losing_and_regaining_sight_are_facts_of_the_match(match: Match, store: Store) -> None:
    match.lose_sight("the camera was unplugged")
    match.regain_sight()
    match.sync()
    assert [e.body for e in store.read("final")[1]] == [
        SightLost(at_ms=0, why="the camera was unplugged"),
        SightRegained(at_ms=0),
    ]


def test_an_overrule_from_the_page_is_applied_and_can_be_taken_back(match: Match) -> None:
    view = see(match, POCKETED)
    assert match.decide(waive(view), seen=view.version, key="key-1") == 2
    after = match.view()
    assert after.version > view.version
    assert after.rulings[0].overruled_by == 2
    assert after.rulings[0].ruling.standing is Standing.OVERRULED
    assert after.undoable[0].words == "Waived T-1: A +1 (it was touched)"
    assert after.scoreboard.sides[0].items == (("points", "0"),)
    match.decide(Withdraw(seq=2), seen=after.version, key="key-2")
    undone = match.view()
    assert undone.undoable == ()
    assert undone.scoreboard == view.scoreboard


def test_the_same_tap_twice_is_one_entry(match: Match, store: Store) -> None:
    view = see(match, POCKETED)
    overrule = waive(view)
    assert match.decide(overrule, seen=view.version, key="key-1") == 2
    assert match.decide(overrule, seen=view.version, key="key-1") == 2
    assert match.declare(PASS, seen=match.view().version, key="key-2") == 3
    assert match.declare(PASS, seen=0, key="key-2") == 3
    assert len(store.read("final")[1]) == 3


def test_an_answer_is_shown_with_its_question(match: Match) -> None:
    view = see(match, lying(0.2))
    question = view.rulings[0].ruling.question
    assert question is not None
    match.decide(Reply(seq=1, question="x", answer="yes"), seen=view.version, key="key-1")
    after = match.view()
    assert [(str(r.id), r.answered) for r in after.rulings] == [
        ("1/T-3/0", "yes"),
        ("1/T-3/1", None),
    ]
    assert after.undoable[0].words.startswith("Answered “yes” to: is blue-1 over")


def test_what_the_page_decides_on_is_kept_with_the_decision(match: Match, store: Store) -> None:
    view = see(match, lying(0.2))
    match.decide(Reply(seq=1, question="x", answer="no"), seen=view.version, key="key-1")
    reply = store.read("final")[1][1].body
    assert isinstance(reply, Reply)
    assert reply.was == view.rulings[0].ruling.question


def changed_ruling(match: Match, view: View) -> None:
    match.decide(
        Amend(seq=1, fact=replace(POCKETED, piece="red-2")), seen=view.version, key="other"
    )


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (Overrule(ruling=POINT_ID, was=Ruling(code="T-1", words="B +1")), "has changed"),
        (Overrule(ruling=RulingId(9, "T-1"), was=Ruling(code="T-1", words="")), "no longer stands"),
        (Reply(seq=1, question="x", answer="yes"), "no longer open"),
        (Withdraw(seq=3), "taken back already"),
    ],
    ids=repr,
)
def test_a_tap_on_what_no_longer_stands_is_stale(
    match: Match, decision: Overrule | Reply | Withdraw, said: str
) -> None:
    view = see(match, POCKETED, PASS)
    match.decide(Insert(after=0, fact=HAND), seen=view.version, key="other")
    match.decide(Withdraw(seq=3), seen=match.view().version, key="and back")
    with pytest.raises(Stale, match=said):
        match.decide(decision, seen=match.view().version, key="key-1")


def test_a_confirmed_ruling_is_shown_as_such_and_confirmed_once(match: Match) -> None:
    view = see(match, POCKETED)
    before = view.rulings[0]
    sure = Confirm(ruling=POINT_ID, was=before.ruling)
    seq = match.decide(sure, seen=view.version, key="key-1")
    assert match.view().rulings == (replace(before, confirmed_by=seq),)
    assert [undo.words for undo in match.view().undoable] == ["Confirmed T-1: A +1"]
    with pytest.raises(Stale, match="confirmed already"):
        match.decide(sure, seen=match.view().version, key="key-2")
    match.decide(Withdraw(seq=seq), seen=match.view().version, key="key-3")
    assert match.view().rulings == (before,)


def test_what_is_asked_is_answered_and_what_is_overruled_is_not_confirmed(match: Match) -> None:
    view = see(match, POCKETED, lying(0.1))
    asked = next(r for r in view.rulings if r.ruling.question is not None)
    with pytest.raises(ValueError, match="answer its question"):
        match.decide(Confirm(ruling=asked.id, was=asked.ruling), seen=view.version, key="key-1")
    match.decide(waive(view), seen=view.version, key="key-2")
    waived = match.view().rulings[0]
    with pytest.raises(Stale, match="has been overruled"):
        match.decide(
            Confirm(ruling=POINT_ID, was=waived.ruling), seen=match.view().version, key="key-3"
        )


@pytest.mark.parametrize(
    "decision",
    [Amend(seq=1, fact=None), Insert(after=1, fact=HAND)],
    ids=["strike", "insert"],
)
def test_a_fact_put_right_since_the_page_was_drawn_is_stale(
    match: Match, decision: Amend | Insert
) -> None:
    view = see(match, POCKETED, PASS)
    changed_ruling(match, view)
    with pytest.raises(Stale, match="changed since"):
        match.decide(decision, seen=view.version, key="key-1")
    assert match.decide(decision, seen=match.view().version, key="key-1") == 4


def test_an_overrule_is_stale_where_its_ruling_has_changed_or_been_overruled(match: Match) -> None:
    view = see(match, POCKETED)
    match.decide(waive(view), seen=view.version, key="key-1")
    with pytest.raises(Stale, match="overruled already"):
        match.decide(waive(view), seen=view.version, key="key-2")
    changed_ruling(match, match.view())
    with pytest.raises(Stale, match="has changed"):
        match.decide(waive(view), seen=view.version, key="key-3")
    assert match.view().to_review == (2,)


def test_a_declaration_is_stale_after_a_new_ruling_and_not_after_a_mere_fact(match: Match) -> None:
    view = see(match, POCKETED)
    see(match, Contacted(at_ms=6, a="a", b="b", at=Point(0, 0)))
    assert match.declare(PASS, seen=view.version, key="key-1") == 3
    with pytest.raises(Stale, match="new ruling"):
        match.declare(PASS, seen=view.version, key="key-2")


def test_a_page_of_an_earlier_run_is_stale(match: Match) -> None:
    see(match, POCKETED)
    with pytest.raises(Stale, match="started again"):
        match.decide(Amend(seq=1, fact=None), seen=999, key="key-1")


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (Amend(seq=7, fact=None), "expected an entry that holds a fact, got entry 7"),
        (Insert(after=-1, fact=HAND), "got entry -1"),
        (Withdraw(seq=1), "expected the entry of a decision, got entry 1"),
        (Withdraw(seq=9), "got entry 9"),
        (Reply(seq=2, question="x", answer="perhaps"), "expected one of the answers yes, no"),
    ],
    ids=repr,
)
def test_a_tap_that_makes_no_sense_is_refused(
    match: Match, store: Store, decision: Amend | Insert | Withdraw | Reply, said: str
) -> None:
    view = see(match, POCKETED, lying(0.2))
    with pytest.raises(ValueError, match=said):
        match.decide(decision, seen=view.version, key="key-1")
    assert len(store.read("final")[1]) == 2


def test_only_what_was_declared_can_be_declared(match: Match) -> None:
    with pytest.raises(ValueError, match="got Pocketed"):
        match.declare(POCKETED, seen=match.view().version, key="key-1")


def test_a_page_that_waits_gets_the_next_view(match: Match) -> None:
    view = match.view()
    found: list[View | None] = []
    waiting = threading.Thread(target=lambda: found.append(match.wait(view.version, 30)))
    waiting.start()
    after = see(match, POCKETED)
    waiting.join(30)
    assert found == [after]
    assert match.wait(after.version, 0) is None
    assert match.wait(0, 0) == after


def test_those_who_listen_hear_of_every_change_in_order(log: MatchLog, clock: ManualClock) -> None:
    heard: list[Change] = []

    def deaf(change: Change) -> None:
        raise OSError("the buzzer was unplugged")

    with Match(log, Toy(), clock=clock, listeners=[deaf, heard.append]) as match:
        view = see(match, POCKETED, PASS)
        match.decide(Amend(seq=1, fact=HAND), seen=view.version, key="key-1")
    assert [e.seq for change in heard for e in change.entries] == [1, 2, 3]
    assert [step.seq for step in heard[-1].steps] == [1]
    assert heard[-1].view.seq == 3


def test_a_fault_of_the_game_stops_the_rulings_and_not_the_match(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    view = see(match, BURST, POCKETED)
    assert [r.id.code for r in view.rulings] == ["SIGHTLINE-1"]
    assert "the toy burst" in caplog.text
    match.decide(Amend(seq=1, fact=None), seen=view.version, key="key-1")
    assert [r.id.code for r in match.view().rulings] == ["T-1"]


class Scoreless(Toy):
    def scoreboard(self, state: ToyState) -> object:  # type: ignore[override]
        raise KeyError("A")


def test_a_game_that_cannot_tell_the_score_leaves_it_to_the_referee(
    log: MatchLog, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    with Match(log, Scoreless(), clock=clock) as match:  # type: ignore[arg-type]
        view = see(match, POCKETED)
    assert view.scoreboard.phase == "fault"
    assert len(view.rulings) == 1
    assert "cannot tell the score" in caplog.text


class StubbornLog:
    """A log whose disk is full for a while."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log
        self.full = threading.Event()
        self.refused = threading.Event()

    def append(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        if self.full.is_set():
            self.refused.set()
            raise LogUnwritable("matches.db: cannot be written (database or disk is full)")
        return self._log.append(drafts)

    def __getattr__(self, name: str) -> object:
        return getattr(self._log, name)


def test_while_the_disk_is_full_facts_wait_taps_are_refused_and_the_page_says_so(
    log: MatchLog, store: Store, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    stubborn = StubbornLog(log)
    with Match(stubborn, Toy(), clock=clock) as match:  # type: ignore[arg-type]
        stubborn.full.set()
        view = see(match, POCKETED, PASS)
        assert view.sight is Sight.BLIND
        assert "disk is full" in view.sight_words
        assert view.rulings == ()
        with pytest.raises(ValueError, match=r"not entered: .*disk is full"):
            match.declare(PASS, seen=view.version, key="key-1")
        stubborn.full.clear()
        view = see(match, POCKETED)
        assert view.sight is not Sight.BLIND
        assert len(view.rulings) == 3
        assert match.declare(PASS, seen=view.version, key="key-1") == 4
    assert len(store.read("final")[1]) == 4
    assert caplog.text.count("cannot be written") == 1


def test_a_match_goes_on_where_it_stopped_and_says_that_nothing_was_seen(
    store: Store, clock: ManualClock, log: MatchLog
) -> None:
    with Match(log, Toy(), clock=clock) as match:
        clock.at_ms += 1000
        before = see(match, POCKETED, PASS)
        match.decide(waive(before), seen=before.version, key="key-1")
        before = match.view()
    clock.at_ms = 3.0
    with Match(store.open("final"), Toy(), clock=clock, resumed_at_ms=60_000) as match:
        match.sync()
        view = match.view()
        assert view.rulings == before.rulings
        assert view.scoreboard == before.scoreboard
        assert view.undoable == before.undoable
        assert view.sight is Sight.BLIND
        assert view.now_ms == 60_000
        assert match.declare(PASS, seen=view.version, key="key-1") == 3
    entries = store.read("final")[1]
    assert entries[3].body == SightLost(at_ms=60_000, why="Sightline was stopped")


def test_after_the_end_taps_are_stale_and_nobody_waits_for_ever(match: Match) -> None:
    view = see(match, POCKETED)
    match.close()
    with pytest.raises(Stale, match="no longer running"):
        match.decide(waive(view), seen=view.version, key="key-1")
    match.sync()
    assert match.wait(view.version, 30) is None
    assert match.view().rulings == view.rulings


def test_a_match_is_started_once(match: Match) -> None:
    with pytest.raises(ValueError, match="not running yet"):
        match.start()


def test_what_is_private_is_not_told_while_the_game_runs(
    log: MatchLog, clock: ManualClock, store: Store
) -> None:
    class Discreet(Toy):
        def judge(self, state: ToyState, fact: Fact) -> tuple[Ruling, ...]:
            rulings = super().judge(state, fact)
            return (*rulings, Ruling(code="T-9", words="a square was missed", private=True))

    with Match(log, Discreet(), clock=clock) as match:
        view = see(match, POCKETED)
        assert [ruled.id.code for ruled in view.rulings] == ["T-1"]
    header, entries = store.read(log.header.name)
    steps = replay(Discreet(), header.setup, entries).steps
    assert [ruling.code for ruling in steps[0].rulings] == ["T-1", "T-9"]
