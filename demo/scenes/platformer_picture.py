"""How the platformer looks: the level as cut from one sheet, what moves in colours, and little people with eyes."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CircularTrajectory,
    HarmonicTrajectory,
    OBBCollider,
    OneWay,
    Parent,
    PolygonCollider,
    Solid,
    Transform,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import turned
from ecsphys.demo.scenes.platformer_walkers import Walker, Walkers
from ecsphys.demo.scenes.sketch import Color, Sketch, polyline

Outline = NDArray[float64]

_GROUND: Color = (0.125, 0.165, 0.235)
_EDGE: Color = (0.36, 0.44, 0.58)
_MACHINE: Color = (0.20, 0.34, 0.42)
_MACHINE_EDGE: Color = (0.43, 0.80, 0.86)
_PLANK: Color = (0.36, 0.27, 0.14)
_PLANK_EDGE: Color = (1.0, 0.82, 0.40)
_PERSON: Color = (0.72, 0.63, 0.98)
_HERO: Color = (0.50, 0.86, 1.0)
_CRUSHED: Color = (1.0, 0.42, 0.42)
_EYE: Color = (0.05, 0.07, 0.11)
_CIRCLE_CORNERS = 72
_GUIDE_ALPHA = 0.3


class PlatformerPicture:
    """Draws one platformer."""

    def __init__(self, physics: ecsphys.Physics, walkers: Walkers) -> None:
        self._physics = physics
        self._walkers = walkers

    @staticmethod
    def describe(walker: Walker) -> str:
        """What the last move of a character told, in a word or two."""
        move = walker.last
        if move is None or walker.flat > 0.0:
            return "crushed"
        if move.stepped > 0.0:
            return "stepping up"
        if move.pushed != (0.0, 0.0):
            return "pushed"
        if move.snapped:
            return "snapped down"
        if move.carried != (0.0, 0.0):
            return "carried"
        if move.on_wall:
            return "at a wall"
        return "on the floor" if move.on_floor else "in the air"

    def paint_level(self, sketch: Sketch) -> None:
        """The paths first, then the ground in one piece, then what moves."""
        self._paint_paths(sketch)
        moving: list[tuple[int, Outline]] = []
        ground: list[Outline] = []
        for entity, (place, _) in esper.get_components(Transform, Solid):
            outline = _outline(entity, place)
            if esper.has_component(entity, OneWay) or self._moves(entity):
                moving.append((entity, outline))
            else:
                ground.append(outline)
        # All edges below all fills: where two blocks meet there is none to be seen.
        for outline in ground:
            polyline(sketch, outline, 3.0, _EDGE, closed=True)
        for outline in ground:
            _fill(sketch, outline, _GROUND)
        for entity, outline in moving:
            fill, edge = (_PLANK, _PLANK_EDGE) if esper.has_component(entity, OneWay) else (_MACHINE, _MACHINE_EDGE)
            _fill(sketch, outline, fill)
            polyline(sketch, outline, 1.6, edge, closed=True)
            if esper.has_component(entity, CircleCollider):
                self._paint_spokes(sketch, entity)

    def paint_walkers(self, sketch: Sketch) -> None:
        """All walkers, the hero last."""
        for walker in reversed(self._walkers.walkers):
            self._paint_walker(sketch, walker, _HERO if walker is self._walkers.hero else _PERSON)

    @staticmethod
    def _moves(entity: int) -> bool:
        kinds = (ecsphys.Velocity, HarmonicTrajectory, CircularTrajectory, Parent, OBBCollider)
        return any(esper.has_component(entity, kind) for kind in kinds)

    @staticmethod
    def _paint_paths(sketch: Sketch) -> None:
        for _, path in esper.get_component(HarmonicTrajectory):
            reach = np.array([[path.amplitude_x, path.amplitude_y]])
            center = np.array([[path.center_x, path.center_y]])
            sketch.strokes(center - reach, center + reach, 1.3, palette.GUIDE, _GUIDE_ALPHA)
        for _, circle in esper.get_component(CircularTrajectory):
            center = np.array([[circle.center_x, circle.center_y]])
            sketch.circles(center, circle.radius, palette.GUIDE, _GUIDE_ALPHA, line=1.3)
        for _, (place, parent) in esper.get_components(Transform, Parent):
            hub = esper.component_for_entity(parent.entity, Transform)
            ends = np.array([[hub.x, hub.y], [place.x, place.y]])
            sketch.strokes(ends[:1], ends[1:], 1.6, palette.GUIDE, _GUIDE_ALPHA)
            sketch.circles(ends[:1], 0.12, palette.GUIDE, 0.6)

    @staticmethod
    def _paint_spokes(sketch: Sketch, entity: int) -> None:
        place = esper.component_for_entity(entity, Transform)
        radius = esper.component_for_entity(entity, CircleCollider).radius
        for k in range(6):
            x, y = turned((0.86 * radius, 0.0), place.angle + math.tau * k / 6)
            rim = np.array([[place.x + x, place.y + y]])
            sketch.circles(rim, 0.09, _MACHINE_EDGE, 0.8)

    @staticmethod
    def _paint_walker(sketch: Sketch, walker: Walker, color: Color) -> None:
        x, y = walker.place.x, walker.place.y
        if walker.flat > 0.0:
            sketch.strokes(np.array([[x - 0.3, y - 0.3]]), np.array([[x + 0.3, y - 0.3]]), 0.2 / sketch.pixel, _CRUSHED)
            return
        body = np.array([[x, y - 0.17]]), np.array([[x, y + 0.17]])
        sketch.strokes(*body, 0.58 / sketch.pixel, _EYE)
        sketch.strokes(*body, 0.50 / sketch.pixel, color)
        eyes = np.array([[x + 0.05 * walker.facing, y + 0.2], [x + 0.17 * walker.facing, y + 0.2]])
        sketch.circles(eyes, 0.05, _EYE)


def _fill(sketch: Sketch, outline: Outline, color: Color) -> None:
    middle = np.arange(1, len(outline) - 1)
    corners = outline[np.column_stack((np.zeros_like(middle), middle, middle + 1)).ravel()]
    sketch.triangles(corners, np.array([[*color, 1.0]]))


def _outline(entity: int, place: Transform) -> Outline:
    """The corners (n, 2) of a solid, which is convex."""
    upright = esper.try_component(entity, AABBCollider)
    box = upright or esper.try_component(entity, OBBCollider)
    hill = esper.try_component(entity, PolygonCollider)
    if hill is not None:
        local = np.array(hill.vertices)
    elif box is not None:
        local = np.array((box.half_width, box.half_height)) * ((-1, -1), (1, -1), (1, 1), (-1, 1))
    else:
        turns = np.linspace(0.0, math.tau, _CIRCLE_CORNERS, endpoint=False)
        radius = esper.component_for_entity(entity, CircleCollider).radius
        local = radius * np.column_stack((np.cos(turns), np.sin(turns)))
    angle = 0.0 if upright is not None else place.angle
    cos, sin = math.cos(angle), math.sin(angle)
    corners: Outline = local @ np.array(((cos, sin), (-sin, cos))) + (place.x, place.y)
    return corners
