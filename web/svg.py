"""SVG as text: elements, paths and colours. One unit is one millimetre; y is turned to run up."""

from html import escape

from rules.geometry import Point


def rect(x: float, y: float, width: float, height: float, **more: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, **more)


def circle(centre: Point, radius_mm: float, **more: object) -> str:
    return tag("circle", cx=centre.x_mm, cy=-centre.y_mm, r=radius_mm, **more)


def disc_path(radius: float) -> str:
    r = n(radius)
    return f"M{r} 0A{r} {r} 0 1 0 -{r} 0A{r} {r} 0 1 0 {r} 0Z"


def tag(name: str, inner: str = "", /, **attributes: object) -> str:
    """Return an element; `inner` is markup already, attribute values are escaped here."""
    named = (
        (key.rstrip("_") if key == "class_" else _attribute(key), value)
        for key, value in attributes.items()
    )
    text = "".join(f' {key}="{escape(_value(value))}"' for key, value in named)
    return f"<{name}{text}>{inner}</{name}>"


def _attribute(key: str) -> str:
    return key if key in {"viewBox", "clipPath"} else key.replace("_", "-")


def _value(value: object) -> str:
    return n(value) if isinstance(value, float) else str(value)


def n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".") if number else "0"


def slug(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in text.lower())


def hex_of(rgb: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{max(0, min(255, round(part))):02x}" for part in rgb)


def mix(a: tuple[int, int, int], b: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (
        round(one * (1 - share) + other * share) for one, other in zip(a, b, strict=True)
    )
    return red, green, blue


def luminance(rgb: tuple[int, int, int]) -> float:
    """Return the relative luminance of sRGB, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
