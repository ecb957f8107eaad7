"""One small stage for each documented collision test: its shapes, their drawing, and its answer.

Each function gets the board, whose origin is the cell's middle, the mover's place (x, y) there, and the settings that
all cells share. It draws its shapes and returns what each of its tests says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ecsphys import geometry
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair, turned

MOVER = palette.COLLIDERS[0]
MARK = palette.CONTACT

_TRIANGLE_HOUSE = [(-1.0, -1.0), (1.1, -0.8), (1.3, 0.4), (0.1, 1.2), (-1.2, 0.5)]


@dataclass
class Settings:
    """Values that the parameters change."""

    radius: float = 0.6
    """Of the moving circles."""
    spread: float = math.radians(130.0)
    """Of fan and wedge, in radians."""
    angle: float = math.radians(30.0)
    """Of the turned rectangles, in radians."""


Say = Callable[[Board, float, float, Settings], tuple[bool, ...]]


@dataclass(frozen=True)
class Cell:
    """A stage: the id of its chapter, the test in plain words, the functions that it calls."""

    row: str
    text: str
    functions: str
    say: Say


def _aabb_aabb(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    box = ((-1.2, -0.8), (0.8, 0.8))
    mine = ((x - 0.8, y - 0.6), (x + 0.8, y + 0.6))
    hit = geometry.aabb_aabb(*box, *mine)
    board.box(*box, hit)
    board.box(*mine, hit, MOVER)
    return (hit,)


def _intersection(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    box = ((-1.2, -0.9), (0.8, 0.9))
    mine = ((x - 0.9, y - 0.7), (x + 0.9, y + 0.7))
    board.box(*box)
    board.box(*mine, color=MOVER)
    common = geometry.aabb_intersection(*box, *mine)
    if common is not None:
        board.box(*common, True)
    return (common is not None,)


def _circle_circle(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    hit = geometry.circle_circle((0.0, 0.0), 0.9, (x, y), settings.radius)
    board.circle((0.0, 0.0), 0.9, hit)
    board.circle((x, y), settings.radius, hit, MOVER)
    board.line((0.0, 0.0), (x, y), alpha=0.5)
    return (hit,)


def _circle_aabb(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    low, high = (-1.3, -0.7), (1.3, 0.7)
    says = tuple(
        test((x, y), settings.radius, low, high)
        for test in (geometry.circle_aabb_by_cases, geometry.circle_aabb, geometry.circle_aabb_by_growth)
    )
    board.box(low, high, says[1])
    board.circle((x, y), settings.radius, says[1], MOVER)
    nearest = (min(max(x, low[0]), high[0]), min(max(y, low[1]), high[1]))
    board.line((x, y), nearest, MARK, 1.4)
    board.dot(nearest, MARK)
    return says


def _circle_obb(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    box = ((0.0, 0.0), (1.3, 0.6), settings.angle)
    says = (
        geometry.circle_obb((x, y), settings.radius, *box),
        geometry.circle_obb_by_transform((x, y), settings.radius, *box),
    )
    board.turned_box(*box, says[0])
    board.circle((x, y), settings.radius, says[0], MOVER)
    return says


def _circle_polygon(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    hit = geometry.circle_polygon((x, y), settings.radius, _TRIANGLE_HOUSE)
    board.polygon(_TRIANGLE_HOUSE, hit)
    board.circle((x, y), settings.radius, hit, MOVER)
    return (hit,)


def _point_in_box(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    low, high = (-2.3, -0.9), (-0.5, 0.9)
    turned_one = ((1.4, 0.0), (1.1, 0.6), settings.angle)
    says = (geometry.point_in_aabb((x, y), low, high), geometry.point_in_obb((x, y), *turned_one))
    board.box(low, high, says[0])
    board.turned_box(*turned_one, says[1])
    board.dot((x, y), MOVER, 5.0)
    return says


def _nearest_on_box(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    box = ((0.0, 0.0), (1.3, 0.7), settings.angle)
    nearest, distance = geometry.closest_point_on_obb((x, y), *box)
    board.turned_box(*box, distance == 0.0)
    board.line((x, y), nearest, MARK)
    board.dot(nearest, MARK)
    board.dot((x, y), MOVER, 5.0)
    return (distance == 0.0,)


def _slabs(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    """Three boxes with the same origin and direction against each: as a line, a ray and a segment."""
    start = (0.42 * x, 0.55 * y)
    direction = turned((1.05, 0.0), settings.angle)
    end = (start[0] + direction[0], start[1] + direction[1])
    low, high = (-0.5, -0.5), (0.5, 0.5)
    ways = (
        (-2.05, geometry.line_aabb(start, direction, low, high), (-0.7, 1.7)),
        (0.0, geometry.ray_aabb(start, direction, low, high), (0.0, 1.7)),
        (2.05, geometry.segment_aabb(start, end, low, high), (0.0, 1.0)),
    )
    for middle, found, (first, last) in ways:

        def at(t: float, middle: float = middle) -> Pair:
            return middle + start[0] + t * direction[0], start[1] + t * direction[1]

        board.box((middle - 0.5, -0.5), (middle + 0.5, 0.5), found is not None)
        board.line(at(first), at(last), MOVER, 1.6)
        if first == 0.0:
            board.dot(at(0.0), MOVER)
        if found is not None:
            for t in found:
                if math.isfinite(t):
                    board.dot(at(t), MARK, 4.0)
    return tuple(found is not None for _, found, _ in ways)


def _nearest_on_segment(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    a, b = (-1.5, -0.5), (1.4, 0.6)
    nearest = geometry.closest_point_on_segment((x, y), a, b)
    inside = nearest not in (a, b)
    board.line(a, b, palette.LIT if inside else palette.GUIDE, 3.0)
    board.line((x, y), nearest, MARK)
    board.dot(nearest, MARK)
    board.dot((x, y), MOVER, 5.0)
    return (inside,)


def _circle_capsule(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    a, b = (-1.2, -0.4), (1.2, 0.5)
    hit = geometry.circle_capsule((x, y), settings.radius, a, b, 0.45)
    nearest = geometry.closest_point_on_segment((x, y), a, b)
    board.capsule(a, b, 0.45, hit)
    board.line(a, b, alpha=0.4)
    board.circle((x, y), settings.radius, hit, MOVER)
    board.line((x, y), nearest, MARK, 1.4)
    board.dot(nearest, MARK)
    return (hit,)


def _circle_fan(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    hit = geometry.circle_fan((x, y), settings.radius, (0.0, 0.0), 1.5, settings.spread, 0.6)
    board.fan(1.5, settings.spread, 0.6, hit)
    board.circle((x, y), settings.radius, hit, MOVER)
    return (hit,)


def _between(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    v1 = turned((1.7, 0.0), 0.6 - 0.5 * settings.spread)
    v2 = turned((1.7, 0.0), 0.6 + 0.5 * settings.spread)
    between = geometry.between_vectors((x, y), v1, v2)
    if between:
        board.fan(1.2, settings.spread, 0.6, True)
    board.arrow((0.0, 0.0), v1, palette.COLLIDERS[1])
    board.arrow((0.0, 0.0), v2, palette.COLLIDERS[4])
    board.line((0.0, 0.0), (x, y), MOVER, 1.4, 0.6)
    board.dot((x, y), MOVER, 5.0)
    return (between,)


def _circle_segment(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    a = (-2.2, -0.9)
    found = geometry.circle_segment((0.2, 0.1), 0.95, a, (x, y))
    board.circle((0.2, 0.1), 0.95, bool(found))
    board.line(a, (x, y), MOVER)
    board.dot(a, MOVER)
    board.dot((x, y), MOVER, 5.0)
    for t in found:
        board.dot((a[0] + t * (x - a[0]), a[1] + t * (y - a[1])), MARK, 4.0)
    return (bool(found),)


def _representations(board: Board, x: float, y: float, settings: Settings) -> tuple[bool, ...]:
    """The same rectangle three times: min and max; centre and half-size; with its own axes."""
    low, high = (-2.85, -0.5 - 0.12 * abs(y)), (-1.35, 0.5 + 0.12 * abs(y))
    center, half = geometry.box_center_half(low, high)
    board.box(low, high)
    for corner in (low, high):
        board.dot(corner, MARK, 4.0)
    middle = (0.0, center[1])
    board.box(*geometry.box_min_max(middle, half))
    board.dot(middle, MARK, 4.0)
    board.arrow(middle, (half[0], middle[1]), palette.COLLIDERS[1])
    board.arrow(middle, (0.0, middle[1] + half[1]), palette.COLLIDERS[4])
    right = (2.1, center[1])
    board.turned_box(right, (0.85 * half[0], 0.85 * half[1]), settings.angle)
    board.dot(right, MARK, 4.0)
    for axis, color in zip(
        geometry.box_axes(settings.angle), (palette.COLLIDERS[1], palette.COLLIDERS[4]), strict=True
    ):
        board.arrow(right, (right[0] + 0.75 * axis[0], right[1] + 0.75 * axis[1]), color)
    return ()


CELLS = (
    Cell("C1", "Two boxes", "aabb_aabb", _aabb_aabb),
    Cell("C2", "What they share", "aabb_intersection", _intersection),
    Cell("C3", "Two circles", "circle_circle", _circle_circle),
    Cell("C4", "Circle and box", "circle_aabb, in three ways", _circle_aabb),
    Cell("C5", "Circle, turned box", "circle_obb, in two ways", _circle_obb),
    Cell("C6", "Circle and polygon", "circle_polygon", _circle_polygon),
    Cell("C7", "Point in a box", "point_in_aabb, point_in_obb", _point_in_box),
    Cell("C8", "Nearest on a box", "closest_point_on_obb", _nearest_on_box),
    Cell("C9", "Line, ray, segment", "line_, ray_, segment_aabb", _slabs),
    Cell("C10", "Nearest on a line", "closest_point_on_segment", _nearest_on_segment),
    Cell("C11", "Circle and capsule", "circle_capsule", _circle_capsule),
    Cell("C12", "Circle and fan", "circle_fan", _circle_fan),
    Cell("C13", "Between arrows", "between_vectors", _between),
    Cell("C14", "Line meets circle", "circle_segment", _circle_segment),
    Cell("C15", "A box in three ways", "box_center_half, box_axes", _representations),
)
