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
from ecsphys.demo.scenes.board import Pair, turned
from ecsphys.demo.scenes.platformer.walkers import Walker, Walkers
from ecsphys.demo.scenes.sketch import Color, Colors, Sketch

Outline = NDArray[float64]
Stroke = tuple[Pair, Pair, float, Color]
"""Its ends, its width in world units, its colour."""

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
        self._ground_entities: list[int] = []
        self._ground = Sheet([])

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
        ground: list[int] = []
        for entity, (place, _) in esper.get_components(Transform, Solid):
            if esper.has_component(entity, OneWay) or self._moves(entity):
                moving.append((entity, _outline(entity, place)))
            else:
                ground.append(entity)
        if ground != self._ground_entities:
            self._ground_entities = ground
            self._ground = Sheet([_outline(one, esper.component_for_entity(one, Transform)) for one in ground])
        # All edges below all fills: where two blocks meet there is none to be seen.
        self._ground.draw_edges(sketch, 3.0, _EDGE)
        self._ground.fill(sketch, _GROUND)
        planks = [esper.has_component(entity, OneWay) for entity, _ in moving]
        sheet = Sheet([outline for _, outline in moving])
        sheet.fill(sketch, np.where(np.array(planks)[:, None], _PLANK, _MACHINE))
        sheet.draw_edges(sketch, 1.6, np.where(np.array(planks)[:, None], _PLANK_EDGE, _MACHINE_EDGE))
        self._paint_spokes(sketch, [entity for entity, _ in moving if esper.has_component(entity, CircleCollider)])

    def paint_walkers(self, sketch: Sketch) -> None:
        """All walkers, the hero last."""
        strokes: list[Stroke] = []
        for walker in reversed(self._walkers.walkers):
            strokes += self._strokes_of(walker, _HERO if walker is self._walkers.hero else _PERSON)
        starts, ends, widths, colors = (np.array(column) for column in zip(*strokes, strict=True))
        sketch.strokes(starts, ends, widths / sketch.pixel, colors)

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
    def _paint_spokes(sketch: Sketch, wheels: list[int]) -> None:
        """Dots inside of the rims, which show how wheels turn."""
        rim = []
        for entity in wheels:
            place = esper.component_for_entity(entity, Transform)
            radius = esper.component_for_entity(entity, CircleCollider).radius
            for k in range(6):
                x, y = turned((0.86 * radius, 0.0), place.angle + math.tau * k / 6)
                rim.append((place.x + x, place.y + y))
        sketch.circles(np.array(rim).reshape(-1, 2), 0.09, _MACHINE_EDGE, 0.8)

    @staticmethod
    def _strokes_of(walker: Walker, color: Color) -> list[Stroke]:
        """A body within a dark edge, and two eyes, which are strokes of no length."""
        x, y = walker.place.x, walker.place.y
        if walker.flat > 0.0:
            return [((x - 0.3, y - 0.3), (x + 0.3, y - 0.3), 0.2, _CRUSHED)]
        feet, head = (x, y - 0.17), (x, y + 0.17)
        eyes = ((x + ahead * walker.facing, y + 0.2) for ahead in (0.05, 0.17))
        return [(feet, head, 0.58, _EYE), (feet, head, 0.50, color), *((eye, eye, 0.1, _EYE) for eye in eyes)]


class Sheet:
    """Convex outlines, drawn all at once."""

    def __init__(self, outlines: list[Outline]) -> None:
        self._counts = [len(outline) for outline in outlines]
        self._starts = np.concatenate([np.zeros((0, 2)), *outlines])
        self._ends = np.concatenate([np.zeros((0, 2)), *(np.roll(outline, -1, axis=0) for outline in outlines)])
        self._corners = np.concatenate([np.zeros((0, 2)), *map(_triangles, outlines)])

    def draw_edges(self, sketch: Sketch, width: float, colors: Colors) -> None:
        """Lines from each corner to the next; one colour, or one for each outline."""
        sketch.strokes(self._starts, self._ends, width, self._for_each(colors, np.array(self._counts)))

    def fill(self, sketch: Sketch, colors: Colors) -> None:
        """The outlines filled; one colour, or one for each."""
        each = self._for_each(colors, 3 * (np.array(self._counts) - 2))
        sketch.triangles(self._corners, np.column_stack((each, np.ones(len(each)))))

    def _for_each(self, colors: Colors, counts: NDArray[np.int64]) -> NDArray[float64]:
        rows = np.broadcast_to(np.asarray(colors, float64), (len(counts), 3))
        return np.repeat(rows, counts, axis=0)


def _triangles(outline: Outline) -> NDArray[float64]:
    middle = np.arange(1, len(outline) - 1)
    return outline[np.column_stack((np.zeros_like(middle), middle, middle + 1)).ravel()]


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
