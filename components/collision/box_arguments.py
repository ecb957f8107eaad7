"""Boxes given by their sizes, corners or a screen's rectangle, as the fields of a box collider."""

from __future__ import annotations

from typing import Any

from ecsphys.components.store.column import finite_number, show


def half_sizes(owner: str, width: Any, height: Any) -> tuple[float, float]:
    """Half of a width and a height. Raises ValueError unless both are greater than 0, and TypeError unless they are
    numbers."""
    sizes = finite_number(f"{owner} width", width), finite_number(f"{owner} height", height)
    for name, size, given in zip(("width", "height"), sizes, (width, height), strict=True):
        if size <= 0.0:
            raise ValueError(f"{owner} {name} must be greater than 0, got {show(given)}")
    return 0.5 * sizes[0], 0.5 * sizes[1]


def corner(owner: str, x: Any, y: Any, names: tuple[str, str] = ("x", "y")) -> tuple[float, float]:
    """A corner. Raises TypeError or ValueError, with one of the ``names``, unless both numbers are finite."""
    return finite_number(f"{owner} {names[0]}", x), finite_number(f"{owner} {names[1]}", y)


def box_of_corners(owner: str, ax: Any, ay: Any, bx: Any, by: Any) -> tuple[float, float, float, float]:
    """Half sizes and center of the box with two opposite corners. Raises ValueError if the box is empty."""
    (ax, ay), (bx, by) = corner(owner, ax, ay, ("ax", "ay")), corner(owner, bx, by, ("bx", "by"))
    half_width, half_height = abs(0.5 * bx - 0.5 * ax), abs(0.5 * by - 0.5 * ay)
    for names, half, ends in (("ax and bx", half_width, (ax, bx)), ("ay and by", half_height, (ay, by))):
        if half <= 0.0:
            raise ValueError(f"{owner} {names} must differ, got {show(ends[0])} and {show(ends[1])}")
    return half_width, half_height, 0.5 * ax + 0.5 * bx, 0.5 * ay + 0.5 * by
