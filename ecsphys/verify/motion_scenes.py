"""Motion: trajectories, forces, parents, limits, fixed steps; and characters on slopes, stairs and platforms."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
)
from ecsphys.components.collision.hit_listener import Disabled
from ecsphys.components.dynamics.rigid_body import Character, OneWay, RigidBody, Solid
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
    PathTrajectory,
)
from ecsphys.components.motion.transform import (
    Acceleration,
    Drag,
    Gravity,
    Lifetime,
    Orbit,
    Parent,
    Spring,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.systems.motion.limits import LifetimeSystem, WorldBoundsSystem
from ecsphys.systems.priorities import Priority
from ecsphys.verify.scene_run import SceneRun, fractions, scattered


def trajectories(run: SceneRun) -> None:
    """Each kind of trajectory, at times far from 0 too, with damping below, at and above the critical one."""
    run.begin()
    create = esper.create_entity
    for k, start in enumerate((0.0, 12.5, 3e4, 7e8)):
        x = 3.0 * k
        create(Transform(), Velocity(angular=1.0 + k), LinearTrajectory(x, 1, 1.5, -0.5, start), CircleCollider(0.5))
        create(Transform(), Velocity(), BallisticTrajectory(x, 2, 3, 4, 0.5, -9.8, start), OBBCollider(0.4, 0.2))
        create(Transform(), Velocity(), CircularTrajectory(x, 0, 2, 1.7, 0.3 * k, start), FanCollider(0.8, 2.0))
        for damping in (0.0, 0.1, 0.999, 1.0, 1.001, 3.0):
            swing = HarmonicTrajectory(x, 4, 2, 1, 2.5 + k, 0.4, damping, start)
            create(Transform(), Velocity(), swing, CircleCollider(0.3))
        path = PathTrajectory([(x, 0), (x + 1, 2), (x + 3, 1), (x + 2, -1)], 2.0 + k, closed=k % 2 == 0, elapsed=start)
        create(Transform(), path, CircleCollider(0.4))
    run.step(60)
    run.step(20, dt=1 / 144)


def _forces(run: SceneRun, integrator: str) -> None:
    run.begin(gravity=(0.3, -9.8), integrator=integrator, motion_substeps=3)
    starts = fractions(40)
    for k in range(40):
        x, y = 10 * starts[k] - 5, 8 * starts[-k]
        entity = esper.create_entity(Transform(x, y, 6 * starts[k]), Velocity(1 - 2 * starts[k], starts[-k], 0.1 * k))
        if k % 2:
            esper.add_component(entity, Gravity(0.5 + 0.1 * k))
        if k % 3 == 0:
            esper.add_component(entity, Spring(0.5 * k, 2.0, 4.0 + k, mass=1.5, damping=0.2))
        if k % 4 == 1:
            esper.add_component(entity, Orbit(0.0, 0.0, 0.2 * k))
        if k % 5 == 0:
            esper.add_component(entity, Drag(0.3 + 0.01 * k, 0.2))
        if k % 7 == 0:
            esper.add_component(entity, Acceleration(0.1, -0.2, 0.05))
        esper.add_component(entity, CircleCollider(0.4) if k % 2 else OBBCollider(0.5, 0.2))
    run.step(60)


def semi_implicit_forces(run: SceneRun) -> None:
    """Every force, stepped by the semi-implicit Euler method."""
    _forces(run, "semi_implicit")


def explicit_forces(run: SceneRun) -> None:
    """Every force, stepped by the explicit Euler method."""
    _forces(run, "explicit")


def verlet_forces(run: SceneRun) -> None:
    """Every force, stepped by the velocity Verlet method."""
    _forces(run, "verlet")


def parents(run: SceneRun) -> None:
    """Children three levels deep, lifetimes, world bounds and disabled entities, in frames that do not divide steps."""
    physics = run.begin(gravity=(0.0, -9.8), fixed_step=60)
    assert physics.fixed_step is not None
    physics.fixed_step.add(LifetimeSystem(physics), Priority.LIFETIME)
    physics.fixed_step.add(WorldBoundsSystem(physics), Priority.BOUNDS)
    create = esper.create_entity
    for k, start in enumerate(fractions(12)):
        hub = create(Transform(), Velocity(angular=1.0 + start), CircularTrajectory(4 * start, 0, 2, 1.1, 0.5 * k))
        arm = create(Transform(), Velocity(angular=-2.0), Parent(hub, 1.0, 0.2, 0.3), OBBCollider(0.6, 0.1))
        hand = create(Transform(), Parent(arm, 0.7, 0.0), CircleCollider(0.3), Lifetime(0.4 + start))
        if k % 4 == 0:
            esper.add_component(hand, Disabled())
        create(
            Transform(8 * start - 4, 3),
            Velocity(9 * start - 4, 6 * start),
            Gravity(),
            CircleCollider(0.2),
            WorldBounds(-5, -2, 5, 4, at_edge=("clamp", "bounce", "wrap", "despawn")[k % 4]),
        )
    run.step(70, dt=1 / 50)
    run.step(40, dt=1 / 144)


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
