"""Checks of rigid bodies, ``Solid`` entities and joints that push, move or hold nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, WORLD
from ecsphys.components.dynamics.rigid_body import Character, RigidBody, Solid
from ecsphys.components.motion.transform import Parent, Velocity
from ecsphys.systems.diagnosis.census import WITH_SHAPES, Census, Finding, found
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES

_STRENGTHS: Final = ("max_torque", "max_force")

# What places an entity in each step.
_PLACING: Final[tuple[type, ...]] = (*TRAJECTORY_CLASSES, Parent)


def check_bodies(census: Census) -> Iterator[Finding]:
    """Settings of bodies, solids, children and joints that have no effect."""
    yield from _check_kinds(census)
    yield from _check_carried(census)
    yield from _check_masses(census)
    yield from _check_sensors(census)
    yield from _check_children(census)
    yield from _check_impulses(census)
    yield from _check_joints(census)


def _check_kinds(census: Census) -> Iterator[Finding]:
    static = set(census.of_kind("static"))
    yield from found(
        _moving(census, static), "does nothing on a static body: make it RigidBody(kind='kinematic')", "Velocity"
    )
    yield from census.having_on(
        _PLACING,
        static,
        "moves a static body, but other bodies do not feel its motion: make it RigidBody(kind='kinematic')",
    )


def _check_carried(census: Census) -> Iterator[Finding]:
    """Dynamic bodies that something else places, and characters that nothing stops."""
    yield from census.having_on(
        _PLACING,
        set(census.of_kind("dynamic")),
        "places a dynamic body, so the body does not fall and cannot be pushed: remove one of the two, or make it"
        " RigidBody(kind='kinematic')",
    )
    if not census.having(Solid):
        message = (
            "walks through everything, because no entity in this world is Solid: add Solid() to each entity that must"
            " stop characters, static bodies included"
        )
        yield from found(list(census.having(Character)), message, "Character")


def _check_masses(census: Census) -> Iterator[Finding]:
    """Dynamic bodies whose only colliders are chains, which have no mass."""
    shaped = census.with_carriers(census.with_any(*(cls for cls in WITH_SHAPES if cls is not ChainCollider)))
    light = census.having(ChainCollider).keys() - shaped
    message = (
        "has mass 1 and does not turn, because a ChainCollider has no area: set RigidBody.mass, or add another collider"
    )
    bodies = census.having(RigidBody)
    dynamic = census.of_kind("dynamic")
    yield from found([one for one in dynamic if one in light and bodies[one].mass is None], message, "RigidBody")


def _check_sensors(census: Census) -> Iterator[Finding]:
    """Bodies and solids whose colliders are all sensors."""
    blocks: dict[int, bool] = {}
    shapes: tuple[type[Any], ...] = WITH_SHAPES
    for cls in shapes:
        for entity, collider in census.having(cls).items():
            blocks[entity] = blocks.get(entity, False) or not collider.sensor
    solids = [entity for entity in census.having(Solid) if blocks.get(entity) is False]
    yield from found(solids, "blocks nothing, because all colliders of the entity are sensors", "Solid")
    bodies = census.having(RigidBody)
    # The colliders of its children are a body's, too.
    for child, carrier in census.carriers.items():
        if carrier in bodies and child in blocks and child not in bodies:
            blocks[carrier] = blocks.get(carrier, False) or blocks[child]
    touching = [entity for entity in bodies if blocks.get(entity) is False]
    yield from found(touching, "touches nothing, because all colliders of the entity are sensors", "RigidBody")


def _check_children(census: Census) -> Iterator[Finding]:
    """What would move a child, which its parent places."""
    placed = {child for child, carrier in census.carriers.items() if census.is_alive(carrier)}
    message = "does nothing on a child, because its Parent places it"
    yield from found(_moving(census, placed), message, "Velocity")
    yield from census.having_on(TRAJECTORY_CLASSES, placed, message)


def _check_impulses(census: Census) -> Iterator[Finding]:
    pushing = census.with_carried(census.with_any(RigidBody, Solid, Character))
    listeners = census.having(HitListener).items()
    deaf = [entity for entity, listener in listeners if listener.on_impulse and entity not in pushing]
    message = "is never called: only entities with RigidBody, Solid or Character get impulses"
    yield from found(deaf, message, "HitListener", "on_impulse")


def _check_joints(census: Census) -> Iterator[Finding]:
    outermost = census.carriers
    dynamic = set(census.of_kind("dynamic")) - census.having(Parent).keys() - census.on_paths
    for cls in ANCHORED_JOINTS:
        joints: dict[int, Any] = census.having(cls)
        held = {entity: (joint.entity_a, joint.entity_b) for entity, joint in joints.items()}
        torn = [e for e, ends in held.items() if not all(end == WORLD or census.is_alive(end) for end in ends)]
        if torn:
            gone = next(end for end in held[torn[0]] if not (end == WORLD or census.is_alive(end)))
            yield from found(
                torn, f"names entity {gone}, which does not exist: the next step removes the joint", cls.__name__
            )
        idle = [entity for entity, ends in held.items() if dynamic.isdisjoint(outermost.get(end, end) for end in ends)]
        yield from found(idle, "moves nothing: make entity_a or entity_b a dynamic RigidBody", cls.__name__)
        fields = {field.name for field in cls._columns.fields}
        if "motor_speed" in fields:
            (strength,) = (name for name in _STRENGTHS if name in fields)
            weak = [e for e, joint in joints.items() if joint.motor_speed and not getattr(joint, strength)]
            yield from found(weak, f"does nothing while {strength} is 0: set {strength}", cls.__name__, "motor_speed")
        if "has_limits" in fields:
            free = [e for e, joint in joints.items() if not joint.has_limits and (joint.lower or joint.upper)]
            yield from found(free, "does nothing without has_limits=True", cls.__name__, "lower or upper")


def _moving(census: Census, entities: set[int]) -> list[int]:
    """Which of some entities have a Velocity that is not 0."""
    speeds = census.having(Velocity).items()
    return [entity for entity, speed in speeds if entity in entities and (speed.x or speed.y or speed.angular)]
