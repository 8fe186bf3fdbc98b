"""What the packages may lean on: `rules` on nothing impure, each edge in its own package."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "calibration", "vision", "hardware", "web", "sightline")
PURE = frozenset(
    {
        "abc",
        "bisect",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "json",
        "math",
        "msgspec",
        "operator",
        "re",
        "rules",
        "string",
        "types",
        "typing",
    }
)
"""What `rules` may import: values and functions only, nothing that reads a clock, file or chance.

`json` is there for its text form alone (`loads`, `dumps`), msgspec for its values: that is all that
the tests below let them be used for.
"""

IMPURE_NAMES = frozenset(
    {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint", "globals"}
)
OF_VALUES = {
    "msgspec": {"NODEFAULT", "UNSET", "Struct", "field", "structs"},
    "msgspec.structs": {"fields", "replace"},
}
"""What `rules` uses of a library that could do more."""
EDGES = {
    "flask": ("web",),
    "waitress": ("sightline",),
    "serial": ("hardware",),
    "cv2": ("vision", "calibration", "sightline"),
    "sqlalchemy": ("sightline",),
    "click": ("sightline",),
}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Return what a module imports, by full names; each file is read once."""
    return frozenset(imported(read(path)))


@pytest.mark.parametrize("path", modules("rules"), ids=lambda p: str(p.relative_to(ROOT)))
def test_rules_import_only_what_is_pure(path: Path) -> None:
    tree = read(path)
    assert {name.partition(".")[0] for name in imported(tree)} <= PURE
    assert not {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & IMPURE_NAMES
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "json"
    }
    assert attributes <= {"loads", "dumps"}


@pytest.mark.parametrize("path", modules("rules"), ids=lambda p: str(p.relative_to(ROOT)))
def test_rules_use_values_alone_of_a_library_that_could_do_more(path: Path) -> None:
    for node in ast.walk(read(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgspec"):
            assert {alias.name for alias in node.names} <= OF_VALUES.get(node.module or "", set())
        elif isinstance(node, ast.Import):
            assert not {alias.name.partition(".")[0] for alias in node.names} & {"msgspec"}


@pytest.mark.parametrize("library", EDGES)
def test_each_library_is_used_where_it_belongs(library: str) -> None:
    users = {
        package
        for package in PACKAGES
        for path in modules(package)
        if library in {name.partition(".")[0] for name in imports_of(path)}
    }
    assert users <= set(EDGES[library])


def test_serial_ports_are_opened_in_one_module_only() -> None:
    users = {p.name for p in modules("hardware") if "serial" in imports_of(p)}
    assert users <= {"serial_device.py", "ports.py"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_a_drawer_for_everything(package: str) -> None:
    drawers = {"utils", "helpers", "manager", "core", "base", "common", "misc"}
    assert not {path.stem for path in modules(package)} & drawers
