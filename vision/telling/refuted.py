"""Falls that were followed and never were: the still picture after them shows what fell."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.board import Board
from rules.facts import Contacted, Fact, Piece, Pocketed, Rebounded
from vision.frame import Observation, SeenPiece
from vision.telling.tangles import Fall, Tangle
from vision.trajectories.shots import Spell

_BESIDE_MM = 150.0  # what comes back out of a mouth faster than to here is seen to run
_FEW = 2  # places on its way


@dataclass(frozen=True, slots=True, kw_only=True)
class Righted:
    """`facts` as they hold beside a still picture.

    `stayed` are the pieces that were told to fall and did not; `carried` are those that a hand took
    away while nothing else moved.
    """

    facts: tuple[Fact, ...]
    stayed: frozenset[str] = frozenset()
    carried: frozenset[str] = frozenset()


def set_right(
    spell: Spell,
    facts: Sequence[Fact],
    known: Sequence[Piece],
    seen: Observation,
    board: Board,
    *,
    hand: bool,
    likely: Sequence[Fall] = (),
) -> Righted:
    """The `facts` of a spell, but for falls that a still picture refutes.

    `known` lay there before, and `seen` is what the picture shows after. What lies beside the mouth
    came back out of it. What lies far off was in somebody's hand, and so was not struck either, if
    it hardly ran and was the only one that moved. Any other may have been put there after the fall
    where a `hand` was over the surface meanwhile. `likely` are falls that nobody saw: of
    those, too, what was in a hand was not struck.
    """
    refuted = refuted_falls((*facts, *likely), known, seen)
    look = {piece.name: (piece.kind, piece.colour) for piece in known}
    back: list[Fact] = []
    stayed, carried = set(), set()
    for fall in refuted:
        like = [piece for piece in seen.pieces if (piece.kind, piece.colour) == look[fall.piece]]
        beside = isinstance(fall, Pocketed) and _beside(fall.pocket, like, board)
        alone = _hardly_ran_alone(spell, fall.piece)
        if fall in likely and (beside or not alone):
            continue  # it ran on out of sight
        if isinstance(fall, Pocketed) and beside:
            back.append(Rebounded(at_ms=fall.at_ms, piece=fall.piece, pocket=fall.pocket))
        elif alone:
            carried.add(fall.piece)
        elif hand:
            continue
        stayed.add(fall.piece)
    kept = (
        fact
        for fact in facts
        if not (isinstance(fact, Fall) and fact.piece in stayed) and not carried & _named(fact)
    )
    return Righted(
        facts=tuple(sorted((*kept, *back), key=lambda fact: fact.at_ms)),
        stayed=frozenset(stayed),
        carried=frozenset(carried),
    )


def refuted_falls(
    facts: Sequence[Fact], known: Sequence[Piece], seen: Observation
) -> tuple[Fall, ...]:
    """The falls among `facts` of pieces whose like all lie on the surface still.

    A blind look, or one at a hand, refutes none.
    """
    if seen.blind is not None or seen.hand:
        return ()
    falls = tuple(fact for fact in facts if isinstance(fact, Fall))
    borne_out = Tangle(falls=falls).borne_out(known, seen.pieces)
    return tuple(fall for fall in falls if fall not in borne_out)


def _beside(pocket: str, pieces: Sequence[SeenPiece], board: Board) -> bool:
    mouth = next(each for each in board.pockets if each.id == pocket)
    return any(mouth.centre.distance_mm(piece.at) < _BESIDE_MM for piece in pieces)


def _hardly_ran_alone(spell: Spell, name: str) -> bool:
    """Whether nothing else moved, and that piece was seen on its way a few times at most."""
    moved = [line for line in spell.lines if line.moved]
    if [line.track.name for line in moved] != [name]:
        return False
    return sum(phase.count for phase in moved[0].phases[1:]) <= _FEW


def _named(fact: Fact) -> set[str]:
    """The pieces that a fact of a spell of motion speaks of."""
    if isinstance(fact, Contacted):
        return {fact.a, fact.b}
    piece = getattr(fact, "piece", None)
    return {piece} if isinstance(piece, str) else set()
