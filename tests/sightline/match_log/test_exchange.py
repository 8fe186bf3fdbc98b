"""Export and import: a match comes back exactly; damage is named, a torn last line set aside."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit import strategies
from testkit.exploring import examples
from testkit.logs import PASS, POCKETED, SETUP, log

from rules.codec import NewerVersion
from rules.facts import Fact
from rules.game import Entry, Setup
from sightline.match_log.exchange import FileDamaged, export_lines, import_lines
from sightline.match_log.log import MatchHeader

HEADER = MatchHeader(name="Finale „Süd“", setup=SETUP, started="2026-11-21T15:00:00Z")


def exported(entries: list[Entry], header: MatchHeader = HEADER) -> bytes:
    return "".join(export_lines(header, entries)).encode()


@given(
    st.lists(strategies.facts() | strategies.decisions(), max_size=5),
    strategies.setups(),
    strategies.WORDS,
)
@settings(max_examples=examples(40))
def test_a_match_comes_back_exactly(bodies: list[Fact], setup: Setup, name: str) -> None:
    header = MatchHeader(name=name, setup=setup, started=name, edition=name, table=name)
    found = import_lines(exported(log(*bodies), header), "final.jsonl")
    assert (found.header, list(found.entries), found.torn) == (header, log(*bodies), None)


def test_a_file_cut_anywhere_in_its_last_line_gives_all_before_it() -> None:
    whole = exported(log(POCKETED, PASS))
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(last, len(whole)):
        found = import_lines(whole[:end], "final.jsonl")
        if end == len(whole) - 1:
            assert list(found.entries) == log(POCKETED, PASS)
            assert found.torn is None
        else:
            assert list(found.entries) == log(POCKETED)
            assert (found.torn or "") == whole[last:end].decode()
            assert found.torn_line == 3


def test_a_line_cut_within_a_letter_is_set_aside_too() -> None:
    whole = exported(log(POCKETED)) + '{"seq": 2, "ü'.encode()[:-1]
    assert import_lines(whole, "final.jsonl").torn == '{"seq": 2, "\ufffd'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "final.jsonl: line 3: this is not JSON"),
        (b'{"seq": 2', "final.jsonl: line 3: this is not JSON"),
        (b"\xff", "final.jsonl: line 3: this is not JSON"),
        (b"[" * 100_000, "final.jsonl: line 3: this is not JSON"),
        (b'{"seq": 2, "at_ms": 0}', "final.jsonl: line 3: body: missing"),
        (
            b'{"seq": 3, "at_ms": 0, "body": {"fact": "sight_regained", "at_ms": 1}}',
            "final.jsonl: line 3: expected entry 2, got 3",
        ),
    ],
    ids=["empty", "cut", "no text", "deep", "no body", "gap"],
)
def test_damage_in_the_middle_names_the_line(line: bytes, said: str) -> None:
    lines = exported(log(POCKETED, PASS, POCKETED)).splitlines()
    lines[2] = line
    with pytest.raises(FileDamaged) as damaged:
        import_lines(b"\n".join(lines) + b"\n", "final.jsonl")
    assert str(damaged.value).startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sightline": "profile"}, "expected the header of an exported match"),
        ({"version": "1"}, "version: expected a whole number from 1 on"),
        ({"name": 5}, "name: expected a text, got 5"),
        ({"setup": None}, "setup: expected an object"),
        ({"setup": {"game": "toy"}}, "setup.board: missing"),
    ],
)
def test_a_damaged_header_is_named(change: dict[str, object], said: str) -> None:
    header = json.loads(exported([])) | change
    with pytest.raises(FileDamaged, match="line 1") as damaged:
        import_lines(json.dumps(header).encode() + b"\n", "final.jsonl")
    assert said in str(damaged.value)


@pytest.mark.parametrize("content", [b"", b"hello", b"hello\n", b"[]\n", b"\x89PNG\n"])
def test_a_file_that_is_no_match_is_refused(content: bytes) -> None:
    with pytest.raises(FileDamaged, match="line 1"):
        import_lines(content, "final.jsonl")


def test_a_file_of_a_newer_version_is_refused() -> None:
    header = json.loads(exported([])) | {"version": 2, "setup": "of another shape"}
    with pytest.raises(NewerVersion, match=r"final\.jsonl: .* install a newer Sightline"):
        import_lines(json.dumps(header).encode() + b"\n", "final.jsonl")
