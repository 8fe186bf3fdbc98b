"""What is on a sheet of paper, in millimetres from its top left corner, and its PDF."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

POINTS_PER_MM = 72.0 / 25.4

PAPERS = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A filled rectangle, black unless `black` is False: then white, over what is beneath."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    black: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A thin straight line; `dashed` ones say where to cut."""

    x1_mm: float
    y1_mm: float
    x2_mm: float
    y2_mm: float
    width_mm: float = 0.2
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A line of text that begins at (x, y), its base line."""

    x_mm: float
    y_mm: float
    text: str
    size_mm: float = 3.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, drawn in the order given."""

    width_mm: float
    height_mm: float
    things: tuple[Block | Stroke | Words, ...]


def check_ruler(x_mm: float, y_mm: float) -> tuple[Stroke | Words, ...]:
    """A ruler of exactly 100 mm, to check that the printer did not scale."""
    ticks = [
        Stroke(
            x1_mm=x_mm + at,
            y1_mm=y_mm,
            x2_mm=x_mm + at,
            y2_mm=y_mm - (4.0 if at % 50 == 0 else 2.5),
        )
        for at in range(0, 101, 10)
    ]
    words = "From end to end: exactly 100 mm. If not, print again at 100 % (no scaling, no fit)."
    return (
        Stroke(x1_mm=x_mm, y1_mm=y_mm, x2_mm=x_mm + 100.0, y2_mm=y_mm),
        *ticks,
        Words(x_mm=x_mm, y_mm=y_mm + 4.5, text=words, size_mm=3.0),
    )


def pdf_of(pages: Sequence[Page], title: str) -> bytes:
    """The pages as one PDF, at true size. The same pages give the same bytes."""
    held = io.BytesIO()
    canvas = Canvas(held, invariant=True, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Sightline")
    for page in pages:
        _draw(canvas, page)
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def _draw(canvas: Canvas, page: Page) -> None:
    scale, height_mm = POINTS_PER_MM, page.height_mm
    canvas.setPageSize((page.width_mm * scale, height_mm * scale))
    for thing in page.things:
        match thing:
            case Block():
                canvas.setFillGray(0 if thing.black else 1)
                canvas.rect(
                    thing.x_mm * scale,
                    (height_mm - thing.y_mm - thing.height_mm) * scale,
                    thing.width_mm * scale,
                    thing.height_mm * scale,
                    stroke=0,
                    fill=1,
                )
            case Stroke():
                canvas.setLineWidth(thing.width_mm * scale)
                canvas.setDash([3, 3] if thing.dashed else [])
                canvas.line(
                    thing.x1_mm * scale,
                    (height_mm - thing.y1_mm) * scale,
                    thing.x2_mm * scale,
                    (height_mm - thing.y2_mm) * scale,
                )
            case Words():
                canvas.setFillGray(0)
                canvas.setFont("Helvetica", thing.size_mm * scale)
                canvas.drawString(thing.x_mm * scale, (height_mm - thing.y_mm) * scale, thing.text)
