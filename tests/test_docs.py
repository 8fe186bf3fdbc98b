"""What the pages say is there is there: files they link to, commands and benchmarks they name."""

import re
from pathlib import Path

import pytest

from sightline.cli import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if ".venv" not in page.parts
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)", text)

    missing = [
        target
        for target in targets
        if "://" not in target and not (page.parent / target).resolve().exists()
    ]
    assert missing == []


def test_every_benchmark_and_command_that_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    benchmarks = re.findall(r"python (benchmarks/\w+\.py)", readme)
    commands = re.findall(r"(?:`|^    )(?:\./start|sightline) ([a-z]+)", readme, flags=re.MULTILINE)

    assert benchmarks
    assert commands
    assert [each for each in benchmarks if not (ROOT / each).is_file()] == []
    assert [each for each in commands if each not in COMMANDS] == []
