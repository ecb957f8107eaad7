"""The joints of a world: their list, their ends, their loads, and their event "joint_broken"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from weakref import finalize

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.joints import JOINT_CLASSES, LOAD_COLUMNS, GearJoint, Joint, load_of, loads_of_class
from ecsphys.components.store.column_store import ColumnStore
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, has_none_of, rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.dynamics.followed_writes import JointFields, follow_joints
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_rows import JointRows
from ecsphys.engine.dynamics.joints.jointed_step import hand_out_loads
from ecsphys.engine.kernels import zeros_of
from ecsphys.engine.math.elementary import lengths_of
from ecsphys.engine.run.plan import StepPlan
from ecsphys.engine.tables.entity_rows import PARENT
from ecsphys.systems.dynamics.joints import listed_joints
from ecsphys.systems.dynamics.joints.joined_pairs import JoinedPairs
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import Refusals, entity_counter, handler_calls, has_entity, is_counter

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.world.world_tables import WorldTables


BreakReason = Literal["force", "torque", "despawned", "removed"]

EVENT = "joint_broken"

_NO_CALLS: Iterator[object] = iter(())


class JointBreak(NamedTuple):
    """A joint that was removed, as a handler of "joint_broken" receives it.

    Attributes
    ----------
    entity
        The entity that had the joint.
    joint
        The component, which no entity has any more.
    entity_a, entity_b
        The two entities that it held.
    reason
        "force" or "torque": its load exceeded ``break_force`` or ``break_torque``. "despawned": one of the two was
        deleted. "removed": one of them lost its Transform or its RigidBody, or a joint of a gear.
    force, torque
        Its last load: force (x, y) on ``entity_b``, and torque.
    """

    entity: int
    joint: Joint
    entity_a: int
    entity_b: int
    reason: BreakReason
    force: tuple[float, float]
    torque: float


class JointBreaks:
    """The breaks whose events were not sent yet."""

    def __init__(self) -> None:
        self.pending: list[JointBreak] = []
        self._calls = _NO_CALLS

    def note(self, found: JointBreak) -> None:
        """Add a break, unless the same joint is in the list already."""
        if not any(one.joint is found.joint for one in self.pending):
            self.pending.append(found)

    def deliver(self, errors: list[BaseException]) -> None:
        """Call the handlers. Their errors are added to ``errors``; all other handlers are still called.

        After an interrupt, the next call continues. After a handler has cleared the database, no other is called.
        """
        world, counter, refusals = esper.current_world, entity_counter(), Refusals()
        while True:
            try:
                for _ in self._calls:
                    if not is_counter(counter):
                        break
            except BaseException as error:
                if reported := refusals.of_handlers(error, EVENT):
                    errors.append(reported)
                if esper.current_world == world and is_counter(counter):
                    continue
            if esper.current_world != world:
                errors.append(
                    RuntimeError(
                        f"a {EVENT} handler switched to the world {esper.current_world!r}: switch between steps instead"
                    )
                )
                esper.switch_world(world)
                if is_counter(counter):
                    continue
            if not is_counter(counter):
                self._calls = _NO_CALLS
                self.pending.clear()
            if not self.pending:
                return
            found = self.pending[0]
            # No call comes between these, so no break is sent twice.
            self._calls = handler_calls(EVENT, (found,))
            del self.pending[0]


_NONE_FOUND: Final[tuple[ComponentRows, ...]] = (NO_ROWS,) * len(JOINT_CLASSES)

_BODIES: Final = [row.BODY_A, row.BODY_B]
_BREAKS: Final = [row.BREAK_FORCE, row.BREAK_TORQUE]

MOST_FOLLOWED: Final = 64
"""So many written joints of a class are followed at most."""


class JointTable:
    """A row for every joint of a world, by the entities that have them, gears last.

    The ends of a joint are looked up again if entities or bodies are added or removed, and its fields if they are
    written. Its impulses stay with the component's instance while an entity has it.

    Attributes
    ----------
    rows
        The joints for the solver.
    pairs
        The colliders that do not collide, because joints hold their bodies.
    breaks
        Removed joints whose events were not sent yet.
    """

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables, self._bodies = tables, bodies
        self._listed = listed_joints.NO_JOINTS
        self._by_class: dict[type[Joint], listed_joints.JointsOfClass] = {}
        self._found = _NONE_FOUND
        self._read_to: dict[type[Joint], int] = {}
        self._answer: object = None
        self._ends_at: tuple[int, int] = (-1, -1)
        self._slot: Slots = np.zeros((0, 2), int32)
        self._end_slots: frozenset[int] = frozenset()
        # Which ends had a RigidBody at the last look: a joint goes with it.
        self._was_body: NDArray[bool_] = np.zeros((0, 2), bool_)
        self.may_break = False
        """Whether any joint breaks if it is overloaded."""
        # For each class of the list.
        self._fields: Callable[[], list[JointFields]] = list
        self._rows_written: NDArray[int64] = np.zeros(MOST_FOLLOWED, int64)
        self.rows = _no_rows(0)
        self.pairs = JoinedPairs(tables)
        self.breaks = JointBreaks()
        # The loads end with this table: other joints may get the rows.
        self._carrying = [listed_joints.NO_JOINTS]
        finalize(self, _forget_loads, self._carrying).atexit = False

    def __len__(self) -> int:
        return len(self._listed.owner)

    def update(self) -> None:
        """Update the list from the world. The tables and the list of bodies must be up to date.

        Joints whose ends were deleted are removed from their entities, and noted as breaks. Raises ValueError, naming
        entity and field, for a bad joint. Nothing has changed then.
        """
        if self._tables.answer is self._answer and not self._listed.instances:
            return
        while self._update():
            # Components were removed, or something else is held.
            self._tables.update()
            self._bodies.update()

    def refuse_new(self) -> None:
        """Raise the ValueError of :meth:`update`, if any; nothing changes."""
        listed = listed_joints.list_joints(tuple(map(rows_of, JOINT_CLASSES)))
        _, now = listed_joints.same_joints(self._listed, listed)
        listed_joints.find_ends(listed, listed.without(now), self._tables, self._bodies)

    def _update(self) -> bool:
        """Update the list once; returns whether components were removed, or something else is held."""
        tables = self._tables
        if not self._listed.instances and has_none_of(JOINT_CLASSES):
            self._found, self._answer = _NONE_FOUND, tables.answer
            return False
        found = self._found if tables.answer is self._answer else tuple(map(rows_of, JOINT_CLASSES))
        written = self._written()
        is_listed_anew = found is not self._found and not all(map(is_, found, self._found))
        if not is_listed_anew and written.size:
            named = listed_joints.entities_named(self._listed.number[written], self._listed.row[written])
            is_listed_anew = not np.array_equal(named, self._listed.entity[written])
        at, ends = (tables.revision, self._bodies.revision), None
        if is_listed_anew:
            listed = listed_joints.list_joints(found)
            before, now = listed_joints.same_joints(self._listed, listed)
            ends = listed_joints.find_ends(listed, listed.without(now), tables, self._bodies)
            self._take_leave(self._listed.without(before))
            self._build(listed, ends, before, now)
            self._found = found
        else:
            if written.size:
                self._read(written)
            if at != self._ends_at and not self._are_ends_untouched():
                ends = listed_joints.find_ends(self._listed, listed_joints.NO_PLACES, tables, self._bodies)
        if ends is not None:
            self._set_ends(ends)
        if written.size and not is_listed_anew:
            # By the rows that bodies have now.
            self._wake(self.rows.ends[written][:, _BODIES])
        if ends is not None:
            gone = np.flatnonzero((~ends.is_held | (self._was_body & ~ends.is_body)).any(axis=1))
            if gone.size:
                self._detach(gone)
                return True
            self._was_body = ends.is_body
            # From now on, the bodies list moving ends that are not bodies.
            self._bodies.hold(np.unique(ends.slot[ends.moves]).astype(int32))
            if self._bodies.revision != at[1] or not self._bodies.is_current():
                return True
        self._ends_at = at
        self._answer = tables.answer
        return False

    def _are_ends_untouched(self) -> bool:
        """Whether no structural change since the last look has touched an end of any joint, or a body."""
        tables, (revision, of_bodies) = self._tables, self._ends_at
        if of_bodies != self._bodies.revision or tables.entities.instances[PARENT].count:
            return False
        touched = tables.touched_since(revision)
        return touched is not None and self._end_slots.isdisjoint(touched.tolist())

    def forget_bodies(self) -> None:
        """Accept all ends that joints can hold, even if they had a ``RigidBody`` before: the world is another one."""
        self._was_body[:] = False

    @property
    def loads(self) -> NDArray[float64]:
        """The load of each joint in the last step, (n, LOAD_COLUMNS)."""
        found = np.zeros((len(self), LOAD_COLUMNS))
        for one in self._by_class.values():
            found[one.at_places] = loads_of_class(one.cls)[one.at_rows]
        return found

    @loads.setter
    def loads(self, loads: NDArray[float64]) -> None:
        for one in self._by_class.values():
            loads_of_class(one.cls)[one.at_rows] = loads[one.at_places]

    def follow_plain_writes(self) -> int:
        """Follow writes of the game to fields that decide nothing else, such as a target or a motor's speed.

        Returns how many entries of logs this was; −1, and has changed nothing, if it may have written anything else, or
        a joint whose values are not known or whose bodies sleep, or where bodies have other rows than the ends tell.
        """
        entries, found = 0, []
        is_current = self._bodies.revision == self._ends_at[1]
        for number, (cls, read_to) in enumerate(self._read_to.items()):
            log = cls._columns.writes
            count = log.collect() - read_to
            if count:
                writes = log.since(read_to)
                if not is_current or writes.everything or writes.rows.size > MOST_FOLLOWED:
                    return -1
                entries += count
                if not follow_joints(*self._following(number, writes.rows, writes.rows.size, False)):
                    return -1
                found.append((number, writes.rows))
        for number, rows in found:
            follow_joints(*self._following(number, rows, rows.size, True))
        if entries:
            self.note_read()
        return entries

    def _following(self, number: int, rows: NDArray[int64], count: int, follows: bool) -> tuple[Any, ...]:
        """The arguments of ``follow_joints``."""
        states = self._bodies.states
        return (
            self._fields()[number],
            rows,
            count,
            self.rows.settings,
            self.rows.ends,
            states.slow_for,
            states.island,
            follows,
        )

    def plan_following(self, plan: StepPlan) -> list[int]:
        """Write to a plan how it follows writes of the game; returns the places of the classes' flags."""
        for number in range(len(self._by_class)):
            plan.record(follow_joints, self._following(number, self._rows_written, -1, False), number)
        return [store.place for store in self.stores]

    @property
    def stores(self) -> list[ColumnStore]:
        """The columns of the classes of the list."""
        return [cls._columns for cls in self._by_class]

    def _written(self) -> NDArray[int64]:
        """The places of the joints that were written since the last look, and not followed."""
        if not self._listed.instances or self.follow_plain_writes() >= 0:
            return listed_joints.NO_PLACES
        places = []
        for cls, one in self._by_class.items():
            log, read_to = cls._columns.writes, self._read_to[cls]
            if log.collect() == read_to:
                continue
            writes = log.since(read_to)
            if writes.everything:
                listed_joints.refuse_bad_values_of(self._listed, one.places)
                places.append(one.places)
                continue
            written = one.places_of(writes.rows)
            # Each value was checked when it was assigned.
            listed_joints.refuse_bad_settings(cls, self._listed.owner[written], self._listed.row[written])
            places.append(written)
        return np.concatenate(places) if places else listed_joints.NO_PLACES

    def note_read(self) -> None:
        """Note that all that is in the logs was read, or followed."""
        self._read_to = {cls: cls._columns.writes.revision for cls in self._by_class}

    def _take_leave(self, lost: NDArray[int64]) -> None:
        """Wake the bodies of joints that the game has removed from their entities."""
        if not lost.size:
            return
        for cls, _, own in self._listed.by_class(lost):
            loads_of_class(cls)[own] = 0.0
        bodies = listed_joints.bodies_of(self._slot[lost].ravel(), self._tables, self._bodies)
        self._wake(bodies[bodies >= 0])

    def _note(self, place: int, reason: BreakReason) -> None:
        listed = self._listed
        owner, joint, (a, b) = int(listed.owner[place]), listed.instances[place], listed.entity[place].tolist()
        if owner in dead_entities():
            # The game has deleted the joint itself.
            return
        x, y, torque = load_of(joint)
        self.breaks.note(JointBreak(owner, joint, a, b, reason, (x, y), torque))

    def _detach(self, places: NDArray[int64]) -> None:
        """Remove joints that hold nothing any more from their entities."""
        listed = self._listed
        for place in places.tolist():
            named = listed.entity[place].tolist()
            is_gone = any(map(listed_joints.is_despawned, named))
            self._note(place, "despawned" if is_gone else "removed")
        self._remove(places)

    def _remove(self, places: NDArray[int64]) -> None:
        listed = self._listed
        for place in places.tolist():
            if self._is_attached(place):
                owner = int(listed.owner[place])
                # One call: an interrupt between two would leave an entity without components.
                if len(esper.components_for_entity(owner)) == 1 and owner not in dead_entities():
                    esper.delete_entity(owner, immediate=True)
                else:
                    esper.remove_component(owner, type(listed.instances[place]))

    def _is_attached(self, place: int) -> bool:
        """Whether a joint of the list is on its entity still."""
        owner, joint = int(self._listed.owner[place]), self._listed.instances[place]
        return has_entity(owner) and esper.try_component(owner, type(joint)) is joint

    def _build(
        self,
        listed: listed_joints.ListedJoints,
        ends: listed_joints.JointEnds,
        before: NDArray[int64],
        now: NDArray[int64],
    ) -> None:
        """Make the rows of a new list. Joints that stay keep their impulses."""
        count, old = len(listed.owner), self.rows
        rows, was_body, fresh = _no_rows(count), np.zeros((count, 2), bool_), listed.without(now)
        rows.starts[now] = old.starts[before]
        rows.impulses[now] = old.impulses[before]
        rows.totals[now] = old.totals[before]
        rows.ends[:] = ends.table
        was_body[now] = self._was_body[before]
        by_class = listed_joints.joints_of_classes(listed)
        self._carrying[:] = [listed]
        # One call, so no interrupt parts the list from the arrays in its order.
        vars(self).update(
            _listed=listed,
            _by_class=by_class,
            _read_to=dict.fromkeys(by_class, 0),
            _fields=while_blocks_stand(lambda: [one.fields() for one in by_class.values()]),
            rows=rows,
            _was_body=was_body,
            _slot=ends.slot,
        )
        self._read(np.arange(count))
        for cls, _, own in listed.by_class(fresh):
            loads_of_class(cls)[own] = 0.0
        self._wake(rows.ends[fresh][:, _BODIES])

    def _read(self, places: NDArray[int64]) -> None:
        """Read the fields of joints."""
        rows = self.rows
        for cls, of_class, own in self._listed.by_class(places):
            rows.kinds[of_class], rows.settings[of_class] = listed_joints.read_joints(cls, own)
            one, (floats, wholes, flags) = self._by_class[cls], listed_joints.blocks_of(cls)
            if (one.last[1][:, own] != wholes[:, own]).any():
                self._find_pairs()
            for last, now in zip(one.last, (floats, wholes, flags), strict=True):
                last[:, own] = now[:, own]
        self.may_break = bool((rows.settings[:, _BREAKS] < np.inf).any())
        self.note_read()

    def _set_ends(self, ends: listed_joints.JointEnds) -> None:
        # First: where this is cut short, all ends are found again.
        self._ends_at = (-1, -1)
        self._slot = ends.slot
        self._end_slots = frozenset(ends.slot.ravel().tolist())
        self.rows.ends[:] = ends.table
        pairs = ends.table[:, _BODIES]
        # The bodies of a gear are moved by its two joints.
        joined = np.ascontiguousarray(pairs[(pairs > 0).all(axis=1) & (pairs[:, 0] != pairs[:, 1])])
        bodies = self._bodies
        bodies.states = bodies.states._replace(joined=joined)
        self._find_pairs()

    def _find_pairs(self) -> None:
        """Find the bodies that do not collide, because joints hold them."""
        is_apart: NDArray[bool_] = (self._slot[:, 0] >= 0) & (self._slot[:, 1] >= 0)
        for cls, one in self._by_class.items():
            is_apart[one.at_places] &= (
                cls is not GearJoint and cls._columns.row_of_block("collide_connected")[one.at_rows] == 0
            )
        self.pairs.keep_apart(self._slot[is_apart])

    def _wake(self, bodies: NDArray[int32]) -> None:
        """Wake bodies, by their rows, and all bodies that sleep with them."""
        if (bodies > 0).any():
            self._bodies.wake(np.unique(bodies[bodies > 0]))

    def hand_out_loads(self, dt: float) -> None:
        """Write the loads of a step of ``dt`` seconds to the components."""
        for arguments in self.handings(dt):
            hand_out_loads(*arguments)

    def handings(self, dt: float) -> list[tuple[Any, ...]]:
        """The arguments of ``hand_out_loads`` for each class."""
        return [(self.rows.totals, dt, one.places, one.row, loads_of_class(one.cls)) for one in self._by_class.values()]

    def break_overloaded(self, dt: float) -> bool:
        """Break the joints that were overloaded in a step of ``dt`` seconds; returns whether any broke."""
        if not self.may_break:
            return False
        loads = self.rows.totals / dt
        most = self.rows.settings
        breaks_by_force = lengths_of(loads[:, 0], loads[:, 1]) > most[:, row.BREAK_FORCE]
        breaks = breaks_by_force | (np.abs(loads[:, 2]) > most[:, row.BREAK_TORQUE])
        if breaks.any():
            places = np.flatnonzero(breaks)
            for place in places.tolist():
                self._note(place, "force" if breaks_by_force[place] else "torque")
            self._remove(places)
        return bool(breaks.any())


def _forget_loads(carrying: list[listed_joints.ListedJoints]) -> None:
    """Clear the loads of the joints of an old table."""
    for listed in carrying:
        for cls, _, own in listed.by_class(np.arange(len(listed.owner))):
            loads_of_class(cls)[own] = 0.0


def _no_rows(count: int) -> JointRows:
    numbers = [(count, columns) for columns in (row.START_COLUMNS, row.IMPULSE_COLUMNS, row.TOTAL_COLUMNS)]
    rows = zeros_of(JointRows, count, (count, row.END_COLUMNS), (count, row.SETTING_COLUMNS), *numbers)
    rows.ends[:] = -1
    rows.impulses[:, row.GEAR_SUM] = np.nan
    return rows
