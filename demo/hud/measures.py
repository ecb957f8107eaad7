"""The measures of the hud, in units that grow and shrink with the picture."""

from __future__ import annotations

from ecsphys.demo.scenes.scene import Box

_FULL_SIZE = 1280.0, 720.0
_LEAST_SCALE = 0.75
"""Text of 11 points is then 11 pixels high: smaller text cannot be read."""

SIDE = 16.0
TOP = 62.0
"""The height of the title and its line."""
SLIDERS, SWITCHES = 44.0, 36.0
"""The heights of the two rows at the lower border."""
SMALL = 11.0
"""Points of all text but titles: the smallest that stays 11 pixels high."""


def text_scale(size: tuple[int, int]) -> float:
    """Pixels to a unit in a picture of a given size."""
    return max(min(size[0] / _FULL_SIZE[0], size[1] / _FULL_SIZE[1]), _LEAST_SCALE)


def free_box(size: tuple[int, int], has_sliders: bool, panel_width: float = 0.0) -> Box:
    """What title, sliders, switches and a panel at the right leave of the picture, in pixels."""
    scale = text_scale(size)
    bottom = SWITCHES + SLIDERS * has_sliders
    left, low, right, high = scale * SIDE, scale * bottom, size[0] - scale * (SIDE + panel_width), size[1] - scale * TOP
    return left, low, max(right, left + 1.0), max(high, low + 1.0)


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def holds(box: Box, x: float, y: float) -> bool:
    """Whether a place is in a box; its right and upper border are outside."""
    return box[0] <= x < box[2] and box[1] <= y < box[3]
