"""A pymunk space for a workload: kinematic bodies that carry sensors."""

from __future__ import annotations

import pymunk

from benchmarks.peers.outlines import box_outline, fan_outlines
from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, FanCollider, OBBCollider
from ecsphys.demo.scenes.workloads import Body


def new_space() -> pymunk.Space:
    """No gravity, nothing to solve, and pairs forgotten in the step in which they part."""
    space = pymunk.Space()
    space.iterations = 1
    space.collision_persistence = 1
    return space


def body_of(body: Body) -> pymunk.Body:
    """Kinematic, moving by its velocity; static where the workload's body never moves."""
    if body.velocity is None:
        made = pymunk.Body(body_type=pymunk.Body.STATIC)
    else:
        made = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        made.velocity = body.velocity[:2]
        made.angular_velocity = body.velocity[2]
    made.position = body.x, body.y
    made.angle = body.angle
    return made


def shapes_of(body: Body, carrier: pymunk.Body) -> list[pymunk.Shape]:
    """The collider as sensors of the carrier: one shape, but two for a fan wider than π."""
    arguments = body.arguments
    shapes: list[pymunk.Shape]
    if body.collider is CircleCollider:
        shapes = [pymunk.Circle(carrier, arguments[0])]
    elif body.collider is CapsuleCollider:
        length, radius = arguments
        shapes = [pymunk.Segment(carrier, (-0.5 * length, 0.0), (0.5 * length, 0.0), radius)]
    elif body.collider in (AABBCollider, OBBCollider):
        shapes = [pymunk.Poly(carrier, box_outline(*arguments))]
    elif body.collider is FanCollider:
        shapes = [pymunk.Poly(carrier, outline) for outline in fan_outlines(*arguments)]
    else:
        shapes = [pymunk.Poly(carrier, [(x, y) for x, y in arguments[0]])]
    for shape in shapes:
        shape.sensor = True
        if body.filters is not None:
            layers, mask = body.filters
            shape.filter = pymunk.ShapeFilter(categories=layers, mask=mask)
    return shapes
