"""``check_world``, and checks of the world as it runs: stages, steps, events, motion, sizes and places."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import AABBCollider
from ecsphys.components.collision.collision_filter import HitListener
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics import joints
from ecsphys.components.dynamics.rigid_body import Bullet, Character, RigidBody, Solid
from ecsphys.components.effects import light, scrolling
from ecsphys.components.motion.transform import Controller, Gravity, Lifetime, Parent, Transform, Velocity, WorldBounds
from ecsphys.components.other_names import most_alike, other_names
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.systems.diagnosis import component_checks
from ecsphys.systems.diagnosis.component_checks import WITH_SHAPES, Census, names_of_systems
from ecsphys.systems.diagnosis.debug import Finding
from ecsphys.systems.dynamics.changes_since_step import NOTED_STEPS
from ecsphys.systems.physics_state import PhysicsState
from ecsphys.systems.stage import Priority
from ecsphys.systems.stepping.fixed_step import FixedStep, running_systems
from ecsphys.systems.world import esper_world
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES

Box = NDArray[float64]

EVENT_NAMES: Final = tuple(esper_world.PASSED)

# How alike a name must be to one that is sent to be taken for a slip.
_ALIKE: Final = 0.75

# The stages of install() by their names: this module is asked by Physics, and stages know Physics.
_STAGES: Final[tuple[tuple[str, int, tuple[type, ...]], ...]] = (
    ("AnalyticMotionSystem", Priority.ANALYTIC_MOTION, TRAJECTORY_CLASSES),
    ("EulerMotionSystem", Priority.EULER_MOTION, (Velocity,)),
    ("RigidBodySystem", Priority.RIGID_BODY, (RigidBody, *joints.JOINT_CLASSES)),
    ("HierarchySystem", Priority.HIERARCHY, (Parent,)),
    ("SweepSystem", Priority.SWEEP, (Bullet,)),
    ("BroadphaseSystem", Priority.BROADPHASE, WITH_SHAPES),
    ("NarrowphaseSystem", Priority.NARROWPHASE, WITH_SHAPES),
    ("HitEventSystem", Priority.HIT_EVENT, (HitListener,)),
)
_ADDED: Final[tuple[tuple[str, str, tuple[type, ...]], ...]] = (
    ("ControlSystem", "INPUT", (Controller,)),
    ("ParticleSystem", "PARTICLE", (light.Emitter,)),
    ("LightSystem", "LIGHT", (light.Beam, light.RingBeam, light.HomingLaser)),
    ("LifetimeSystem", "LIFETIME", (Lifetime,)),
    ("WorldBoundsSystem", "BOUNDS", (WorldBounds,)),
    ("ScrollingSystem", "SCROLLING", (scrolling.Camera,)),
)
# These systems look at each step. A frame may have none, or several.
_IN_STEPS: Final = {"LifetimeSystem": "LIFETIME", "WorldBoundsSystem": "BOUNDS"}

# A frame that takes so many seconds was given in other units.
_LONGEST_STEP = 1.0
# A row that was written before so many of the last steps is written in each frame: a frame may have several steps.
_MANY_WRITES = NOTED_STEPS // 2 - 1
# Bodies between these sizes, in lengths, rest and bounce as they should.
_SMALLEST, _LARGEST = 0.02, 20.0
# By so much of the size of the smaller body may the anchors of a joint be apart.
_APART = 0.5
# An angle that is more than rounding, radians.
_TURNED = 1e-3
# Joints that hold two anchors together, and whether they do so but along an axis.
_HOLDING: Final[tuple[tuple[type[Any], bool], ...]] = (
    (joints.RevoluteJoint, False),
    (joints.WeldJoint, False),
    (joints.PrismaticJoint, True),
    (joints.WheelJoint, True),
)


def check_world(state: PhysicsState) -> list[Finding]:
    """The findings of a world; RuntimeError in another one than the physics'."""
    esper_world.refuse_other_world(state.world)
    census = Census(state)
    try:
        state.validate()
        can_step = True
    except (TypeError, ValueError) as error:
        census.report_world(f"the next step raises: {error}")
        can_step = False
    for check in _CHECKS:
        # A world that cannot be stepped has no placed shapes.
        if can_step or check not in _OF_PLACED:
            check(census)
    return census.findings


def _check_lengths(census: Census) -> None:
    """Steps of a strange length."""
    state, fixed = census.state, census.state.stepping.fixed_step
    if state.progress.dt > _LONGEST_STEP:
        census.report_world(
            f"the last step was {state.progress.dt:g} seconds long: pass dt in seconds, not milliseconds"
        )
    if fixed is None:
        return
    if fixed.dropped_time > max(fixed.step_count * fixed.dt, _LONGEST_STEP):
        census.report_world(
            f"the fixed step has dropped {fixed.dropped_time:g} seconds, more than it has run: pass dt in seconds, not"
            " milliseconds"
        )
    if fixed.hz < 1.0:
        census.report_world(f"the fixed step is {fixed.dt:g} seconds long: give hz in steps per second, for example 60")


def _check_systems(census: Census) -> None:
    """Components in use whose system does not run, and systems that run once a frame, but belong to the steps."""
    running: list[esper.Processor] = [*running_systems(), *census.state.stepping.own_stages]
    names = names_of_systems(census.state)
    if names.isdisjoint(name for name, _, _ in _STAGES):
        census.report_world(
            "no stage of ecsphys runs in this world: call ecsphys.install(), or physics.step(dt) in each frame"
        )
    else:
        defaults = {name: priority for name, priority, _ in _STAGES}
        shift = next(one.priority - defaults[type(one).__name__] for one in running if type(one).__name__ in defaults)
        # What another author has put where a stage would be stands for it.
        foreign = [one.priority - shift for one in running if not type(one).__module__.startswith("ecsphys.")]
        priorities = [10**9, *defaults.values(), -(10**9)]
        for place, (name, _, classes) in enumerate(_STAGES):
            after, before = priorities[place], priorities[place + 2]
            if name not in names and not any(before < priority < after for priority in foreign):
                for cls in classes:
                    message = f"no {name} runs, although other stages do: add it again"
                    census.report(census.having(cls), message, cls)
    for name, priority, classes in _ADDED:
        if name not in names:
            message = f"no {name} runs: call esper.add_processor({name}(physics), ecsphys.Priority.{priority})"
            for cls in classes:
                census.report(census.having(cls), message, cls)
    if census.state.stepping.fixed_step is not None:
        in_frame = [type(system).__name__ for system in esper_world.processors() if not isinstance(system, FixedStep)]
        for name, priority in _IN_STEPS.items():
            if name in in_frame:
                add = f"physics.fixed_step.add({name}(physics), ecsphys.Priority.{priority})"
                census.report_world(
                    f"the {name} runs once per frame, not in each fixed step: use {add} instead of esper.add_processor"
                )


def _check_events(census: Census) -> None:
    """Handlers of misspelt events, which are never sent, and handlers in another world."""
    for name in esper.event_registry:
        if name in EVENT_NAMES or not isinstance(name, str):
            continue
        alike = other_names()["events"].get(name) or most_alike(name, EVENT_NAMES, _ALIKE)
        if alike or name.startswith(("hit_", "pair_")):
            meant = f"did you mean {alike!r}?" if alike else f"its events are {', '.join(EVENT_NAMES)}"
            census.report_world(f"a handler is set for {name!r}, but ecsphys never sends that event; {meant}")
    for name in EVENT_NAMES:
        for _, message in esper_world.misfit_handlers(name):
            census.report_world(message)
    if any(name in esper.event_registry for name in EVENT_NAMES):
        return
    for world, names in esper_world.handlers_of_idle_worlds(EVENT_NAMES).items():
        census.report_world(
            f"handlers of {names[0]!r} are set in the world {world!r}, but not in the current world"
            f" {esper.current_world!r}: each world has its own handlers, so call esper.set_handler after"
            " esper.switch_world"
        )


def _check_characters(census: Census) -> None:
    """Characters that something else moves too."""
    characters = census.having(Character).keys()
    message = "also moves the Character: remove one of the two, or make the body RigidBody(kind='kinematic')"
    census.report(characters & census.dynamic, message, RigidBody)
    message = (
        "moves the Character through walls: keep its speed in a component of your own, and call"
        " physics.move_character(entity, (x * dt, y * dt))"
    )
    census.report_on((Velocity,), characters - census.kinds.keys(), message)


def _check_falling_through(census: Census) -> None:
    """Entities that fall into the ground without a ``RigidBody``, while nothing handles their hits."""
    falling = census.having(Gravity).keys() & census.having(Velocity).keys()
    falling -= census.with_any(RigidBody, Character, Bullet, Solid, HitListener) | census.on_paths
    if not falling or any(name in esper.event_registry for name in ("hit_started", "hit_ongoing")):
        return
    ground = {*census.having(Solid), *census.static}
    hits = census.state.hits.found.hits
    old = ~hits.is_new
    inside = set()
    for a, b in zip(hits.entity_a[old].tolist(), hits.entity_b[old].tolist(), strict=True):
        if (a in falling and b in ground) or (b in falling and a in ground):
            inside.add(a if a in falling else b)
    message = "makes the entity fall through the ground: add a RigidBody, or move it with physics.move_and_slide"
    census.report(inside, message, Gravity)


def _check_written(census: Census) -> None:
    """Bodies that the game moves by their ``Transform``, and transforms that a step then overwrites."""
    state, kinds = census.state, census.kinds
    if state.solver is None:
        return
    begin = state.clock - (NOTED_STEPS - 0.5) * state.progress.dt
    of_steps: dict[float, set[int]] = {}
    for noted in state.solver.changes.noted:
        if noted.clock > begin:
            of_steps.setdefault(noted.clock, set()).update(np.setdiff1d(noted.rows, noted.swept).tolist())
    many = {row: n for row, n in Counter(chain.from_iterable(of_steps.values())).items() if n >= _MANY_WRITES}
    # For entities with WorldBounds, the WorldBoundsSystem may be the writer.
    places, bound = census.having(Transform).items(), census.having(WorldBounds)
    written = {entity: many[one._row] for entity, one in places if one._row in many and entity not in bound}
    dynamic = [entity for entity in written if entity in census.dynamic]
    if dynamic:
        message = (
            f"is set in each frame ({written[dynamic[0]]} times in the last {NOTED_STEPS} steps), which moves the body"
            " without a velocity, and into other bodies: set its Velocity, apply a force, or make it"
            " RigidBody(kind='kinematic'); lock_rotation=True keeps it upright"
        )
        census.report(dynamic, message, Transform)
    hits = state.hits.found.hits
    touched: set[int] = set()
    for a, b in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True):
        one, other = census.carrier_of(a), census.carrier_of(b)
        touched.update(place for place, by in ((other, one), (one, other)) if by in census.dynamic)
    # A character is moved by its game in each frame, and crates may touch it.
    solid = census.having(Solid).keys() - census.having(Character).keys() - kinds.keys()
    message = (
        "is set in each frame while bodies touch the entity: they do not feel its motion and slide off. Add"
        " RigidBody(kind='kinematic') and set its Velocity, or add a trajectory"
    )
    standing = (kinds.keys() - census.dynamic) | solid
    census.report(written.keys() & touched & standing, message, Transform)
    owners: tuple[type[Any], ...] = (Parent, *TRAJECTORY_CLASSES)
    for cls in owners:
        message = (
            f"is set in each frame, but the {cls.__name__} then overwrites it: change or remove the {cls.__name__}"
        )
        census.report(written.keys() & census.having(cls).keys(), message, Transform)


def _check_places(census: Census) -> None:
    """Bodies of a strange size or without ground, boxes that do not turn, and joints that tear at their bodies."""
    boxes = _boxes(census)
    _check_sizes(census, {entity: _size(boxes[entity]) for entity in census.dynamic if entity in boxes})
    _check_ground(census, boxes)
    _check_unturned_boxes(census)
    _check_anchors(census, boxes)


def _boxes(census: Census) -> dict[int, Box]:
    """For each entity with colliders that block their box (min_x, min_y, max_x, max_y); a child's are its carrier's."""
    state = census.state
    state.update()
    state.place()
    table = state.tables.colliders
    slots = table.order[table.slots.sensor[table.order] == 0]
    boxes: dict[int, Box] = {}
    for entity, box in zip(table.slots.entity[slots].tolist(), table.placed.boxes[slots], strict=True):
        known = boxes.setdefault(census.carrier_of(entity), box.copy())
        known[:2] = np.minimum(known[:2], box[:2])
        known[2:] = np.maximum(known[2:], box[2:])
    return boxes


def _size(box: Box) -> float:
    return float(max(box[2] - box[0], box[3] - box[1]))


def _check_sizes(census: Census, sizes: dict[int, float]) -> None:
    length_unit = census.state.settings.length_unit
    middling = sorted(sizes.values())[len(sizes) // 2] if sizes else length_unit
    if _SMALLEST <= middling / length_unit <= _LARGEST:
        return
    what = "large" if middling > length_unit else "small"
    advice = ", and scale gravity to the same units" if what == "large" else ""
    message = (
        f"bodies of {middling:.3g} units are {what} for a physics.settings.length_unit of {length_unit:g}, so they rest"
        f" and bounce badly: set it to the size of a typical body, about {middling:.2g}{advice}"
    )
    census.report([entity for entity, size in sizes.items() if size == middling], message, RigidBody)


def _check_ground(census: Census, boxes: dict[int, Box]) -> None:
    """Bodies that all fall, with nothing below any of them that could stop them."""
    x, y = census.state.settings.gravity
    gravity = np.array((x, y))
    bodies = census.having(RigidBody)
    scales = {entity: one.scale for entity, one in census.having(Gravity).items()}
    # A body that any joint holds may hang from others.
    held = {
        census.carrier_of(end)
        for cls in joints.ANCHORED_JOINTS
        for joint in census.having(cls).values()
        for end in (joint.entity_a, joint.entity_b)
    }
    unheld = census.dynamic - held - census.with_any(Parent, WorldBounds) - census.on_paths
    falling = {
        entity
        for entity in unheld & boxes.keys()
        if scales.get(entity, 1.0) > 0.0 and ((x and not bodies[entity].lock_x) or (y and not bodies[entity].lock_y))
    }
    if not falling:
        return
    blocking = (census.kinds.keys() - census.dynamic) | census.having(Solid).keys()
    standing = set(map(census.carrier_of, blocking)) - falling
    ground = [boxes[entity] for entity in standing & boxes.keys()]
    if not ground:
        message = (
            "falls forever, because nothing in this world stops bodies: add Solid() to the ground (a collider alone"
            " does not block)"
        )
        census.report(falling, message, RigidBody)
        return
    down = gravity / hypot(x, y)
    lowest = max(_along(np.where(down > 0.0, box[2:], box[:2]), down) for box in ground)
    fallen = [boxes[entity] for entity in falling]
    # Most of each box is below all ground.
    if all(0.5 * _along(box[:2] + box[2:], down) > lowest + 0.25 * _size(box) for box in fallen):
        message = (
            f"falls forever: gravity ({x:g}, {y:g}) pulls it away from all ground. With y up, gravity has a negative y;"
            " with y down, a positive y"
        )
        census.report(falling, message, RigidBody)


def _along(point: Box, direction: Box) -> float:
    return float(point[0] * direction[0] + point[1] * direction[1])


def _check_unturned_boxes(census: Census) -> None:
    # A coin that only looks as if it turned may have a box that does not, and the gondola of a wheel stays level.
    blocking = census.with_any(RigidBody, Solid) - census.having(Parent).keys()
    places, speeds = census.having(Transform), census.having(Velocity)
    compounds = census.having(CompoundCollider).items()
    boxes = {entity for entity, one in compounds if any(isinstance(part, AABBCollider) for part in one.parts)}
    turned = [
        entity
        for entity in (boxes | census.having(AABBCollider).keys()) & blocking
        if (entity in places and abs(math.remainder(places[entity].angle, math.pi)) > _TURNED)
        or (entity in speeds and speeds[entity].angular)
    ]
    message = "never turns, but its entity does: use an OBBCollider, which turns with it"
    census.report(turned, message, AABBCollider)


def _check_anchors(census: Census, boxes: dict[int, Box]) -> None:
    # A child is where its parent is only after a step.
    places = {entity: one for entity, one in census.having(Transform).items() if entity not in census.having(Parent)}
    for cls, slides in _HOLDING:
        torn: dict[int, float] = {}
        for owner, joint in census.having(cls).items():
            ends = joint.entity_a, joint.entity_b
            if any(end >= 0 and end not in places for end in ends) or getattr(joint, "linear_frequency", None):
                continue
            apart = _apart(joint, places, slides)
            sizes = [_size(boxes[end]) for end in ends if end in boxes]
            if sizes and apart > _APART * min(sizes):
                torn[owner] = apart
        if not torn:
            continue
        first, distance = next(iter(torn.items()))
        has_anchors = any(getattr(census.having(cls)[first], name) for name in ("x_a", "y_a", "x_b", "y_b"))
        given = "are in the frames of the two bodies" if has_anchors else "were not given"
        message = (
            f"its anchors are {distance:.3g} units apart and are pulled together at once: x_a, y_a, x_b and y_b"
            f" {given}. Use {cls.__name__}.at(a, b, x, y), which takes a point of the world"
        )
        census.report(torn, message, cls)


def _apart(joint: Any, places: dict[int, Transform], slides: bool) -> float:
    """How far the anchors of a joint are apart, but along its axis where it ``slides``."""
    (ax, ay, turn), (bx, by, _) = (
        _in_world(places, joint.entity_a, joint.x_a, joint.y_a),
        _in_world(places, joint.entity_b, joint.x_b, joint.y_b),
    )
    x, y = bx - ax, by - ay
    if not slides:
        return hypot(x, y)
    cos, sin = cos_sin(turn)
    axis_x, axis_y = cos * joint.axis_x - sin * joint.axis_y, sin * joint.axis_x + cos * joint.axis_y
    aside: float = abs(axis_x * y - axis_y * x) / (hypot(axis_x, axis_y) or 1.0)
    return aside


def _in_world(places: dict[int, Transform], entity: int, x: float, y: float) -> tuple[float, float, float]:
    """A point of an entity's frame in the world, and the angle of the entity."""
    if entity < 0:
        return x, y, 0.0
    place = places[entity]
    cos, sin = cos_sin(place.angle)
    return place.x + cos * x - sin * y, place.y + sin * x + cos * y, place.angle


_OF_PLACED: Final = (_check_characters, _check_falling_through, _check_written, _check_places)
_CHECKS: Final[tuple[Callable[[Census], None], ...]] = (
    _check_lengths,
    _check_systems,
    _check_events,
    component_checks.check_classes,
    component_checks.check_company,
    component_checks.check_values,
    component_checks.check_bodies,
    component_checks.check_sensors,
    component_checks.check_joints,
    component_checks.check_filters,
    *_OF_PLACED,
)
