"""A study that knows one moment and tells the same of every decision: enough to see a page ask."""

from dataclasses import replace

from testkit.sample_match import SAMPLE_SIZE_PX, circle_mm, sample_pieces, sample_places

from rules.codec import fact_to_json
from rules.decisions import Amend, Decision, Overrule, Reply, Withdraw
from rules.facts import Contacted, Declared, Pocketed, Settled
from rules.geometry import Point
from web.desk import Ruled
from web.study import Doubt, Item, Moment, Outline, Overlay, Preview, Runner, SeenFact, Spot


class FakeStudy:
    """Remembers what it was asked to preview."""

    def __init__(self) -> None:
        self.asked: list[Decision | Declared] = []
        self.undone = ""  # the headline after a withdrawal or an announcement

    def preview(self, body: Decision | Declared) -> Preview:
        self.asked.append(body)
        match body:
            case Overrule():
                return Preview(
                    items=(Item(name="Jānis", label="owes", before="1", after="–"),),
                    headline_before="Anna to shoot",
                    headline_after="Jānis to shoot",
                    gone=("The cue-puck hit black first.",),
                )
            case Reply(answer="yes"):
                return Preview(items=(Item(name="Jānis", label="owes", before="1", after="2"),))
            case Reply():
                return Preview(headline_before="Anna to shoot", headline_after="Jānis to shoot")
            case Withdraw() | Declared():
                return Preview(headline_after=self.undone)
            case Amend(fact=Settled(pieces=pieces)) if len(pieces) < 3:
                raise ValueError("there must be more pieces than that")
            case Amend():
                return Preview(items=(Item(name="Anna", label="to pocket", before="6", after="5"),))
        return Preview()

    def moment(self, seq: int) -> Moment:
        if seq > 900:
            raise ValueError(f"entry {seq} holds no fact that stands")
        pieces = sample_pieces()
        red = pieces[6]
        touched = Contacted(at_ms=300_000, a="cue-puck", b="black-3", at=Point(0, 0))
        fell = Pocketed(at_ms=300_400, piece="red-8", pocket="NE")
        settled = Settled(at_ms=301_000, pieces=pieces)
        facts = [(44, touched), (45, fell), (47, settled)]
        black = replace(red, name="black-8", colour="black")
        return Moment(
            facts=tuple(
                SeenFact(seq=n, at_ms=f.at_ms, words=type(f).__name__, body=fact_to_json(f))
                for n, f in facts
            ),
            settled_seq=47,
            settled=settled,
            doubts=(
                Doubt(
                    name="red-7",
                    words="half hidden",
                    likely=True,
                    runners=(
                        Runner(words="It was black-8", piece=black),
                        Runner(words="Nothing lay there", piece=None),
                    ),
                ),
            ),
            names=tuple(sorted(["black-8", *(piece.name for piece in pieces)])),
            known=(black, *pieces),
            pockets=("SW", "SE", "NE", "NW"),
            seats=("S", "E", "N", "W"),
        )

    def overlay(self, ruled: Ruled, name: str) -> Overlay | None:
        at = sample_pieces()[6].at
        rim = circle_mm(at, 16.0)
        line = [(132, -132), (132, 132), (-132, 132), (-132, -132), (132, -132)]
        left, focus, right = _seen((at.x_mm - 30, at.y_mm), (at.x_mm, at.y_mm), (at.x_mm + 30, 0))
        return Overlay(
            outlines=(
                Outline(kind="piece", name="red-7", points=_seen(*rim), named=True),
                Outline(kind="line", name="central-red", points=_seen(*line)),
            ),
            focus=focus,
            reach=right.x - left.x,
            words="as it came to rest",
        )


def _seen(*points_mm: tuple[float, float]) -> tuple[Spot, ...]:
    """Where the sample's pictures show places of the board."""
    width, height = SAMPLE_SIZE_PX
    return tuple(Spot(float(x) / width, float(y) / height) for x, y in sample_places(points_mm))
