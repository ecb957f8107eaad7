"""Scenes in pymunk."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pymunk
from numpy import bool_
from numpy.typing import NDArray

from checks.peers.film import Floats
from checks.peers.scene import Box, Capsule, Chain, Disc, Fan, Polygon, Scene, Shape, Thing

_ITERATIONS = 10
"""In place of substeps: the default, of which every one is about half a substep of the others."""


class PymunkPlayer:
    """Nothing is continuous, and nothing slows what rolls.

    Of two shapes pymunk multiplies the numbers: each is given the root.
    """

    name = "pymunk"

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._space = space = pymunk.Space()
        space.gravity = scene.gravity
        space.iterations = _ITERATIONS
        # That of the others; the default is 0.1 lengths.
        space.collision_slop = 0.005
        if scene.may_sleep:
            space.sleep_time_threshold = 0.5
        self._bodies: dict[int, pymunk.Body] = {}

    def add(self, numbers: list[int]) -> None:
        for number in numbers:
            thing = self._scene.things[number]
            still = thing.kind == "static" or (thing.kind == "solid" and thing.velocity == (0.0, 0.0))
            body = pymunk.Body(
                body_type=pymunk.Body.DYNAMIC
                if thing.kind == "dynamic"
                else pymunk.Body.STATIC
                if still
                else pymunk.Body.KINEMATIC
            )
            body.position, body.angle = (thing.x, thing.y), thing.angle
            shapes = [made for shape in thing.shapes for made in _shapes(body, shape)]
            for shape in shapes:
                shape.density = thing.density
                shape.friction, shape.elasticity = math.sqrt(thing.friction), math.sqrt(thing.restitution)
            self._space.add(body, *shapes)
            if not still:
                body.velocity, body.angular_velocity = thing.velocity, thing.spin
            if thing.kind == "dynamic" and _is_upright(thing):
                body.moment = math.inf
            self._bodies[number] = body

    def join(self, numbers: list[int]) -> None:
        for number in numbers:
            joint = self._scene.joints[number]
            a = self._space.static_body if joint.a is None else self._bodies[joint.a]
            b = self._bodies[joint.b]
            made: list[pymunk.Constraint] = [pymunk.PivotJoint(a, b, (joint.x, joint.y))]
            start = b.angle - a.angle
            if joint.what == "weld":
                made.append(pymunk.GearJoint(a, b, start, 1.0))
            elif joint.limits is not None:
                made.append(pymunk.RotaryLimitJoint(a, b, start + joint.limits[0], start + joint.limits[1]))
            for one in made:
                one.collide_bodies = False
            self._space.add(*made)

    def step(self, dt: float) -> None:
        self._space.step(dt)

    def states(self) -> Floats:
        found = np.full((len(self._scene.things), 6), np.nan)
        for number, body in self._bodies.items():
            found[number] = (*body.position, body.angle, *body.velocity, body.angular_velocity)
        return found

    def asleep(self) -> NDArray[bool_]:
        found = np.zeros(len(self._scene.things), bool)
        for number, body in self._bodies.items():
            found[number] = self._scene.things[number].kind == "dynamic" and body.is_sleeping
        return found

    def close(self) -> None:
        space = self._space
        space.remove(*space.constraints, *space.shapes, *space.bodies)


def _is_upright(thing: Thing) -> bool:
    return thing.upright or any(isinstance(shape, Box) and not shape.turns for shape in thing.shapes)


def _shapes(body: pymunk.Body, shape: Shape) -> list[pymunk.Shape]:
    match shape:
        case Disc():
            return [pymunk.Circle(body, shape.radius, (shape.x, shape.y))]
        case Box() | Fan():
            return [pymunk.Poly(body, shape.corners())]
        case Capsule():
            return [pymunk.Segment(body, *shape.ends(), shape.radius)]
        case Polygon():
            return [pymunk.Poly(body, list(shape.corners))]
        case Chain():
            points = shape.points
            made = [pymunk.Segment(body, a, b, 0.0) for a, b in itertools.pairwise(points)]
            for k, segment in enumerate(made):
                segment.set_neighbors(points[max(k - 1, 0)], points[min(k + 2, len(points) - 1)])
            return list(made)
