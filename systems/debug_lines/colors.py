"""The colours of lines: one for each kind of line, and for outlines one for each kind of entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy import uint8
from numpy.typing import NDArray

from ecsphys.components.store.column import show
from ecsphys.systems.arguments import whole_number

Rgba = tuple[int, int, int, int]

DEBUG_COLORS: Final[Mapping[str, Rgba]] = MappingProxyType(
    {
        "dynamic": (255, 167, 38, 255),
        "sleeping": (144, 152, 170, 255),
        "kinematic": (171, 122, 255, 255),
        "static": (76, 187, 96, 255),
        "character": (66, 150, 255, 255),
        "collider": (0, 188, 200, 255),
        "sensor": (236, 92, 186, 255),
        "disabled": (130, 130, 130, 110),
        "box": (150, 150, 150, 130),
        "contact": (240, 64, 64, 255),
        "normal": (240, 64, 64, 255),
        "joint": (214, 178, 0, 255),
        "velocity": (60, 200, 170, 255),
    }
)
"""The default colours of debug lines: red, green, blue and alpha, from 0 to 255."""

NAMES: Final = tuple(DEBUG_COLORS)


def color_table(changed: Mapping[str, Sequence[int]] | None) -> NDArray[uint8]:
    """The colours (n, 4) of :data:`NAMES`, some of them ``changed`` to other (r, g, b) or (r, g, b, a).

    TypeError or ValueError for a mapping that is not one of names and colours.
    """
    table = np.array(list(DEBUG_COLORS.values()), uint8)
    if changed is None:
        return table
    if not isinstance(changed, Mapping):
        raise TypeError(f"colors must be a dict of names and colors, got {show(changed)}")
    for name, color in changed.items():
        if name not in DEBUG_COLORS:
            raise ValueError(f"colors has no name {show(name)}; the names are {', '.join(NAMES)}")
        table[NAMES.index(name)] = _rgba(name, color)
    return table


def _rgba(name: str, color: Any) -> Rgba:
    if isinstance(color, str) or not isinstance(color, Sequence | np.ndarray):
        raise TypeError(f"colors[{name!r}] must be (r, g, b) or (r, g, b, a), got {show(color)}")
    numbers = [whole_number(f"colors[{name!r}]", number) for number in color]
    if len(numbers) not in (3, 4) or not all(0 <= number <= 255 for number in numbers):
        raise ValueError(f"colors[{name!r}] must be 3 or 4 numbers from 0 to 255, got {show(color)}")
    red, green, blue, *alpha = numbers
    return red, green, blue, *(alpha or [255])  # type: ignore[return-value]
