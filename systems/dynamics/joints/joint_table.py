"""The joints of a world: which there are, what they hold, and what they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.character.character import Character
from ecsphys.components.dynamics.joints.joint import WORLD, Joint
from ecsphys.components.dynamics.joints.joint_classes import JOINT_CLASSES
from ecsphys.components.dynamics.joints.joint_loads import LOAD_COLUMNS, load_of, read_loads, write_loads
from ecsphys.components.dynamics.joints.prismatic_joint import PrismaticJoint
from ecsphys.components.dynamics.joints.revolute_joint import RevoluteJoint
from ecsphys.components.motion.parent import Parent
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, rows_of
from ecsphys.components.store.dead_entities import dead_entities
from ecsphys.engine.dynamics.body_mass import KINEMATIC
from ecsphys.engine.dynamics.contact_solver import JOINT_KERNELS
from ecsphys.engine.dynamics.joints.joint_rows import (
    BODY_A,
    BODY_B,
    END_COLUMNS,
    FIRST_JOINT,
    GEAR_SUM,
    IMPULSE_COLUMNS,
    IS_AHEAD_A,
    IS_AHEAD_B,
    POSE_A,
    SETTING_COLUMNS,
    START_COLUMNS,
    TOTAL_COLUMNS,
    JointRows,
)
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.math.elementwise import lengths_of
from ecsphys.engine.tables.entity_rows import (
    HARMONIC_TRAJECTORY,
    LINEAR_TRAJECTORY,
    PARENT,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
)
from ecsphys.systems.dynamics.joints.joined_pairs import JoinedPairs
from ecsphys.systems.dynamics.joints.joint_breaks import BreakReason, JointBreak, JointBreaks
from ecsphys.systems.dynamics.joints.joint_reading import read_joints, refuse_bad_joints
from ecsphys.systems.first_loads import load_with_first
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import has_entity, was_entity

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import WorldTables

load_with_first(JOINT_KERNELS, *JOINT_CLASSES)

_GEAR = len(JOINT_CLASSES) - 1
_TURNING_OR_SLIDING = (JOINT_CLASSES.index(RevoluteJoint), JOINT_CLASSES.index(PrismaticJoint))
_MOVERS = (VELOCITY, *range(LINEAR_TRAJECTORY, HARMONIC_TRAJECTORY + 1))

# More than any row of a class.
_ROW_BITS = 32


class _Listed(NamedTuple):
    """Which joints there are, in the order in which they are solved: the entity (n,) that carries each, the number of
    its class, its row, and the two entities (n, 2) that it names. The instances keep their rows from being given away.
    """

    owner: NDArray[int64]
    number: NDArray[int64]
    row: NDArray[int32]
    entity: NDArray[int64]
    instances: list[Joint]

    @property
    def key(self) -> NDArray[int64]:
        """A number for each instance."""
        key: NDArray[int64] = self.number << _ROW_BITS | self.row
        return key


_NONE = _Listed(np.zeros(0, int64), np.zeros(0, int64), np.zeros(0, int32), np.zeros((0, 2), int64), [])


class _OfClass(NamedTuple):
    """The joints of one class in a list: the number of the class, their places (k,) and their rows (k,); the same as
    what numpy reads and writes fastest by, slices where there are no gaps."""

    number: int
    places: NDArray[int64]
    row: NDArray[int32]
    at_places: NDArray[int64] | slice
    at_rows: NDArray[int32] | slice


class _Ends(NamedTuple):
    """What joints hold: for both ends (n, 2) the entities' slots, −1 for the world or what is gone, whether it can be
    held, and whether it moves and is no body; and the table of ends for the solver."""

    slot: Slots
    is_held: NDArray[bool_]
    moves: NDArray[bool_]
    table: NDArray[int32]


class JointTable:
    """Every joint of a world, a row each: by the entities that carry them, gears last.

    What a joint holds is looked up anew where entities or bodies come or go, what it is like where it is written. Its
    impulses stay with the component's instance as long as it is attached.

    Attributes
    ----------
    rows
        The joints for the solver.
    pairs
        Which colliders do not collide, as joints hold their bodies.
    breaks
        Joints that have gone of which handlers are to be told.
    """

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables, self._bodies = tables, bodies
        self._listed = _NONE
        self._by_class: tuple[_OfClass, ...] = ()
        self._found: tuple[ComponentRows, ...] = (NO_ROWS,) * len(JOINT_CLASSES)
        self._read_to = [0] * len(JOINT_CLASSES)
        self._answer: object = None
        self._token: object = None
        self._ends_at: tuple[int, int] = (-1, -1)
        self._slot: Slots = np.zeros((0, 2), int32)
        self._most: NDArray[float64] = np.zeros((0, 2))
        self._may_break = False
        self.rows = _no_rows(0)
        self.pairs = JoinedPairs(tables)
        self.breaks = JointBreaks()

    def __len__(self) -> int:
        return len(self._listed.owner)

    def update(self) -> None:
        """Bring the list in line with the world; the tables, and the list of bodies, must be.

        Joints whose entities have gone are taken from theirs, and noted as breaks. ValueError naming entity and field
        for what is no joint; nothing has changed then.
        """
        if self._tables.answer is self._answer and not self._listed.instances:
            return
        while self._update():
            # Components were removed, or something else is held.
            self._tables.update()
            self._bodies.update()

    def refuse_new(self) -> None:
        """ValueError for what :meth:`update` would refuse; nothing changes."""
        listed = self._list(tuple(map(rows_of, JOINT_CLASSES)))
        known = self._listed if self._tables.token is self._token else _NONE
        _, now = _same(known, listed)
        self._find_ends(listed, np.isin(np.arange(len(listed.owner)), now, invert=True))

    def _update(self) -> bool:
        tables = self._tables
        found = self._found if tables.answer is self._answer else tuple(map(rows_of, JOINT_CLASSES))
        if not (self._listed.instances or any(map(len, found))):
            self._found, self._token, self._answer = found, tables.token, tables.answer
            return False
        written = self._written()
        is_other = tables.token is not self._token
        is_listed_anew = is_other or any(now is not before for now, before in zip(found, self._found, strict=True))
        if not is_listed_anew and written.size:
            is_listed_anew = not np.array_equal(self._named(written), self._listed.entity[written])
        at = (tables.revision, self._bodies.revision)
        if is_listed_anew:
            listed = self._list(found)
            before, now = _same(self._listed, listed) if not is_other else (_NO_PLACES, _NO_PLACES)
            ends = self._find_ends(listed, np.isin(np.arange(len(listed.owner)), now, invert=True))
            lost = np.setdiff1d(np.arange(len(self)), before)
            self._take_leave(lost, is_other)
            self._build(listed, ends, before, now)
            self._found, self._token = found, tables.token
        elif written.size:
            self._read(written)
        if not is_listed_anew and at != self._ends_at:
            ends = self._find_ends(self._listed, np.zeros(len(self), bool_))
            self._set_ends(ends)
        elif is_listed_anew:
            self._set_ends(ends)
        if written.size and not is_listed_anew:
            # By the rows that bodies have now.
            self._wake(self.rows.ends[written][:, [BODY_A, BODY_B]])
        if is_listed_anew or at != self._ends_at:
            gone = np.flatnonzero(~ends.is_held.all(axis=1))
            if gone.size:
                self._detach(gone)
                return True
            # What moves and is no body is listed by the bodies from now on.
            self._bodies.hold(np.unique(ends.slot[ends.moves]).astype(int32))
            if self._bodies.revision != at[1] or not self._bodies.is_current():
                return True
        self._ends_at = at
        self._answer = tables.answer
        return False

    @property
    def loads(self) -> NDArray[float64]:
        """What each joint carried in the last step, (n, LOAD_COLUMNS)."""
        found = np.zeros((len(self), LOAD_COLUMNS))
        for number, _, _, at_places, at_rows in self._by_class:
            found[at_places] = read_loads(JOINT_CLASSES[number], at_rows)
        return found

    @loads.setter
    def loads(self, loads: NDArray[float64]) -> None:
        for number, _, _, at_places, at_rows in self._by_class:
            write_loads(JOINT_CLASSES[number], at_rows, loads[at_places])

    def _written(self) -> NDArray[int64]:
        """The joints of the list that were written since the last look, by their places."""
        if not self._listed.instances:
            return _NO_PLACES
        places = []
        for number, of_class, row, _, _ in self._by_class:
            log = JOINT_CLASSES[number]._columns.writes
            if log.collect() == self._read_to[number]:
                continue
            writes = log.since(self._read_to[number])
            places.append(of_class if writes.everything else of_class[np.isin(row, writes.rows)])
            self._refuse_bad(self._listed, places[-1])
        return np.concatenate(places) if places else _NO_PLACES

    def _note_read(self) -> None:
        for number, *_ in self._by_class:
            self._read_to[number] = JOINT_CLASSES[number]._columns.writes.revision

    def _named(self, places: NDArray[int64]) -> NDArray[int64]:
        """The entities (k, 2) that joints name now."""
        return _named(self._listed.number[places], self._listed.row[places])

    def _list(self, found: tuple[ComponentRows, ...]) -> _Listed:
        owner = np.concatenate([rows.entity for rows in found])
        row = np.concatenate([rows.row for rows in found])
        number = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
        instances: list[Any] = [instance for rows in found for instance in rows.instances]
        order = np.lexsort((number, owner, number == _GEAR))
        number, row = number[order], row[order]
        listed = _Listed(owner[order], number, row, _named(number, row), [instances[k] for k in order.tolist()])
        self._refuse_bad(listed, np.arange(len(owner)))
        return listed

    def _refuse_bad(self, listed: _Listed, places: NDArray[int64]) -> None:
        for number in np.unique(listed.number[places]).tolist():
            of_class = places[listed.number[places] == number]
            refuse_bad_joints(JOINT_CLASSES[number], listed.owner[of_class], listed.row[of_class])

    def _find_ends(self, listed: _Listed, is_new: NDArray[bool_]) -> _Ends:
        """What joints hold; ValueError for a new one that cannot, unless what it was to hold has been deleted since."""
        tables, bodies = self._tables, self._bodies
        entities = tables.entities
        count = len(listed.owner)
        table = np.full((count, END_COLUMNS), -1, int32)
        slot = np.full((count, 2), -1, int32)
        is_held = np.ones((count, 2), bool_)
        moves = np.zeros((count, 2), bool_)
        table[:, [IS_AHEAD_A, IS_AHEAD_B]] = 0
        is_gear = listed.number == _GEAR
        slot_of = entities.slot_of
        for side in range(2):
            named = listed.entity[:, side]
            anchored = np.flatnonzero(~is_gear & (named != WORLD))
            slots = np.array([slot_of.get(entity, -1) for entity in named[anchored].tolist()], int32)
            slot[anchored, side] = slots
            pose = np.where(slots >= 0, entities.rows_of(TRANSFORM)[slots], -1)
            body = self._bodies_of(slots)
            is_mover = np.zeros(len(slots), bool_)
            for line in _MOVERS:
                is_mover |= entities.rows_of(line)[slots] >= 0
            moves[anchored, side] = (slots >= 0) & is_mover & (entities.rows_of(RIGID_BODY)[slots] < 0) & (pose >= 0)
            can_hold = (pose >= 0) & (body >= 0)
            is_held[anchored, side] = can_hold
            table[:, BODY_A + side] = 0
            table[anchored, BODY_A + side] = np.maximum(body, 0)
            table[anchored, POSE_A + side] = pose
            own = (
                bodies.row_of[np.minimum(np.maximum(slots, 0), bodies.row_of.size - 1)] if bodies.row_of.size else body
            )
            is_ahead = can_hold & (bodies.listed.kind[np.maximum(body, 0)] == KINEMATIC) & (own == body)
            table[anchored, IS_AHEAD_A + side] = is_ahead
        carriers = (
            {
                owner: place
                for place, (owner, number) in enumerate(zip(listed.owner.tolist(), listed.number.tolist(), strict=True))
                if number in _TURNING_OR_SLIDING
            }
            if is_gear.any()
            else {}
        )
        for place in np.flatnonzero(is_gear).tolist():
            for side in range(2):
                joint = carriers.get(int(listed.entity[place, side]), -1)
                is_held[place, side] = joint >= 0 and bool(is_held[joint].all())
                table[place, FIRST_JOINT + side] = joint
                table[place, BODY_A + side] = table[joint, BODY_B]
        for place in np.flatnonzero(is_new & ~is_held.all(axis=1)).tolist():
            for side in np.flatnonzero(~is_held[place]).tolist():
                # What holds a joint that goes goes with it.
                is_lost = table[place, FIRST_JOINT + side] >= 0 or _is_despawned(int(listed.entity[place, side]))
                if not is_lost:
                    raise _unheld_error(listed, place, side)
        return _Ends(slot, is_held, moves, table)

    def _bodies_of(self, slots: Slots) -> Slots:
        """The rows of the bodies that entities are, or are carried by; 0 for what stands, −1 for what is none."""
        entities, bodies = self._tables.entities, self._bodies
        rows = np.full(len(slots), -1, int32)
        known = (slots >= 0) & (slots < bodies.row_of.size)
        rows[known] = bodies.row_of[slots[known]]
        rows[(slots >= 0) & (rows < 0) & (entities.rows_of(SOLID)[slots] >= 0)] = 0
        for place in np.flatnonzero((slots >= 0) & (rows < 0)).tolist():
            rows[place] = self._carrier(int(slots[place]))
        return rows

    def _carrier(self, slot: int) -> int:
        """As :meth:`_bodies_of`, of an entity that is no body itself and not solid."""
        entities, bodies = self._tables.entities, self._bodies
        seen: set[int] = set()
        start = slot
        while slot >= 0 and slot not in seen:
            seen.add(slot)
            if slot < bodies.row_of.size and bodies.row_of[slot] >= 0:
                return int(bodies.row_of[slot])
            if entities.rows_of(SOLID)[slot] >= 0:
                return 0
            row = int(entities.rows_of(PARENT)[slot])
            slot = entities.slot_of.get(int(Parent._columns.column("entity")[row]), -1) if row >= 0 else -1
        moves = any(entities.rows_of(line)[start] >= 0 for line in _MOVERS)
        number = int(entities.slots.entity[start])
        is_character = esper.entity_exists(number) and esper.has_component(number, Character)
        return 0 if moves or is_character else -1

    def _take_leave(self, lost: NDArray[int64], is_cleared: bool) -> None:
        """Joints of the list are on their entities no more: note those of which an entity has gone, and wake bodies."""
        listed = self._listed
        for place in lost.tolist():
            named = listed.entity[place].tolist()
            is_kept = not is_cleared and self._is_attached(place)
            if not is_kept and (is_cleared or any(map(_is_despawned, named))):
                self._note(place, "despawned")
        if not lost.size:
            return
        for number in np.unique(listed.number[lost]).tolist():
            write_loads(JOINT_CLASSES[number], listed.row[lost][listed.number[lost] == number], 0.0)
        if not is_cleared:
            bodies = self._bodies_of(self._slot[lost].ravel())
            self._wake(bodies[bodies >= 0])

    def _note(self, place: int, reason: BreakReason) -> None:
        listed = self._listed
        joint, (a, b) = listed.instances[place], listed.entity[place].tolist()
        x, y, torque = load_of(joint)
        self.breaks.note(JointBreak(int(listed.owner[place]), joint, a, b, reason, (x, y), torque))

    def _detach(self, places: NDArray[int64]) -> None:
        """Take joints that hold nothing any more from their entities."""
        listed = self._listed
        for place in places.tolist():
            named = listed.entity[place].tolist()
            is_gone = any(map(_is_despawned, named))
            self._note(place, "despawned" if is_gone else "removed")
        self._remove(places)

    def _remove(self, places: NDArray[int64]) -> None:
        listed = self._listed
        for place in places.tolist():
            if self._is_attached(place):
                owner = int(listed.owner[place])
                esper.remove_component(owner, type(listed.instances[place]))
                if not esper.components_for_entity(owner) and owner not in dead_entities():
                    esper.delete_entity(owner, immediate=True)

    def _is_attached(self, place: int) -> bool:
        """Whether a joint of the list is on its entity still."""
        owner, joint = int(self._listed.owner[place]), self._listed.instances[place]
        return has_entity(owner) and esper.try_component(owner, type(joint)) is joint

    def _build(self, listed: _Listed, ends: _Ends, before: NDArray[int64], now: NDArray[int64]) -> None:
        """Make the rows of another list; what goes on keeps its impulses."""
        old, rows = self.rows, _no_rows(len(listed.owner))
        rows.starts[now] = old.starts[before]
        rows.impulses[now] = old.impulses[before]
        rows.totals[now] = old.totals[before]
        is_new = np.ones(len(listed.owner), bool_)
        is_new[now] = False
        fresh = np.flatnonzero(is_new)
        self._listed, self._by_class, self.rows = listed, _by_class(listed), rows
        self._most = np.full((len(listed.owner), 2), np.inf)
        self._slot = ends.slot
        rows.ends[:] = ends.table
        self._read(np.arange(len(listed.owner)))
        for number in np.unique(listed.number[fresh]).tolist():
            write_loads(JOINT_CLASSES[number], listed.row[fresh][listed.number[fresh] == number], 0.0)
        self._wake(rows.ends[fresh][:, [BODY_A, BODY_B]])

    def _read(self, places: NDArray[int64]) -> None:
        """Read what joints are like."""
        listed, rows = self._listed, self.rows
        for number in np.unique(listed.number[places]).tolist():
            of_class = places[listed.number[places] == number]
            cls = JOINT_CLASSES[number]
            own = listed.row[of_class]
            rows.kinds[of_class], rows.settings[of_class] = read_joints(cls, own)
            for column, name in enumerate(("break_force", "break_torque")):
                most = cls._columns.row_of_block(name)[own]
                self._most[of_class, column] = np.where(most > 0.0, most, np.inf)
        self._may_break = bool((self._most < np.inf).any())
        self._note_read()
        self._find_pairs()

    def _set_ends(self, ends: _Ends) -> None:
        self._slot = ends.slot
        self.rows.ends[:] = ends.table
        pairs = ends.table[:, [BODY_A, BODY_B]]
        # Those of a gear are what its two joints move.
        joined = np.ascontiguousarray(pairs[(pairs > 0).all(axis=1) & (pairs[:, 0] != pairs[:, 1])])
        bodies = self._bodies
        bodies.states = bodies.states._replace(joined=joined)
        self._find_pairs()

    def _find_pairs(self) -> None:
        """Which of the bodies that joints hold do not collide."""
        listed = self._listed
        is_apart = (listed.number != _GEAR) & (self._slot >= 0).all(axis=1)
        for number in np.unique(listed.number[is_apart]).tolist():
            of_class = np.flatnonzero(listed.number == number)
            collide = JOINT_CLASSES[number]._columns.row_of_block("collide_connected")[listed.row[of_class]]
            is_apart[of_class] &= collide == 0
        self.pairs.keep_apart(self._slot[is_apart])

    def _wake(self, bodies: NDArray[int32]) -> None:
        """Wake bodies, by their rows, and all that sleeps with them."""
        table = self._bodies
        rows = np.unique(bodies[bodies > 0]).astype(int32)
        if not rows.size:
            return
        woken = np.union1d(table.members_of(rows), rows)
        table.states.island[woken] = AWAKE
        table.states.slow_for[woken] = 0.0
        table.sleep_changes += 1

    def finish(self, dt: float) -> bool:
        """Tell the components what they carried in a step of ``dt`` seconds, and let those break that bear less.

        Returns whether any broke.
        """
        self.loads = loads = self.rows.totals / dt
        if not self._may_break:
            return False
        breaks_by_force = lengths_of(loads[:, 0], loads[:, 1]) > self._most[:, 0]
        breaks = breaks_by_force | (np.abs(loads[:, 2]) > self._most[:, 1])
        if breaks.any():
            places = np.flatnonzero(breaks)
            for place in places.tolist():
                self._note(place, "force" if breaks_by_force[place] else "torque")
            self._remove(places)
        return bool(breaks.any())


_NO_PLACES: NDArray[int64] = np.zeros(0, int64)


def _by_class(listed: _Listed) -> tuple[_OfClass, ...]:
    found = []
    for number in np.unique(listed.number).tolist():
        places = np.flatnonzero(listed.number == number)
        rows = listed.row[places]
        found.append(_OfClass(number, places, rows, _as_slice(places), _as_slice(rows)))
    return tuple(found)


def _as_slice(numbers: NDArray[Any]) -> NDArray[Any] | slice:
    """Numbers (k,), k ≥ 1, as a slice where each is one more than the last."""
    first = int(numbers[0])
    return slice(first, first + len(numbers)) if (np.diff(numbers) == 1).all() else numbers


def _same(before: _Listed, now: _Listed) -> tuple[NDArray[int64], NDArray[int64]]:
    """The places of the joints that are in both lists, with the same owner and the same ends."""
    _, old, new = np.intersect1d(before.key, now.key, assume_unique=True, return_indices=True)
    is_same = (before.owner[old] == now.owner[new]) & (before.entity[old] == now.entity[new]).all(axis=1)
    return old[is_same], new[is_same]


def _named(numbers: NDArray[int64], rows: NDArray[int32]) -> NDArray[int64]:
    named = np.empty((len(rows), 2), int64)
    for number in np.unique(numbers).tolist():
        is_meant = numbers == number
        store = JOINT_CLASSES[number]._columns
        for side, name in enumerate(("entity_a", "entity_b")):
            named[is_meant, side] = store.row_of_block(name)[rows[is_meant]]
    return named


def _is_despawned(entity: int) -> bool:
    """Whether an entity that a joint names was there and is no more."""
    return was_entity(entity) and not esper.entity_exists(entity)


def _unheld_error(listed: _Listed, place: int, side: int) -> ValueError:
    name = JOINT_CLASSES[int(listed.number[place])].__name__
    field, entity = f"{name}.{'entity_b' if side else 'entity_a'}", int(listed.entity[place, side])
    if not esper.entity_exists(entity):
        what = f"entity {entity} does not exist"
    elif listed.number[place] == _GEAR:
        what = f"entity {entity} carries no RevoluteJoint and no PrismaticJoint that holds"
    else:
        what = f"entity {entity} has no Transform, or no body: add a RigidBody, or Solid to what stands"
    return ValueError(f"entity {int(listed.owner[place])}: {field}: {what}")


def _no_rows(count: int) -> JointRows:
    rows = JointRows(
        np.zeros(count, int64),
        np.full((count, END_COLUMNS), -1, int32),
        np.zeros((count, SETTING_COLUMNS)),
        np.zeros((count, START_COLUMNS)),
        np.zeros((count, IMPULSE_COLUMNS)),
        np.zeros((count, TOTAL_COLUMNS)),
    )
    rows.impulses[:, GEAR_SUM] = np.nan
    return rows
