"""The fields of a value, told alike of a dataclass and of a Struct."""

from dataclasses import dataclass
from dataclasses import field as dataclass_field

import pytest
from msgspec import Struct, field

from rules.facts import Pocketed
from rules.parts import has_parts, parts_of
from rules.rulings import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    code: str
    side: str | None = None
    cites: tuple[int, ...] = ()
    known: dict[str, str] = dataclass_field(default_factory=dict)


class Quick(Struct, frozen=True, kw_only=True):
    code: str
    side: str | None = None
    cites: tuple[int, ...] = ()
    known: dict[str, str] = field(default_factory=dict)


@pytest.mark.parametrize("kind", [Plain, Quick])
def test_each_field_says_whether_it_must_be_given_and_what_stands_for_it(kind: type) -> None:
    (code, *rest) = parts_of(kind)
    assert (code.name, code.required) == ("code", True)
    assert rest == [("side", False, None), ("cites", False, ()), ("known", False, {})]


@pytest.mark.parametrize(
    ("kind", "has"),
    [(Plain, True), (Quick, True), (Ruling, True), (Pocketed, True), (str, False), ("code", False)],
)
def test_a_class_of_values_has_fields(kind: object, has: bool) -> None:
    assert has_parts(kind) is has
