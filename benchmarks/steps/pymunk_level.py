"""The same level in pymunk, and the changes that it knows, by the same names."""

from __future__ import annotations

from itertools import count as counting

import pymunk

from benchmarks.steps.level import FEWEST_COLUMNS, GRAVITY, Kind
from benchmarks.steps.own_world import DT
from benchmarks.steps.turns import Step


class PymunkLevel:
    """Tiles are shapes of static bodies of their own; boxes sleep."""

    def __init__(self, kind: Kind, count: int) -> None:
        self._space = space = pymunk.Space()
        space.gravity = GRAVITY
        space.sleep_time_threshold = 0.5
        self._things: list[tuple[pymunk.Body, pymunk.Shape]] = []
        columns = max(FEWEST_COLUMNS, int(count**0.5))
        for k in range(count):
            if kind == "tiles":
                self._things.append(self._box(k % columns, -1.0 * (k // columns) - 1.0, 0.5, None))
            else:
                self._things.append(self._box(1.5 * k + 12.0, 0.0, 0.5, 1.0))
        if kind == "boxes":
            space.add(pymunk.Segment(space.static_body, (-2.0 * count - 50.0, -1.0), (2.0 * count + 50.0, -1.0), 0.5))
        bodies = [self._box(2.0 * k, -0.1, 0.4, 1.0) for k in range(5)]
        self._at_rest = bodies[2] if kind == "tiles" else self._things[count // 2]
        self._pair = [self._floating(x) for x in (-53.0, -50.0)]
        self._joint = pymunk.PinJoint(self._pair[0], self._pair[1])
        self._kinematic = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        self._kinematic.position = -80.0, 50.0
        space.add(self._joint, self._kinematic, pymunk.Circle(self._kinematic, 0.4))
        self._visitor: tuple[pymunk.Body | pymunk.Shape | pymunk.Constraint, ...] = ()
        space.step(DT)
        for body in space.bodies:
            if body.body_type == pymunk.Body.DYNAMIC and not body.is_sleeping:
                body.sleep()

    def step(self) -> None:
        """A step of the space."""
        self._space.step(DT)

    def changes(self) -> dict[str, Step]:
        """What changes the level, by the names of our changes."""
        body, shape = self._things[len(self._things) // 2]
        _, material = self._at_rest
        ticks = counting()
        x, y = body.position

        def small() -> float:
            return 0.001 * (next(ticks) % 3)

        def move() -> None:
            body.position = x, y + small()
            self._space.reindex_shapes_for_body(body)

        def write_material() -> None:
            material.friction = 0.5 + small()

        def write_filter() -> None:
            shape.filter = pymunk.ShapeFilter(mask=0xFFFF + next(ticks) % 3)

        def write_joint() -> None:
            self._joint.distance = 3.0 + small()

        def move_kinematic() -> None:
            self._kinematic.position = -80.0 + small(), 50.0

        return {
            "spawn and removal of a shot": lambda: self._replace(*self._ball(5.0)),
            "spawn and removal of a tile": lambda: self._replace(*self._tile()),
            "spawn and removal of a body": lambda: self._replace(*self._ball(5.0)),
            "spawn and removal of a joint": lambda: self._replace(pymunk.PinJoint(self._pair[0], self._pair[1])),
            "a thing moved": move,
            "a material": write_material,
            "a filter": write_filter,
            "a joint's field": write_joint,
            "a kinematic body moved": move_kinematic,
        }

    def _replace(self, *new: pymunk.Body | pymunk.Shape | pymunk.Constraint) -> None:
        self._space.remove(*self._visitor)
        self._visitor = new
        self._space.add(*new)

    def _box(self, x: float, y: float, half: float, mass: float | None) -> tuple[pymunk.Body, pymunk.Shape]:
        """Static without a mass."""
        if mass is None:
            body = pymunk.Body(body_type=pymunk.Body.STATIC)
        else:
            body = pymunk.Body(mass, pymunk.moment_for_box(mass, (2.0 * half, 2.0 * half)))
        body.position = x, y
        shape = pymunk.Poly.create_box(body, (2.0 * half, 2.0 * half))
        shape.friction = 0.6
        self._space.add(body, shape)
        return body, shape

    def _floating(self, x: float) -> pymunk.Body:
        body = pymunk.Body(1.0, 1.0)
        body.position = x, 50.0
        body.velocity_func = _without_gravity
        self._space.add(body, pymunk.Circle(body, 0.4))
        return body

    def _ball(self, speed: float) -> tuple[pymunk.Body, pymunk.Shape]:
        ball = pymunk.Body(1.0, 1.0)
        ball.position, ball.velocity = (50.0, 20.0), (speed, 0.0)
        return ball, pymunk.Circle(ball, 0.2)

    def _tile(self) -> tuple[pymunk.Body, pymunk.Shape]:
        tile = pymunk.Body(body_type=pymunk.Body.STATIC)
        tile.position = 50.0, 20.0
        return tile, pymunk.Poly.create_box(tile, (1.0, 1.0))


def _without_gravity(body: pymunk.Body, gravity: tuple[float, float], damping: float, dt: float) -> None:
    pymunk.Body.update_velocity(body, (0.0, 0.0), damping, dt)
