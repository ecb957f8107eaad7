"""Which joints a world has, in the order in which they are solved, the values of their fields, and their ends.

An end is a body, a child of a body, a standing entity, the world, or for gears another joint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import esper
import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics import joints
from ecsphys.components.dynamics.rigid_body import Character
from ecsphys.components.motion.transform import Parent
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.engine.dynamics.bodies import KINEMATIC
from ecsphys.engine.dynamics.followed_writes import ELSEWHERE, POSITIVE, JointFields
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.math.elementary import lengths_of
from ecsphys.engine.tables import entity_rows
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import was_entity
from ecsphys.systems.world.row_checks import refuse_bad_values, refuse_shared_instance

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import WorldTables


# The parts that each joint of a class has.
_KINDS: dict[type[joints.Joint], int] = {
    joints.RevoluteJoint: row.ANGLE | row.HAS_POINT,
    joints.PrismaticJoint: row.SLIDE | row.HAS_LINE | row.HAS_LOCK,
    joints.DistanceJoint: row.DISTANCE,
    joints.WeldJoint: row.HAS_POINT | row.HAS_LOCK,
    joints.WheelJoint: row.SLIDE | row.HAS_LINE,
    joints.MouseJoint: row.HAS_POINT,
    joints.MotorJoint: row.HAS_POINT | row.HAS_LOCK,
    joints.GearJoint: row.IS_GEAR,
}
# The column of the settings of each field.
_SETTINGS: Final = {
    "x_a": row.LOCAL_AX,
    "y_a": row.LOCAL_AY,
    "x_b": row.LOCAL_BX,
    "y_b": row.LOCAL_BY,
    "axis_x": row.LOCAL_AXIS_X,
    "axis_y": row.LOCAL_AXIS_Y,
    "angle": row.REFERENCE,
    "length": row.REST,
    "min_length": row.LOWER,
    "max_length": row.UPPER,
    "lower": row.LOWER,
    "upper": row.UPPER,
    "motor_speed": row.MOTOR_SPEED,
    "max_force": row.MOTOR_MOST,
    "max_torque": row.MOTOR_MOST,
    "frequency": row.SPRING_HERTZ,
    "damping_ratio": row.SPRING_DAMPING,
    "rest": row.REST,
    "linear_frequency": row.POINT_HERTZ,
    "linear_damping_ratio": row.POINT_DAMPING,
    "angular_frequency": row.LOCK_HERTZ,
    "angular_damping_ratio": row.LOCK_DAMPING,
    "ratio": row.RATIO,
    "break_force": row.BREAK_FORCE,
    "break_torque": row.BREAK_TORQUE,
}
# The same for joints without a coordinate: the point and the lock have their spring and strength.
_SETTINGS_OF_PULLS: Final = {
    **_SETTINGS,
    "frequency": row.POINT_HERTZ,
    "damping_ratio": row.POINT_DAMPING,
    "max_force": row.POINT_MOST,
    "max_torque": row.LOCK_MOST,
}
# The value if its class has no such field, or if a field is None: no limit.
_UNLIMITED: Final = [row.UPPER, row.POINT_MOST, row.LOCK_MOST, row.BREAK_FORCE, row.BREAK_TORQUE]
_DEFAULTS: Final = np.zeros(row.SETTING_COLUMNS)
_DEFAULTS[row.LOCAL_AXIS_X] = 1.0
_DEFAULTS[_UNLIMITED] = np.inf

# Fields without a value that decides anything: they are copied to a column, and change nothing else.
_PLAIN: Final = ("x_a", "y_a", "x_b", "y_b", "angle", "motor_speed")
# Fields that decide nothing else as long as they stay above 0.
_POSITIVE: Final = ("length", "frequency", "damping_ratio", "max_force", "max_torque")


class _Copied(NamedTuple):
    """For each row of the block of floats of a class: its column of the settings; the number that stands for no limit,
    NaN for none; and ``JointFields.columns``."""

    columns: NDArray[int64]
    none: NDArray[float64]
    followed: NDArray[int64]


def _copied_of(cls: type[joints.Joint]) -> _Copied:
    store, settings = cls._columns, _SETTINGS_OF_PULLS if cls in (joints.MouseJoint, joints.MotorJoint) else _SETTINGS
    columns = np.array([settings[name] for name in store.names_in("float64")])
    fields = {one.name: one for one in store.fields}
    none, followed = np.full(len(columns), np.nan), np.full(len(columns), ELSEWHERE, int64)
    for k, name in enumerate(store.names_in("float64")):
        if columns[k] in _UNLIMITED and fields[name].is_optional:
            none[k] = fields[name].no_number
        if name in _PLAIN:
            followed[k] = columns[k]
        elif name in _POSITIVE and cls is not joints.MotorJoint:  # which has its spring in two columns each
            followed[k] = columns[k] + POSITIVE
    return _Copied(columns, none, followed)


_COPIED: Final = {cls: _copied_of(cls) for cls in joints.JOINT_CLASSES}

Blocks = tuple[NDArray[Any], ...]
"""The blocks of the fields of a class: floats, whole numbers, bytes."""


def blocks_of(cls: type[joints.Joint]) -> Blocks:
    """The blocks of a class as they are now."""
    store = cls._columns
    return store.float64, store.int64, store.uint8


def _field(cls: type[joints.Joint], name: str, rows: NDArray[int32]) -> NDArray[Any]:
    """The values (k,) of a field in some rows of a class."""
    values: NDArray[Any] = cls._columns.row_of_block(name)[rows]
    return values


def read_joints(cls: type[joints.Joint], rows: NDArray[int32]) -> tuple[NDArray[int64], NDArray[float64]]:
    """The kinds (k,) and settings (k, SETTING_COLUMNS) of some joints (k,) of a class."""
    store, copied = cls._columns, _COPIED[cls]
    kinds = np.full(len(rows), _KINDS[cls], int64)
    settings = np.tile(_DEFAULTS, (len(rows), 1))
    values = store.float64[:, rows].T
    settings[:, copied.columns] = np.where(values == copied.none, np.inf, values)
    if "has_limits" in store.names_in("int64"):
        settings[_field(cls, "has_limits", rows) == 0, row.UPPER] = np.inf
    if cls is joints.MotorJoint:
        settings[:, [row.LOCK_HERTZ, row.LOCK_DAMPING]] = settings[:, [row.POINT_HERTZ, row.POINT_DAMPING]]
    if "axis_x" in store.names_in("float64"):
        axis = settings[:, [row.LOCAL_AXIS_X, row.LOCAL_AXIS_Y]]
        # Scaled first: no square overflows or vanishes.
        axis /= np.abs(axis).max(axis=1, keepdims=True)
        settings[:, [row.LOCAL_AXIS_X, row.LOCAL_AXIS_Y]] = axis / lengths_of(axis[:, 0], axis[:, 1])[:, None]
    has_spring, is_limited = settings[:, row.SPRING_HERTZ] > 0.0, settings[:, row.UPPER] < np.inf
    if cls is joints.DistanceJoint:
        is_limited |= settings[:, row.LOWER] > 0.0
        kinds[(settings[:, row.REST] > 0.0) & ~has_spring] |= row.IS_ROD
    kinds[is_limited] |= row.HAS_LIMITS
    kinds[has_spring] |= row.HAS_SPRING
    kinds[settings[:, row.POINT_HERTZ] > 0.0] |= row.IS_SOFT_POINT
    kinds[settings[:, row.LOCK_HERTZ] > 0.0] |= row.IS_SOFT_LOCK
    kinds[settings[:, row.POINT_MOST] < np.inf] |= row.IS_BOUNDED_POINT
    kinds[settings[:, row.MOTOR_MOST] > 0.0] |= row.HAS_MOTOR | (row.IS_SPINNING if cls is joints.WheelJoint else 0)
    return kinds, settings


def refuse_bad_settings(cls: type[joints.Joint], owners: NDArray[int64], rows: NDArray[int32]) -> None:
    """Raise ValueError, naming entity, field and value, for joints of a class (k,) whose fields do not go together."""
    store, name, field = cls._columns, cls.__name__, partial(_field, cls, rows=rows)

    def refuse(is_bad: NDArray[bool_], what: str, *shown: str) -> None:
        if is_bad.any():
            place = int(np.argmax(is_bad))
            given = tuple(field(one)[place].item() for one in shown)
            raise ValueError(f"entity {int(owners[place])}: {name}.{what}, got {', '.join(map(repr, given))}")

    a, b = field("entity_a"), field("entity_b")
    if cls is not joints.GearJoint:
        refuse(
            (a == joints.WORLD) & (b == joints.WORLD),
            "entity_a and entity_b must not both be −1, the world",
            "entity_a",
        )
        refuse(
            (a == 0) | (b == 0), "entity_a and entity_b must be entities, or −1 for the world", "entity_a", "entity_b"
        )
    refuse((a == b), "entity_a and entity_b must be two different entities", "entity_a", "entity_b")
    if "has_limits" in store.names_in("int64"):
        is_turned = (field("has_limits") != 0) & (field("lower") > field("upper"))
        refuse(is_turned, "lower must be at most upper", "lower", "upper")
    if "axis_x" in store.names_in("float64"):
        refuse((field("axis_x") == 0.0) & (field("axis_y") == 0.0), "axis_x and axis_y must not both be 0", "axis_x")
    if cls is joints.DistanceJoint:
        longest, shortest, length = field("max_length"), field("min_length"), field("length")
        refuse(
            (longest > 0.0) & (shortest > longest), "min_length must be at most max_length", "min_length", "max_length"
        )
        refuse((field("frequency") > 0.0) & (length == 0.0), "length must be greater than 0 for a spring", "length")
        holds_nothing = (length == 0.0) & (longest == 0.0) & (shortest == 0.0) & (field("max_force") == 0.0)
        refuse(holds_nothing, "length, min_length, max_length or max_force must be greater than 0", "length")
    if cls is joints.GearJoint:
        refuse(field("ratio") == 0.0, "ratio must not be 0", "ratio")


# The class whose joints are solved after all others, as they hold joints.
GEAR: Final = len(joints.JOINT_CLASSES) - 1

NO_PLACES: Final[NDArray[int64]] = np.zeros(0, int64)

# More than any row of a class.
_ROW_BITS: Final = 32


class ListedJoints(NamedTuple):
    """Joints by the entities that carry them, gears last: the entity (n,) that carries each, the number of its class,
    its row, and the two entities (n, 2) that it names. The instances keep their rows from being given away.
    """

    owner: NDArray[int64]
    number: NDArray[int64]
    row: NDArray[int32]
    entity: NDArray[int64]
    instances: list[joints.Joint]

    @property
    def key(self) -> NDArray[int64]:
        """A number for each instance."""
        key: NDArray[int64] = self.number << _ROW_BITS | self.row
        return key

    def by_class(self, places: NDArray[int64]) -> Iterator[tuple[type[joints.Joint], NDArray[int64], NDArray[int32]]]:
        """Each class of the joints at some ``places``, with the places and rows of its own."""
        numbers = self.number[places]
        for number in _classes_in(numbers):
            of_class = places[numbers == number]
            yield joints.JOINT_CLASSES[number], of_class, self.row[of_class]

    def without(self, places: NDArray[int64]) -> NDArray[int64]:
        """The places of all other joints."""
        is_other = np.ones(len(self.owner), bool_)
        is_other[places] = False
        return np.flatnonzero(is_other)


NO_JOINTS: Final = ListedJoints(NO_PLACES, NO_PLACES, np.zeros(0, int32), np.zeros((0, 2), int64), [])


class JointsOfClass(NamedTuple):
    """The joints of one class in a list: their places (k,) and their rows (k,), both also as slices where there are no
    gaps; for each row of the class the place of its joint, −1 for none; and the blocks as they were read last."""

    cls: type[joints.Joint]
    places: NDArray[int64]
    row: NDArray[int32]
    at_places: NDArray[int64] | slice
    at_rows: NDArray[int32] | slice
    place_of: NDArray[int64]
    last: Blocks

    def places_of(self, rows: NDArray[int64]) -> NDArray[int64]:
        """The places of the joints in some rows of the class, each once."""
        places = self.place_of[rows[rows < self.place_of.size]]
        return np.unique(places[places >= 0]) if places.size > 1 else places[places >= 0]

    def fields(self) -> JointFields:
        """The fields of the class beside the ``last`` ones; valid until its blocks are replaced."""
        flags = np.frombuffer(self.cls._columns.dirty, uint8)
        fields: tuple[Any, ...] = (flags, *blocks_of(self.cls), *self.last, self.place_of, _COPIED[self.cls].followed)
        return JointFields(*fields)


def list_joints(found: tuple[ComponentRows, ...]) -> ListedJoints:
    """The joints of the rows ``found``, of one class after the other; ValueError for bad values."""
    owner = np.concatenate([rows.entity for rows in found])
    own = np.concatenate([rows.row for rows in found])
    number = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
    instances: list[Any] = [instance for rows in found for instance in rows.instances]
    order = np.lexsort((number, owner, number == GEAR))
    number, own = number[order], own[order]
    listed = ListedJoints(
        owner[order], number, own, entities_named(number, own), [instances[k] for k in order.tolist()]
    )
    refuse_bad_values_of(listed, np.arange(len(owner)))
    return listed


def refuse_bad_values_of(listed: ListedJoints, places: NDArray[int64]) -> None:
    """Raise ValueError, naming entity and field, if a joint at one of these places is bad."""
    for cls, of_class, own in listed.by_class(places):
        owners = listed.owner[of_class]
        refuse_bad_values(cls, owners, own)
        refuse_shared_instance(cls, owners, own)
        refuse_bad_settings(cls, owners, own)


def _classes_in(numbers: NDArray[int64]) -> list[int]:
    """The different numbers of classes, ascending."""
    found: list[int] = np.flatnonzero(np.bincount(numbers)).tolist()
    return found


def entities_named(number: NDArray[int64], own: NDArray[int32]) -> NDArray[int64]:
    """The entities (n, 2) that joints, by their classes and rows, name now."""
    named = np.empty((len(own), 2), int64)
    for one in _classes_in(number):
        is_meant = number == one
        for side, name in enumerate(("entity_a", "entity_b")):
            named[is_meant, side] = _field(joints.JOINT_CLASSES[one], name, own[is_meant])
    return named


def same_joints(before: ListedJoints, now: ListedJoints) -> tuple[NDArray[int64], NDArray[int64]]:
    """The places of the joints that are in both lists, with the same owner and the same ends."""
    _, old, new = np.intersect1d(before.key, now.key, assume_unique=True, return_indices=True)
    is_same = (before.owner[old] == now.owner[new]) & (before.entity[old] == now.entity[new]).all(axis=1)
    return old[is_same], new[is_same]


def joints_of_classes(listed: ListedJoints) -> dict[type[joints.Joint], JointsOfClass]:
    """All joints of a list, class by class."""
    found = {}
    for cls, places, rows in listed.by_class(np.arange(len(listed.owner))):
        place_of = np.full(int(rows.max()) + 1, -1, int64)
        place_of[rows] = places
        last = tuple(block.copy() for block in blocks_of(cls))
        found[cls] = JointsOfClass(cls, places, rows, _as_slice(places), _as_slice(rows), place_of, last)
    return found


def _as_slice(numbers: NDArray[Any]) -> NDArray[Any] | slice:
    """Numbers (k,), k ≥ 1, as a slice where each is one more than the last."""
    first = int(numbers[0])
    return slice(first, first + len(numbers)) if (np.diff(numbers) == 1).all() else numbers


_TURNING_OR_SLIDING: Final = (
    joints.JOINT_CLASSES.index(joints.RevoluteJoint),
    joints.JOINT_CLASSES.index(joints.PrismaticJoint),
)
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
    both = (len(listed.owner), 2)
    table = np.full((len(listed.owner), row.END_COLUMNS), -1, int32)
    table[:, [row.BODY_A, row.BODY_B, row.IS_AHEAD_A, row.IS_AHEAD_B]] = 0
    moves, is_body = np.zeros((2, *both), bool_)
    ends = JointEnds(np.full(both, -1, int32), np.ones(both, bool_), moves, is_body, table)
    _find_anchored(listed, ends, tables, bodies)
    _find_geared(listed, ends)
    _refuse_carried(listed, ends, tables)
    for place, side in np.argwhere(~ends.is_held[fresh]).tolist():
        place = int(fresh[place])
        # What holds a joint that goes goes with it.
        if table[place, row.FIRST_JOINT + side] < 0 and not is_despawned(int(listed.entity[place, side])):
            raise _unheld_error(listed, place, side)
    return ends


def bodies_of(slots: Slots, tables: WorldTables, bodies: BodyTable) -> Slots:
    """The rows of the bodies of entities, or of their carriers; 0 if the entity stands, −1 if it is not a body."""
    rows = np.full(len(slots), -1, int32)
    known = (slots >= 0) & (slots < bodies.own.row_of.size)
    rows[known] = bodies.own.row_of[slots[known]]
    rows[(slots >= 0) & (rows < 0) & (tables.entities.rows_of(entity_rows.SOLID)[slots] >= 0)] = 0
    for place in np.flatnonzero((slots >= 0) & (rows < 0)).tolist():
        rows[place] = _carrier(int(slots[place]), tables, bodies)
    return rows


def is_despawned(entity: int) -> bool:
    """Whether an entity that a joint names was deleted."""
    return was_entity(entity) and not esper.entity_exists(entity)


def _find_anchored(listed: ListedJoints, ends: JointEnds, tables: WorldTables, bodies: BodyTable) -> None:
    """Write the ends of all joints, except gears."""
    entities = tables.entities
    anchored = (listed.number != GEAR)[:, None] & (listed.entity != joints.WORLD)
    slots = entities.find_slots(listed.entity[anchored])
    is_there = slots >= 0
    pose = np.where(is_there, entities.rows_of(entity_rows.TRANSFORM)[slots], -1)
    body = bodies_of(slots, tables, bodies)
    is_body = is_there & (entities.rows_of(entity_rows.RIGID_BODY)[slots] >= 0)
    is_mover = np.zeros(len(slots), bool_)
    for line in _MOVERS:
        is_mover |= entities.rows_of(line)[slots] >= 0
    ends.slot[anchored] = slots
    ends.is_held[anchored] = can_hold = (pose >= 0) & (body >= 0)
    ends.moves[anchored] = is_there & is_mover & ~is_body & (pose >= 0)
    ends.is_body[anchored] = is_body
    table, body = ends.table, np.maximum(body, 0)
    table[:, row.BODY_A : row.BODY_B + 1][anchored] = body
    table[:, row.POSE_A : row.POSE_B + 1][anchored] = pose
    # A kinematic body has moved on, but its children have not.
    is_ahead = can_hold & (bodies.listed.kind[body] == KINEMATIC)
    if bodies.own.row_of.size:
        is_ahead &= bodies.own.row_of[np.clip(slots, 0, bodies.own.row_of.size - 1)] == body
    table[:, row.IS_AHEAD_A : row.IS_AHEAD_B + 1][anchored] = is_ahead


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
        of_joint = f"entity {int(listed.owner[place])}: {type(listed.instances[place]).__name__}"
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
        own = int(entities.rows_of(entity_rows.PARENT)[slot])
        slot = entities.slot_of.get(int(Parent._columns.column("entity")[own]), -1) if own >= 0 else -1
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
            ends.table[place, row.FIRST_JOINT + side] = joint
            ends.table[place, row.BODY_A + side] = ends.table[joint, row.BODY_B]


def _carrier(start: int, tables: WorldTables, bodies: BodyTable) -> int:
    """As :func:`bodies_of`, for the slot of an entity that is neither a body nor solid."""
    entities = tables.entities
    for slot in _carriers(start, tables):
        if slot < bodies.own.row_of.size and bodies.own.row_of[slot] >= 0:
            return int(bodies.own.row_of[slot])
        if entities.rows_of(entity_rows.SOLID)[slot] >= 0:
            return 0
    moves = any(entities.rows_of(line)[start] >= 0 for line in _MOVERS)
    number = int(entities.slots.entity[start])
    is_character = esper.entity_exists(number) and esper.has_component(number, Character)
    return 0 if moves or is_character else -1


def _unheld_error(listed: ListedJoints, place: int, side: int) -> ValueError:
    name = type(listed.instances[place]).__name__
    field, entity = f"{name}.{'entity_b' if side else 'entity_a'}", int(listed.entity[place, side])
    if not esper.entity_exists(entity):
        what = f"entity {entity} does not exist"
    elif listed.number[place] == GEAR:
        what = f"entity {entity} has no RevoluteJoint or PrismaticJoint that holds two bodies"
    else:
        what = f"entity {entity} needs a Transform, and a RigidBody or Solid"
    return ValueError(f"entity {int(listed.owner[place])}: {field}: {what}")
