"""The rulebook in docs/games/carrom.md, the clauses and options that are known, and the code."""

import re
from pathlib import Path

import rules.games.carrom
from rules.games.carrom.clauses import CLAUSES
from rules.games.carrom.game import Carrom
from rules.games.carrom.options import choices

PAGE = (Path(__file__).parents[3] / "docs/games/carrom.md").read_text(encoding="utf-8")


def between(start: str, end: str) -> str:
    return PAGE[PAGE.index(start) : PAGE.index(end)]


def test_every_clause_of_the_rulebook_is_printed_once() -> None:
    section = between("## 5. Rules", "### Coverage table")
    written = re.findall(r"^\| (CR-\S+) \|", section, flags=re.MULTILINE)
    assert [clause.code for clause in CLAUSES] == written
    assert len(set(written)) == len(written)
    assert Carrom().clauses() == CLAUSES
    assert all(clause.words and clause.section for clause in CLAUSES)


def coverage() -> list[tuple[str, set[str]]]:
    table = between("### Coverage table", "## 6. Decision table")
    found = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0] not in ("Seed", "---"):
            found.append((cells[0], set(re.findall(r"CR-F?\d+\.\d+", cells[2]))))
    return found


def test_the_coverage_table_has_every_sentence_and_names_only_clauses_that_exist() -> None:
    known = {clause.code for clause in CLAUSES}
    sentences = [int(where) for where, _ in coverage() if where.isdigit()]
    assert sorted(set(sentences)) == list(range(1, 25))
    fouls = {where for where, _ in coverage() if where.startswith("fouls ")}
    assert fouls == {"fouls 1", "fouls 2", "fouls 3", "fouls 4", "fouls 5", "fouls 6"}
    for where, named in coverage():
        assert named <= known
        assert named or where == "tail"


def test_every_clause_covers_a_sentence_or_closes_a_gap() -> None:
    covered = set().union(*(named for _, named in coverage()))
    uncovered = {clause.code for clause in CLAUSES} - covered
    assert all(code.startswith("CR-X.") for code in uncovered)


def test_every_clause_can_be_ruled_by_the_code_and_nothing_else_is() -> None:
    folder = Path(rules.games.carrom.__file__).parent
    source = "".join(
        file.read_text(encoding="utf-8")
        for file in folder.glob("*.py")
        if file.name != "clauses.py"
    )
    ruled = set(re.findall(r'"(CR-[0-9A-Z.]+)"', source))
    assert ruled == {clause.code for clause in CLAUSES}


def test_the_options_are_those_of_the_rulebook_with_the_same_defaults() -> None:
    named: dict[str, tuple[str, ...]] = {}
    for name, values in re.findall(r"`(?:cr\.)?([a-z]\w*) = ([^`]+)`", PAGE):
        allowed = tuple(value.strip() for value in values.replace("\\|", "|").split("|"))
        if name not in named or len(allowed) > len(named[name]):
            named[name] = allowed
    del named["name"]  # the form in which options are written
    assert set(named) == set(choices())
    for name, allowed in named.items():
        if len(allowed) > 1:
            assert choices()[name] == allowed
    assert named["time_limit_min"] == ("35",)
