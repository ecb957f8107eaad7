"""A world with something of everything, and all that can be seen of it: what must be equal wherever runs are."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    BallisticTrajectory,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    CompoundCollider,
    Controller,
    Disabled,
    DistanceJoint,
    Drag,
    FanCollider,
    GearJoint,
    Gravity,
    HarmonicTrajectory,
    HitListener,
    Lifetime,
    LinearTrajectory,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    OneWay,
    Orbit,
    Parent,
    PathTrajectory,
    Physics,
    PolygonCollider,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Spring,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
    WorldBounds,
    column,
)
from ecsphys.effects import (
    Beam,
    Camera,
    Emitter,
    HomingLaser,
    ParallaxLayer,
    PerspectiveFloor,
    RasterWave,
    RingBeam,
    TileMap,
)

DT = 1.0 / 60.0

_PHASES = ("started", "ongoing", "ended")
_HIT_FIELDS = (
    "entity_a",
    "entity_b",
    "collider_a",
    "collider_b",
    "part_a",
    "part_b",
    "normal",
    "depth",
    "points",
    "point_count",
    "approach_speed",
    "time",
    "is_new",
    "impulse",
    "tangent_impulse",
)


class Health(ecsphys.Component):
    """A column component of the game."""

    points: float = column(default=100.0, low=0.0)
    team: int = 0


class Brain:
    """A plain component of the game."""

    def __init__(self, plan: str) -> None:
        self.plan = plan
        self.thoughts = 0


class WholeWorld:
    """A world of everything, stepped by :meth:`step`, which plays a little game with it.

    ``trace`` has what was seen after each step, and each event in between.
    """

    def __init__(self, fixed_step: float | None = None, seed: int = 3) -> None:
        self.physics: Physics = ecsphys.install(gravity=(0.0, -9.8), fixed_step=fixed_step)
        self.particles = ecsphys.systems.ParticleSystem(self.physics, seed=seed)
        self.light = ecsphys.systems.LightSystem(self.physics)
        systems = (
            (self.particles, ecsphys.Priority.PARTICLE),
            (self.light, ecsphys.Priority.LIGHT),
            (ecsphys.systems.LifetimeSystem(self.physics), ecsphys.Priority.LIFETIME),
            (ecsphys.systems.WorldBoundsSystem(self.physics), ecsphys.Priority.BOUNDS),
            (ecsphys.systems.ScrollingSystem(self.physics), ecsphys.Priority.SCROLLING),
        )
        for system, priority in systems:
            if self.physics.fixed_step is None:
                esper.add_processor(system, priority)
            else:
                self.physics.fixed_step.add(system, priority)
        self.trace: list[Any] = []
        self.frame = 0
        self.dt = DT if fixed_step is None else 0.7 * DT
        for name in _PHASES:
            esper.set_handler(f"hit_{name}", getattr(self, f"_{name}"))
        esper.set_handler("joint_broken", self._broken)
        esper.set_handler("lifetime_ended", self._ended_life)
        self._fill(np.random.default_rng(seed))

    def _note(self, name: str, *values: Any) -> None:
        self.trace.append((name, *values))

    def _started(self, hit: Any) -> None:
        self._note("started", hit.entity_a, hit.entity_b, hit._record)

    def _ongoing(self, hit: Any) -> None:
        self._note("ongoing", hit.entity_a, hit.entity_b, hit._record)

    def _ended(self, hit: Any) -> None:
        self._note("ended", hit.entity_a, hit.entity_b, hit._record, hit.reason)

    def _broken(self, found: Any) -> None:
        self._note("broken", found.entity, found.entity_a, found.entity_b, found.reason, found.force)

    def _ended_life(self, entity: int) -> None:
        self._note("lifetime", entity)

    def _fill(self, rng: np.random.Generator) -> None:
        create = esper.create_entity
        ground = create(Transform(0, -1), AABBCollider(30, 1), Solid(), RigidBody(kind="static"))
        create(Transform(-12, 2, 0.1), OBBCollider(3, 0.3), Solid())
        create(Transform(14, 1), AABBCollider(0.2, 3), Solid())
        create(Transform(0, 0), ChainCollider([(-27, 11), (-20, 9), (-13, 11)], radius=0.05), Solid())
        # Rigid bodies: a heap, a stack at rest, a compound, joints.
        self.heap = []
        for k in range(14):
            shape = (
                CircleCollider(0.4),
                OBBCollider(0.4, 0.3),
                CapsuleCollider(0.6, 0.2),
                PolygonCollider([(-0.4, -0.3), (0.5, -0.3), (0.1, 0.5)]),
            )[k % 4]
            place = Transform(rng.uniform(-3, 3), 1.0 + 0.8 * k, rng.uniform(0, 6))
            self.heap.append(create(place, shape, RigidBody(restitution=0.2), Health(10.0 * k)))
        self.stack = [create(Transform(6, 0.5 + k), OBBCollider(0.5, 0.5), RigidBody()) for k in range(5)]
        parts = [CircleCollider(0.3, offset_x=-0.5), CircleCollider(0.3, offset_x=0.5)]
        self.dumbbell = create(Transform(-1, 14), CompoundCollider(parts), RigidBody())
        a = create(Transform(9, 6), OBBCollider(0.5, 0.1), RigidBody())
        b = create(Transform(10, 6), OBBCollider(0.5, 0.1), RigidBody())
        pin = create(RevoluteJoint.at(None, a, 8.5, 6))
        other_pin = create(RevoluteJoint.at(a, b, 9.5, 6))
        create(GearJoint(pin, other_pin, ratio=2.0))
        self.rope = create(DistanceJoint(b, self.heap[0], length=4.0, break_force=900.0))
        # Motion of every kind.
        for k in range(6):
            place = Transform(-20 + 2 * k, 5)
            create(
                place, Velocity(1 + 0.1 * k, 2), Gravity(), Drag(0.1), CircleCollider(0.5), WorldBounds(-30, 0, 30, 9)
            )
        create(Transform(-20, 8), Velocity(), Spring(anchor_x=-18, anchor_y=8, stiffness=4.0), CircleCollider(1))
        self.paths = [
            create(Transform(), LinearTrajectory(-10, 9, 1, 0), CircleCollider(0.5)),
            create(Transform(), BallisticTrajectory(-10, 9, 3, 4, 0, -4), CircleCollider(0.5)),
            create(Transform(), CircularTrajectory(-6, 9, 2, 1.5), AABBCollider(0.5, 0.5)),
            create(Transform(), HarmonicTrajectory(0, 12, 3, 0, 1.0), FanCollider(0.8, 1.5)),
            create(
                Transform(),
                PathTrajectory([(-16, 3), (-12, 5), (-10, 3)], 2.0, closed=True),
                AABBCollider(1, 0.2),
                Solid(),
            ),
        ]
        # Parents, filters, sensors, what is disabled, beams and lasers.
        create(Transform(0, 1), Parent(self.paths[2], 1.5, 0.0), CircleCollider(0.4))
        create(Transform(), Parent(self.stack[4], 0.0, 1.0), CircleCollider(0.2, sensor=True))
        self.filtered = create(Transform(-20, 6), CircleCollider(2), CollisionFilter(layers=2, mask=1))
        self.ghost = create(Transform(0, 1), CircleCollider(3, sensor=True))
        self.disabled = create(Transform(0, 2), CircleCollider(1), Disabled())
        self.jet = create(Transform(3, 4), Emitter(rate=40, vx_spread=2, vy=3, lifetime=0.4, lifetime_spread=0.1))
        create(Transform(-25, 1), Beam(end_x=8, end_y=0, width=0.2))
        create(Transform(20, 4), RingBeam(radius=1, width=0.3, growth=1.0))
        self.laser = create(Transform(-10, 12), HomingLaser(6.0, 0.3, target=self.heap[3]))
        self.shots: list[int] = []
        self.mortal = create(Transform(1, 3), CircleCollider(0.5), Lifetime(2.2))
        self.ear = create(Transform(2, 3), CircleCollider(2.5, sensor=True))
        self.listen()
        # Characters on what moves, and a surface that blocks from above only.
        self.walkers = [
            create(Transform(x, y), CapsuleCollider(0.6, 0.3, angle=math.pi / 2), Character(mass=mass))
            for x, y, mass in ((-14, 5.5, None), (-13, 7, 2.0), (11, 1, None))
        ]
        create(Transform(12, 0.9), AABBCollider(1.5, 0.1), Solid(), OneWay())
        self.brain = create(Brain("wait"), Transform(0, -5))
        self.bare = create()
        self.crowd = ecsphys.spawn_many(
            60,
            Transform.many(rng.uniform(-25, -15, 60), rng.uniform(10, 20, 60)),
            Velocity.many(rng.uniform(-2, 2, 60), rng.uniform(-2, 2, 60)),
            CircleCollider.many(0.4),
        )
        self.still = ecsphys.spawn_many(
            40, Transform.many(rng.uniform(25, 40, 40), rng.uniform(0, 9, 40)), AABBCollider.many(0.7, 0.7)
        )
        assert ground == 1
        self._fill_machines()
        self._fill_pictures()

    def _fill_machines(self) -> None:
        """A joint of each kind that the rest has not, and motion that it has not."""
        create = esper.create_entity
        boxes = [create(Transform(30 + 3 * k, 20), OBBCollider(0.5, 0.3), RigidBody()) for k in range(6)]
        create(PrismaticJoint.at(None, boxes[0], 30, 20, (0, 1), motor_speed=1.0, max_force=60.0))
        create(WeldJoint.at(boxes[0], boxes[1], 31.5, 20))
        create(MotorJoint.at(None, boxes[2], 36, 20, max_force=30.0))
        create(MouseJoint.at(boxes[3], 39, 20, max_force=40.0))
        create(DistanceJoint(boxes[3], boxes[4], length=3.0))
        wheel = create(Transform(45, 19), CircleCollider(0.4), RigidBody())
        create(WheelJoint.at(boxes[5], wheel, 45, 19, (0, 1), motor_speed=-3.0, max_torque=4.0))
        create(Transform(30, 30), Velocity(1, 0), Acceleration(0.1, -0.2, 0.3), CircleCollider(0.3))
        create(Transform(32, 30), Velocity(0, 1), Orbit(30, 30, 2.0), CircleCollider(0.3))

    def _fill_pictures(self) -> None:
        """What only pictures need."""
        create = esper.create_entity
        create(Camera(0, 0, 32, 18, target=self.stack[0]), Controller(4.0))
        create(ParallaxLayer(48, 18), RasterWave(0.3, 2.0, 4.0, 8), PerspectiveFloor(40, 90, 6))
        create(TileMap([[1, 0], [0, 2]], 16.0))

    def save_plain(self) -> None:
        """Have snapshots, and their bytes, take along what plain components keep."""
        self.physics.add_to_snapshots(Brain, _brain_of, _give_brain)
        self.physics.add_to_snapshots(TileMap, _tiles_of, _give_tiles)

    def listen(self) -> None:
        """Attach a listener, which no bytes have."""
        esper.add_component(self.ear, HitListener(on_started=self._heard))

    def _heard(self, hit: Any) -> None:
        self._note("heard", hit.entity_a, hit.entity_b)

    def play(self) -> None:
        """What the game does in a frame, from the number of the frame alone."""
        frame, physics = self.frame, self.physics
        for number, walker in enumerate(self.walkers):
            moved = physics.move_character(walker, (0.04 * math.sin(0.1 * frame + number), -0.08))
            self._note("walked", number, repr(moved))
        if frame % 7 == 0:
            shot = esper.create_entity(
                Transform(-8, 6), Velocity(90, -30), CircleCollider(0.1), Bullet(), Lifetime(0.5), Health(1.0)
            )
            self.shots.append(shot)
        if frame % 11 == 0 and len(self.shots) > 2:
            gone = self.shots.pop(0)
            if esper.entity_exists(gone):
                esper.delete_entity(gone, immediate=frame % 2 == 0)
        if frame % 13 == 0:
            physics.bodies.apply_impulse(self.heap[frame % len(self.heap)], (0.5, 1.0))
        if frame % 17 == 0:
            esper.component_for_entity(self.heap[1], Health).points += 1.0
            esper.component_for_entity(self.brain, Brain).thoughts += 1

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.play()
            esper.process(self.dt)
            self.frame += 1
            self.see()

    def see(self) -> None:
        """Note all that can be seen of the world."""
        self._note("seen", self.frame, *everything(self.physics), self.particles.position.tobytes(), self._light())

    def _light(self) -> Any:
        return self.light.laser_mesh().positions.tobytes(), self.light.ring_mesh().positions.tobytes()

    def own_state(self) -> Any:
        """What this game keeps itself, which no snapshot has."""
        return self.frame, list(self.shots)

    def put_own_state(self, state: Any) -> None:
        self.frame, self.shots = state[0], list(state[1])

    def run(self, count: int) -> list[Any]:
        """What is seen in some more steps."""
        self.trace = []
        self.step(count)
        return list(self.trace)


def _brain_of(brain: Brain) -> list[Any]:
    return [brain.plan, brain.thoughts]


def _give_brain(brain: Brain, value: list[Any]) -> None:
    brain.plan, brain.thoughts = value


def _tiles_of(tiles: TileMap) -> tuple[Any, ...]:
    return tiles.tiles.copy(), tiles.tile_size


def _give_tiles(tiles: TileMap, value: tuple[Any, ...]) -> None:
    # What comes of bytes was never initialised.
    TileMap.__init__(tiles, *value)


def everything(physics: Physics) -> list[Any]:
    """The components of all entities, the hits, the boxes, the clock, sleep: as bytes, to the last bit."""
    found: list[Any] = [sorted(esper.get_entities())]
    classes = {cls for entity in found[0] for cls in map(type, esper.components_for_entity(entity))}
    for cls in sorted(classes, key=lambda one: one.__name__):
        pairs: list[tuple[int, Any]] = sorted(esper.get_component(cls), key=lambda pair: pair[0])
        found.append((cls.__name__, [entity for entity, _ in pairs], *_values_of(cls, [one for _, one in pairs])))
    found.extend(
        tuple(getattr(hits, name).tobytes() for name in _HIT_FIELDS)
        for hits in (physics.hits, physics.hits.started, physics.hits.ended)
    )
    found.append(physics.hits.ended.reason.tolist())
    found.append(physics.debug.colliders.boxes.tobytes())
    found.append(physics._state.clock)
    found.append(physics._state.body_table.states.island.tobytes())
    return found


def _values_of(cls: type[Any], instances: list[Any]) -> list[Any]:
    if cls in (CompoundCollider, ChainCollider):
        parts = [part for compound in instances for part in compound._parts]
        return [value for part in parts for value in _values_of(type(part), [part])]
    if cls is Brain:
        return [brain.plan for brain in instances]
    if not issubclass(cls, ecsphys.Component):
        return []
    rows = [instance._row for instance in instances]
    hidden = ("_start", "_count")
    names = [field.name for field in cls._columns.fields if field.name not in hidden]
    values: list[Any] = [cls._columns.row_of_block(name)[rows].tobytes() for name in names]
    if cls is PolygonCollider:
        values.append([polygon.vertices for polygon in instances])
    if cls is PathTrajectory:
        values.append([path.points for path in instances])
    if issubclass(cls, ecsphys.Joint):
        values.append([(joint.force, joint.torque) for joint in instances])
    return values


def first_difference(one: list[Any], other: list[Any]) -> str:
    """Where two traces begin to differ, in words; empty where they are equal."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            parts = [k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
            return f"entry {number} {a[0]} {a[1:3]} / {b[0]} {b[1:3]}: parts {parts}: {_shown(a, b, parts)}"
    return "" if len(one) == len(other) else f"{len(one)} and {len(other)} entries"


def _shown(a: Any, b: Any, parts: list[int]) -> str:
    if not parts:
        return f"{len(a)} and {len(b)} parts"
    return f"{a[parts[0]]!r:.600} / {b[parts[0]]!r:.600}"
