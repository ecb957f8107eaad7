"""Which entities of a world are bodies, and what each is to the solver."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC, KIND, KINEMATIC
from ecsphys.engine.tables.entity_rows import (
    PARENT,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
)
from ecsphys.systems.world.entity_table import TRAJECTORY_LINES, EntityTable, Slots
from ecsphys.systems.world.row_checks import refuse_bad_values

_NO_SLOTS: Final[Slots] = np.zeros(0, int32)


class BodyListing(NamedTuple):
    """The ``owners`` (n,) of bodies, slots by ascending entity; the ``kind`` of each, its row of ``RigidBody``, −1 for
    none, and whether a ``Parent`` carries it.

    ``walking`` (k,) are the characters among them, with their masses; ``solid`` all that is and has no ``RigidBody``;
    ``anchors`` what is listed for the sake of joints alone.
    """

    owners: Slots
    kind: NDArray[uint8]
    rigid_rows: Slots
    is_carried: NDArray[bool_]
    walking: Slots
    walking_masses: NDArray[float64]
    solid: Slots
    anchors: Slots


def list_bodies(
    entities: EntityTable, characters: ComponentRows, masses: NDArray[float64], anchors: Slots
) -> BodyListing:
    """List every entity with a ``RigidBody``, every ``Solid`` one that moves, and every character with a mass.

    ``masses`` are those of the ``characters``, 0 for none; ``anchors`` are held by joints. ValueError for a bad value
    of a ``RigidBody``.
    """
    numbers, rigid_row = entities.slots.entity, entities.rows_of(RIGID_BODY)
    is_placed = entities.rows_of(TRANSFORM) >= 0
    rigid = entities.having(RIGID_BODY)
    refuse_bad_values(RigidBody, numbers[rigid], rigid_row[rigid])
    rigid = rigid[is_placed[rigid]]
    solid = entities.having(SOLID)
    solid = solid[is_placed[solid] & (rigid_row[solid] < 0)]
    walking, walking_masses = _walking(entities, characters, masses)
    is_walking = np.zeros(numbers.size, bool_)
    is_walking[walking] = True
    moves = (entities.rows_of(VELOCITY)[solid] >= 0) | are_on_paths(entities, solid)
    moves |= entities.rows_of(PARENT)[solid] >= 0
    colliding = np.concatenate((solid[moves & ~is_walking[solid]], walking))
    # A slot may be another entity's by now, or none's.
    anchors = anchors[is_placed[anchors] & (rigid_row[anchors] < 0)]
    anchors = np.setdiff1d(anchors, colliding)
    owners = np.concatenate((rigid, colliding, anchors))
    owners = owners[np.argsort(numbers[owners])]
    rigid_rows = rigid_row[owners]
    is_carried = entities.rows_of(PARENT)[owners] >= 0
    kind = kinds_of(rigid_rows, are_on_paths(entities, owners) | is_carried)
    kind[is_walking[owners]] = CHARACTER
    return BodyListing(owners, kind, rigid_rows, is_carried, walking, walking_masses, solid, anchors)


def are_on_paths(entities: EntityTable, slots: Slots) -> NDArray[bool_]:
    """Whether a trajectory moves each of some entities."""
    on_path = np.zeros(slots.size, bool_)
    for line in TRAJECTORY_LINES:
        if entities.instances[line].count:
            on_path |= entities.rows_of(line)[slots] >= 0
    return on_path


def kinds_of(rigid_rows: Slots, is_driven: NDArray[bool_]) -> NDArray[uint8]:
    """What bodies are to the solver, by their rows of ``RigidBody``, −1 for none, and whether a trajectory or a parent
    moves each."""
    kind = np.full(rigid_rows.size, KINEMATIC, uint8)
    is_rigid = rigid_rows >= 0
    kind[is_rigid] = RigidBody._columns.int64[KIND, rigid_rows[is_rigid]]
    # What something else moves, nothing pushes.
    kind[(kind == DYNAMIC) & is_driven] = KINEMATIC
    return kind


def _walking(
    entities: EntityTable, characters: ComponentRows, masses: NDArray[float64]
) -> tuple[Slots, NDArray[float64]]:
    """The slots of the entities with a ``Character`` that has a mass, and no ``RigidBody``; and the masses."""
    if not len(characters):
        return _NO_SLOTS, np.zeros(0)
    slot_of = entities.slot_of
    slots = np.array([slot_of.get(entity, -1) for entity in characters.entity.tolist()], int32)
    is_one = (masses > 0.0) & (slots >= 0)
    is_one &= (entities.rows_of(TRANSFORM)[slots] >= 0) & (entities.rows_of(RIGID_BODY)[slots] < 0)
    return slots[is_one], masses[is_one]
