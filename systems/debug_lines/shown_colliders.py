"""All colliders of a world as placed shapes, with the kind of each entity: dynamic, sleeping, a sensor, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import place_loose, shape_arrays
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.rigid_body import Character, RigidBody
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.component_table import rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.dynamics.body_mass import DYNAMIC, KIND, KINEMATIC, STATIC
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.shapes.layout import CIRCLE, CX, CY, RADIUS, ShapeArrays
from ecsphys.engine.tables.entity_rows import (
    CHAIN,
    COMPOUND,
    DISABLED,
    FIRST_COLLIDER,
    RIGID_BODY,
    SHAPE_KINDS,
    SOLID,
    TRANSFORM,
)
from ecsphys.systems.debug_lines.colors import NAMES
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Floats = NDArray[float64]

_COLLIDER, _SENSOR, _DISABLED, _CHARACTER, _DYNAMIC, _SLEEPING, _KINEMATIC, _STATIC = map(
    NAMES.index, ("collider", "sensor", "disabled", "character", "dynamic", "sleeping", "kinematic", "static")
)


class ShownColliders(NamedTuple):
    """The colliders of the entities that are not marked dead: ``entity`` (n,), ``look`` (n,), an index into ``NAMES``,
    their ``shapes``, the ``angles`` (n,) of their transforms and their ``boxes`` (n, 4)."""

    entity: NDArray[int64]
    look: NDArray[uint8]
    shapes: ShapeArrays
    angles: Floats
    boxes: Floats


def shown_colliders(state: PhysicsState, poses: Floats | None) -> ShownColliders:
    """All colliders, placed where they are, or by ``poses`` (3, rows) in place of the block of Transform.

    The tables of the state must be up to date.
    """
    tables = state.tables
    order = _without_dead(tables.colliders.order, tables.colliders.slots.entity)
    state.place()
    slots, placed = tables.colliders.slots, tables.colliders.placed
    chosen: Slots | slice = order
    if poses is not None:
        placed = place_loose(slots.kind[order], slots.collider_row[order], poses, slots.transform_row[order])
        chosen = slice(None)
    shapes = ShapeArrays(placed.forms[chosen], placed.positions[chosen], placed.shapes[chosen], VERTEX_POOL.data)
    looks = _looks_of(state, order)
    present = ShownColliders(slots.entity[order], looks, shapes, placed.angles[chosen], placed.boxes[chosen])
    disabled = _disabled_colliders(tables, poses)
    return present if disabled is None else _together(present, disabled)


def spokes(shown: ShownColliders) -> tuple[NDArray[int64], Floats]:
    """For each circle a segment (k, 2, 2) from its centre, which shows how it turns; and the rows (k,) of these."""
    which = np.flatnonzero(shown.shapes.forms == CIRCLE)
    numbers, angles = shown.shapes.shapes[which], shown.angles[which]
    found = np.empty((len(which), 2, 2))
    found[:, 0] = shown.shapes.positions[which] + numbers[:, CX : CY + 1]
    cosines, sines = cos_sin_of(angles)
    found[:, 1] = found[:, 0] + numbers[:, RADIUS, None] * np.column_stack((cosines, sines))
    return which, found


def _without_dead(slots: Slots, entity: NDArray[int64]) -> Slots:
    dead = dead_entities()
    return slots[~np.isin(entity[slots], list(dead))] if dead else slots


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
    rigid_row = entities.rows_of(RIGID_BODY)[owner]
    is_new_body = (row < 0) & (rigid_row >= 0)
    kind[is_new_body] = RigidBody._columns.int64[KIND, rigid_row[is_new_body]]
    kind[(row < 0) & (rigid_row < 0) & (entities.rows_of(SOLID)[owner] >= 0)] = STATIC
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
    if not entities.instances[DISABLED].count:
        return None
    numbers, pose_rows = entities.slots.entity, entities.rows_of(TRANSFORM)
    owners = _without_dead(entities.having(DISABLED), numbers)
    owners = owners[pose_rows[owners] >= 0]
    found_owners, kinds, rows = [NO_SLOTS], [np.zeros(0, uint8)], [NO_SLOTS]
    for kind in range(SHAPE_KINDS):
        of_kind = entities.rows_of(FIRST_COLLIDER + kind)[owners]
        found_owners.append(owners[of_kind >= 0])
        rows.append(of_kind[of_kind >= 0])
        kinds.append(np.full(len(rows[-1]), kind, uint8))
    for line in (COMPOUND, CHAIN):
        for slot in owners[entities.rows_of(line)[owners] >= 0].tolist():
            kind_of_parts, row_of_parts = entities.instances[line][slot]._lines.T
            found_owners.append(np.full(len(row_of_parts), slot, int32))
            kinds.append(kind_of_parts.astype(uint8))
            rows.append(row_of_parts)
    owner, kind_of, row = np.concatenate(found_owners), np.concatenate(kinds), np.concatenate(rows)
    block = Transform._columns.float64 if poses is None else poses
    placed = place_loose(kind_of, row.astype(int32), block, pose_rows[owner])
    look = np.full(len(owner), _DISABLED, uint8)
    return ShownColliders(numbers[owner], look, shape_arrays(placed), placed.angles, placed.boxes)


def _together(a: ShownColliders, b: ShownColliders) -> ShownColliders:
    return ShownColliders(
        np.concatenate((a.entity, b.entity)),
        np.concatenate((a.look, b.look)),
        ShapeArrays(
            np.concatenate((a.shapes.forms, b.shapes.forms)),
            np.concatenate((a.shapes.positions, b.shapes.positions)),
            np.concatenate((a.shapes.shapes, b.shapes.shapes)),
            VERTEX_POOL.data,
        ),
        np.concatenate((a.angles, b.angles)),
        np.concatenate((a.boxes, b.boxes)),
    )
