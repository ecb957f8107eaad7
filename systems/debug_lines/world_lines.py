"""The parts of a world that are shown: placed colliders with looks; contacts, joints and velocities as segments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import place_loose
from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, WORLD, GearJoint, PrismaticJoint, RevoluteJoint
from ecsphys.components.dynamics.rigid_body import Character, RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import entities_with, rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.dynamics.body_mass import DYNAMIC, KIND, KINEMATIC, STATIC
from ecsphys.engine.dynamics.body_state import AWAKE
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.shapes.layout import CIRCLE, CX, CY, RADIUS, ShapeArrays
from ecsphys.engine.tables import entity_rows
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Floats = NDArray[float64]
Entities = NDArray[int64]
Rgba = tuple[int, int, int, int]

DEBUG_COLORS: Final[Mapping[str, Rgba]] = MappingProxyType(
    {
        "dynamic": (255, 167, 38, 255),
        "sleeping": (144, 152, 170, 255),
        "kinematic": (171, 122, 255, 255),
        "static": (76, 187, 96, 255),
        "character": (66, 150, 255, 255),
        "collider": (0, 188, 200, 255),
        "sensor": (236, 92, 186, 255),
        "disabled": (130, 130, 130, 110),
        "box": (150, 150, 150, 130),
        "contact": (240, 64, 64, 255),
        "normal": (240, 64, 64, 255),
        "joint": (214, 178, 0, 255),
        "velocity": (60, 200, 170, 255),
    }
)
"""The default colours of debug lines: red, green, blue and alpha, from 0 to 255."""

NAMES: Final = tuple(DEBUG_COLORS)


_COLLIDER, _SENSOR, _DISABLED, _CHARACTER, _DYNAMIC, _SLEEPING, _KINEMATIC, _STATIC = map(
    NAMES.index, ("collider", "sensor", "disabled", "character", "dynamic", "sleeping", "kinematic", "static")
)


class ShownColliders(NamedTuple):
    """The colliders of the entities that are not marked dead, a row each.

    ``look`` is an index into ``NAMES``; ``forms``, ``positions``, ``numbers`` are of :attr:`shapes`; ``angles`` are of
    their transforms.
    """

    entity: Entities
    look: NDArray[uint8]
    forms: NDArray[uint8]
    positions: Floats
    numbers: Floats
    angles: Floats
    boxes: Floats

    @property
    def shapes(self) -> ShapeArrays:
        """The placed shapes."""
        return ShapeArrays(self.forms, self.positions, self.numbers, VERTEX_POOL.data)


def shown_colliders(state: PhysicsState, poses: Floats | None) -> ShownColliders:
    """All colliders, placed where they are, or by ``poses`` (3, rows) in place of the block of Transform.

    The tables of the state must be up to date.
    """
    tables = state.tables
    order = tables.colliders.order
    order = order[~_are_dead(tables.colliders.slots.entity[order])]
    state.place()
    slots, placed = tables.colliders.slots, tables.colliders.placed
    chosen: Slots | slice = order
    if poses is not None:
        placed = place_loose(slots.kind[order], slots.collider_row[order], poses, slots.transform_row[order])
        chosen = slice(None)
    arrays: tuple[NDArray[Any], ...] = (placed.forms, placed.positions, placed.shapes, placed.angles, placed.boxes)
    present = ShownColliders(slots.entity[order], _looks_of(state, order), *(array[chosen] for array in arrays))
    disabled = _disabled_colliders(tables, poses)
    if disabled is None:
        return present
    parts: tuple[tuple[NDArray[Any], ...], ...] = present, disabled
    return ShownColliders(*map(np.concatenate, zip(*parts, strict=True)))


def spokes(shown: ShownColliders) -> tuple[NDArray[int64], Floats]:
    """For each circle a segment (k, 2, 2) from its centre, which shows how it turns; and the rows (k,) of these."""
    which = np.flatnonzero(shown.forms == CIRCLE)
    numbers, angles = shown.numbers[which], shown.angles[which]
    found = np.empty((len(which), 2, 2))
    found[:, 0] = shown.positions[which] + numbers[:, CX : CY + 1]
    cosines, sines = cos_sin_of(angles)
    found[:, 1] = found[:, 0] + numbers[:, RADIUS, None] * np.column_stack((cosines, sines))
    return which, found


def _looks_of(state: PhysicsState, order: Slots) -> NDArray[uint8]:
    """The kinds of the entities of some colliders, by their slots."""
    tables, bodies = state.tables, state.body_table
    slots, entities = tables.colliders.slots, tables.entities
    owner = slots.owner[order]
    looks = np.full(len(order), _COLLIDER, uint8)
    row = bodies.rows_as_listed(owner)
    kind = np.full(len(order), -1, int32)
    kind[row >= 0] = bodies.listed.kind[row[row >= 0]]
    # Entities that came since the last step.
    rigid_row = entities.rows_of(entity_rows.RIGID_BODY)[owner]
    is_new_body = (row < 0) & (rigid_row >= 0)
    kind[is_new_body] = RigidBody._columns.int64[KIND, rigid_row[is_new_body]]
    kind[(row < 0) & (rigid_row < 0) & (entities.rows_of(entity_rows.SOLID)[owner] >= 0)] = STATIC
    looks[kind == STATIC] = _STATIC
    looks[kind == KINEMATIC] = _KINEMATIC
    is_dynamic = kind == DYNAMIC
    looks[is_dynamic] = _DYNAMIC
    if bodies.any_sleeps:
        looks[is_dynamic & (row > 0) & (bodies.states.island[np.maximum(row, 0)] != AWAKE)] = _SLEEPING
    characters = rows_of(Character).entity
    if characters.size:
        looks[np.isin(slots.entity[order], characters)] = _CHARACTER
    looks[slots.sensor[order] != 0] = _SENSOR
    return looks


def _disabled_colliders(tables: WorldTables, poses: Floats | None) -> ShownColliders | None:
    """The colliders of disabled entities, which the tables do not place."""
    entities = tables.entities
    if not entities.instances[entity_rows.DISABLED].count:
        return None
    numbers, pose_rows = entities.slots.entity, entities.rows_of(entity_rows.TRANSFORM)
    owners = entities.having(entity_rows.DISABLED)
    owners = owners[(pose_rows[owners] >= 0) & ~_are_dead(numbers[owners])]
    found_owners, kinds, rows = [NO_SLOTS], [np.zeros(0, uint8)], [NO_SLOTS]
    for kind in range(entity_rows.SHAPE_KINDS):
        of_kind = entities.rows_of(entity_rows.FIRST_COLLIDER + kind)[owners]
        found_owners.append(owners[of_kind >= 0])
        rows.append(of_kind[of_kind >= 0])
        kinds.append(np.full(len(rows[-1]), kind, uint8))
    for line in (entity_rows.COMPOUND, entity_rows.CHAIN):
        for slot in owners[entities.rows_of(line)[owners] >= 0].tolist():
            kind_of_parts, row_of_parts = entities.instances[line][slot]._lines.T
            found_owners.append(np.full(len(row_of_parts), slot, int32))
            kinds.append(kind_of_parts.astype(uint8))
            rows.append(row_of_parts)
    owner, kind_of, row = np.concatenate(found_owners), np.concatenate(kinds), np.concatenate(rows)
    block = Transform._columns.float64 if poses is None else poses
    placed = place_loose(kind_of, row.astype(int32), block, pose_rows[owner])
    look = np.full(len(owner), _DISABLED, uint8)
    return ShownColliders(
        numbers[owner], look, placed.forms, placed.positions, placed.shapes, placed.angles, placed.boxes
    )


VELOCITY_SECONDS = 0.1
"""A line of a velocity is the way of so many seconds."""


class EntityLines(NamedTuple):
    """Segments (n, 2, 2), and the entity (n,) of each."""

    entity: Entities
    segments: Floats


class ContactPoints(NamedTuple):
    """The points of hits (n, 2), with the normal (n, 2), the depth (n,) and ``entity_a`` (n,) of the hit of each."""

    entity: Entities
    places: Floats
    normal: Floats
    depth: Floats


def contact_points(hits: HitArrays) -> ContactPoints:
    """The contact points of hits, one row each; without hits of entities that are deleted or disabled by now."""
    points = hits.points
    there = _still_hit(hits.entity_a) & _still_hit(hits.entity_b)
    which, number = np.nonzero(~np.isnan(points[:, :, 0]) & there[:, None])
    return ContactPoints(hits.entity_a[which], points[which, number], hits.normal[which], hits.depth[which])


def contact_lines(points: ContactPoints, size: float) -> tuple[EntityLines, EntityLines]:
    """A bar along the surface through each contact point, and a line along its normal, both of a length ``size``."""
    across = 0.5 * size * np.column_stack((-points.normal[:, 1], points.normal[:, 0]))
    bars = np.stack((points.places - across, points.places + across), axis=1)
    normals = np.stack((points.places, points.places + size * points.normal), axis=1)
    return EntityLines(points.entity, bars), EntityLines(points.entity, normals)


def joint_lines(poses: Floats) -> EntityLines:
    """For each joint a line from its first entity over both anchors to its second entity.

    A gear is a line between the anchors of the two joints that it holds. Lines without length are left out.
    """
    placed = _PlacedEntities(poses)
    owners, lines, is_geared = [np.zeros(0, int64)], [np.zeros((0, 4, 2))], [np.zeros(0, bool_)]
    for cls in ANCHORED_JOINTS:
        found = rows_of(cls)
        if not len(found):
            continue
        starts, anchors_a, is_a = placed.ends_of(cls, found.row, "a")
        ends, anchors_b, is_b = placed.ends_of(cls, found.row, "b")
        there = is_a & is_b & ~_are_dead(found.entity)
        owners.append(found.entity[there])
        lines.append(np.stack((starts, anchors_a, anchors_b, ends), axis=1)[there])
        is_geared.append(np.full(int(there.sum()), cls in (RevoluteJoint, PrismaticJoint)))
    owner, points = np.concatenate(owners), np.concatenate(lines)
    segments = np.stack((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 2, 2)
    entity = np.repeat(owner, 3)
    gears = _gear_lines(owner, points[:, 2], np.concatenate(is_geared))
    entity, segments = np.concatenate((entity, gears.entity)), np.concatenate((segments, gears.segments))
    has_length = (segments[:, 0] != segments[:, 1]).any(axis=1)
    return EntityLines(entity[has_length], segments[has_length])


def velocity_lines(poses: Floats) -> EntityLines:
    """For each entity that moves a line to where its velocity would take it in :data:`VELOCITY_SECONDS`."""
    moving = rows_of(Velocity)
    places, is_placed = _PlacedEntities(poses).places_of(moving.entity)
    way = VELOCITY_SECONDS * Velocity._columns.float64[:2, moving.row].T
    chosen = is_placed & (way != 0.0).any(axis=1) & ~_are_dead(moving.entity)
    starts = places[chosen, :2]
    return EntityLines(moving.entity[chosen], np.stack((starts, starts + way[chosen]), axis=1))


class _PlacedEntities:
    """Where the entities of the current world are, by their numbers."""

    def __init__(self, poses: Floats) -> None:
        self._poses, self._found = poses, rows_of(Transform)

    def places_of(self, entity: Entities) -> tuple[Floats, NDArray[bool_]]:
        """The poses (n, 3) of some entities, and whether they have any."""
        known = self._found.entity
        if not known.size:
            return np.zeros((len(entity), 3)), np.zeros(len(entity), bool_)
        places = np.minimum(np.searchsorted(known, entity), known.size - 1)
        return self._poses[:, self._found.row[places]].T, (known[places] == entity) & ~_are_dead(entity)

    def ends_of(self, cls: type, row: NDArray[int32], side: str) -> tuple[Floats, Floats, NDArray[bool_]]:
        """For one end of joints of a class, by their rows: the position (n, 2) of the entity and the anchor (n, 2), and
        whether there is such an entity; both are the anchor at ends that the world holds."""
        columns = cls._columns  # type: ignore[attr-defined]
        entity, x, y = columns.values(row, f"entity_{side}", f"x_{side}", f"y_{side}")
        poses, is_placed = self.places_of(entity)
        of_world = entity == WORLD
        poses = np.where(of_world[:, None], 0.0, poses)
        cosines, sines = cos_sin_of(poses[:, 2])
        anchors = poses[:, :2] + np.column_stack((cosines * x - sines * y, sines * x + cosines * y))
        return np.where(of_world[:, None], anchors, poses[:, :2]), anchors, is_placed | of_world


def _gear_lines(owner: Entities, anchors: Floats, is_geared: NDArray[bool_]) -> EntityLines:
    """Lines between the joints of gears. A gear can hold the joints ``owner`` (n,), which are at ``anchors`` (n, 2)."""
    gears = rows_of(GearJoint)
    owner, anchors = owner[is_geared], anchors[is_geared]
    if not (len(gears) and owner.size):
        return EntityLines(np.zeros(0, int64), np.zeros((0, 2, 2)))
    order = np.argsort(owner, kind="stable")
    owner, anchors = owner[order], anchors[order]
    segments, there = np.empty((len(gears), 2, 2)), ~_are_dead(gears.entity)
    for side, name in enumerate(("entity_a", "entity_b")):
        named = GearJoint._columns.row_of_block(name)[gears.row]
        places = np.minimum(np.searchsorted(owner, named), owner.size - 1)
        there &= owner[places] == named
        segments[:, side] = anchors[places]
    return EntityLines(gears.entity[there], segments[there])


def _still_hit(entity: Entities) -> NDArray[bool_]:
    """Whether hits with some entities are still told, as by ``HitArrays.of``."""
    disabled = entities_with(Disabled)
    told = np.isin(entity, rows_of(Transform).entity) & ~_are_dead(entity)
    return told & ~np.isin(entity, list(disabled)) if disabled else told


def _are_dead(entity: Entities) -> NDArray[bool_]:
    dead = dead_entities()
    return np.isin(entity, list(dead)) if dead else np.zeros(len(entity), bool_)
