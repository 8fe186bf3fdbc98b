"""The lines of the serial protocol: what was meant arrives, or is known to be garbled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.wire import LONGEST_BYTES, Decoder, Garbled, Line, checksum, decode, encode

WORDS = st.lists(
    st.text(
        st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="*"), min_size=1
    ),
    min_size=1,
    max_size=4,
).map(tuple)
LINES = st.builds(Line, number=st.integers(0, 255), words=WORDS).filter(
    lambda line: len(" ".join(line.words)) < LONGEST_BYTES - 8
)


def test_the_checksum_is_the_published_one() -> None:
    assert checksum(b"123456789") == 0xF4


def test_a_line_looks_as_the_protocol_page_says() -> None:
    assert encode(Line(number=7, words=("BUZZ", "120", "2"))) == b"7 BUZZ 120 2*7F\n"


@given(st.lists(LINES, max_size=6), st.integers(1, 9))
def test_lines_arrive_as_they_were_sent_however_the_bytes_are_cut(
    lines: list[Line], step: int
) -> None:
    data = b"".join(encode(line) for line in lines)
    decoder = Decoder()

    found = [
        item for at in range(0, len(data), step) for item in decoder.feed(data[at : at + step])
    ]

    assert found == lines


@given(LINES, st.integers(0, 7), st.data())
def test_one_flipped_bit_is_always_noticed(line: Line, bit: int, data: st.DataObject) -> None:
    raw = bytearray(encode(line)[:-1])
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << bit

    found = Decoder().feed(bytes(raw) + b"\n")

    for item in found:
        # A checksum's digit may change its case and still say the same.
        assert isinstance(item, Garbled) or item == line


@given(st.binary(max_size=400), LINES)
def test_after_any_garbage_the_next_line_is_understood(garbage: bytes, line: Line) -> None:
    decoder = Decoder()
    decoder.feed(garbage)
    decoder.feed(b"\n")

    assert decoder.feed(encode(line)) == (line,)


@pytest.mark.parametrize(
    "line",
    [
        Line(number=256, words=("PING",)),
        Line(number=1, words=()),
        Line(number=1, words=("two words",)),
        Line(number=1, words=("star*",)),
        Line(number=1, words=("é",)),
        Line(number=1, words=("x" * 90,)),
    ],
    ids=["number", "no word", "space", "star", "not ASCII", "too long"],
)
def test_what_no_line_can_carry_is_refused(line: Line) -> None:
    with pytest.raises(ValueError, match="expected"):
        encode(line)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"7 PING", "no checksum"),
        (b"7 PING*00", "wrong checksum"),
        (b"7 PING*ZZ", "not a line of text"),
        (b"x PING*%02X" % checksum(b"x PING"), "no number"),
        (b"999 PING*%02X" % checksum(b"999 PING"), "no number"),
        (b"7*%02X" % checksum(b"7"), "nothing said"),
    ],
)
def test_a_garbled_line_says_why(raw: bytes, why: str) -> None:
    assert decode(raw) == Garbled(why=why)
