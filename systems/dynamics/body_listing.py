"""How the list of bodies is made, and how it follows changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import ComponentRows, components_of
from ecsphys.components.store.many import add_many
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.dynamics import body_following as following
from ecsphys.engine.dynamics import body_mass
from ecsphys.engine.dynamics.bodies import LOCK_ROTATION, LOCK_X, LOCK_Y
from ecsphys.engine.dynamics.body_following import ListedBodies, RigidBounds, follow_bodies
from ecsphys.engine.dynamics.body_mass import DYNAMIC, KIND, ROUNDING, RigidBlocks
from ecsphys.engine.dynamics.body_state import ARM_COLUMNS, FORCE_COLUMNS, BodyList
from ecsphys.engine.dynamics.contacts.materials import MATERIAL_COLUMNS, Materials
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import PARENT, RIGID_BODY, SOLID, TRANSFORM, VELOCITY
from ecsphys.systems.world.entity_table import NO_SLOTS, TRAJECTORY_LINES, EntityTable, Slots, named_parents
from ecsphys.systems.world.row_checks import refuse_bad_values

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import LineChange


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
    kind[is_walking[owners]] = body_mass.CHARACTER
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
    kind = np.full(rigid_rows.size, body_mass.KINEMATIC, uint8)
    is_rigid = rigid_rows >= 0
    kind[is_rigid] = RigidBody._columns.int64[body_mass.KIND, rigid_rows[is_rigid]]
    # What something else moves, nothing pushes.
    kind[(kind == body_mass.DYNAMIC) & is_driven] = body_mass.KINEMATIC
    return kind


def _walking(
    entities: EntityTable, characters: ComponentRows, masses: NDArray[float64]
) -> tuple[Slots, NDArray[float64]]:
    """The slots of the entities with a ``Character`` that has a mass, and no ``RigidBody``; and the masses."""
    if not len(characters):
        return NO_SLOTS, np.zeros(0)
    slots = entities.find_slots(characters.entity)
    is_one = (masses > 0.0) & (slots >= 0)
    is_one &= (entities.rows_of(TRANSFORM)[slots] >= 0) & (entities.rows_of(RIGID_BODY)[slots] < 0)
    return slots[is_one], masses[is_one]


def run_of(rows: Slots) -> slice | Slots:
    """Ascending rows as a slice where they follow each other, which is many times faster to read and write."""
    count = len(rows)
    is_run = count > 0 and int(rows[-1]) - int(rows[0]) == count - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if is_run else rows


def new_list(kind: NDArray[uint8], rows: NDArray[int32], owners: Slots) -> BodyList:
    return BodyList(
        kind,
        np.ascontiguousarray(rows),
        owners.astype(int32, copy=False),
        np.zeros((kind.size, body_mass.MASS_COLUMNS)),
        np.zeros((kind.size, FORCE_COLUMNS)),
        np.full((kind.size, ARM_COLUMNS), np.nan),
    )


def new_states(count: int) -> SleepStates:
    return SleepStates(
        np.zeros(count),
        np.full(count, AWAKE, int32),
        np.zeros((count, 3)),
        np.zeros(count, int32),
        np.zeros(count, uint8),
        np.zeros(count, uint8),
        np.zeros(count, int32),
        np.zeros((0, 2), int32),
    )


def carried_states(old: SleepStates, before: Slots, now: Slots, count: int) -> SleepStates:
    """The states of bodies that have other rows ``now``; an island that has lost one is awake."""
    states = new_states(count)
    old_rows, new_rows = run_of(before), run_of(now)
    states.slow_for[new_rows] = old.slow_for[old_rows]
    states.accelerations[new_rows] = old.accelerations[old_rows]
    states.touching[new_rows] = old.touching[old_rows]
    place: Slots = np.full(len(old.island), AWAKE, int32)
    place[before] = now
    island = old.island
    lost = np.flatnonzero((island != AWAKE) & (place == AWAKE))
    is_broken = np.zeros(len(island), bool_)
    is_broken[island[lost]] = True
    asleep = island[before] != AWAKE
    before, now = before[asleep], now[asleep]
    whole = ~is_broken[island[before]]
    states.island[now[whole]] = place[island[before[whole]]]
    states.slow_for[now[~whole]] = 0.0
    return states


# More than any body's.
_UNMOVED_DOMINANCE: Final = 128

_DEFAULTS: Final = {field.name: field.default for field in RigidBody._columns.fields}

# RigidBody's fields of a material, in the order of its columns.
_SURFACE_FIELDS: Final = ("friction", "restitution", "rolling_resistance", "tangent_speed")


def read_surfaces(rigid_rows: Slots, kind: NDArray[uint8]) -> tuple[Materials, NDArray[uint8], NDArray[uint8]]:
    """The materials of bodies (n,), which of them may sleep, and which of their axes are locked.

    They are read from the rows of ``RigidBody``, −1 for a body without one, which has the defaults.
    """
    is_rigid = rigid_rows >= 0
    rows = rigid_rows[is_rigid]
    store = RigidBody._columns
    surfaces = np.empty((is_rigid.size, MATERIAL_COLUMNS))
    for column, name in enumerate(_SURFACE_FIELDS):
        surfaces[:, column] = _DEFAULTS[name]
        surfaces[is_rigid, column] = store.row_of_block(name)[rows]
    dominance = np.zeros(is_rigid.size, int32)
    dominance[is_rigid] = store.row_of_block("dominance")[rows]
    # What contacts do not move is dominated by nothing.
    dominance[(kind != body_mass.DYNAMIC) & (kind != body_mass.CHARACTER)] = _UNMOVED_DOMINANCE
    may_sleep = np.zeros(is_rigid.size, uint8)
    may_sleep[is_rigid] = store.row_of_block("can_sleep")[rows] != 0
    locks = np.zeros(is_rigid.size, uint8)
    for bit, name in ((LOCK_X, "lock_x"), (LOCK_Y, "lock_y"), (LOCK_ROTATION, "lock_rotation")):
        locks[is_rigid] |= (store.row_of_block(name)[rows] != 0) * uint8(bit)
    return Materials(surfaces, dominance), may_sleep, locks


def bodies_of_entities(entities: EntityTable, row_of: Slots, solid: Slots, anchors: Slots) -> Slots:
    """For each slot of an entity the row of the body that it belongs to, −1 for none.

    ``row_of`` has the row of each that is a body. What is ``solid`` and none belongs to the world, in row 0; the
    ``anchors`` of joints push nothing.
    """
    of_entity = row_of.copy()
    of_entity[anchors] = -1
    blocks = solid[of_entity[solid] < 0]
    of_entity[blocks] = 0
    children = entities.having(PARENT)
    if children.size:
        children = children[entities.rows_of(RIGID_BODY)[children] < 0]
        carriers = entities.find_slots(named_parents(entities, children))
        children, carriers = children[carriers >= 0], carriers[carriers >= 0]
        # A child of a child is reached in the next round; parents form no cycle.
        while True:
            inherited = of_entity[carriers]
            inherits = (inherited > 0) & (of_entity[children] != inherited)
            if not inherits.any():
                break
            of_entity[children[inherits]] = inherited[inherits]
    return of_entity


# Measured twice, bodies differ by less than this part of their size, and by so many roundings of their positions.
_SAME = 1e-9
_EPSILONS = 16.0 * float(np.finfo(float64).eps)


def refuse_weightless(masses: NDArray[float64], numbers: NDArray[int64]) -> None:
    """ValueError naming the first body, by its entity, so light that an impulse gives it no finite velocity."""
    inverses = masses[:, [body_mass.OWN_INVERSE_MASS, body_mass.OWN_INVERSE_INERTIA]]
    if np.isfinite(inverses).all():
        return
    row, column = np.argwhere(~np.isfinite(inverses))[0].tolist()
    what = ("mass", "inertia")[column]
    raise ValueError(f"entity {numbers[row]}: the {what} of its RigidBody is too small: 1/{what} is infinite")


def find_off_center(masses: NDArray[float64]) -> NDArray[int32]:
    """The rows (k,) of the dynamic bodies whose centres of mass are not at their positions, ascending."""
    apart = np.abs(masses[:, body_mass.LOCAL_X]) + np.abs(masses[:, body_mass.LOCAL_Y])
    return np.flatnonzero(apart > ROUNDING * masses[:, body_mass.FARTHEST]).astype(int32)


def keep_but_for_rounding(
    masses: NDArray[float64], rows: NDArray[int32], before: NDArray[float64], transform_rows: NDArray[int32]
) -> None:
    """Put the numbers (k, MASS_COLUMNS) ``before`` a measurement back for some bodies, where these are as good.

    Colliders are measured as they are placed: the numbers of a body that has turned differ by rounding. A step must not
    depend on how often bodies were measured.
    """
    if not before.any():
        return
    x, y = Transform._columns.float64[:2, transform_rows]
    size = before[:, body_mass.FARTHEST]
    blur = _SAME * size + _EPSILONS * (np.abs(x) + np.abs(y))
    part = np.divide(blur, size, out=np.zeros_like(size), where=size > 0.0)
    bounds = np.repeat(blur[:, None], body_mass.MASS_COLUMNS, axis=1)
    bounds[:, : body_mass.LOCAL_X] = before[:, : body_mass.LOCAL_X] * part[:, None]
    now = masses[rows]
    with np.errstate(invalid="ignore"):
        masses[rows] = np.where(np.abs(now - before) <= bounds, before, now)


def position_velocities(velocity_rows: NDArray[Any], listed: BodyList, off_center: NDArray[int32]) -> NDArray[float64]:
    """How fast the positions of entities move, (2, k), by their rows (k,) of Velocity.

    The position of a body moves by v − ω × r if the centre of mass is elsewhere, see :func:`find_off_center`.
    """
    velocities: NDArray[float64] = Velocity._columns.float64[:2, velocity_rows]
    if not off_center.size:
        return velocities
    rows = listed.rows[VELOCITY, off_center]
    order = np.argsort(rows)
    place = np.minimum(np.searchsorted(rows, velocity_rows, sorter=order), len(rows) - 1)
    bodies = off_center[order[place]]
    which = np.flatnonzero(listed.rows[VELOCITY, bodies] == velocity_rows)
    bodies = bodies[which]
    local_x, local_y = listed.masses[bodies, body_mass.LOCAL_X], listed.masses[bodies, body_mass.LOCAL_Y]
    cos, sin = cos_sin_of(Transform._columns.float64[2, listed.rows[TRANSFORM, bodies]])
    spin = Velocity._columns.float64[2, velocity_rows[which]]
    velocities[0, which] += spin * (sin * local_x + cos * local_y)
    velocities[1, which] -= spin * (cos * local_x - sin * local_y)
    return velocities


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
