"""``Census``: the components of a world, as checks ask for them; the checks of components; and ``why_no_hit``.

The checks find components that do nothing, and values that cannot be meant. ``explain`` names the first thing that
keeps two entities from a hit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import esper
import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.collision import colliders
from ecsphys.components.collision.collision_filter import CollisionFilter, Disabled, HitListener
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL, ChainCollider
from ecsphys.components.dynamics import joints
from ecsphys.components.dynamics.rigid_body import Bullet, Character, OneWay, RigidBody, Solid
from ecsphys.components.motion import transform as motion
from ecsphys.components.motion.transform import Parent, Transform, Velocity, WorldBounds
from ecsphys.components.store.component import Component
from ecsphys.components.store.many import Many, dead_entities
from ecsphys.engine.dynamics.bodies import CHARACTER, DYNAMIC
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.manifold.seams import smooth_chain_contacts
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.tables.entity_rows import CHAIN
from ecsphys.systems.diagnosis.debug import Finding
from ecsphys.systems.hits.hit_events import CALLBACK_NAMES
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import component_classes, has_entity, misfit_callback, refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


WITH_SHAPES: Final = (*colliders.COLLIDER_CLASSES, CompoundCollider)


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
    pairs: NDArray[int32] = np.array([*product(_slots_of(state, a), _slots_of(state, b))], int32)
    if state.joints.pairs and state.joints.pairs.are_apart(pairs).all():
        named = [
            f"the {cls.__name__} of entity {owner}"
            for cls in joints.ANCHORED_JOINTS
            for owner, joint in esper.get_component(cls)
            if {joint.entity_a, joint.entity_b} == {a, b}
        ]
        # Without any, the joint holds entities that they carry.
        joint = (*named, "a joint")[0]
        return f"{joint} joins them: joined entities hit each other only with collide_connected=True"
    distance = min(find_closest_points(one, other, shapes)[0] for one, other in pairs.tolist())
    if distance > 0.0:
        return f"their colliders are {distance:.6g} apart"
    room = ContactRows(np.zeros_like(pairs), np.zeros((len(pairs), CONTACT_COLUMNS)), np.zeros((0, POINT_COLUMNS)))
    count = find_contacts(pairs, shapes, 0.0, room, 0)
    if not count:
        return "their colliders only touch: a hit needs an overlap"
    if state.tables.entities.instances[CHAIN].count and not smooth_chain_contacts(0, count, shapes, 0.0, room):
        return "they overlap, but from the side on which the one-sided ChainCollider lets others pass (see side)"
    if "NarrowphaseSystem" not in names_of_systems(state):
        return "they overlap now, but no NarrowphaseSystem runs: call ecsphys.install()"
    return "they overlap now, but did not in the last step: the next step will report a hit"


def _slots_of(state: PhysicsState, entity: int) -> NDArray[int32]:
    colliders = state.tables.colliders
    slots: NDArray[int32] = colliders.order[colliders.slots.entity[colliders.order] == entity]
    return slots


def _why_no_push(state: PhysicsState, a: int, b: int) -> str:
    """Why a hit with a rigid body did not push, or "" if it did, or if the reason is not known."""
    bodies = state.body_table
    if not (esper.has_component(a, RigidBody) or esper.has_component(b, RigidBody)) or not bodies.is_current():
        return ""
    sensor = state.tables.colliders.slots.sensor
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
    pairs = product(_slots_of(state, a), _slots_of(state, b))
    if any(pair in vetoed or pair[::-1] in vetoed for pair in pairs):
        return "a OneWay or physics.pre_solve vetoed their contact"
    return ""


Kind = TypeVar("Kind")


def names_of_systems(state: PhysicsState) -> set[str]:
    """The names of the classes of all systems that run, and of their bases."""
    return {
        base.__name__ for system in (*running_systems(), *state.stepping.own_stages) for base in type(system).__mro__
    }


class Census:
    """The components of the entities that are alive; each class is asked for once. Checks report to it."""

    def __init__(self, state: PhysicsState) -> None:
        self.state = state
        self.findings: list[Finding] = []
        self._dead = dead_entities()
        self._known: dict[type, dict[int, object]] = {}

    def report(self, entities: Collection[int], message: str, cls: type | None = None, field: str = "") -> None:
        """Add one finding for all of some entities, none without any."""
        if entities:
            component = "" if cls is None else cls.__name__
            self.findings.append(Finding(message, min(entities), component, field, len(entities)))

    def report_world(self, message: str, cls: type | None = None) -> None:
        """Add a finding that names no entity."""
        self.findings.append(Finding(message, component="" if cls is None else cls.__name__))

    def report_on(self, classes: Iterable[type], entities: Container[int], message: str) -> None:
        """Report each class that has a component on one of some ``entities``."""
        for cls in classes:
            self.report([one for one in self.having(cls) if one in entities], message, cls)

    def report_without(self, classes: Iterable[type], entities: Container[int], message: str) -> None:
        """Report each class that has a component on an entity other than some ``entities``."""
        for cls in classes:
            self.report([one for one in self.having(cls) if one not in entities], message, cls)

    def report_values(self, cls: type[Kind], is_wrong: Callable[[Kind], Any], message: str, field: str = "") -> None:
        """Report components of a class with wrong values."""
        self.report([entity for entity, one in self.having(cls).items() if is_wrong(one)], message, cls, field)

    def having(self, cls: type[Kind]) -> dict[int, Kind]:
        """The entities with a component of a class, ascending, and the components."""
        if cls not in self._known:
            answer = esper.get_component(cls)
            self._known[cls] = dict(sorted((entity, one) for entity, one in answer if entity not in self._dead))
        return self._known[cls]  # type: ignore[return-value]

    def is_alive(self, entity: int) -> bool:
        """Whether an entity exists and is not marked dead."""
        return has_entity(entity) and entity not in self._dead

    def with_any(self, *classes: type) -> set[int]:
        """The entities with a component of at least one of some classes."""
        return {entity for cls in classes for entity in self.having(cls)}

    @cached_property
    def kinds(self) -> dict[int, str]:
        """The kinds of all rigid bodies."""
        return {entity: body.kind for entity, body in self.having(RigidBody).items()}

    @cached_property
    def static(self) -> set[int]:
        """The static bodies."""
        return {entity for entity, kind in self.kinds.items() if kind == "static"}

    @cached_property
    def dynamic(self) -> set[int]:
        """The dynamic bodies."""
        return {entity for entity, kind in self.kinds.items() if kind == "dynamic"}

    @cached_property
    def with_collider(self) -> set[int]:
        """The entities with any collider."""
        return self.with_any(*WITH_SHAPES)

    @cached_property
    def on_paths(self) -> set[int]:
        """The entities with a trajectory."""
        return self.with_any(*TRAJECTORY_CLASSES)

    @cached_property
    def speeding(self) -> set[int]:
        """The entities whose Velocity is not 0."""
        return {entity for entity, one in self.having(Velocity).items() if one.x or one.y or one.angular}

    @cached_property
    def carriers(self) -> dict[int, int]:
        """For each child the outermost entity that carries it."""
        parents = {entity: parent.entity for entity, parent in self.having(Parent).items()}
        outermost = {}
        for child in parents:
            seen, carrier = {child}, parents[child]
            while carrier in parents and carrier not in seen:
                seen.add(carrier)
                carrier = parents[carrier]
            outermost[child] = carrier
        return outermost

    def carrier_of(self, entity: int) -> int:
        """The outermost entity that carries an entity; the entity itself if nothing does."""
        return self.carriers.get(entity, entity)


_FORCES: Final = (motion.Acceleration, motion.Gravity, motion.Spring, motion.Orbit, motion.Drag)
# What places an entity in each step.
_PLACING: Final[tuple[type, ...]] = (*TRAJECTORY_CLASSES, Parent)
_STRENGTHS: Final = ("max_torque", "max_force")

# Fields that hold radians, or radians a second.
_ANGLES: Final[tuple[tuple[type[Component], str], ...]] = (
    *((cls, "angle") for cls in (Transform, Parent, *colliders.SHAPE_CLASSES) if hasattr(cls, "angle")),
    (Velocity, "angular"),
    (colliders.FanCollider, "direction"),
    *((joints.RevoluteJoint, field) for field in ("angle", "lower", "upper", "rest")),
    *((cls, "angle") for cls in (joints.WeldJoint, joints.PrismaticJoint, joints.MotorJoint)),
    (motion.Orbit, "angular_speed"),
    (motion.CircularTrajectory, "angular_speed"),
    (motion.CircularTrajectory, "phase"),
)
# A whole number of radians is rare; whole multiples of this from there on are degrees.
_DEGREES_AT_LEAST, _DEGREES_STEP = 15, 5
# An offset of so many sizes of a collider is a place in the world.
_FAR_OFFSET = 20.0


def check_classes(census: Census) -> None:
    """Classes, lists of components, and what ``many`` makes, where a component should be."""
    given: dict[int, type] = {}
    for cls in component_classes():
        if issubclass(cls, type):
            given.update(census.having(cls))
    for missing in dict.fromkeys(one for _, one in sorted(given.items())):
        name = missing.__name__
        entities = [entity for entity, one in given.items() if one is missing]
        census.report(entities, f"you added the class {name}; add an instance, {name}()")
    for cls in component_classes():
        if issubclass(cls, Many):
            message = "is for ecsphys.spawn_many: give esper.create_entity the component itself"
            census.report(census.having(cls), message, Many)
        elif issubclass(cls, list | tuple | set | dict):
            message = "contains components, but esper does not look inside it: use esper.create_entity(*components)"
            census.report_values(cls, lambda one: any(isinstance(part, Component) for part in one), message)


def check_company(census: Census) -> None:
    """Components that have no effect without another, or beside another."""
    on, without = census.report_on, census.report_without
    static, on_paths, shaped = census.static, census.on_paths, census.with_collider
    placed = census.having(Transform)
    in_place = (*WITH_SHAPES, Velocity, RigidBody, Parent, WorldBounds, *TRAJECTORY_CLASSES)
    without(in_place, placed, "does nothing without a Transform: add one")
    on((*_FORCES, WorldBounds), on_paths, "does nothing on an entity with a trajectory")
    moving = (census.having(Velocity).keys() - static) | census.dynamic
    no_velocity = "does nothing without a Velocity: add one"
    on(_FORCES, static - moving - on_paths, "does nothing on a static body")
    without(_FORCES, moving | on_paths | static, no_velocity)
    without((motion.Controller,), moving, no_velocity)
    if census.state.settings.gravity == (0.0, 0.0):
        message = "does nothing while physics.gravity is (0, 0): use install(gravity=(0, -9.8))"
        census.report(census.having(motion.Gravity), message, motion.Gravity)
    in_collisions = Solid, OneWay, Bullet, HitListener, Character
    without(in_collisions, shaped, "does nothing without a collider: add one")
    parents = {entity: parent.entity for entity, parent in census.having(Parent).items()}
    # The colliders of its children are a body's, too.
    carrying = set(shaped)
    for entity in shaped:
        while (entity := parents.get(entity, entity)) not in carrying:
            carrying.add(entity)
    without((RigidBody,), carrying, "touches nothing without a collider: add one to the entity or to a child")
    blocking = census.with_any(Solid, RigidBody)
    without((OneWay,), blocking, "does nothing without Solid or RigidBody: add Solid()")
    gone = [entity for entity, parent in parents.items() if not has_entity(parent)]
    bare = [entity for entity, parent in parents.items() if has_entity(parent) and parent not in placed]
    for wrong, what in (
        (gone, "does not exist, so it carries nothing: remove the Parent"),
        (bare, "has no Transform, so it carries nothing: add one"),
    ):
        census.report(wrong, f"entity {parents[wrong[0]] if wrong else ''} {what}", Parent, "entity")


def check_values(census: Census) -> None:
    """Values that cannot be meant: directions, offsets, degrees, functions, and arrays that are out of date."""
    message = "must not be (0, 0): use (0, 1) to block from above"
    census.report_values(OneWay, lambda one: not (one.normal_x or one.normal_y), message, "normal")
    message = (
        "is far from its entity: offset_x and offset_y are relative to the Transform, so put the position into the"
        " Transform"
    )
    shapes: tuple[type[Any], ...] = (colliders.CircleCollider, colliders.AABBCollider, colliders.OBBCollider)
    for cls in shapes:
        census.report_values(
            cls, lambda one: hypot(one.offset_x, one.offset_y) > _FAR_OFFSET * _radius_of(one), message, "offset"
        )
    for cls, field in _ANGLES:
        values = {entity: getattr(one, field) for entity, one in census.having(cls).items()}
        wrong = {e: one for e, one in values.items() if abs(one) >= _DEGREES_AT_LEAST and one % _DEGREES_STEP == 0.0}
        value = f"{next(iter(wrong.values()), 0.0):g}"
        message = f"is in radians, but {value} looks like degrees: use math.radians({value})"
        census.report(wrong, message, cls, field)
    names = tuple(CALLBACK_NAMES.values())
    message = "calls nothing: pass a function, not its result: HitListener(on_started=function)"
    census.report_values(HitListener, lambda one: not any(getattr(one, name) for name in names), message)
    for field in names:
        misfits: dict[str, list[int]] = {}
        for entity, listener in census.having(HitListener).items():
            if message := misfit_callback(listener, field):
                misfits.setdefault(message, []).append(entity)
        for message, entities in misfits.items():
            census.report(entities, message, HitListener, field)
    for cls in component_classes():
        if not issubclass(cls, Component):
            continue
        store = cls._columns
        blocks = store.float64, store.int64, store.uint32, store.uint8
        arrays = [array for array in store.views.alive() if array.size]
        if not all(any(np.may_share_memory(array, block) for block in blocks) for array in arrays):
            census.report_world(
                "an array of column() is out of date, because components were created after you asked for it: values"
                " written to it are lost. Call column() again each time",
                cls,
            )


def _radius_of(one: Any) -> float:
    return one.radius if isinstance(one, colliders.CircleCollider) else max(one.half_width, one.half_height)


def check_bodies(census: Census) -> None:
    """Bodies, solids, characters and children that something else places, or that push nothing."""
    bodies, carriers, on = census.having(RigidBody), census.carriers, census.report_on
    message = "does nothing on a static body: make it RigidBody(kind='kinematic')"
    census.report(census.static & census.speeding, message, Velocity)
    message = "moves a static body, but other bodies do not feel its motion: make it RigidBody(kind='kinematic')"
    on(_PLACING, census.static, message)
    message = (
        "places a dynamic body, so the body does not fall and cannot be pushed: remove one of the two, or make it"
        " RigidBody(kind='kinematic')"
    )
    on(_PLACING, census.dynamic, message)
    if not census.having(Solid):
        message = (
            "walks through everything, because no entity in this world is Solid: add Solid() to each entity that must"
            " stop characters, static bodies included"
        )
        census.report(census.having(Character), message, Character)
    shaped = census.with_any(*(cls for cls in WITH_SHAPES if cls is not ChainCollider))
    light = census.having(ChainCollider).keys() - shaped - set(map(census.carrier_of, shaped))
    message = (
        "has mass 1 and does not turn, because a ChainCollider has no area: set RigidBody.mass, or add another collider"
    )
    census.report([one for one in census.dynamic & light if bodies[one].mass is None], message, RigidBody)
    placed = {child for child, carrier in carriers.items() if census.is_alive(carrier)}
    message = "does nothing on a child, because its Parent places it"
    census.report(placed & census.speeding, message, Velocity)
    on(TRAJECTORY_CLASSES, placed, message)
    pushing = census.with_any(RigidBody, Solid, Character)
    pushing |= {child for child, carrier in carriers.items() if carrier in pushing}
    listeners = census.having(HitListener).items()
    deaf = [entity for entity, listener in listeners if listener.on_impulse and entity not in pushing]
    message = "is never called: only entities with RigidBody, Solid or Character get impulses"
    census.report(deaf, message, HitListener, "on_impulse")


def check_sensors(census: Census) -> None:
    """Bodies and solids whose colliders are all sensors."""
    blocks: dict[int, bool] = {}
    shapes: tuple[type[Any], ...] = WITH_SHAPES
    for cls in shapes:
        for entity, collider in census.having(cls).items():
            blocks[entity] = blocks.get(entity, False) or not collider.sensor
    solids = [entity for entity in census.having(Solid) if blocks.get(entity) is False]
    census.report(solids, "blocks nothing, because all colliders of the entity are sensors", Solid)
    bodies = census.having(RigidBody)
    # The colliders of its children are a body's, too.
    for child, carrier in census.carriers.items():
        if carrier in bodies and child in blocks and child not in bodies:
            blocks[carrier] = blocks.get(carrier, False) or blocks[child]
    touching = [entity for entity in bodies if blocks.get(entity) is False]
    census.report(touching, "touches nothing, because all colliders of the entity are sensors", RigidBody)


def check_joints(census: Census) -> None:
    """Joints that hold nothing, and settings of joints without effect."""
    dynamic = census.dynamic - census.having(Parent).keys() - census.on_paths
    classes: tuple[type[Any], ...] = joints.ANCHORED_JOINTS
    for cls in classes:
        there = census.having(cls)
        held = {entity: (joint.entity_a, joint.entity_b) for entity, joint in there.items()}
        missing = {
            entity: end
            for entity, ends in held.items()
            for end in reversed(ends)  # the first one that is missing is named
            if not (end == joints.WORLD or census.is_alive(end))
        }
        gone = next(iter(missing.values()), 0)
        census.report(missing, f"names entity {gone}, which does not exist: the next step removes the joint", cls)
        idle = [entity for entity, ends in held.items() if dynamic.isdisjoint(map(census.carrier_of, ends))]
        census.report(idle, "moves nothing: make entity_a or entity_b a dynamic RigidBody", cls)
        fields = {field.name for field in cls._columns.fields}
        if "motor_speed" in fields:
            (strength,) = (name for name in _STRENGTHS if name in fields)
            weak = [e for e, joint in there.items() if joint.motor_speed and not getattr(joint, strength)]
            census.report(weak, f"does nothing while {strength} is 0: set {strength}", cls, "motor_speed")
        if "has_limits" in fields:
            free = [e for e, joint in there.items() if not joint.has_limits and (joint.lower or joint.upper)]
            census.report(free, "does nothing without has_limits=True", cls, "lower or upper")


def check_filters(census: Census) -> None:
    """Filters that want to meet something and meet nothing that there is."""
    users: dict[FilterValues, list[int]] = {}
    filters = census.having(CollisionFilter)
    for entity in sorted(census.with_collider):
        users.setdefault(values_of(filters.get(entity)), []).append(entity)
    for own, entities in users.items():
        others = [other for other, of_them in users.items() if other != own or len(of_them) > 1]
        if entities[0] not in filters or not own.mask or not others:
            continue
        if any(not why_not_met(own, other, "", "") for other in others):
            continue
        one_sided = [users[other][0] for other in others if own.mask & other.layers and not other.mask & own.layers]
        message = f"layers {own.layers:#x} and mask {own.mask:#x} match no other collider in this world"
        if not own.layers:
            message = "layers is 0, so the entity is in no layer and hits nothing: use 1 for the first layer"
        elif one_sided:
            message += f": entity {one_sided[0]}, for example, is in the mask, but its own mask leaves out these layers"
        census.report(entities, message, CollisionFilter)
