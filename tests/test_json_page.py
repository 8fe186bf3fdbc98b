"""docs/json.md says of every fact, decision and ruling what it holds."""

from pathlib import Path

import pytest
from testkit.vocabulary import tables

PAGE = (Path(__file__).parents[1] / "docs" / "json.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", [row for _, rows in tables() for row in rows])
def test_the_page_has_this_row(row: str) -> None:
    assert row in PAGE.splitlines(), "make the tables anew: python -m testkit.vocabulary"
