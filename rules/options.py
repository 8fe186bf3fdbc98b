"""What sides may agree on before a match: named options, each with the values it may have."""

from collections.abc import Collection, Mapping

NONE: Mapping[str, tuple[int, int]] = {}


def agreed(
    named: Mapping[str, str],
    prefix: str,
    title: str,
    choices: Mapping[str, tuple[str, ...]],
    free: Collection[str] = (),
    numbers: Mapping[str, tuple[int, int]] = NONE,
) -> dict[str, str]:
    """Return the options that `named` sets, their names without `prefix` ("qs.").

    `choices` are the values that each option may have, `numbers` the least and the greatest of
    whole numbers; those named in `free` may have any, which their game checks. ValueError for a
    name or a value that the rulebook does not know says which it does know.
    """
    chosen: dict[str, str] = {}
    for full, given in named.items():
        name, value = full.removeprefix(prefix), str(given).strip()
        if name in choices:
            if value not in choices[name]:
                allowed = " | ".join(choices[name])
                raise ValueError(f"expected {prefix}{name} = {allowed}, got {value!r}")
        elif name in numbers:
            low, high = numbers[name]
            if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
                raise ValueError(
                    f"expected {prefix}{name} = a number from {low} to {high}, got {value!r}"
                )
        elif name not in free:
            known = ", ".join(sorted([*choices, *numbers, *free]))
            raise ValueError(f"expected an option of {title} ({known}), got {full!r}")
        chosen[name] = value
    return chosen
