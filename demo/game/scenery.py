"""Paints what stands on the coast: ground, boards, mounds, crates and lights, from their colliders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
from numpy import float32

from ecsphys import OBBCollider, PolygonCollider, Transform
from ecsphys.demo.game import palette
from ecsphys.demo.game.copies import paint_copies
from ecsphys.demo.game.level import CRATE_HALF, GROUND, SEA, VIEW_BOTTOM, VIEW_WIDTH
from ecsphys.demo.game.paint import Block, Paint, moved, turned
from ecsphys.demo.game.parts import Board, Crate, Mote, Mound
from ecsphys.demo.scenes.cached_join import CachedJoin


class Scenery:
    """Keeps what is drawn by lot, stones and blades of grass, and the triangles of all that stands still."""

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
        self._pixel = 0.0
        self._stone_triangles = self._crate = Block(np.zeros((0, 2)), np.zeros((0, 4), float32))
        self._crates = CachedJoin(Crate, Transform)
        self._blocks: dict[tuple[object, ...], Block] = {}

    def paint(self, brush: Paint, view_x: float, time: float) -> None:
        """Everything solid in the view, and the lights."""
        left, right = view_x - 0.5 * VIEW_WIDTH - 2.0, view_x + 0.5 * VIEW_WIDTH + 2.0
        if brush.pixel != self._pixel:
            self._forget(brush.pixel)
        self._paint_ground(brush, left, right, time)
        for _, (_, place, hill) in esper.get_components(Mound, Transform, PolygonCollider):
            if left - 5.0 < place.x < right + 5.0:
                self._stamp(brush, _paint_mound, (place.x, place.y, tuple(hill.vertices)))
        for _, (_, place, slab) in esper.get_components(Board, Transform, OBBCollider):
            if left - 3.0 < place.x < right + 3.0:
                self._stamp(brush, _paint_board, (place.x, place.y, place.angle, slab.half_width, slab.half_height))
        self._paint_crates(brush, left, right)
        _paint_motes(brush, left, right, time)

    def _forget(self, pixel: float) -> None:
        """Begin anew for another size of the picture: soft edges are as wide as a pixel."""
        self._pixel = pixel
        self._blocks.clear()
        paint = Paint()
        paint.start(pixel)
        for (x, y), (wide, high) in zip(self._stones.tolist(), self._stone_sizes.tolist(), strict=True):
            paint.box(x, y, (wide, 0.5 * high), 0.0, palette.STONE, 0.4)
        self._stone_triangles = paint.block()
        paint.start(pixel)
        _paint_crate(paint, CRATE_HALF)
        self._crate = paint.block()

    def _paint_crates(self, brush: Paint, left: float, right: float) -> None:
        _, _, places = self._crates()
        x = Transform.column("x", writable=False)[places]
        rows = places[(x > left) & (x < right)]
        paint_copies(
            brush, self._crate, *(Transform.column(name, writable=False)[rows] for name in ("x", "y", "angle"))
        )

    def _stamp(self, brush: Paint, paint_one: Callable[..., None], look: tuple[Any, ...]) -> None:
        """Paint what looks as it did before from the triangles it had then."""
        block = self._blocks.get(look)
        if block is None:
            paint = Paint()
            paint.start(brush.pixel)
            paint_one(paint, *look)
            block = self._blocks[look] = paint.block()
        brush.stamp(block)

    def _paint_ground(self, brush: Paint, left: float, right: float, time: float) -> None:
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
        stones = self._stone_triangles
        points, tints = stones.points.reshape(len(seen), -1, 2)[seen], stones.tints.reshape(len(seen), -1, 4)[seen]
        brush.triangles(points.reshape(-1, 2), tints.reshape(-1, 4))
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
        shades = np.empty((x.size, 3, 4))
        shades[:, :2] = np.array((*palette.GRASS, 1.0))
        shades[:, 2] = np.array((*palette.GRASS_LIGHT, 1.0))
        brush.triangles(corners.reshape(-1, 2), shades.reshape(-1, 4))


def _paint_mound(paint: Paint, x: float, y: float, vertices: tuple[tuple[float, float], ...]) -> None:
    corners = moved(np.array(vertices), x, y)
    paint.polygon(corners, palette.GRASS, 1.0, palette.EARTH_TOP)
    top = corners[np.argsort(corners[:, 0])]
    paint.line(top, 0.1, palette.GRASS_LIGHT, 0.85)


def _paint_crate(paint: Paint, half: float) -> None:
    paint.box(0.0, 0.0, (half, half), 0.0, palette.WOOD_DARK)
    paint.box(0.0, 0.0, (half - 0.11, half - 0.11), 0.0, palette.WOOD)
    diagonal = math.hypot(half, half) - 0.2
    for turn in (0.25, 0.75):
        paint.box(0.0, 0.0, (diagonal, 0.08), turn * math.pi, palette.WOOD_DARK)
    paint.line(np.array(((-half, half), (half, half))), 0.09, palette.WOOD_LIGHT)


def _paint_board(paint: Paint, x: float, y: float, angle: float, half: float, high: float) -> None:
    """A slab of stone with grass on it, hung from nothing."""
    slab = np.array(((-half, -high), (half, -high), (half, high), (-half, high)))
    keel = np.array(((-0.72 * half, -high), (0.15 * half, -2.6 * high), (0.72 * half, -high)))
    paint.polygon(moved(turned(keel, angle), x, y), palette.EARTH_TOP)
    paint.polygon(moved(turned(slab, angle), x, y), palette.STONE, 1.0, palette.EARTH_TOP)
    top = moved(turned(np.array(((-half, high), (half, high))), angle), x, y)
    paint.line(top, 0.14, palette.GRASS)
    paint.line(moved(top, 0.0, 0.05), 0.06, palette.GRASS_LIGHT, 0.9)


def _paint_motes(brush: Paint, left: float, right: float, time: float) -> None:
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
