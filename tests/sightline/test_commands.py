"""The commands on the log and on the rules: what they print, and how they refuse."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from rules.codec import fact_to_json
from rules.decisions import Amend
from rules.facts import Declared, HandEntered, Settled, SightLost
from rules.game import Entry, Setup
from rules.geometry import Seat
from sightline import cli
from sightline.games import built_in_board
from sightline.match_log.log import Draft, MatchHeader, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    code: int
    out: str
    err: str

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("SIGHTLINE_DB", str(tmp_path / "matches.db"))
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Said:
        code = cli.run([str(a) for a in arguments])
        captured = capsys.readouterr()
        return Said(code=code, out=captured.out, err=captured.err)

    return run


SETUP = Setup(
    game="qsquare", board=built_in_board("qsquare"), options={"opening": "lot", "best_of": "3"}
)
HEADER = MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00+00:00", table="/t")
FACTS = (
    HandEntered(at_ms=100, side=Seat.S),
    SightLost(at_ms=61_234.5, why="the lens is covered"),
    Settled(at_ms=65_000, pieces=()),
    Declared(at_ms=70_000, what="concede", side="S"),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with Store(tmp_path / "matches.db") as store:
        with store.create(HEADER) as log:
            log.append([Draft(at_ms=fact.at_ms, body=fact) for fact in FACTS])
            log.append([Draft(at_ms=71_000, body=Amend(seq=1, fact=None, reason="a sleeve"))])
        store.create(MatchHeader(name="next", setup=SETUP, started="2026-11-22T09:30:00Z")).close()
    return store


def test_the_version_and_the_commands_are_told(run: Run) -> None:
    assert run("--version").out.startswith("sightline, version ")
    helped = run("--help").out
    assert all(name in helped for name in cli.COMMANDS)


def test_every_command_that_serves_pages_offers_https_in_the_same_words() -> None:
    offered = [
        {
            option.name: (option.opts, option.help)
            for option in cli.cli.get_command(click.Context(cli.cli), name).params
            if isinstance(option, click.Option) and str(option.name).startswith("tls")
        }
        for name in ("watch", "demo", "room")
    ]
    assert offered[0] == offered[1] == offered[2]
    assert set(offered[0]) == {"tls", "tls_cert", "tls_key"}


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_loads_and_tells_its_use(run: Run, name: str) -> None:
    said = run(name, "--help")
    assert (said.code, said.err) == (0, "")
    assert f"sightline {name}" in said.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dance"], "No such command"),
        (["rules", "chess"], "expected one of the games"),
        (["rules", "qsquare", "QS-99"], "has no clause QS-99"),
        (["judge", "qsquare", "nowhere.jsonl"], "nowhere.jsonl"),
        (["matches", "--db", "nowhere.db"], "nowhere.db: there is no match log here"),
        (["review", "--db", "nowhere.db"], "there is no match log here"),
        (["import", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_remedy_and_exit_code_2(
    run: Run, arguments: list[str], told: str
) -> None:
    said = run(*arguments)
    assert said.code == 2
    assert told in said.err
    assert said.out == ""


def test_the_rulebook_is_printed_clause_by_clause(run: Run) -> None:
    said = run("rules", "Q-Square", "QS-8a")
    assert "QS-8a.1" in said.out
    assert "QS-8b" not in said.out
    clauses = run("rules", "qsquare", "--json").lines()
    assert {"QS-1.1", "QS-8a.6", "QS-X.24", "SIGHTLINE-1"} <= {c["code"] for c in clauses}
    assert set(clauses[0]) == {"code", "section", "words", "exceptions"}


def written(path: Path, *lines: object) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def test_facts_are_judged_line_by_line_with_the_state_after_each(run: Run, tmp_path: Path) -> None:
    facts = written(tmp_path / "facts.jsonl", *map(fact_to_json, FACTS), "")
    said = run("judge", "qsquare", facts, "--option", "opening=lot")
    assert (said.code, said.err) == (0, "")
    lines = said.lines()
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]
    assert lines[1]["fact"] == fact_to_json(FACTS[1])
    for line in lines:
        assert {"seq", "fact", "rulings", "state"} <= set(line)
        state = line["state"]
        assert isinstance(state, dict)
        assert set(state) == {"scoreboard", "score", "outcome"}


def test_decisions_are_judged_with_all_that_they_change(run: Run, tmp_path: Path) -> None:
    concede = {"fact": "declared", "at_ms": 5, "what": "concede", "side": "S"}
    facts = written(
        tmp_path / "facts.jsonl",
        {"fact": "sight_regained", "at_ms": 1},
        concede,
        {"decision": "amend", "seq": 2, "fact": None},
        {"decision": "withdraw", "seq": 3},
        {"decision": "withdraw", "seq": 1},
    )
    lines = run("judge", "qsquare", facts).lines()
    assert [line.get("decision") is not None for line in lines] == [False] * 2 + [True] * 3
    assert (lines[2]["changed"], lines[2]["gone"]) == ([], [2])
    assert [change["seq"] for change in lines[3]["changed"]] == [2]  # type: ignore[attr-defined]
    assert lines[3]["state"] == lines[1]["state"]
    assert [line["to_review"] for line in lines[2:]] == [[], [], [5]]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2: this is not JSON"),
        pytest.param("[" * 100_000, "line 2: this is not JSON", id="nested too deep"),
        ('{"fact": "sneezed"}', "line 2: fact: expected one of struck"),
        ('{"fact": "declared", "at_ms": "x", "what": "lot"}', "line 2: at_ms: expected a number"),
        (
            '{"seq": 1, "at_ms": 1, "body": {"fact": "sight_regained", "at_ms": 1}}',
            "line 2: seq: expected a number above 1, got 1",
        ),
    ],
)
def test_a_bad_line_of_facts_is_named(run: Run, tmp_path: Path, line: str, told: str) -> None:
    facts = written(tmp_path / "facts.jsonl", fact_to_json(FACTS[0]), line)
    said = run("judge", "qsquare", facts)
    assert said.code == 2
    assert f"facts.jsonl: {told}" in said.err
    assert len(said.lines()) == 1


def test_facts_that_are_no_text_are_named(run: Run, tmp_path: Path) -> None:
    facts = tmp_path / "facts.jsonl"
    facts.write_bytes(b"\xef\xbb\xbf" + json.dumps(fact_to_json(FACTS[0])).encode() + b"\n\xff\n")
    said = run("judge", "qsquare", facts)
    assert said.code == 2
    assert "facts.jsonl: line 2: this is not JSON" in said.err
    assert len(said.lines()) == 1, "a byte order mark at the file's head is no part of it"


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        ("{", "setup.json: this is not JSON"),
        ("[]", "setup.json: setup: expected an object"),
        ('{"game": "carrom"}', "setup.json: game: expected 'qsquare', got 'carrom'"),
        ('{"players": [{"seat": "S", "naem": ""}]}', "setup.json: players[0].naem: expected no"),
        ('{"board": "nowhere.toml"}', "nowhere.toml"),
        ('{"options": {"best_of": "2"}}', "the setup is refused: expected qs.best_of = 1 | 3 | 5"),
    ],
)
def test_a_bad_setup_is_named(run: Run, tmp_path: Path, setup: str, told: str) -> None:
    facts = written(tmp_path / "facts.jsonl", fact_to_json(FACTS[0]))
    file = written(tmp_path / "setup.json", setup)
    said = run("judge", "qsquare", facts, "--setup", file)
    assert said.code == 2
    assert told in said.err


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--option", "best_of"], "--option: expected name=value"),
        (["--player", "X=Ann"], "--player: expected SEAT=name"),
    ],
)
def test_a_bad_option_is_named(run: Run, tmp_path: Path, option: list[str], told: str) -> None:
    facts = written(tmp_path / "facts.jsonl", fact_to_json(FACTS[0]))
    said = run("judge", "qsquare", facts, *option)
    assert said.code == 2
    assert told in said.err


def test_players_and_options_are_taken_from_the_setup_file(run: Run, tmp_path: Path) -> None:
    facts = written(tmp_path / "facts.jsonl", fact_to_json(FACTS[0]))
    players = [
        {"seat": "S", "name": "Ada", "colour": "red"},
        {"seat": "N", "name": "Chika", "colour": "blue"},
    ]
    file = written(tmp_path / "setup.json", {"players": players, "options": {"best_of": "3"}})
    assert "Ada" in run("judge", "qsquare", facts, "--setup", file).out


def test_matches_are_listed(run: Run, store: Store) -> None:
    said = run("matches")
    assert [line.split()[0] for line in said.out.splitlines()] == ["next", "final"]
    first, second = run("matches", "--json", "--results").lines()
    assert (first["name"], first["entries"], first["outcome"]) == ("next", 0, None)
    assert (second["name"], second["entries"], second["table"]) == ("final", 5, "/t")


def test_a_match_is_reviewed_with_its_rulings_and_what_was_decided(run: Run, store: Store) -> None:
    said = run("review", "final")
    assert said.code == 0
    assert said.out.startswith("# Q-Square · final · started 2026-11-21T15:00:00+00:00\n")
    assert "# best_of = 3" in said.out
    lines = run("review", "final", "--json").lines()
    assert set(lines[-1]) == {"state", "to_review"}
    assert run("review").out.startswith("# Q-Square · next")


def test_a_match_is_replayed_as_a_transcript(run: Run, store: Store) -> None:
    said = run("replay", "final")
    assert "@61234.5 sight_lost" in said.out
    assert 'amend 1 - reason="a sleeve"' in said.out
    assert run("replay", "final").out == said.out


def test_a_match_goes_out_and_comes_in_exactly(run: Run, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "final.jsonl"
    assert run("export", "final", "-o", file).code == 0
    assert run("export", "final").out == file.read_text(encoding="utf-8")
    assert run("import", file).code == 2
    other = tmp_path / "other.db"
    said = run("import", file, "--db", other)
    assert (said.code, said.err) == (0, "")
    with Store(other) as there:
        assert there.read("final") == store.read("final")
    assert run("import", file, "--name", "again").code == 0
    assert run("replay", "again").out == run("replay", "final").out.replace("final", "again")


def test_an_exported_match_can_be_judged(run: Run, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "final.jsonl"
    run("export", "final", "-o", file)
    lines = run("judge", "qsquare", file).lines()
    assert [line["seq"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[4]["decision"] == {
        "decision": "amend",
        "seq": 1,
        "fact": None,
        "reason": "a sleeve",
    }


def test_a_torn_export_is_imported_up_to_where_it_is_whole(
    run: Run, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "final.jsonl"
    run("export", "final", "-o", file)
    file.write_bytes(file.read_bytes()[:-20])
    said = run("import", file, "--name", "torn")
    assert said.code == 0
    assert "final.jsonl: line 6 was cut off" in said.err
    assert len(store.read("torn")[1]) == 4


def test_a_log_of_a_newer_version_is_told_without_a_traceback(run: Run, store: Store) -> None:
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE match SET version=7")
    said = run("review", "final")
    assert said.code == 2
    assert "install a newer Sightline" in said.err


def test_a_fault_of_our_own_is_not_dressed_up(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Entry:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("sightline.match_log.archive.Fold", broken)
    with pytest.raises(ZeroDivisionError):
        run("review", "final")
