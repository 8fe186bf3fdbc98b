"""The rulebook in docs/games/qsquare.md, the clauses that are printed, and the code agree."""

import re
from pathlib import Path

import pytest

import rules.games.qsquare
from rules.games.qsquare.clauses import CLAUSES
from rules.games.qsquare.game import QSquare


@pytest.fixture(scope="module")
def rulebook(request: pytest.FixtureRequest) -> str:
    root: Path = request.config.rootpath
    return (root / "docs/games/qsquare.md").read_text(encoding="utf-8")


def between(text: str, start: str, end: str) -> str:
    return text[text.index(start) : text.index(end)]


def test_every_clause_of_the_rulebook_is_printed_once(rulebook: str) -> None:
    section = between(rulebook, "## 5. Rules", "### Coverage table")
    written = re.findall(r"^\| (QS-\S+) \|", section, flags=re.MULTILINE)
    assert [clause.code for clause in CLAUSES] == written
    assert len(set(written)) == len(written)
    assert QSquare().clauses() == CLAUSES
    assert all(clause.words and clause.section for clause in CLAUSES)


def test_the_coverage_table_names_only_clauses_that_exist(rulebook: str) -> None:
    table = between(rulebook, "### Coverage table", "## 6. Decision table")
    rows = [line for line in table.splitlines() if line.startswith("| ") and "QS-" in line]
    assert len(rows) == 68
    known = {clause.code for clause in CLAUSES}
    for row in rows:
        named = re.findall(r"QS-[0-9a-gnX.]+[0-9a-gn]", row)
        assert named, row
        letters = {"QS-8a"}
        assert set(named) - letters <= known, row


def test_every_clause_covers_a_sentence_or_closes_a_gap(rulebook: str) -> None:
    table = between(rulebook, "### Coverage table", "## 6. Decision table")
    uncovered = [
        clause.code
        for clause in CLAUSES
        if clause.code not in table and not clause.code.startswith("QS-X.")
    ]
    assert set(uncovered) <= {"QS-8a.5", "QS-8b", "QS-8c", "QS-8e", "QS-8f", "QS-8g"}


def test_every_clause_can_be_ruled_by_the_code() -> None:
    folder = Path(rules.games.qsquare.__file__).parent
    source = "".join(
        file.read_text(encoding="utf-8")
        for file in folder.glob("*.py")
        if file.name != "clauses.py"
    )
    ruled = set(re.findall(r'"(QS-[0-9A-Za-z.]+)"', source))
    known = {clause.code for clause in CLAUSES}
    assert known - ruled == set()
    assert ruled - known == {"QS-8n", "QS-8a."}  # the beginnings of groups, looked for as such
