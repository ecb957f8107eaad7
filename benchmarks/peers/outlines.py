"""Colliders that other libraries do not have, as convex polygons."""

from __future__ import annotations

import math

_WIDEST_STEP = math.pi / 6.0

Outline = list[tuple[float, float]]


def fan_outlines(radius: float, spread: float) -> list[Outline]:
    """A fan about the local x axis: one polygon, or two where it is wider than π; each arc in steps of at most 30°.

    None has more than eight corners, as many as Box2D allows.
    """
    parts = 1 if spread <= math.pi else 2
    width = spread / parts
    steps = math.ceil(width / _WIDEST_STEP - 1e-9)
    outlines = []
    for part in range(parts):
        start = -0.5 * spread + part * width
        turns = [start + width * step / steps for step in range(steps + 1)]
        arc = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
        # The apex of a half circle lies on the line between the ends of its arc.
        outlines.append(arc if width == math.pi else [(0.0, 0.0), *arc])
    return outlines


def box_outline(half_width: float, half_height: float) -> Outline:
    return [
        (-half_width, -half_height),
        (half_width, -half_height),
        (half_width, half_height),
        (-half_width, half_height),
    ]
