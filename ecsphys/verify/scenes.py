"""``SCENES``: a scene for every part of ecsphys, by name, each with its digest; and how a scene is run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, Final

import esper
import numpy as np

import ecsphys as ec
from ecsphys import effects, geometry, systems
from ecsphys.types import Snapshot
from ecsphys.verify.scene_run import SceneRun, fractions, scattered

Play = Callable[[SceneRun], None]

SCENES: Final[dict[str, Play]] = {}
GOLDEN_DIGESTS: Final[dict[str, str]] = {}
"""The digest of each scene, on every machine. ``python -m checks golden`` renews them in this file."""

_NO_GRAVITY: Final = (0.0, 0.0)
_FORCES: Final[dict[str, Any]] = {"gravity": (0.3, -9.8), "motion_substeps": 3}
_PENTAGON: Final = [(-0.8, -0.6), (0.3, -0.9), (1.0, 0.1), (0.2, 0.8), (-0.7, 0.5)]


def digest_of(name: str, threads: int = 1) -> str:
    """The digest of a scene, run in an esper world of its own."""
    before, own = esper.current_world, f"ecsphys.verify: {name}"
    esper.switch_world(own)
    try:
        run = SceneRun(threads)
        SCENES[name](run)
        return run.digest
    finally:
        esper.switch_world(before)
        esper.delete_world(own)


def _scene(digest: str, name: str = "", **settings: Any) -> Callable[[Play], Play]:
    """Add a function to the scenes, which plays in a new world with these settings of the physics."""

    def add(play: Play) -> Play:
        def begin_and_play(run: SceneRun) -> None:
            run.begin(**settings)
            play(run)

        SCENES[name or play.__name__] = begin_and_play
        GOLDEN_DIGESTS[name or play.__name__] = digest
        return play

    return add


def _at(x: float, y: float, *components: Any, angle: float = 0.0) -> int:
    return esper.create_entity(ec.Transform(x, y, angle), *components)


def _body(x: float, y: float, collider: Any, *components: Any, angle: float = 0.0, **settings: Any) -> int:
    return _at(x, y, *components, collider, ec.RigidBody(**settings), angle=angle)


def _ground(half_width: float, y: float = -1.0, **settings: Any) -> None:
    _body(0, y, ec.AABBCollider(half_width, 1), kind="static", **settings)


def _plank(x: float, y: float, angle: float = 0.0, half_width: float = 0.5) -> int:
    return _body(x, y, ec.OBBCollider(half_width, 0.2), angle=angle)


def _wheel(x: float, y: float) -> int:
    return _body(x, y, ec.CircleCollider(0.5), friction=1.0)


def _shapes() -> list[ec.Collider]:
    return [
        ec.CircleCollider(0.7, offset_x=0.1),
        ec.AABBCollider(0.8, 0.5),
        ec.OBBCollider(0.9, 0.4, angle=0.3),
        ec.CapsuleCollider(1.2, 0.35, angle=1.1),
        ec.FanCollider(1.1, 1.4, direction=0.7),
        ec.FanCollider(0.9, 4.5),
        ec.PolygonCollider(_PENTAGON),
        ec.PolygonCollider(_PENTAGON, radius=0.2),
    ]


# Rigid bodies and joints.


@_scene("8cbc99b278a634d7596326f27909f70e")
def pile(run: SceneRun) -> None:
    """Every shape, alone and in compounds, falls on ground that is a chain, and piles up."""
    points = [(-12.0, 5.0), (-8.0, 0.5), (-3.0, 0.0), (0.0, 0.3), (4.0, 0.0), (9.0, 1.0), (12.0, 5.0)]
    _body(0, 0, ec.ChainCollider(points), kind="static")
    arrow = [(0.0, 0.0), (0.7, -0.5), (0.3, 0.0), (0.7, 0.5)]
    spins = fractions(48)
    for k, (x, y) in enumerate(scattered(48, (-6.0, 2.0), (6.0, 16.0)).tolist()):
        parts: list[Any] = [ec.CircleCollider(0.3, offset_x=-0.4), ec.OBBCollider(0.4, 0.2, offset_x=0.3, angle=0.4)]
        collider = (
            ec.CircleCollider(0.4),
            ec.AABBCollider(0.4, 0.3),
            ec.OBBCollider(0.5, 0.25),
            ec.CapsuleCollider(0.6, 0.2),
            ec.FanCollider(0.6, 1.2 + 0.1 * k),
            ec.PolygonCollider([(-0.4, -0.3), (0.5, -0.3), (0.1, 0.5)], radius=0.05),
            ec.CompoundCollider(parts),
            ec.CompoundCollider.from_outline(arrow),
        )[k % 8]
        surface = {
            "restitution": 0.1 * (k % 5),
            "friction": 0.2 + 0.1 * (k % 4),
            "rolling_resistance": 0.02 * (k % 3),
        }
        _body(x, y, collider, ec.Velocity(0.0, -1.0, spins[k]), angle=6.0 * spins[k], **surface)
    run.step(150)


@_scene("141da80ae0f346dc690cb4ab0ad6305a")
def materials(run: SceneRun) -> None:
    """Slopes, bounces, conveyor belts, locks and dominance."""
    _ground(40, friction=0.4, restitution=0.1)
    for k in range(6):
        x, angle = -15.0 + 5.0 * k, 0.05 + 0.1 * k
        _body(x, 3, ec.OBBCollider(2, 0.2), angle=angle, kind="static", friction=0.1 * k)
        _body(x + 0.5, 4.2, ec.OBBCollider(0.3, 0.2), angle=angle, friction=0.5)
        _body(x, 9, ec.CircleCollider(0.3), restitution=0.2 * k, friction=0.3)
    _body(20, 1, ec.OBBCollider(3, 0.3), ec.Velocity(0.1, 0.0, 0.05), kind="kinematic", tangent_speed=2.0)
    for k, (lock_x, lock_rotation) in enumerate([(True, False), (False, True), (False, False), (True, True)]):
        box = ec.OBBCollider(0.4, 0.3)
        locks = {"lock_x": lock_x, "lock_rotation": lock_rotation}
        _body(18.5 + k, 3 + 0.5 * k, box, angle=0.2, dominance=k, density=1.0 + k, **locks)
    run.step(160)


@_scene("cfb26a0a9f59619c77a9288017ce10b4")
def sleep(run: SceneRun) -> None:
    """Stacks fall asleep, a ball wakes some of them, and they rest again."""
    bodies = run.physics.bodies
    _ground(30, friction=0.6, restitution=0.1)
    boxes = [
        _body(3.0 * column + 0.03 * row, 0.5 + row, ec.OBBCollider(0.5, 0.5)) for column in range(5) for row in range(4)
    ]
    run.step(120)
    run.note([bodies.is_asleep(box) for box in boxes])
    _body(-6, 1.5, ec.CircleCollider(0.5), ec.Velocity(14, 0), density=3.0)
    run.step(60)
    bodies.apply_impulse(boxes[-1], (0.0, 4.0))
    bodies.apply_force(boxes[0], (30.0, 0.0))
    run.step(120)
    run.note([bodies.is_asleep(box) for box in boxes])


@_scene("30d42057ccb64425e609b978c7f295cf")
def crowd(run: SceneRun) -> None:
    """So many bodies in contact that threads share them."""
    _ground(60, friction=0.6, restitution=0.1)
    for x in (-31.0, 31.0):
        _body(x, 30, ec.AABBCollider(1, 31), kind="static")
    count = 4600
    column, row = np.arange(count) % 65, np.arange(count) // 65
    places = ec.Transform.many(-29.0 + 0.9 * column + 0.1 * np.array(fractions(count)), 0.45 + 0.85 * row)
    ec.spawn_many(count, places, ec.CircleCollider.many(0.45), ec.RigidBody.many())
    run.step(20)


@_scene("5f09d9893564e64361034671d371d5f2")
def rain(run: SceneRun) -> None:
    """Bodies come and go while others fall."""
    _ground(20, friction=0.6, restitution=0.1)
    drops: list[int] = []
    starts = fractions(90)
    for k in range(90):
        collider = ec.OBBCollider(0.3, 0.2) if k % 3 else ec.CircleCollider(0.25)
        drops.append(_body(16 * starts[k] - 8, 8, collider, angle=starts[-k]))
        if k % 4 == 3:
            esper.delete_entity(drops.pop(k % len(drops)), immediate=k % 8 == 3)
        run.step(2)


@_scene("e728a8f8632206690123afe0f741b992")
def joints(run: SceneRun) -> None:
    """One joint of every kind, with its motor, limits or spring."""
    _ground(60)
    revolute, distance, slider, weld = ec.RevoluteJoint, ec.DistanceJoint, ec.PrismaticJoint, ec.WeldJoint
    create = esper.create_entity
    made = [
        create(revolute.at(None, _plank(0, 5), -0.5, 5, has_limits=True, lower=-1.0, upper=0.5)),
        create(revolute.at(None, _wheel(3, 5), 3, 5, motor_speed=3.0, max_torque=5.0)),
        create(revolute.at(None, _plank(5, 5), 4.5, 5, frequency=2.0, damping_ratio=0.2, rest=0.4)),
        create(distance.at(None, _wheel(8, 4), 8, 7, 8, 4)),
        create(distance.at(None, _wheel(10, 4), 11, 7, 10, 4, frequency=1.5, damping_ratio=0.1)),
        create(distance(_wheel(12, 4), _wheel(13.5, 4), min_length=1.0, max_length=2.0)),
        create(slider.at(None, _plank(16, 4), 16, 4, (1, 2), has_limits=True, lower=-1.0, upper=1.5)),
        create(slider.at(None, _plank(19, 4), 19, 4, (0, 1), motor_speed=1.0, max_force=60.0)),
        create(slider.at(None, _plank(22, 4), 22, 4, (0, 1), frequency=2.0)),
        create(weld.at(None, _plank(25, 4), 24.5, 4, angular_frequency=2.0, angular_damping_ratio=0.3)),
        create(weld.at(_plank(28, 4), _plank(29, 4), 28.5, 4)),
        create(ec.MotorJoint.at(None, _plank(32, 4, 0.5), 32, 4, max_force=30.0, max_torque=5.0)),
        create(held := ec.MouseJoint.at(_plank(35, 4), 35.3, 4.1, max_force=80.0)),
    ]
    car = _plank(-10, 2, half_width=1.5)
    drive: dict[str, Any] = {"motor_speed": -6.0, "max_torque": 8.0}
    made += [create(ec.WheelJoint.at(car, _wheel(x, 1), x, 1, (0, 1), **drive)) for x in (-11, -9)]
    made.append(create(ec.GearJoint(made[0], made[1], ratio=-2.0)))
    for frame in range(8):
        held.target = 35.0 + 0.4 * frame, 4.0 + 0.5 * (frame % 3)
        run.step(15)
        for entity in made:
            components: tuple[Any, ...] = esper.components_for_entity(entity)
            run.note(components[0].force, components[0].torque)


@_scene("dce71e12f2a0072481358b540d5c79f2")
def chains(run: SceneRun) -> None:
    """A rope of 40 links swings a heavy ball into a bridge whose joints break."""

    def hang(links: Iterable[int], x: float, y: float, **settings: Any) -> int:
        """Hinge the first link to the world, and each other link to the one before it. Return the last link."""
        before: int | None = None
        for k, link in enumerate(links):
            esper.create_entity(ec.RevoluteJoint.at(before, link, x + k, y, **settings))
            before = link
        assert before is not None
        return before

    _ground(60, -6)
    end = hang([_plank(0.5 + k, 14, half_width=0.45) for k in range(40)], 0.0, 14.0)
    ball = _body(40.5, 14, ec.CircleCollider(0.9), density=4.0)
    esper.create_entity(ec.WeldJoint.at(end, ball, 40.0, 14.0, break_force=9000.0))
    end = hang((_plank(-6.0 + k, 0.0, half_width=0.48) for k in range(12)), -6.5, 0.0, break_force=260.0)
    esper.create_entity(ec.RevoluteJoint.at(end, None, 5.5, 0.0))
    weight = _body(-1, 4, ec.CircleCollider(0.8), density=5.0)
    run.step(140)
    esper.component_for_entity(weight, ec.Transform).y = 6.0
    run.step(60)


# Motion.


@_scene("edd622705faad6f03f4fa89b55b75619", gravity=_NO_GRAVITY)
def trajectories(run: SceneRun) -> None:
    """Each kind of trajectory, at times far from 0 too, with damping below, at and above the critical one."""
    for k, start in enumerate((0.0, 12.5, 3e4, 7e8)):
        x = 3.0 * k
        turning, still = ec.Velocity(angular=1.0 + k), ec.Velocity
        _at(0, 0, turning, ec.LinearTrajectory(x, 1, 1.5, -0.5, start), ec.CircleCollider(0.5))
        _at(0, 0, still(), ec.BallisticTrajectory(x, 2, 3, 4, 0.5, -9.8, start), ec.OBBCollider(0.4, 0.2))
        _at(0, 0, still(), ec.CircularTrajectory(x, 0, 2, 1.7, 0.3 * k, start), ec.FanCollider(0.8, 2.0))
        for damping in (0.0, 0.1, 0.999, 1.0, 1.001, 3.0):
            swing = ec.HarmonicTrajectory(x, 4, 2, 1, 2.5 + k, 0.4, damping, start)
            _at(0, 0, still(), swing, ec.CircleCollider(0.3))
        points = [(x, 0), (x + 1, 2), (x + 3, 1), (x + 2, -1)]
        path = ec.PathTrajectory(points, 2.0 + k, closed=k % 2 == 0, elapsed=start)
        _at(0, 0, path, ec.CircleCollider(0.4))
    run.step(60)
    run.step(20, dt=1 / 144)


@_scene("1773649c3a5fdbf7fc0b4ce35ffcbbed", "verlet_forces", integrator="verlet", **_FORCES)
@_scene("887f6204a504134213c770365f5e5e78", "explicit_forces", integrator="explicit", **_FORCES)
@_scene("22efa13345e9e280b93a25e5e178ef54", "semi_implicit_forces", integrator="semi_implicit", **_FORCES)
def forces(run: SceneRun) -> None:
    """Every force, with each integrator."""
    starts = fractions(40)
    for k in range(40):
        velocity = ec.Velocity(1 - 2 * starts[k], starts[-k], 0.1 * k)
        collider = ec.CircleCollider(0.4) if k % 2 else ec.OBBCollider(0.5, 0.2)
        acting = (
            (k % 2 == 1, ec.Gravity(0.5 + 0.1 * k)),
            (k % 3 == 0, ec.Spring(0.5 * k, 2.0, 4.0 + k, mass=1.5, damping=0.2)),
            (k % 4 == 1, ec.Orbit(0.0, 0.0, 0.2 * k)),
            (k % 5 == 0, ec.Drag(0.3 + 0.01 * k, 0.2)),
            (k % 7 == 0, ec.Acceleration(0.1, -0.2, 0.05)),
        )
        components = [force for is_in_use, force in acting if is_in_use]
        _at(10 * starts[k] - 5, 8 * starts[-k], velocity, *components, collider, angle=6 * starts[k])
    run.step(60)


@_scene("2af56f5eaffa8660c18b80be36a58a21", fixed_step=60)
def parents(run: SceneRun) -> None:
    """Children three levels deep, lifetimes, world bounds and disabled entities, in frames that do not divide steps."""
    physics = run.physics
    assert physics.fixed_step is not None
    physics.fixed_step.add(systems.LifetimeSystem(physics), ec.Priority.LIFETIME)
    physics.fixed_step.add(systems.WorldBoundsSystem(physics), ec.Priority.BOUNDS)
    for k, start in enumerate(fractions(12)):
        hub = _at(0, 0, ec.Velocity(angular=1.0 + start), ec.CircularTrajectory(4 * start, 0, 2, 1.1, 0.5 * k))
        arm = _at(0, 0, ec.Velocity(angular=-2.0), ec.Parent(hub, 1.0, 0.2, 0.3), ec.OBBCollider(0.6, 0.1))
        hand = _at(0, 0, ec.Parent(arm, 0.7, 0.0), ec.CircleCollider(0.3), ec.Lifetime(0.4 + start))
        if k % 4 == 0:
            esper.add_component(hand, ec.Disabled())
        bounds = ec.WorldBounds(-5, -2, 5, 4, at_edge=("clamp", "bounce", "wrap", "despawn")[k % 4])
        flight = ec.Velocity(9 * start - 4, 6 * start), ec.Gravity()
        _at(8 * start - 4, 3, *flight, ec.CircleCollider(0.2), bounds)
    run.step(70, dt=1 / 50)
    run.step(40, dt=1 / 144)


# Hits and queries.


@_scene("57471ce01896146a535070f39bda54b8", gravity=_NO_GRAVITY)
def shapes(run: SceneRun) -> None:
    """Geometry without a world: each pair of shapes near, deep and apart, near the origin and a million units away."""
    for far, (one, other) in product((0.0, 1e6), product(_shapes(), _shapes())):
        for k, (x, y) in enumerate(scattered(6, (-2.0, -2.0), (2.0, 2.0)).tolist()):
            pair = one, ec.Transform(far, -far, 0.4 * k), other, ec.Transform(far + x, y - far, 1.0 + k)
            run.note(geometry.contact(*pair), geometry.closest_points(*pair))
    for shape in _shapes():
        own = shape, ec.Transform(3.0, -2.0, 0.8)
        run.note(geometry.aabb(*own), geometry.mass_properties(shape, 1.5), geometry.outline(*own))
        for x, y in scattered(12, (1.0, -4.0), (5.0, 0.0)).tolist():
            run.note(geometry.contains(*own, (x, y)), geometry.project_point(*own, (x, y), solid=False))
            run.note(geometry.raycast(*own, (x - 4.0, y), (3.0, 0.2)), geometry.raycast(*own, (x, y), (0.1, -1.0)))
    for x, y in scattered(40, (-3.0, -3.0), (3.0, 3.0)).tolist():
        run.note(
            geometry.circle_segment((x, y), 1.3, (-2, -1), (2, 1.5)),
            geometry.circle_capsule((x, y), 0.5, (-1, 0), (1, 0.5), 0.4),
            geometry.circle_fan((x, y), 0.5, (0, 0), 2.0, 1.9, 0.6),
            geometry.circle_obb((x, y), 0.5, (0.2, 0.1), (1.0, 0.6), 0.7),
            geometry.circle_polygon((x, y), 0.5, _PENTAGON),
            geometry.closest_point_on_obb((x, y), (0.2, 0.1), (1.0, 0.6), 0.7),
            geometry.ray_aabb((x, y), (1.0, 0.3), (-1.0, -0.5), (1.0, 0.5)),
        )


@_scene("b3226d186d644a5d5d4b0bb8796deecc", gravity=_NO_GRAVITY)
def hits(run: SceneRun) -> None:
    """Shapes of every kind drift through each other, with filters, sensors and children, and give hits."""
    starts = fractions(160)
    for k, (x, y) in enumerate(scattered(160, (-12.0, -8.0), (12.0, 8.0)).tolist()):
        shape = _shapes()[k % 8]
        shape.sensor = k % 11 == 0
        entity = _at(x, y, shape, angle=6 * starts[k])
        if k % 5:
            esper.add_component(entity, ec.Velocity(3 - 6 * starts[k], 3 - 6 * starts[-k], 2 * starts[k]))
        if k % 7 == 0:
            esper.add_component(entity, ec.CollisionFilter(layers=1 << (k % 3), mask=3, group=k % 2))
        if k % 13 == 0:
            wheel = ec.CompoundCollider([ec.CircleCollider(0.4), ec.OBBCollider(1, 0.1)])
            hub = _at(0, 0, ec.CircularTrajectory(x, y, 2.0, 1.5), wheel)
            _at(0, 0, ec.Parent(hub, 1.0, 0.5), ec.CapsuleCollider(0.5, 0.2))
    run.step(90)


@_scene("9a118a2d3e4fd12a33092bc69de9f0be")
def bullets(run: SceneRun) -> None:
    """Bullets, on curves too, and bodies so fast that they are swept, against thin walls, spinning blades and each
    other."""
    _ground(40, -3)
    _at(12, 4, ec.OBBCollider(0.05, 6), ec.Solid(), angle=0.2)
    _body(-12, 4, ec.OBBCollider(0.05, 6), kind="static", restitution=0.5)
    _body(6, 3, ec.OBBCollider(3, 0.05), ec.Velocity(angular=25.0), kind="kinematic")
    for k in range(5):
        _body(2.0 + k, -1.7, ec.OBBCollider(0.3, 0.3))
    starts = fractions(60)
    for k in range(60):
        speed = (60.0 + 200.0 * starts[-k]) * (1 if k % 2 else -1)
        velocity = ec.Velocity(speed, 9 * starts[-k], 8.0)
        shape = (ec.CircleCollider(0.1), ec.OBBCollider(0.3, 0.1), ec.CapsuleCollider(0.4, 0.1))[k % 3]
        kind = ec.RigidBody(restitution=0.1 * (k % 8)) if k % 3 else ec.Bullet()
        shot = _at(0, 6 * starts[k], velocity, shape, kind, angle=starts[k])
        if k % 6 == 0:
            esper.add_component(shot, ec.CircularTrajectory(6, 3, 4 + starts[k], 30.0))
        run.step(2)


@_scene("056491ed61dff24e8363a2a46a9fd234", gravity=_NO_GRAVITY)
def queries(run: SceneRun) -> None:
    """Points, boxes, shapes, the nearest, rays and casts, singly and in batches large enough for threads."""
    physics, note = run.physics, run.note
    angles = fractions(300)
    for k, (x, y) in enumerate(scattered(300, (-20.0, -20.0), (20.0, 20.0)).tolist()):
        _at(x, y, _shapes()[k % 8], angle=6 * angles[k])
    run.step(2)
    points = scattered(3000, (-22.0, -22.0), (22.0, 22.0), salt=1)
    ways = scattered(3000, (-9.0, -9.0), (9.0, 9.0), salt=2)
    note(physics.raycast_batch(points, ways, 30.0), physics.raycast_all_batch(points[:300], ways[:300], 20.0))
    note(physics.query_point_batch(points[:500]), physics.nearest_batch(points[:300], 3))
    poses = np.column_stack((points[:300], 0.01 * np.arange(300)))
    note(physics.shapecast_batch(ec.OBBCollider(0.4, 0.2), poses, ways[:300]))
    for (x, y), way in zip(points[:60].tolist(), ways[:60].tolist(), strict=True):
        place = ec.Transform(x, y, 0.3)
        note(physics.query_point((x, y)), physics.query_aabb((x - 2, y - 1), (x, y)), physics.nearest((x, y), 2))
        note(physics.query_shape(ec.CapsuleCollider(1, 0.5), place))
        note(physics.shapecast(ec.FanCollider(1, 2), place, way))
        note(physics.raycast((x, y), way), physics.raycast_all((x, y), way, 9.0))


# Characters.


def _level() -> None:
    _at(0, -1, ec.AABBCollider(40, 1), ec.Solid())
    _at(0, 0, ec.ChainCollider([(-12.0, 2.5), (-16.0, 0.0), (-20.0, 1.5), (-25.0, 0.5), (-30.0, 3.0)]), ec.Solid())
    for k in range(6):
        _at(6 + 0.6 * k, 0.125 * (k + 1), ec.AABBCollider(0.3, 0.125 * (k + 1)), ec.Solid())
        _at(-6 + 0.5 * k, 0.2 + 0.05 * k, ec.OBBCollider(0.5, 0.1), ec.Solid(), angle=0.15 * k)
    _at(12, 1.5, ec.AABBCollider(1.5, 0.1), ec.Solid(), ec.OneWay())
    lift = ec.PathTrajectory([(15, 0.5), (18, 2.5), (15, 3)], 1.5, closed=True)
    _at(0, 0, lift, ec.AABBCollider(1, 0.1), ec.Solid())
    _at(0, 0, ec.CircularTrajectory(22, 2, 1.2, 0.9), ec.OBBCollider(1.2, 0.1), ec.Solid())
    _body(26, 1, ec.OBBCollider(1.5, 0.15), ec.Velocity(angular=0.4), kind="kinematic")


@_scene("3c267aa3594fe7a703527060e6348553")
def walk(run: SceneRun) -> None:
    """Characters walk up and down slopes and stairs, ride platforms, drop through one, and push crates."""
    _level()
    figure = {"step_height": 0.3, "snap_distance": 0.2, "mass": 2.0, "push_force": 40.0, "wall_reach": 0.1}
    walkers = [
        _at(x, y, ec.CapsuleCollider(0.6, 0.3, angle=0.5 * math.pi), ec.Character(**figure))
        for x, y in ((-28.0, 4.0), (-7.0, 1.0), (4.0, 1.0), (12.0, 3.0), (15.0, 2.0), (22.0, 4.0), (26.0, 3.0))
    ]
    for x in (-2.0, 1.5, 9.9):
        _body(x, 0.35, ec.OBBCollider(0.35, 0.35), friction=0.4)
    fall = [0.0] * len(walkers)
    for frame in range(200):
        for k, walker in enumerate(walkers):
            way = 0.05 if (frame // (60 + 7 * k)) % 2 == 0 else -0.04
            fall[k] = max(fall[k] - 0.0027, -0.3)
            displacement = way if k < 4 else 0.0, fall[k]
            move = run.physics.move_character(walker, displacement, drop=k == 3 and frame == 120)
            if move.on_floor:
                fall[k] = 0.12 if frame % 50 == 20 + k else 0.0
            run.note(move)
        run.step()


@_scene("12f085ddd6dac41af2078cb5318c8614", gravity=_NO_GRAVITY)
def crowd_of_characters(run: SceneRun) -> None:
    """Many characters are moved in one call; others slide, without a ``Character``."""
    _level()
    places = scattered(60, (-11.0, 0.5), (26.0, 6.0)).tolist()
    walkers = [_at(x, y, ec.CircleCollider(0.25), ec.Solid(), ec.Character(step_height=0.1)) for x, y in places]
    sliders = [_at(-30.0 + 3 * k, 5.0, ec.OBBCollider(0.3, 0.2), angle=0.2 * k) for k in range(8)]
    ways = scattered(60, (-0.08, -0.12), (0.08, 0.04), salt=3)
    for frame in range(60):
        moves = run.physics.move_characters(walkers, np.roll(ways, frame, axis=0))
        run.note(moves.moved, moves.on_floor, moves.floor_normal, moves.contact_entity, moves.contact_point)
        for slider in sliders:
            run.note(run.physics.move_and_slide(slider, (0.05, -0.07)))
        run.step()


# Snapshots, and effects that are state.


@_scene("b88dcdcd13983602236bc5927a200e6d")
def snapshots(run: SceneRun) -> None:
    """A world goes on from a snapshot, and from its bytes in another world, as it went on before."""
    physics = run.physics
    _ground(30)
    starts = fractions(24)
    boxes = [_body(6 * starts[k] - 3, 1 + k, ec.OBBCollider(0.4, 0.3), angle=starts[-k]) for k in range(24)]
    esper.create_entity(ec.RevoluteJoint.at(None, boxes[0], 0.0, 2.0))
    _at(-9, 3, ec.Velocity(70, 1), ec.CapsuleCollider(0.3, 0.1), ec.Bullet())
    run.step(30)
    state = physics.snapshot()
    saved = state.to_bytes()
    run.step(40)
    esper.delete_entity(boxes[5], immediate=True)
    run.step(5)
    physics.restore(state)
    run.note_state()
    run.step(40)
    here = esper.current_world
    esper.switch_world(f"{here}, from bytes")
    run.begin()
    run.physics.restore(Snapshot.from_bytes(saved))
    run.step(40)
    esper.switch_world(here)
    esper.delete_world(f"{here}, from bytes")


@_scene("792f8a528f35079a9b21f33152afff18")
def particles(run: SceneRun) -> None:
    """Emitters of both splashes, with drag and gravity, moving and turning, and bursts."""
    system = systems.ParticleSystem(run.physics, seed=7)
    esper.add_processor(system, ec.Priority.PARTICLE)
    for k in range(8):
        style = effects.Emitter(
            rate=60.0 + 30 * k,
            vy=4.0,
            vx_spread=2.0,
            splash=effects.Splash.NORMAL if k % 2 else effects.Splash.UNIFORM,
            half_width=0.3 * k,
            half_height=0.1,
            lifetime=0.5,
            lifetime_spread=0.2,
            gravity_scale=0.2 * k,
            drag=(0.0, 1e-4, 0.3, 5.0)[k % 4],
        )
        _at(3.0 * k, 0, ec.Velocity(1.0, 0.5, 2.0), style, angle=0.5 * k)
        system.burst(k, 2.0, 150, style, angle=0.7 * k)
    for _ in range(80):
        run.step()
        run.note(system.position, system.velocity, system.age, system.lifetime)


@_scene("07a31297714f08dd7bcd9a688d7d15c4", gravity=_NO_GRAVITY)
def light(run: SceneRun) -> None:
    """Homing lasers of both kinds of steering, rings and beams, which hit; their meshes too."""
    system = systems.LightSystem(run.physics)
    esper.add_processor(system, ec.Priority.LIGHT)
    target = _at(0, 0, ec.CircularTrajectory(0, 0, 6, 0.8), ec.CircleCollider(0.8))
    for k in range(6):
        steering = effects.Steering.SIGN if k % 2 else effects.Steering.SINE
        flight: dict[str, Any] = {"turn_limit": 0.1 + 0.05 * k, "segment_length": 0.5, "segments": 12}
        laser = effects.HomingLaser(9.0 + k, 0.3, target=target, steering=steering, **flight)
        _at(-9.0 + 2 * k, 8, laser, angle=0.9 * k)
        _at(2.0 * k, -4, effects.RingBeam(0.5 * k, 0.3, growth=1.0, segment_length=0.4))
        _at(0, k - 3, effects.Beam(end_x=5.0, end_y=1.0, width=0.2, proportion=0.1 * k), angle=0.2 * k)
    for _ in range(60):
        run.step()
        run.note(*(mesh.positions for mesh in (system.laser_mesh(), system.ring_mesh(), system.beam_mesh())))


@_scene("ee29c025ced35dce92e936566562015b")
def scrolling(run: SceneRun) -> None:
    """A camera that follows a body, layers, waves and a floor with depth."""
    system = systems.ScrollingSystem(run.physics)
    esper.add_processor(system, ec.Priority.SCROLLING)
    hero = _at(0, 5, ec.Velocity(7, 6), ec.Gravity(), ec.CircleCollider(0.5))
    view = effects.Camera(0, 0, 32, 18, target=hero)
    camera = esper.create_entity(view)
    wave, floor = effects.RasterWave(0.3, 2.0, 4.0, 40), effects.PerspectiveFloor(40, 90, 30)
    esper.create_entity(effects.ParallaxLayer(64, 24), wave, floor)
    for _ in range(90):
        run.step()
        run.note(view.x, view.y, system.wave_shifts.values, system.floor_shifts.values)
        run.note(system.to_screen([(1.0, 2.0), (30.0, -4.0)], camera))
