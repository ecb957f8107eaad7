"""Queries of a world: rays from a lamp, the shapes nearest to the mouse, and the place where a moving shape stops."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import AABBCollider, CapsuleCollider, CircularTrajectory, Collider, Physics, Transform, Velocity, geometry
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.boxes import clamped, is_inside
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.demo.scenes.workloads.random_shapes import KINDS, random_collider
from ecsphys.types import ShapecastHit

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
_TOP = 6.2
_BOTTOM = -7.6
_ROOM = (-16.6, _BOTTOM, -6.2, _TOP)
_FIELD = (-5.2, _BOTTOM, 5.2, _TOP)
_COURSE = (6.2, _BOTTOM, 16.6, _TOP)
_WALL = 0.12
_LAMP: Pair = (0.5 * (_ROOM[0] + _ROOM[2]), 0.5 * (_ROOM[1] + _ROOM[3]))
_START: Pair = (0.5 * (_COURSE[0] + _COURSE[2]), _BOTTOM + 1.1)
_FOLLOW = 12.0
"""The rate, in 1/s, at which the lamp follows the mouse."""

_LIGHT_RAYS = 480
_CONE = math.radians(76.0)
_SHOWN_RAYS = 7
_SHOTS_LENGTH = 15.0
_MOVER = CapsuleCollider(1.0, 0.42)


class Questions(esper.Processor, Pointer):
    """Asks for the lamp, the mouse and the mover, and draws the answers.

    Each room follows the mouse while it is in it, and moves by itself otherwise.
    """

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.clock = 0.0
        self.wanted = 4
        self.rays = _LIGHT_RAYS
        self.lamp: Pair = _LAMP
        self.mouse: Pair = (math.inf, math.inf)
        self.walls: list[int] = []

    def process(self, dt: float) -> None:
        self.clock += dt
        goal = clamped(_ROOM, *self.mouse, 0.5) if is_inside(_ROOM, *self.mouse) else _LAMP
        share = 1.0 - math.exp(-_FOLLOW * dt)
        self.lamp = self.lamp[0] + share * (goal[0] - self.lamp[0]), self.lamp[1] + share * (goal[1] - self.lamp[1])

    def press(self, x: float, y: float) -> bool:
        self.move(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        self.mouse = (x, y)

    @property
    def asked(self) -> Pair:
        """The mouse while it is over the field, else a point that wanders over it by itself."""
        if is_inside(_FIELD, *self.mouse):
            return self.mouse
        turn = 0.45 * self.clock + 0.6
        return 4.2 * math.sin(turn), -0.7 + 5.6 * math.sin(1.7 * turn)

    @property
    def start(self) -> tuple[float, float, float]:
        """Where the moving shape begins: x, y, and its angle, across its way."""
        return *_START, self.heading - 0.5 * math.pi

    @property
    def heading(self) -> float:
        """The direction of its way: to the mouse in the course, else swinging about straight up."""
        x, y = _START
        if is_inside(_COURSE, *self.mouse) and self.mouse[1] > y:
            return math.atan2(self.mouse[1] - y, self.mouse[0] - x)
        return 0.5 * math.pi + 0.62 * math.sin(0.5 * self.clock + 0.9)

    def paint_light(self, sketch: Sketch) -> None:
        """The cone of light: a triangle between each ray and the next, weaker the farther it reaches."""
        middle = 0.4 * self.clock + 0.5
        turns = np.linspace(middle - 0.5 * _CONE, middle + 0.5 * _CONE, self.rays)
        directions = np.column_stack((np.cos(turns), np.sin(turns)))
        origins = np.tile(self.lamp, (self.rays, 1))
        found = self.physics.raycast_batch(origins, directions, _SHOTS_LENGTH, ignore=self._around_lamp())
        ends = origins + directions * found.distance[:, None]
        corners = np.stack((origins[:-1], ends[:-1], ends[1:]), axis=1).reshape(-1, 2)
        strength = 0.42 * np.exp(-np.hypot(*(corners - self.lamp).T) / 4.5)
        sketch.triangles(corners, np.column_stack((np.tile(palette.LIT, (len(corners), 1)), strength)))

    def paint(self, sketch: Sketch) -> None:
        """All answers but the light."""
        board = Board()
        self._paint_rays(board)
        self._paint_nearest(board)
        self._paint_cast(board)
        board.draw(sketch)

    def _paint_rays(self, board: Board) -> None:
        middle = 0.4 * self.clock + 0.5
        for turn in np.linspace(middle - 0.5 * _CONE, middle + 0.5 * _CONE, _SHOWN_RAYS).tolist():
            way = math.cos(turn), math.sin(turn)
            hit = self.physics.raycast(self.lamp, way, _SHOTS_LENGTH, ignore=self._around_lamp())
            if hit is not None:
                board.line(self.lamp, hit.point, palette.LIT, 1.0, 0.55)
                board.arrow(hit.point, _ahead(hit.point, hit.normal, 0.75), palette.CONTACT)
                board.dot(hit.point, palette.LIT, 3.0)
        board.dot(self.lamp, palette.LIT, 7.0)
        board.ring(self.lamp, 11.0, palette.LIT)

    def _around_lamp(self) -> list[int]:
        """The shapes that the lamp is in: its light passes them."""
        return self.physics.query_point(self.lamp)

    def _paint_nearest(self, board: Board) -> None:
        x, y = self.asked
        for place, found in enumerate(self.physics.nearest((x, y), self.wanted, ignore=self.walls)):
            alpha = 1.0 - 0.7 * place / self.wanted
            board.line((x, y), found.point, palette.ACCENT, 2.2, alpha)
            board.dot(found.point, palette.ACCENT, 4.0)
        for entity in self.physics.query_point((x, y)):
            transform = esper.component_for_entity(entity, Transform)
            components: tuple[object, ...] = esper.components_for_entity(entity)
            for component in components:
                if isinstance(component, Collider):
                    min_x, min_y, max_x, max_y = geometry.aabb(component, transform)
                    board.box((min_x - 0.12, min_y - 0.12), (max_x + 0.12, max_y + 0.12), lit=True)
        board.dot((x, y), palette.TEXT, 4.0)
        board.ring((x, y), 9.0, palette.TEXT)

    def _paint_cast(self, board: Board) -> None:
        x, y, angle = self.start
        way = (_SHOTS_LENGTH * math.cos(self.heading), _SHOTS_LENGTH * math.sin(self.heading))
        hit = self.cast()
        fraction = 1.0 if hit is None else hit.fraction
        reached = (x + fraction * way[0], y + fraction * way[1])
        across = (math.cos(angle) * 0.92, math.sin(angle) * 0.92)
        for side in (-1.0, 1.0):
            edge = (x + side * across[0], y + side * across[1])
            end = (reached[0] + side * across[0], reached[1] + side * across[1])
            board.line(edge, end, palette.GUIDE, 1.2, 0.6)
        half = (0.5 * math.cos(angle), 0.5 * math.sin(angle))
        for middle, lit in (((x, y), False), (reached, True)):
            board.capsule(
                (middle[0] - half[0], middle[1] - half[1]), (middle[0] + half[0], middle[1] + half[1]), 0.42, lit
            )
        if hit is not None:
            board.arrow(hit.point, _ahead(hit.point, hit.normal, 1.1), palette.CONTACT)
            board.dot(hit.point, palette.CONTACT, 4.0)

    def cast(self) -> ShapecastHit | None:
        """Where the moving shape stops."""
        way = (_SHOTS_LENGTH * math.cos(self.heading), _SHOTS_LENGTH * math.sin(self.heading))
        return self.physics.shapecast(_MOVER, Transform(*self.start), way)

    def says(self) -> str:
        """The fraction of its way that the moving shape goes."""
        hit = self.cast()
        return "free" if hit is None else f"{hit.fraction:.3f}"


def _ahead(point: tuple[float, float], direction: tuple[float, float], length: float) -> tuple[float, float]:
    return point[0] + length * direction[0], point[1] + length * direction[1]


def _room(box: Box) -> list[int]:
    """Four walls round a box."""
    min_x, min_y, max_x, max_y = box
    x, y = 0.5 * (min_x + max_x), 0.5 * (min_y + max_y)
    upright, level = 0.5 * (max_y - min_y) - _WALL, 0.5 * (max_x - min_x) + _WALL
    walls = [(Transform(side, y), AABBCollider(_WALL, upright)) for side in (min_x, max_x)]
    walls += [(Transform(x, side), AABBCollider(level, _WALL)) for side in (min_y, max_y)]
    return [esper.create_entity(*wall) for wall in walls]


def _shapes(rng: np.random.Generator, places: list[tuple[float, float]], size: float) -> None:
    """A shape that turns and circles a little at each place, every kind in turn."""
    for number, (x, y) in enumerate(places):
        esper.create_entity(
            Transform(angle=rng.uniform(0.0, math.tau)),
            Velocity(angular=rng.uniform(-0.5, 0.5)),
            CircularTrajectory(x, y, rng.uniform(0.1, 0.35), rng.uniform(0.3, 0.7), rng.uniform(0.0, math.tau)),
            random_collider(rng, number % KINDS, rng.uniform(0.75, 1.0) * size),
        )


def _grid(box: Box, columns: int, rows: int) -> list[tuple[float, float]]:
    min_x, min_y, max_x, max_y = box
    return [
        (min_x + (column + 0.5) * (max_x - min_x) / columns, min_y + (row + 0.5) * (max_y - min_y) / rows)
        for row in range(rows)
        for column in range(columns)
    ]


def build(rng: np.random.Generator) -> Layout:
    """A room with a lamp, a field under the mouse, and a course for a moving shape."""
    physics = ecsphys.install()
    questions = Questions(physics)
    esper.add_processor(questions)
    questions.walls += _room(_ROOM) + _room(_COURSE)
    x, y = questions.lamp
    ring = [math.tau * k / 9.0 + 0.2 for k in range(9)]
    _shapes(rng, [(x + 3.5 * math.cos(turn), y + 4.7 * math.sin(turn)) for turn in ring], 0.85)
    _shapes(rng, _grid(_FIELD, 4, 5), 0.8)
    min_x, _, max_x, max_y = _COURSE
    _shapes(rng, _grid((min_x + 0.4, -3.4, max_x - 0.4, max_y - 0.3), 3, 3), 1.0)

    def set_wanted(value: float) -> None:
        questions.wanted = int(value)

    def set_rays(value: float) -> None:
        questions.rays = int(value)

    return Layout(
        physics,
        ARENA,
        [
            Caption(
                _ROOM[0], 7.7, "The lamp comes to the mouse", "raycast, raycast_batch: what rays meet first", room=1.2
            ),
            Caption(_FIELD[0], 7.7, "The nearest to the mouse", "nearest, query_point", room=1.2),
            Caption(_COURSE[0], 7.7, "Aim the capsule: where it stops", "shapecast: fraction, point, normal", room=1.2),
        ],
        show_contacts=False,
        show_guides=False,
        parameters=[
            Parameter("rays", lambda: questions.rays, set_rays, (30, 60, 120, 240, 480, 960), "{:.0f}"),
            Parameter("nearest", lambda: questions.wanted, set_wanted, range(1, 9), "{:.0f}"),
        ],
        readings=[Reading("the moving shape stops at:", questions.says)],
        paint_below=questions.paint_light,
        paint_above=questions.paint,
        pointer=questions,
    )
