"""Colliders as outlines, for boards: whole, or dashed for what is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    Transform,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair, arc, turned
from ecsphys.demo.scenes.sketch import Color

_DASH = 0.16


def outline(collider: Collider, transform: Transform) -> list[Pair]:
    """The corners of a collider in the world, arcs as points; a polygon's rounding is left out."""
    angle = 0.0 if isinstance(collider, AABBCollider) else transform.angle
    x, y = turned((collider.offset_x, collider.offset_y), angle)
    if isinstance(collider, OBBCollider | CapsuleCollider | PolygonCollider):
        angle += collider.angle
    return [(transform.x + x + px, transform.y + y + py) for px, py in (turned(p, angle) for p in _corners(collider))]


def _corners(collider: Collider) -> Sequence[Pair]:
    if isinstance(collider, CircleCollider):
        return arc(collider.radius, 0.0, math.tau)[:-1]
    if isinstance(collider, AABBCollider | OBBCollider):
        x, y = collider.half_width, collider.half_height
        return [(x, y), (-x, y), (-x, -y), (x, -y)]
    if isinstance(collider, CapsuleCollider):
        half = 0.5 * collider.length
        right = [(x + half, y) for x, y in arc(collider.radius, 0.0, math.pi)]
        return right + [(-x, -y) for x, y in right]
    if isinstance(collider, FanCollider):
        return [(0.0, 0.0), *arc(collider.radius, collider.direction, collider.spread)]
    return collider.vertices


def draw_dashed(board: Board, points: Sequence[Pair], color: Color = palette.GUIDE, alpha: float = 0.6) -> None:
    """A closed outline of dashes."""
    for a, b in zip(points, [*points[1:], points[0]], strict=True):
        dashes = max(round(0.5 * math.dist(a, b) / _DASH), 1)
        for dash in range(dashes):
            low, high = (dash + 0.25) / dashes, (dash + 0.75) / dashes
            board.line(_between(a, b, low), _between(a, b, high), color, 1.6, alpha)


def _between(a: Pair, b: Pair, part: float) -> Pair:
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
