"""Box2D 3 through pyb2d3: contacts on, positions as an array, contact events one by one."""

from __future__ import annotations

from typing import ClassVar

import esper
import numpy as np
import pyb2d3
from numpy import float32
from numpy.typing import NDArray

from benchmarks.peers.outlines import box_outline, fan_outlines
from benchmarks.peers.plain_components import Motion, PeerPlayer, Position
from ecsphys import CapsuleCollider, CircleCollider, FanCollider, PolygonCollider
from ecsphys.demo.scenes.workloads import Body, Workload


class Box2D(PeerPlayer):
    """Dynamic bodies without mass: Box2D tests them for contacts, and no contact changes how they move.

    Its sensors do not see each other, nor do its kinematic bodies. It counts shapes as touching that are nearer than
    0.02, computes in float32, and says of a contact with a destroyed shape only that it is over: it cannot play
    workloads that delete.
    """

    name: ClassVar[str] = "pyb2d3"

    def __init__(self, workload: Workload) -> None:
        self._world = pyb2d3.World(gravity=(0.0, 0.0))
        self._world.continuous_enabled = False
        self._batch = pyb2d3.Bodies()
        self._carriers: dict[int, pyb2d3.Body] = {}
        self._positions: list[Position] = []
        self._transforms: NDArray[float32] = np.zeros((0, 4), float32)
        super().__init__(workload)

    def add(self, entity: int, body: Body) -> None:
        kind = pyb2d3.BodyType.STATIC if body.velocity is None else pyb2d3.BodyType.DYNAMIC
        rotation = pyb2d3.make_rot(body.angle)
        carrier = self._world.create_body(type=kind, position=(body.x, body.y), rotation=rotation)
        settings = pyb2d3.shape_def(density=0.0, enable_contact_events=True, user_data=entity)
        for shape in _shapes_of(body):
            carrier.create_shape(settings, shape)
        if body.velocity is not None:
            carrier.linear_velocity = body.velocity[:2]
            carrier.angular_velocity = body.velocity[2]
            self._carriers[entity] = carrier
            self._batch.append(carrier.id)

    def structure_changed(self) -> None:
        self._positions = [esper.component_for_entity(entity, Position) for entity in self._carriers]
        self._transforms = np.zeros((len(self._positions), 4), float32)

    def turn_back(self, entity: int, motion: Motion) -> None:
        self._carriers[entity].linear_velocity = (motion.x, motion.y)

    def step(self, dt: float) -> None:
        self._world.step(dt, 1)
        transforms = self._transforms
        self._batch.get_transforms(transforms)
        angles = np.arctan2(transforms[:, 3], transforms[:, 2])
        rows = zip(self._positions, transforms[:, 0].tolist(), transforms[:, 1].tolist(), angles.tolist(), strict=True)
        for position, x, y, angle in rows:
            position.x = x
            position.y = y
            position.angle = angle
        events = self._world.get_contact_events()
        self.started = [(event.shape_a.user_data, event.shape_b.user_data) for event in events.begin_events()]
        self.ended = [(event.shape_a.user_data, event.shape_b.user_data) for event in events.end_events()]
        if self._handlers:
            for pair in self.ended:
                self.on_hit(pair)
            for pair in self.started:
                self.on_hit(pair)

    def between(self) -> None:
        self.hits += len(self.started) - len(self.ended)
        super().between()


def _shapes_of(body: Body) -> list[object]:
    arguments = body.arguments
    if body.collider is CircleCollider:
        return [pyb2d3.circle(radius=arguments[0])]
    if body.collider is CapsuleCollider:
        half, radius = 0.5 * arguments[0], arguments[1]
        return [pyb2d3.capsule((-half, 0.0), (half, 0.0), radius)]
    if body.collider is FanCollider:
        return [pyb2d3.polygon(points=outline) for outline in fan_outlines(*arguments)]
    if body.collider is PolygonCollider:
        return [pyb2d3.polygon(points=arguments[0])]
    return [pyb2d3.polygon(points=box_outline(*arguments))]
