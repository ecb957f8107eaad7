"""The ends of joints: bodies, children of bodies, standing entities, the world, or other joints for gears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import esper
import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.joints import JOINT_CLASSES, WORLD, PrismaticJoint, RevoluteJoint
from ecsphys.components.dynamics.rigid_body import Character
from ecsphys.components.motion.transform import Parent
from ecsphys.engine.dynamics.body_mass import KINEMATIC
from ecsphys.engine.dynamics.joints import joint_rows
from ecsphys.engine.tables import entity_rows
from ecsphys.systems.dynamics.joints.listed_joints import GEAR, ListedJoints
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import was_entity

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import WorldTables

_TURNING_OR_SLIDING: Final = (JOINT_CLASSES.index(RevoluteJoint), JOINT_CLASSES.index(PrismaticJoint))
_MOVERS: Final = (entity_rows.VELOCITY, *range(entity_rows.LINEAR_TRAJECTORY, entity_rows.HARMONIC_TRAJECTORY + 1))


class JointEnds(NamedTuple):
    """For both ends of joints (n, 2): the slot of the entity, −1 for the world or a deleted entity; whether a joint can
    hold it; whether it moves without being a body; and whether it has a ``RigidBody``. Also the table of ends
    (n, END_COLUMNS) for the solver."""

    slot: Slots
    is_held: NDArray[bool_]
    moves: NDArray[bool_]
    is_body: NDArray[bool_]
    table: NDArray[int32]


def find_ends(listed: ListedJoints, fresh: NDArray[int64], tables: WorldTables, bodies: BodyTable) -> JointEnds:
    """The ends of joints.

    Raises ValueError if a joint at one of the places ``fresh`` cannot hold its ends, unless an end was deleted since,
    and for any joint between an entity and its descendant.
    """
    count = len(listed.owner)
    ends = JointEnds(
        np.full((count, 2), -1, int32),
        np.ones((count, 2), bool_),
        np.zeros((count, 2), bool_),
        np.zeros((count, 2), bool_),
        np.full((count, joint_rows.END_COLUMNS), -1, int32),
    )
    ends.table[:, [joint_rows.IS_AHEAD_A, joint_rows.IS_AHEAD_B]] = 0
    for side in range(2):
        _find_anchored(listed, side, ends, tables, bodies)
    _find_geared(listed, ends)
    _refuse_carried(listed, ends, tables)
    for place in fresh[~ends.is_held[fresh].all(axis=1)].tolist():
        for side in np.flatnonzero(~ends.is_held[place]).tolist():
            # What holds a joint that goes goes with it.
            is_lost = ends.table[place, joint_rows.FIRST_JOINT + side] >= 0 or is_despawned(
                int(listed.entity[place, side])
            )
            if not is_lost:
                raise _unheld_error(listed, place, side)
    return ends


def bodies_of(slots: Slots, tables: WorldTables, bodies: BodyTable) -> Slots:
    """The rows of the bodies of entities, or of their carriers; 0 if the entity stands, −1 if it is not a body."""
    rows = np.full(len(slots), -1, int32)
    known = (slots >= 0) & (slots < bodies.row_of.size)
    rows[known] = bodies.row_of[slots[known]]
    rows[(slots >= 0) & (rows < 0) & (tables.entities.rows_of(entity_rows.SOLID)[slots] >= 0)] = 0
    for place in np.flatnonzero((slots >= 0) & (rows < 0)).tolist():
        rows[place] = _carrier(int(slots[place]), tables, bodies)
    return rows


def is_despawned(entity: int) -> bool:
    """Whether an entity that a joint names was deleted."""
    return was_entity(entity) and not esper.entity_exists(entity)


def _find_anchored(listed: ListedJoints, side: int, ends: JointEnds, tables: WorldTables, bodies: BodyTable) -> None:
    """Write one end of all joints, except gears."""
    entities = tables.entities
    is_gear = listed.number == GEAR
    named = listed.entity[:, side]
    anchored = np.flatnonzero(~is_gear & (named != WORLD))
    slots = entities.find_slots(named[anchored])
    pose = np.where(slots >= 0, entities.rows_of(entity_rows.TRANSFORM)[slots], -1)
    body = bodies_of(slots, tables, bodies)
    is_mover = np.zeros(len(slots), bool_)
    for line in _MOVERS:
        is_mover |= entities.rows_of(line)[slots] >= 0
    can_hold = (pose >= 0) & (body >= 0)
    own = bodies.row_of[np.minimum(np.maximum(slots, 0), bodies.row_of.size - 1)] if bodies.row_of.size else body
    ends.slot[anchored, side] = slots
    ends.moves[anchored, side] = (
        (slots >= 0) & is_mover & (entities.rows_of(entity_rows.RIGID_BODY)[slots] < 0) & (pose >= 0)
    )
    ends.is_held[anchored, side] = can_hold
    ends.is_body[anchored, side] = (slots >= 0) & (entities.rows_of(entity_rows.RIGID_BODY)[slots] >= 0)
    ends.table[:, joint_rows.BODY_A + side] = 0
    ends.table[anchored, joint_rows.BODY_A + side] = np.maximum(body, 0)
    ends.table[anchored, joint_rows.POSE_A + side] = pose
    is_ahead = can_hold & (bodies.listed.kind[np.maximum(body, 0)] == KINEMATIC) & (own == body)
    ends.table[anchored, joint_rows.IS_AHEAD_A + side] = is_ahead


def _refuse_carried(listed: ListedJoints, ends: JointEnds, tables: WorldTables) -> None:
    """Raise ValueError for a joint between two entities that a ``Parent`` holds together already: a body and its child,
    or two children of one entity."""
    parent_rows = tables.entities.rows_of(entity_rows.PARENT)
    is_child = (ends.slot >= 0) & (parent_rows[ends.slot] >= 0)
    for place in np.flatnonzero(is_child.any(axis=1)).tolist():
        a, b = ends.slot[place].tolist()
        carriers = _carriers(a, tables)
        common = next((slot for slot in _carriers(b, tables) if slot in carriers), -1)
        if common < 0:
            continue
        numbers = tables.entities.slots.entity
        of_joint = f"entity {int(listed.owner[place])}: {JOINT_CLASSES[int(listed.number[place])].__name__}"
        one, two, carrier = (int(numbers[slot]) for slot in (a, b, common))
        if common in (a, b):
            child = two if common == a else one
            raise ValueError(
                f"{of_joint}: entity {child} is a descendant of entity {carrier} (Parent), so the two move as one:"
                " remove the joint or the Parent"
            )
        raise ValueError(
            f"{of_joint}: entities {one} and {two} are both descendants of entity {carrier} (Parent), so they move as"
            " one: remove the joint or a Parent"
        )


def _carriers(slot: int, tables: WorldTables) -> dict[int, None]:
    """The slots of an entity and of its ancestors, in this order; empty for the world."""
    entities, found = tables.entities, dict[int, None]()
    while slot >= 0 and slot not in found:
        found[slot] = None
        row = int(entities.rows_of(entity_rows.PARENT)[slot])
        slot = entities.slot_of.get(int(Parent._columns.column("entity")[row]), -1) if row >= 0 else -1
    return found


def _find_geared(listed: ListedJoints, ends: JointEnds) -> None:
    """Write the joints of gears, and the bodies of these joints."""
    gears = np.flatnonzero(listed.number == GEAR).tolist()
    if not gears:
        return
    carriers = {
        owner: place
        for place, (owner, number) in enumerate(zip(listed.owner.tolist(), listed.number.tolist(), strict=True))
        if number in _TURNING_OR_SLIDING
    }
    for place in gears:
        for side in range(2):
            joint = carriers.get(int(listed.entity[place, side]), -1)
            ends.is_held[place, side] = joint >= 0 and bool(ends.is_held[joint].all())
            ends.table[place, joint_rows.FIRST_JOINT + side] = joint
            ends.table[place, joint_rows.BODY_A + side] = ends.table[joint, joint_rows.BODY_B]


def _carrier(start: int, tables: WorldTables, bodies: BodyTable) -> int:
    """As :func:`bodies_of`, for the slot of an entity that is neither a body nor solid."""
    entities = tables.entities
    for slot in _carriers(start, tables):
        if slot < bodies.row_of.size and bodies.row_of[slot] >= 0:
            return int(bodies.row_of[slot])
        if entities.rows_of(entity_rows.SOLID)[slot] >= 0:
            return 0
    moves = any(entities.rows_of(line)[start] >= 0 for line in _MOVERS)
    number = int(entities.slots.entity[start])
    is_character = esper.entity_exists(number) and esper.has_component(number, Character)
    return 0 if moves or is_character else -1


def _unheld_error(listed: ListedJoints, place: int, side: int) -> ValueError:
    name = JOINT_CLASSES[int(listed.number[place])].__name__
    field, entity = f"{name}.{'entity_b' if side else 'entity_a'}", int(listed.entity[place, side])
    if not esper.entity_exists(entity):
        what = f"entity {entity} does not exist"
    elif listed.number[place] == GEAR:
        what = f"entity {entity} has no RevoluteJoint or PrismaticJoint that holds two bodies"
    else:
        what = f"entity {entity} needs a Transform, and a RigidBody or Solid"
    return ValueError(f"entity {int(listed.owner[place])}: {field}: {what}")
