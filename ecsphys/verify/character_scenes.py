"""Characters: slopes, stairs, moving and one-way platforms, crates that they push, crowds."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import AABBCollider, CapsuleCollider, CircleCollider, OBBCollider
from ecsphys.components.dynamics.rigid_body import Character, OneWay, RigidBody, Solid
from ecsphys.components.motion.trajectories import CircularTrajectory, PathTrajectory
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.verify.scene_run import SceneRun, scattered


def _level() -> None:
    create = esper.create_entity
    create(Transform(0, -1), AABBCollider(40, 1), Solid())
    hills = [(-30.0, 3.0), (-25.0, 0.5), (-20.0, 1.5), (-16.0, 0.0), (-12.0, 2.5)]
    create(Transform(0, 0), ChainCollider(hills[::-1]), Solid())
    for k in range(6):
        create(Transform(6 + 0.6 * k, 0.125 * (k + 1)), AABBCollider(0.3, 0.125 * (k + 1)), Solid())
        create(Transform(-6 + 0.5 * k, 0.2 + 0.05 * k, 0.15 * k), OBBCollider(0.5, 0.1), Solid())
    create(Transform(12, 1.5), AABBCollider(1.5, 0.1), Solid(), OneWay())
    lift = PathTrajectory([(15, 0.5), (18, 2.5), (15, 3)], 1.5, closed=True)
    create(Transform(), lift, AABBCollider(1, 0.1), Solid())
    create(Transform(), CircularTrajectory(22, 2, 1.2, 0.9), OBBCollider(1.2, 0.1), Solid())
    create(Transform(26, 1), Velocity(angular=0.4), OBBCollider(1.5, 0.15), RigidBody(kind="kinematic"))


def walk(run: SceneRun) -> None:
    """Characters walk up and down slopes and stairs, ride platforms, drop through one, and push crates."""
    physics = run.begin(gravity=(0.0, -9.8))
    _level()
    walkers = [
        esper.create_entity(
            Transform(x, y),
            CapsuleCollider(0.6, 0.3, angle=0.5 * math.pi),
            Character(step_height=0.3, snap_distance=0.2, mass=2.0, push_force=40.0, wall_reach=0.1),
        )
        for x, y in ((-28.0, 4.0), (-7.0, 1.0), (4.0, 1.0), (12.0, 3.0), (15.0, 2.0), (22.0, 4.0), (26.0, 3.0))
    ]
    for x in (-2.0, 1.5, 9.9):
        esper.create_entity(Transform(x, 0.35), OBBCollider(0.35, 0.35), RigidBody(friction=0.4))
    fall = [0.0] * len(walkers)
    for frame in range(200):
        for k, walker in enumerate(walkers):
            way = 0.05 if (frame // (60 + 7 * k)) % 2 == 0 else -0.04
            fall[k] = max(fall[k] - 0.0027, -0.3)
            move = physics.move_character(walker, (way if k < 4 else 0.0, fall[k]), drop=k == 3 and frame == 120)
            if move.on_floor:
                fall[k] = 0.12 if frame % 50 == 20 + k else 0.0
            run.note(move)
        run.step()


def crowd_of_characters(run: SceneRun) -> None:
    """Many characters are moved in one call; others slide, without a ``Character``."""
    physics = run.begin()
    _level()
    walkers = [
        esper.create_entity(Transform(x, y), CircleCollider(0.25), Solid(), Character(step_height=0.1))
        for x, y in scattered(60, (-11.0, 0.5), (26.0, 6.0)).tolist()
    ]
    sliders = [esper.create_entity(Transform(-30.0 + 3 * k, 5.0, 0.2 * k), OBBCollider(0.3, 0.2)) for k in range(8)]
    ways = scattered(60, (-0.08, -0.12), (0.08, 0.04), salt=3)
    for frame in range(60):
        moves = physics.move_characters(walkers, np.roll(ways, frame, axis=0))
        run.note(moves.moved, moves.on_floor, moves.floor_normal, moves.contact_entity, moves.contact_point)
        for slider in sliders:
            run.note(physics.move_and_slide(slider, (0.05, -0.07)))
        run.step()
