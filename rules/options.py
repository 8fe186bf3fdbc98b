"""What sides may agree on before a match: named options, each with the values it may have."""

from collections.abc import Collection, Mapping


def agreed(
    named: Mapping[str, str],
    prefix: str,
    title: str,
    choices: Mapping[str, tuple[str, ...]],
    free: Collection[str] = (),
) -> dict[str, str]:
    """Return the options that `named` sets, their names without `prefix` ("qs.").

    `choices` are the values that each option may have; those named in `free` may have any, which
    their game checks. ValueError for a name or a value that the rulebook does not know says which
    it does know.
    """
    chosen: dict[str, str] = {}
    for full, given in named.items():
        name, value = full.removeprefix(prefix), str(given).strip()
        if name in choices:
            if value not in choices[name]:
                allowed = " | ".join(choices[name])
                raise ValueError(f"expected {prefix}{name} = {allowed}, got {value!r}")
        elif name not in free:
            known = ", ".join(sorted([*choices, *free]))
            raise ValueError(f"expected an option of {title} ({known}), got {full!r}")
        chosen[name] = value
    return chosen
