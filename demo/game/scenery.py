"""Paints what stands on the coast: ground, boards, mounds, crates and lights, from their colliders."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import OBBCollider, PolygonCollider, Transform
from ecsphys.demo.game import palette
from ecsphys.demo.game.brush import Brush, Points, moved, turned
from ecsphys.demo.game.level import GROUND, SEA, VIEW_BOTTOM, VIEW_WIDTH
from ecsphys.demo.game.parts import Crate, Mote


class Scenery:
    """Keeps what is drawn by lot: stones in the earth and blades of grass."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        stones, blades = [], []
        for left, right in GROUND:
            count = int((right - left) * 0.9)
            stones.append(
                np.column_stack((rng.uniform(left + 0.6, right - 0.6, count), rng.uniform(-4.2, -0.9, count)))
            )
            count = int((right - left) * 5)
            blades.append(np.column_stack((rng.uniform(left, right, count), rng.uniform(0.12, 0.42, count))))
        self._stones = np.concatenate(stones)
        self._stone_sizes = rng.uniform(0.12, 0.42, (len(self._stones), 2))
        self._blades = np.concatenate(blades)
        self._lean = rng.uniform(-0.5, 0.5, len(self._blades))

    def paint(self, brush: Brush, view_x: float, time: float) -> None:
        """Everything solid in the view, and the lights."""
        left, right = view_x - 0.5 * VIEW_WIDTH - 2.0, view_x + 0.5 * VIEW_WIDTH + 2.0
        self._paint_ground(brush, left, right, time)
        for entity, (transform, collider) in esper.get_components(Transform, PolygonCollider):
            if left - 5.0 < transform.x < right + 5.0 and transform.y == 0.0 and esper.entity_exists(entity):
                _paint_mound(brush, moved(np.array(collider.vertices), transform.x, transform.y))
        for entity, (transform, box) in esper.get_components(Transform, OBBCollider):
            if not left - 3.0 < transform.x < right + 3.0 or not esper.entity_exists(entity):
                continue
            if esper.has_component(entity, Crate):
                _paint_crate(brush, transform, box.half_width)
            elif box.half_height < 0.3:
                _paint_board(brush, transform, box)
        _paint_motes(brush, left, right, time)

    def _paint_ground(self, brush: Brush, left: float, right: float, time: float) -> None:
        bottom = VIEW_BOTTOM - 1.0
        for start, end in GROUND:
            low, high = max(start, left), min(end, right)
            if low >= high:
                continue
            brush.strip(
                np.array(((low, 0.0), (high, 0.0))),
                np.array(((low, bottom), (high, bottom))),
                palette.EARTH_TOP,
                palette.EARTH_DEEP,
            )
            brush.strip(
                np.array(((low, 0.05), (high, 0.05))),
                np.array(((low, -0.5), (high, -0.5))),
                palette.GRASS,
                palette.EARTH_TOP,
                1.0,
                0.0,
            )
            brush.line(np.array(((low, 0.0), (high, 0.0))), 0.1, palette.GRASS_LIGHT, 0.85)
            for edge in (start, end):
                if left < edge < right:
                    brush.line(np.array(((edge, 0.0), (edge, SEA))), 0.1, palette.STONE_LIGHT, 0.5)
        seen = (self._stones[:, 0] > left) & (self._stones[:, 0] < right)
        for (x, y), (wide, high) in zip(self._stones[seen], self._stone_sizes[seen], strict=True):
            brush.box(x, y, (wide, 0.5 * high), 0.0, palette.STONE, 0.4)
        seen = (self._blades[:, 0] > left) & (self._blades[:, 0] < right)
        x, height = self._blades[seen].T
        sway = height * (self._lean[seen] + 0.25 * np.sin(1.6 * time + 0.8 * x))
        corners = np.stack(
            (
                np.column_stack((x - 0.05, np.zeros(x.size))),
                np.column_stack((x + 0.05, np.zeros(x.size))),
                np.column_stack((x + sway, height)),
            ),
            axis=1,
        )
        tints = np.empty((x.size, 3, 4))
        tints[:, :2] = np.array((*palette.GRASS, 1.0))
        tints[:, 2] = np.array((*palette.GRASS_LIGHT, 1.0))
        brush.triangles(corners.reshape(-1, 2), tints.reshape(-1, 4))


def _paint_mound(brush: Brush, corners: Points) -> None:
    brush.polygon(corners, palette.GRASS, 1.0, palette.EARTH_TOP)
    top = corners[np.argsort(corners[:, 0])]
    brush.line(top, 0.1, palette.GRASS_LIGHT, 0.85)


def _paint_crate(brush: Brush, place: Transform, half: float) -> None:
    brush.box(place.x, place.y, (half, half), place.angle, palette.WOOD_DARK)
    brush.box(place.x, place.y, (half - 0.11, half - 0.11), place.angle, palette.WOOD)
    diagonal = math.hypot(half, half) - 0.2
    for turn in (0.25, 0.75):
        brush.box(place.x, place.y, (diagonal, 0.08), place.angle + turn * math.pi, palette.WOOD_DARK)
    corners = moved(turned(np.array(((-half, half), (half, half))), place.angle), place.x, place.y)
    brush.line(corners, 0.09, palette.WOOD_LIGHT)


def _paint_board(brush: Brush, place: Transform, box: OBBCollider) -> None:
    """A slab of stone with grass on it, hung from nothing."""
    half, high = box.half_width, box.half_height
    slab = np.array(((-half, -high), (half, -high), (half, high), (-half, high)))
    keel = np.array(((-0.72 * half, -high), (0.15 * half, -2.6 * high), (0.72 * half, -high)))
    middle = (place.x, place.y)
    brush.polygon(turned(keel, place.angle) + middle, palette.EARTH_TOP)
    brush.polygon(turned(slab, place.angle) + middle, palette.STONE, 1.0, palette.EARTH_TOP)
    top = turned(np.array(((-half, high), (half, high))), place.angle) + middle
    brush.line(top, 0.14, palette.GRASS)
    brush.line(moved(top, 0.0, 0.05), 0.06, palette.GRASS_LIGHT, 0.9)


def _paint_motes(brush: Brush, left: float, right: float, time: float) -> None:
    places = [
        (transform.x, transform.y)
        for entity, (_, transform) in esper.get_components(Mote, Transform)
        if left < transform.x < right and esper.entity_exists(entity)
    ]
    if not places:
        return
    centers = np.array(places)
    pulse = 0.85 + 0.15 * np.sin(5.0 * time + centers[:, 0])
    brush.discs(centers, 0.55 * pulse, palette.MOTE, 0.35, edge=0.0, light=True)
    brush.discs(centers, 0.12 * pulse, palette.MOTE, 1.0)
