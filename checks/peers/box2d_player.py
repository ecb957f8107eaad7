"""Scenes in Box2D (pyb2d3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyb2d3
from numpy import bool_
from numpy.typing import NDArray

from checks.peers.film import SUBSTEPS, Floats
from checks.peers.scene import Box, Capsule, Chain, Disc, Fan, Polygon, Scene, Shape, Thing


class Box2DPlayer:
    """Continuous, as Box2D is by default, and without its limit of speed."""

    name = "Box2D"

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = pyb2d3.World(
            gravity=scene.gravity, maximum_linear_speed=1e5, restitution_threshold=scene.bounce_from
        )
        self._world.sleeping_enabled = scene.may_sleep
        self._ground = self._world.create_body(type=pyb2d3.BodyType.STATIC)
        self._bodies: dict[int, Any] = {}
        self._kept: list[Any] = []

    def add(self, numbers: list[int]) -> None:
        kinds = pyb2d3.BodyType
        for number in numbers:
            thing = self._scene.things[number]
            still = thing.kind == "static" or (thing.kind == "solid" and thing.velocity == (0.0, 0.0))
            kind = kinds.DYNAMIC if thing.kind == "dynamic" else kinds.STATIC if still else kinds.KINEMATIC
            body = self._world.create_body(
                type=kind,
                position=(thing.x, thing.y),
                rotation=_rotation(thing.angle),
                is_bullet=thing.bullet,
                fixed_rotation=_is_upright(thing),
            )
            material = pyb2d3.surface_material(
                friction=thing.friction, restitution=thing.restitution, rolling_resistance=thing.rolling
            )
            settings = pyb2d3.shape_def(density=thing.density, material=material)
            for shape in thing.shapes:
                self._give(body, shape, settings, material)
            if kind is not kinds.STATIC:
                body.linear_velocity = thing.velocity
                body.angular_velocity = thing.spin
            self._bodies[number] = body

    def _give(self, body: Any, shape: Shape, settings: Any, material: Any) -> None:
        match shape:
            case Disc():
                made = pyb2d3.circle(center=(shape.x, shape.y), radius=shape.radius)
            case Box():
                made = pyb2d3.polygon(points=shape.corners())
            case Capsule():
                made = pyb2d3.capsule(*shape.ends(), shape.radius)
            case Fan():
                made = pyb2d3.polygon(points=shape.corners())
            case Polygon():
                made = pyb2d3.polygon(points=list(shape.corners))
            case Chain(points=(first, last)):
                made = pyb2d3.segment(first, last)
            case Chain():
                points = list(shape.points)
                # The ends of a chain are only neighbors of its segments.
                ends = _beyond(points[1], points[0]), _beyond(points[-2], points[-1])
                chain = pyb2d3.chain_def([ends[0], *points, ends[1]], material=material)
                self._kept.append(body.create_chain(chain))
                return
        self._kept.append(body.create_shape(settings, made))

    def join(self, numbers: list[int]) -> None:
        for number in numbers:
            joint = self._scene.joints[number]
            a = self._ground if joint.a is None else self._bodies[joint.a]
            b = self._bodies[joint.b]
            held = {
                "body_a": a,
                "body_b": b,
                "local_anchor_a": a.local_point((joint.x, joint.y)),
                "local_anchor_b": b.local_point((joint.x, joint.y)),
                "reference_angle": b.angle - a.angle,
            }
            if joint.what == "weld":
                self._kept.append(self._world.create_weld_joint(pyb2d3.weld_joint_def(**held)))
                continue
            settings = pyb2d3.revolute_joint_def(**held)
            if joint.limits is not None:
                settings.enable_limit = True
                settings.lower_angle, settings.upper_angle = joint.limits
            self._kept.append(self._world.create_revolute_joint(settings))

    def step(self, dt: float) -> None:
        self._world.step(dt, SUBSTEPS)

    def states(self) -> Floats:
        found = np.full((len(self._scene.things), 6), np.nan)
        for number, body in self._bodies.items():
            angle = math.atan2(body.rotation.s, body.rotation.c)
            found[number] = (*body.position, angle, *body.linear_velocity, body.angular_velocity)
        return found

    def asleep(self) -> NDArray[bool_]:
        found = np.zeros(len(self._scene.things), bool)
        for number, body in self._bodies.items():
            found[number] = self._scene.things[number].kind == "dynamic" and not body.awake
        return found

    def close(self) -> None:
        self._world.destroy()


def _rotation(angle: float) -> Any:
    """Box2D's own sine and cosine are off by up to 0.0003."""
    rotation = pyb2d3.Rot()
    rotation.c, rotation.s = math.cos(angle), math.sin(angle)
    return rotation


def _is_upright(thing: Thing) -> bool:
    return thing.upright or any(isinstance(shape, Box) and not shape.turns for shape in thing.shapes)


def _beyond(before: tuple[float, float], last: tuple[float, float]) -> tuple[float, float]:
    way = last[0] - before[0], last[1] - before[1]
    length = math.hypot(*way)
    return last[0] + way[0] / length, last[1] + way[1] / length
