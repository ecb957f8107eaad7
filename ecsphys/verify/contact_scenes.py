"""Hits: all pairs of shapes, filters, bullets and fast bodies, queries, geometry without a world."""

from __future__ import annotations

from itertools import product

import esper
import numpy as np

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics.rigid_body import Bullet, RigidBody, Solid
from ecsphys.components.motion.trajectories import CircularTrajectory
from ecsphys.components.motion.transform import Parent, Transform, Velocity
from ecsphys.geometry import (
    aabb,
    circle_capsule,
    circle_fan,
    circle_obb,
    circle_polygon,
    circle_segment,
    closest_point_on_obb,
    closest_points,
    contact,
    contains,
    mass_properties,
    outline,
    project_point,
    ray_aabb,
    raycast,
)
from ecsphys.verify.scene_run import SceneRun, fractions, scattered

_PENTAGON = [(-0.8, -0.6), (0.3, -0.9), (1.0, 0.1), (0.2, 0.8), (-0.7, 0.5)]


def _shapes() -> list[Collider]:
    return [
        CircleCollider(0.7, offset_x=0.1),
        AABBCollider(0.8, 0.5),
        OBBCollider(0.9, 0.4, angle=0.3),
        CapsuleCollider(1.2, 0.35, angle=1.1),
        FanCollider(1.1, 1.4, direction=0.7),
        FanCollider(0.9, 4.5),
        PolygonCollider(_PENTAGON),
        PolygonCollider(_PENTAGON, radius=0.2),
    ]


def shapes(run: SceneRun) -> None:
    """Geometry without a world: each pair of shapes near, deep and apart, near the origin and a million units away."""
    for far, (one, other) in product((0.0, 1e6), product(_shapes(), _shapes())):
        for k, (x, y) in enumerate(scattered(6, (-2.0, -2.0), (2.0, 2.0)).tolist()):
            place, other_place = Transform(far, -far, 0.4 * k), Transform(far + x, y - far, 1.0 + k)
            run.note(contact(one, place, other, other_place), closest_points(one, place, other, other_place))
    for shape in _shapes():
        place = Transform(3.0, -2.0, 0.8)
        run.note(aabb(shape, place), mass_properties(shape, 1.5), outline(shape, place))
        for x, y in scattered(12, (1.0, -4.0), (5.0, 0.0)).tolist():
            run.note(contains(shape, place, (x, y)), project_point(shape, place, (x, y), solid=False))
            run.note(raycast(shape, place, (x - 4.0, y), (3.0, 0.2)), raycast(shape, place, (x, y), (0.1, -1.0)))
    for x, y in scattered(40, (-3.0, -3.0), (3.0, 3.0)).tolist():
        run.note(
            circle_segment((x, y), 1.3, (-2, -1), (2, 1.5)),
            circle_capsule((x, y), 0.5, (-1, 0), (1, 0.5), 0.4),
            circle_fan((x, y), 0.5, (0, 0), 2.0, 1.9, 0.6),
            circle_obb((x, y), 0.5, (0.2, 0.1), (1.0, 0.6), 0.7),
            circle_polygon((x, y), 0.5, _PENTAGON),
            closest_point_on_obb((x, y), (0.2, 0.1), (1.0, 0.6), 0.7),
            ray_aabb((x, y), (1.0, 0.3), (-1.0, -0.5), (1.0, 0.5)),
        )


def hits(run: SceneRun) -> None:
    """Shapes of every kind drift through each other, with filters, sensors and children, and give hits."""
    run.begin()
    starts = fractions(160)
    for k, (x, y) in enumerate(scattered(160, (-12.0, -8.0), (12.0, 8.0)).tolist()):
        shape = _shapes()[k % 8]
        shape.sensor = k % 11 == 0
        entity = esper.create_entity(Transform(x, y, 6 * starts[k]), shape)
        if k % 5:
            esper.add_component(entity, Velocity(3 - 6 * starts[k], 3 - 6 * starts[-k], 2 * starts[k]))
        if k % 7 == 0:
            esper.add_component(entity, CollisionFilter(layers=1 << (k % 3), mask=3, group=k % 2))
        if k % 13 == 0:
            path = CircularTrajectory(x, y, 2.0, 1.5)
            hub = esper.create_entity(Transform(), path, CompoundCollider([CircleCollider(0.4), OBBCollider(1, 0.1)]))
            esper.create_entity(Transform(), Parent(hub, 1.0, 0.5), CapsuleCollider(0.5, 0.2))
    run.step(90)


def bullets(run: SceneRun) -> None:
    """Bullets, on curves too, and bodies so fast that they are swept, against thin walls, spinning blades and each
    other."""
    run.begin(gravity=(0.0, -9.8))
    create = esper.create_entity
    create(Transform(0, -3), AABBCollider(40, 1), RigidBody(kind="static"))
    create(Transform(12, 4, 0.2), OBBCollider(0.05, 6), Solid())
    create(Transform(-12, 4), OBBCollider(0.05, 6), RigidBody(kind="static", restitution=0.5))
    create(Transform(6, 3), Velocity(angular=25.0), OBBCollider(3, 0.05), RigidBody(kind="kinematic"))
    for k in range(5):
        create(Transform(2.0 + k, -1.7), OBBCollider(0.3, 0.3), RigidBody())
    starts = fractions(60)
    for k in range(60):
        y, speed = 6 * starts[k], 60.0 + 200.0 * starts[-k]
        shape = (CircleCollider(0.1), OBBCollider(0.3, 0.1), CapsuleCollider(0.4, 0.1))[k % 3]
        shot = create(Transform(0, y, starts[k]), Velocity(speed * (1 if k % 2 else -1), 9 * starts[-k], 8.0), shape)
        if k % 3 == 0:
            esper.add_component(shot, Bullet())
        else:
            esper.add_component(shot, RigidBody(restitution=0.1 * (k % 8)))
        if k % 6 == 0:
            esper.add_component(shot, CircularTrajectory(6, 3, 4 + starts[k], 30.0))
        run.step(2)


def queries(run: SceneRun) -> None:
    """Points, boxes, shapes, the nearest, rays and casts, singly and in batches large enough for threads."""
    physics = run.begin()
    angles = fractions(300)
    for k, (x, y) in enumerate(scattered(300, (-20.0, -20.0), (20.0, 20.0)).tolist()):
        esper.create_entity(Transform(x, y, 6 * angles[k]), _shapes()[k % 8])
    run.step(2)
    points = scattered(3000, (-22.0, -22.0), (22.0, 22.0), salt=1)
    ways = scattered(3000, (-9.0, -9.0), (9.0, 9.0), salt=2)
    run.note(physics.raycast_batch(points, ways, 30.0), physics.raycast_all_batch(points[:300], ways[:300], 20.0))
    run.note(physics.query_point_batch(points[:500]), physics.nearest_batch(points[:300], 3))
    poses = np.column_stack((points[:300], 0.01 * np.arange(300)))
    run.note(physics.shapecast_batch(OBBCollider(0.4, 0.2), poses, ways[:300]))
    for (x, y), way in zip(points[:60].tolist(), ways[:60].tolist(), strict=True):
        place = Transform(x, y, 0.3)
        run.note(physics.query_point((x, y)), physics.query_aabb((x - 2, y - 1), (x, y)), physics.nearest((x, y), 2))
        run.note(physics.query_shape(CapsuleCollider(1, 0.5), place), physics.shapecast(FanCollider(1, 2), place, way))
        run.note(physics.raycast((x, y), way), physics.raycast_all((x, y), way, 9.0))
