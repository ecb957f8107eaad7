"""The list of bodies follows a change of some entities: the rows of all others stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import components_of
from ecsphys.components.store.spawn import add_many
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.dynamics import body_following as following
from ecsphys.engine.dynamics.body_following import ListedBodies, RigidBounds, follow_bodies
from ecsphys.engine.dynamics.body_mass import DYNAMIC, KIND, RigidBlocks
from ecsphys.engine.tables.entity_rows import PARENT, RIGID_BODY, TRANSFORM, VELOCITY
from ecsphys.systems.world.entity_table import EntityTable, Slots
from ecsphys.systems.world.row_checks import refuse_bad_values

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import LineChange

_WHOLE: Final = [field for field in RigidBody._columns.fields if not field.is_float]
_BOUNDS: Final = RigidBounds(
    RigidBody._columns.low,
    RigidBody._columns.high,
    np.array([field.low for field in _WHOLE], int64),
    np.array([field.high for field in _WHOLE], int64),
)


@while_blocks_stand
def rigid_blocks() -> RigidBlocks:
    """The blocks of ``RigidBody`` and ``Transform``; valid until the next of these components is created."""
    return RigidBlocks(RigidBody._columns.float64, RigidBody._columns.int64, Transform._columns.float64)


def follow_changes(table: BodyTable, changed: Slots) -> int:
    """Update the rows of the entities in some slots, which are all that has changed since the list was made.

    Returns FOLLOWED. LACKS_VELOCITY means that dynamic bodies had no ``Velocity``, and now have one: the tables must be
    updated first. Any other number means that nothing has changed, and all bodies must be listed again. They must be
    with parents, which pass changes on; for entities that are listed for joints or characters; and if a new body
    belongs between others. ValueError for a bad value of a ``RigidBody``.
    """
    entities = table.tables.entities
    if entities.instances[PARENT].count or (table.others.size and np.isin(changed, table.others).any()):
        return following.BELONGS_BETWEEN
    if changed.size > 1:
        changed = changed[entities.slots.entity[changed].argsort()]
    table.make_room_for_slots()
    lists, counts = (
        np.empty((following.LISTS, changed.size), int32),
        np.zeros(following.FOLLOWING_COUNTS, int64),
    )
    counts[following.USED], counts[following.LAST_NUMBER] = table.used, table.last_number
    # Where this is cut short, all bodies are listed again.
    table.is_whole = False
    listed = ListedBodies(entities.slots, rigid_blocks(), _BOUNDS, table.listed, table.states, table.own_rows)
    result = follow_bodies(changed, listed, lists, counts)
    if result == following.FOLLOWED:
        _note(table, changed, lists, counts.tolist())
    table.is_whole = True
    if result == following.BAD_VALUE:
        rows = entities.rows_of(RIGID_BODY)[changed]
        is_rigid = (rows >= 0) & (entities.rows_of(TRANSFORM)[changed] >= 0)
        refuse_bad_values(RigidBody, entities.slots.entity[changed[is_rigid]], rows[is_rigid])
    if result == following.LACKS_VELOCITY:
        lacking = lists[following.WRITTEN, : counts[following.WRITTEN]]
        add_many(entities.slots.entity[lacking].tolist(), Velocity)
    table.wants_room = table.wants_room or result == following.HAS_NO_ROOM
    return result


def _note(table: BodyTable, changed: Slots, lists: NDArray[int32], counts: list[int]) -> None:
    """Note what :func:`follow_bodies` has changed."""
    table.used, table.last_number = counts[following.USED], counts[following.LAST_NUMBER]
    table.sleep_changes += counts[following.IS_WOKEN] + counts[following.IS_OTHER_KIND]
    table.note_colliders(changed, counts[following.IS_OF_BODIES] > 0)
    rows = [
        lists[of, : counts[of]] for of in (following.WRITTEN, following.UNMEASURED, following.GONE, following.RESTED)
    ]
    if any(map(len, rows)):
        table.note_changed(*rows)
    table.held.follow(changed, lists[following.IS_HELD].tolist(), table.tables.entities.slots.entity.size)


def give_velocities(change: LineChange, entities: EntityTable) -> bool:
    """Give a ``Velocity`` to each dynamic body of a change that has none yet; returns whether any got one.

    :func:`follow_changes` does the same, but the tables must be updated once more then. Only it checks values that were
    written through views.
    """
    if RigidBody._columns.views.count:
        return False
    numbers = entities.slots.entity[change.slots].tolist()
    places, velocities = components_of(numbers, Transform), components_of(numbers, Velocity)
    lacking = [
        entity
        for entity, one, at, velocity in zip(numbers, change.found, places, velocities, strict=True)
        if one is not None and at is not None and velocity is None and one.kind == "dynamic"
    ]
    add_many(lacking, Velocity)
    return bool(lacking)


def add_velocities(table: BodyTable, slots: Slots) -> bool:
    """Give a ``Velocity`` to each of some entities that is a dynamic body without one; returns whether any got one."""
    entities = table.tables.entities
    rigid_row = entities.rows_of(RIGID_BODY)[slots]
    lacking = (rigid_row >= 0) & (entities.rows_of(VELOCITY)[slots] < 0) & (entities.rows_of(TRANSFORM)[slots] >= 0)
    lacking[lacking] = RigidBody._columns.int64[KIND, rigid_row[lacking]] == DYNAMIC
    add_many(entities.slots.entity[slots[lacking]].tolist(), Velocity)
    return bool(lacking.any())


def values_of(rigid_rows: Slots) -> NDArray[np.float64]:
    """All fields of ``RigidBody`` in some rows, (fields, n); 0 for a row −1."""
    columns = RigidBody._columns
    floats = len(columns.float64)
    values = np.empty((floats + len(columns.int64), rigid_rows.size))
    values[:floats] = columns.float64[:, rigid_rows]
    values[floats:] = columns.int64[:, rigid_rows]
    values[:, rigid_rows < 0] = 0.0
    return values
