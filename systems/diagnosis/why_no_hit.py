"""``physics.debug.why_no_hit(a, b)``: the first thing that keeps two entities from a hit, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import esper
import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.collision_filter import CollisionFilter, Disabled
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.manifold.chain_contact import smooth_chain_contacts
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.tables.entity_rows import CHAIN
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.world.esper_world import has_entity, refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


WITH_SHAPES: Final = (*COLLIDER_CLASSES, CompoundCollider)


class FilterValues(NamedTuple):
    """The values of a filter. The defaults are the values of an entity without a filter."""

    layers: int = 1
    mask: int = 0xFFFFFFFF
    group: int = 0


def values_of(own: CollisionFilter | None) -> FilterValues:
    """The values of an entity's filter, which may have none."""
    return FilterValues() if own is None else FilterValues(own.layers, own.mask, own.group)


def why_not_met(a: FilterValues, b: FilterValues, name_a: str, name_b: str) -> str:
    """Why two filters do not let their entities meet, "" where they do."""
    if a.group == b.group != 0:
        return (
            f"both have the group {a.group}, and entities with the same negative group never hit each other"
            if a.group < 0
            else ""
        )
    reasons = [
        f"the mask {one.mask:#x} of {name} includes no layer of {name_other}, which has {other.layers:#x}"
        for one, other, name, name_other in ((a, b, name_a, name_b), (b, a, name_b, name_a))
        if not one.mask & other.layers
    ]
    return " and ".join(reasons)


def explain(state: PhysicsState, a: int, b: int) -> str:
    """Why two entities did not hit in the last step, or that they did.

    RuntimeError in another world. Bad components raise the errors of a step.
    """
    refuse_other_world(state.world)
    if a == b:
        return f"you asked about entity {a} twice: the colliders of one entity never hit each other"
    for entity in (a, b):
        reason = _why_absent(entity)
        if reason:
            return reason
    if state.last_hits().hits.has(a, b):
        why = _why_no_push(state, a, b)
        did = f"entities {a} and {b} did hit each other in the last step"
        return f"{did}, but neither was pushed: {why}" if why else did
    filter_a, filter_b = (values_of(esper.try_component(entity, CollisionFilter)) for entity in (a, b))
    reason = why_not_met(filter_a, filter_b, f"entity {a}", f"entity {b}")
    if reason:
        return f"their CollisionFilters do not match: {reason}"
    return _why_apart(state, a, b)


def _why_absent(entity: int) -> str:
    """Why an entity hits nothing at all, "" where it may."""
    if not has_entity(entity):
        return f"entity {entity} does not exist"
    if entity in dead_entities():
        return f"entity {entity} is deleted, so it hits nothing"
    if not any(esper.has_component(entity, cls) for cls in WITH_SHAPES):
        return f"entity {entity} has no collider"
    if not esper.has_component(entity, Transform):
        return f"entity {entity} has no Transform, so its collider has no position"
    if esper.has_component(entity, Disabled):
        return f"entity {entity} is Disabled, so it hits nothing"
    return ""


def _why_apart(state: PhysicsState, a: int, b: int) -> str:
    state.update()
    state.place()
    placed = state.tables.colliders.placed
    shapes = ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)
    pairs: NDArray[int32] = np.array(
        [(one, other) for one in _slots_of(state, a) for other in _slots_of(state, b)], int32
    )
    if state.joints.pairs and state.joints.pairs.are_apart(pairs).all():
        return f"{_joint_between(a, b)} joins them: joined entities hit each other only with collide_connected=True"
    distance = min(find_closest_points(one, other, shapes)[0] for one, other in pairs.tolist())
    if distance > 0.0:
        return f"their colliders are {distance:.6g} apart"
    room = ContactRows(np.zeros_like(pairs), np.zeros((len(pairs), CONTACT_COLUMNS)), np.zeros((0, POINT_COLUMNS)))
    count = find_contacts(pairs, shapes, 0.0, room, 0)
    if not count:
        return "their colliders only touch: a hit needs an overlap"
    if state.tables.entities.instances[CHAIN].count and not smooth_chain_contacts(0, count, shapes, 0.0, room):
        return "they overlap, but from the side on which the one-sided ChainCollider lets others pass (see side)"
    names = {
        base.__name__ for system in (*running_systems(), *state.stepping.own_stages) for base in type(system).__mro__
    }
    if "NarrowphaseSystem" not in names:
        return "they overlap now, but no NarrowphaseSystem runs: call ecsphys.install()"
    return "they overlap now, but did not in the last step: the next step will report a hit"


def _slots_of(state: PhysicsState, entity: int) -> NDArray[int32]:
    colliders = state.tables.colliders
    slots: NDArray[int32] = colliders.order[colliders.slots.entity[colliders.order] == entity]
    return slots


def _joint_between(a: int, b: int) -> str:
    """The joint that names two entities, or any that they carry."""
    for cls in ANCHORED_JOINTS:
        for owner, joint in esper.get_component(cls):
            if {joint.entity_a, joint.entity_b} == {a, b}:
                return f"the {cls.__name__} of entity {owner}"
    return "a joint"


def _why_no_push(state: PhysicsState, a: int, b: int) -> str:
    """Why a hit with a rigid body did not push, or "" if it did, or if the reason is not known."""
    bodies = state.body_table
    if not (esper.has_component(a, RigidBody) or esper.has_component(b, RigidBody)) or not bodies.is_current():
        return ""
    sensor = state.tables.colliders.slots.sensor
    pairs = [(one, other) for one in _slots_of(state, a) for other in _slots_of(state, b)]
    rows: list[set[int]] = []
    for entity, slots in ((a, _slots_of(state, a)), (b, _slots_of(state, b))):
        if sensor[slots].all():
            return f"all colliders of entity {entity} are sensors"
        rows.append(set(bodies.body_of[slots].tolist()) - {-1})
        if not rows[-1]:
            return f"entity {entity} has neither RigidBody nor Solid"
    if rows[0] == rows[1]:
        return "they are one body: one is a child of the other, or both are children of a third entity (Parent)"
    if {int(bodies.listed.kind[row]) for row in rows[0] | rows[1]}.isdisjoint((DYNAMIC, CHARACTER)):
        return "neither has a dynamic RigidBody"
    vetoed = set(map(tuple, state.solver.rules.vetoed.tolist())) if state.solver is not None else set()
    if any(pair in vetoed or pair[::-1] in vetoed for pair in pairs):
        return "a OneWay or physics.pre_solve vetoed their contact"
    return ""
