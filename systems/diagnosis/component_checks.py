"""Checks of components that do nothing, as another one is missing, or because of their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.dynamics.joints import MotorJoint, PrismaticJoint, RevoluteJoint, WeldJoint
from ecsphys.components.dynamics.rigid_body import Bullet, Character, OneWay, RigidBody, Solid
from ecsphys.components.motion.trajectories import CircularTrajectory
from ecsphys.components.motion.transform import (
    Acceleration,
    Controller,
    Drag,
    Gravity,
    Orbit,
    Parent,
    Spring,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.components.store.component import Component
from ecsphys.components.store.many import Many
from ecsphys.engine.math.elementary import hypot
from ecsphys.systems.diagnosis.census import WITH_SHAPES, Census
from ecsphys.systems.diagnosis.finding import Finding, found
from ecsphys.systems.hits.hit_listeners import CALLBACK_NAMES
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import component_classes, has_entity, misfit_callback

_CALLBACKS: Final = tuple(CALLBACK_NAMES.values())
_FORCES: Final[tuple[type[Component], ...]] = (Acceleration, Gravity, Spring, Orbit, Drag)

# Fields that hold radians, or radians a second.
_ANGLES: Final[tuple[tuple[type[Component], str], ...]] = (
    (Transform, "angle"),
    (Velocity, "angular"),
    (Parent, "angle"),
    (OBBCollider, "angle"),
    (CapsuleCollider, "angle"),
    (PolygonCollider, "angle"),
    (FanCollider, "direction"),
    (RevoluteJoint, "angle"),
    (RevoluteJoint, "lower"),
    (RevoluteJoint, "upper"),
    (RevoluteJoint, "rest"),
    (WeldJoint, "angle"),
    (PrismaticJoint, "angle"),
    (MotorJoint, "angle"),
    (Orbit, "angular_speed"),
    (CircularTrajectory, "angular_speed"),
    (CircularTrajectory, "phase"),
)

# An offset of so many sizes of a collider is a place in the world.
_FAR_OFFSET = 20.0

# A whole number of radians is rare; whole multiples of this from there on are degrees.
_DEGREES_AT_LEAST, _DEGREES_STEP = 15, 5


def check_components(census: Census, settings: Settings) -> Iterator[Finding]:
    """What components miss, and what in them cannot be meant."""
    given = census.classes_given()
    for missing in dict.fromkeys(given.values()):
        name = missing.__name__
        entities = [entity for entity, one in given.items() if one is missing]
        yield from found(entities, f"you added the class {name}; add an instance, {name}()")
    placed = census.having(Transform).keys()
    in_place: tuple[type[Any], ...] = (*WITH_SHAPES, Velocity, RigidBody, Parent, WorldBounds, *TRAJECTORY_CLASSES)
    for cls in in_place:
        lacking = [entity for entity in census.having(cls) if entity not in placed]
        yield from found(lacking, "does nothing without a Transform: add one", cls.__name__)
    yield from _check_bundles(census)
    yield from _check_forces(census, settings)
    yield from _check_shapes(census)
    yield from _check_columns()
    yield from _check_parents(census)
    for angular, field in _ANGLES:
        values = {entity: getattr(one, field) for entity, one in census.having(angular).items()}
        degrees = [entity for entity, value in values.items() if _are_degrees(value)]
        if degrees:
            value = f"{values[degrees[0]]:g}"
            message = f"is in radians, but {value} looks like degrees: use math.radians({value})"
            yield from found(degrees, message, angular.__name__, field)


def _check_forces(census: Census, settings: Settings) -> Iterator[Finding]:
    bodies = census.having(RigidBody).items()
    static = {entity for entity, body in bodies if body.kind == "static"}
    moving = (census.having(Velocity).keys() - static) | {entity for entity, body in bodies if body.kind == "dynamic"}
    on_paths = census.with_any(*TRAJECTORY_CLASSES)
    unbound: tuple[type[Component], ...] = (*_FORCES, WorldBounds)
    for cls in unbound:
        bound = [entity for entity in census.having(cls) if entity in on_paths]
        yield from found(bound, "does nothing on an entity with a trajectory", cls.__name__)
    for cls in _FORCES:
        still = [entity for entity in census.having(cls) if entity not in moving and entity not in on_paths]
        fixed = [entity for entity in still if entity in static]
        yield from found(fixed, "does nothing on a static body", cls.__name__)
        still = [entity for entity in still if entity not in static]
        yield from found(still, "does nothing without a Velocity: add one", cls.__name__)
    still = [entity for entity in census.having(Controller) if entity not in moving]
    yield from found(still, "does nothing without a Velocity: add one", "Controller")
    if settings.gravity == (0.0, 0.0):
        message = "does nothing while physics.gravity is (0, 0): use install(gravity=(0, -9.8))"
        yield from found(list(census.having(Gravity)), message, "Gravity")


def _check_shapes(census: Census) -> Iterator[Finding]:
    shaped = census.with_collider()
    # The colliders of its children are a body's, too.
    carrying = set(shaped)
    parents = {entity: parent.entity for entity, parent in census.having(Parent).items()}
    for entity in shaped:
        while (entity := parents.get(entity, entity)) not in carrying:
            carrying.add(entity)
    for cls in (Solid, OneWay, Bullet, HitListener, Character):
        yield from found(
            [e for e in census.having(cls) if e not in shaped], "does nothing without a collider: add one", cls.__name__
        )
    bodies = [entity for entity in census.having(RigidBody) if entity not in carrying]
    yield from found(bodies, "touches nothing without a collider: add one to the entity or to a child", "RigidBody")
    blocking = census.with_any(Solid, RigidBody)
    one_way = [entity for entity in census.having(OneWay) if entity not in blocking]
    yield from found(one_way, "does nothing without Solid or RigidBody: add Solid()", "OneWay")

    turnless = [entity for entity, one in census.having(OneWay).items() if not (one.normal_x or one.normal_y)]
    yield from found(turnless, "must not be (0, 0): use (0, 1) to block from above", "OneWay", "normal")
    idle = [
        entity for entity, one in census.having(HitListener).items() if not any(map(one.__getattribute__, _CALLBACKS))
    ]
    message = "calls nothing: pass a function, not its result: HitListener(on_started=function)"
    yield from found(idle, message, "HitListener")
    yield from _check_callbacks(census)
    yield from _check_offsets(census)


def _check_callbacks(census: Census) -> Iterator[Finding]:
    """Functions of listeners that cannot take the arguments that they get."""
    for field in _CALLBACKS:
        misfits: dict[str, list[int]] = {}
        for entity, listener in census.having(HitListener).items():
            if message := misfit_callback(listener, field):
                misfits.setdefault(message, []).append(entity)
        for message, entities in misfits.items():
            yield from found(entities, message, "HitListener", field)


def _check_offsets(census: Census) -> Iterator[Finding]:
    """Colliders whose offsets look like places in the world."""
    shapes: tuple[type[Any], ...] = (CircleCollider, AABBCollider, OBBCollider)
    for cls in shapes:
        far = []
        for entity, one in census.having(cls).items():
            size = one.radius if isinstance(one, CircleCollider) else max(one.half_width, one.half_height)
            if hypot(one.offset_x, one.offset_y) > _FAR_OFFSET * size:
                far.append(entity)
        message = (
            "is far from its entity: offset_x and offset_y are relative to the Transform, so put the position into the"
            " Transform"
        )
        yield from found(far, message, cls.__name__, "offset")


def _check_bundles(census: Census) -> Iterator[Finding]:
    """Lists of components, and what ``many`` makes, where a component should be."""
    for cls in component_classes():
        if issubclass(cls, Many):
            message = "is for ecsphys.spawn_many: give esper.create_entity the component itself"
            yield from found(list(census.having(cls)), message, "Many")
        elif issubclass(cls, list | tuple | set | dict):
            given = [entity for entity, one in census.having(cls).items() if any(map(_is_component, one))]
            message = "contains components, but esper does not look inside it: use esper.create_entity(*components)"
            yield from found(given, message, cls.__name__)


def _is_component(value: object) -> bool:
    return isinstance(value, Component)


def _check_columns() -> Iterator[Finding]:
    """Arrays of columns that the game has kept while the columns grew and moved."""
    for cls in component_classes():
        if not issubclass(cls, Component):
            continue
        store = cls._columns
        blocks = store.float64, store.int64, store.uint32, store.uint8
        for array in store.views.alive():
            if array.size and not any(np.may_share_memory(array, block) for block in blocks):
                yield Finding(
                    "an array of column() is out of date, because components were created after you asked for"
                    " it: values"
                    " written to it are lost. Call column() again each time",
                    component=cls.__name__,
                )
                break


def _check_parents(census: Census) -> Iterator[Finding]:
    parents = {entity: parent.entity for entity, parent in census.having(Parent).items()}
    gone = [entity for entity, parent in parents.items() if not has_entity(parent)]
    if gone:
        yield from found(
            gone,
            f"entity {parents[gone[0]]} does not exist, so it carries nothing: remove the Parent",
            "Parent",
            "entity",
        )
    placed = census.having(Transform)
    bare = [entity for entity, parent in parents.items() if has_entity(parent) and parent not in placed]
    if bare:
        yield from found(
            bare, f"entity {parents[bare[0]]} has no Transform, so it carries nothing: add one", "Parent", "entity"
        )


def _are_degrees(value: float) -> bool:
    return abs(value) >= _DEGREES_AT_LEAST and value % _DEGREES_STEP == 0.0
