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
from ecsphys.systems.diagnosis.census import WITH_SHAPES, Census, Finding, found
from ecsphys.systems.hits.hit_events import CALLBACK_NAMES
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

_NO_VELOCITY: Final = "does nothing without a Velocity: add one"

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
    in_place: tuple[type, ...] = (*WITH_SHAPES, Velocity, RigidBody, Parent, WorldBounds, *TRAJECTORY_CLASSES)
    placed = census.having(Transform)
    yield from census.having_without(in_place, placed, "does nothing without a Transform: add one")
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
    static = set(census.of_kind("static"))
    moving = (census.having(Velocity).keys() - static) | set(census.of_kind("dynamic"))
    on_paths = census.on_paths
    yield from census.having_on((*_FORCES, WorldBounds), on_paths, "does nothing on an entity with a trajectory")
    for cls in _FORCES:
        yield from census.having_on((cls,), static - moving - on_paths, "does nothing on a static body")
        yield from census.having_without((cls,), moving | on_paths | static, _NO_VELOCITY)
    yield from census.having_without((Controller,), moving, _NO_VELOCITY)
    if settings.gravity == (0.0, 0.0):
        message = "does nothing while physics.gravity is (0, 0): use install(gravity=(0, -9.8))"
        yield from found(list(census.having(Gravity)), message, "Gravity")


def _check_shapes(census: Census) -> Iterator[Finding]:
    shaped = census.with_collider
    # The colliders of its children are a body's, too.
    carrying = set(shaped)
    parents = {entity: parent.entity for entity, parent in census.having(Parent).items()}
    for entity in shaped:
        while (entity := parents.get(entity, entity)) not in carrying:
            carrying.add(entity)
    without = census.having_without
    yield from without(
        (Solid, OneWay, Bullet, HitListener, Character), shaped, "does nothing without a collider: add one"
    )
    message = "touches nothing without a collider: add one to the entity or to a child"
    yield from without((RigidBody,), carrying, message)
    message = "does nothing without Solid or RigidBody: add Solid()"
    yield from without((OneWay,), census.with_any(Solid, RigidBody), message)
    message = "must not be (0, 0): use (0, 1) to block from above"
    yield from census.having_where(OneWay, lambda one: not (one.normal_x or one.normal_y), message, "normal")
    message = "calls nothing: pass a function, not its result: HitListener(on_started=function)"
    yield from census.having_where(HitListener, lambda one: not any(getattr(one, name) for name in _CALLBACKS), message)
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
    message = (
        "is far from its entity: offset_x and offset_y are relative to the Transform, so put the position into the"
        " Transform"
    )
    shapes: tuple[type[Any], ...] = (CircleCollider, AABBCollider, OBBCollider)
    for cls in shapes:
        yield from census.having_where(cls, _is_far, message, "offset")


def _is_far(one: CircleCollider | AABBCollider | OBBCollider) -> bool:
    size = one.radius if isinstance(one, CircleCollider) else max(one.half_width, one.half_height)
    return hypot(one.offset_x, one.offset_y) > _FAR_OFFSET * size


def _check_bundles(census: Census) -> Iterator[Finding]:
    """Lists of components, and what ``many`` makes, where a component should be."""
    for cls in component_classes():
        if issubclass(cls, Many):
            message = "is for ecsphys.spawn_many: give esper.create_entity the component itself"
            yield from found(list(census.having(cls)), message, "Many")
        elif issubclass(cls, list | tuple | set | dict):
            message = "contains components, but esper does not look inside it: use esper.create_entity(*components)"
            yield from census.having_where(cls, lambda one: any(isinstance(part, Component) for part in one), message)


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
    placed = census.having(Transform)
    gone = [entity for entity, parent in parents.items() if not has_entity(parent)]
    bare = [entity for entity, parent in parents.items() if has_entity(parent) and parent not in placed]
    for wrong, what in (
        (gone, "does not exist, so it carries nothing: remove the Parent"),
        (bare, "has no Transform, so it carries nothing: add one"),
    ):
        if wrong:
            yield from found(wrong, f"entity {parents[wrong[0]]} {what}", "Parent", "entity")


def _are_degrees(value: float) -> bool:
    return abs(value) >= _DEGREES_AT_LEAST and value % _DEGREES_STEP == 0.0
