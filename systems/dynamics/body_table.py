"""The bodies of a world: their entities, colliders, masses and materials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.dynamics.rigid_body import Character, RigidBody
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import collect_all
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, rows_of
from ecsphys.engine.dynamics import body_mass
from ecsphys.engine.dynamics.body_following import FOLLOWED, LACKS_VELOCITY, BodyTableRows
from ecsphys.engine.dynamics.body_mass import (
    IS_OFF_CENTER,
    IS_WEIGHTLESS,
    MassEffects,
    MeasuredBodies,
    follow_masses,
    measure_bodies,
)
from ecsphys.engine.dynamics.contacts.materials import ROLLING_RESISTANCE as SURFACE_ROLLING_RESISTANCE
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import DISABLED, DRAG, PARENT, RIGID_BODY, TRANSFORM
from ecsphys.systems.dynamics.body_listing import (
    add_velocities,
    bodies_of_entities,
    carried_states,
    find_off_center,
    follow_changes,
    keep_but_for_rounding,
    list_bodies,
    new_list,
    new_states,
    read_surfaces,
    refuse_weightless,
    rigid_blocks,
    run_of,
    values_of,
)
from ecsphys.systems.motion.hierarchy import carried_velocities, carry_children
from ecsphys.systems.world.entity_table import NO_SLOTS, SlotIndex, Slots, named_parents, united
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# Rows of no body behind the others, and an eighth of them more, where bodies come one by one.
_SPARE_ROWS = 64

_NO_ROW: Slots = np.full(1, -1, int32)
_NO_PAIRS: NDArray[int32] = np.zeros((0, 2), int32)
NO_CARRIED: NDArray[float64] = np.zeros((0, 3))
"""The velocities of bodies that parents carry, where there are none."""
_NO_NUMBER: NDArray[int64] = np.full(1, -1, int64)


class BodyTable:
    """A row for every entity with a ``RigidBody``, every moving ``Solid`` entity and every ``Character`` with a mass,
    by ascending entity.

    Row 0 is the world: all solid entities that do not move and have no body of their own. The rows are numbered again
    if entities are added or removed, or a ``RigidBody`` is written.

    Attributes
    ----------
    listed
        The kind of each body, its rows of components, its mass, and its forces.
    body_of
        For each slot of a collider the row of its body, −1 for hits without response, for example of a sensor.
    materials, locks, may_sleep
        Other data of each body for the solver.
    states
        The sleep of bodies.
    vetoed
        (k, 2) the pairs of slots whose contacts were left out of the last step.
    settled
        (k,) the rows of Transform of the bodies that were stopped on their way and placed there since the last step.
    revision
        Grows with each change of :attr:`listed`.
    """

    def __init__(self, tables: WorldTables, measurement: int = 0) -> None:
        self.tables = tables
        self._lists_at = -1
        self.is_whole = True
        self._body_written = -1
        # The answer of esper and the writes for which the list was found to agree with the tables.
        self._answer: object = None
        self._writes = -1
        self._measured: tuple[int, ...] = ()
        self._measured_at = -1
        self.measurement = measurement
        """Another number for each time that anything may weigh something else."""
        self.is_reshaped = True
        """Whether any collider may have changed since contacts were solved, which sets it back."""
        self._anchors: Slots = NO_SLOTS
        self.revision = 0
        self.is_solved = False
        """Whether bodies have moved in a step whose hits are not found yet: their rows must stay as they are."""
        self.collider_changes = 0
        """Grows where a collider of any body, or of a solid entity, may have come, gone or changed its body."""
        # Colliders that came since the masses were measured, of entities that are no bodies.
        self._unplaced: list[Slots] = []
        self.sleep_changes = 0
        """Grows where any body falls asleep or wakes."""
        self._islands: Slots | None = None
        self._islands_at = -1
        self._any_sleeps = False
        self._characters: ComponentRows = NO_ROWS
        self._masses: NDArray[float64] = np.zeros(0)
        self._parents: NDArray[int64] = np.zeros(0, int64)
        self._walking_rows: Slots = NO_SLOTS
        self._walking_masses: NDArray[float64] = np.zeros(0)
        self.held = SlotIndex()
        """The slots of the entities that stepped motion leaves alone."""
        self.found_rows: dict[int, int] = {}
        """Rows of bodies that ``Bodies`` has found in the list, by entity."""
        self._empty()

    def _empty(self) -> None:
        self.found_rows.clear()
        self.listed = new_list(np.zeros(1, uint8), np.full((DRAG + 1, 1), -1, int32), np.full(1, -1, int32))
        self.states = new_states(1)
        self.rigid_rows: Slots = np.full(1, -1, int32)
        self.numbers = _NO_NUMBER
        self.of_disabled = NO_SLOTS
        """The rows of disabled bodies, which keep their masses."""
        self.row_of: Slots = NO_SLOTS
        """For each slot of an entity the row of its body, −1 for none."""
        self.body_of: Slots = NO_SLOTS
        self.held.put(NO_SLOTS, 0)
        self.others: Slots = NO_SLOTS
        """The slots of entities that are listed for joints, and of characters."""
        self.used, self.last_number = 1, -1
        self.wants_room = False
        """Whether more bodies come than have room."""
        self._has_gaps = False
        # Rows of bodies that must be weighed.
        self._unmeasured: list[Slots] = []
        self.written_rows: list[Slots] = []
        """Rows with other bodies than the solver knows, until it takes them from here."""
        self.of_entity: Slots = NO_SLOTS
        """For each slot of an entity the row of the body that it belongs to, as its own or as a child, −1 for none."""
        self._off_center: Slots | None = NO_SLOTS
        self._off_center_colliders: Slots | None = NO_SLOTS
        self._has_carried = False
        self.vetoed: NDArray[int32] = _NO_PAIRS
        self.settled: NDArray[int64] = np.zeros(0, int64)
        self.values = values_of(self.rigid_rows)
        self._read_surfaces()

    def hold(self, anchors: Slots) -> None:
        """List some moving entities that joints hold, and that are not bodies, as kinematic. Their colliders push
        nothing."""
        if not np.array_equal(anchors, self._anchors):
            self._anchors = anchors
            self._lists_at = -1
            self._answer = None

    def __len__(self) -> int:
        return len(self.listed.kind)

    def is_current(self) -> bool:
        """Whether the list agrees with the last tables."""
        return self._lists_at == self.tables.revision

    def is_as_it_was(self) -> bool:
        """Whether the list was found to agree with the present tables, and nothing was written since."""
        return (
            self.tables.answer is self._answer
            and self.is_current()
            and writes_besides_motion() == self._writes
            and self._are_fields_as_they_were()
        )

    def update(self) -> None:
        """Update the list from the tables. A dynamic body without a ``Velocity`` gets one.

        Raises ValueError for a whole number in a column that no assignment accepts.
        """
        if self.is_as_it_was():
            return
        tables, writes = self.tables, writes_besides_motion()
        self._update()
        # Last: after an interrupt, this is done once more.
        self._answer, self._writes = tables.answer, writes

    def _update(self) -> None:
        tables = self.tables
        has_bodies = bool(tables.entities.instances[RIGID_BODY].count)
        if not has_bodies and self._lists_at == tables.revision:
            return
        written = RigidBody._columns.writes.collect()
        is_as_it_was = self._lists_at == tables.revision and self._body_written == written
        if has_bodies:
            characters = rows_of(Character)
            if is_as_it_was and characters is self._characters and self._are_fields_as_they_were():
                return
            if not self._follow(characters):
                if add_velocities(self, tables.entities.having(RIGID_BODY)):
                    tables.update()
                self._list(characters)
                self.revision += 1
                self.collider_changes += 1
        elif is_as_it_was:
            return
        elif len(self.rigid_rows) > 1 or len(self.held):
            self._empty()
            self.revision += 1
            self.collider_changes += 1
        self._lists_at, self._body_written = tables.revision, written

    def _follow(self, characters: ComponentRows) -> bool:
        """Update the rows of the entities that have changed since the list was made; returns whether that was
        enough."""
        if not self.is_whole or self.is_solved or characters is not self._characters:
            return False
        if not self._are_fields_as_they_were():
            return False
        while True:
            changed = self._changed_slots()
            if changed is None or not changed.size:
                return changed is not None
            result = follow_changes(self, changed)
            if result != LACKS_VELOCITY:
                return result == FOLLOWED
            self.tables.update()

    def _changed_slots(self) -> Slots | None:
        """The slots of the entities that came, went or changed, or whose ``RigidBody`` was written, since the list was
        made; None where it may be any."""
        touched = self.tables.touched_since(self._lists_at)
        writes = RigidBody._columns.writes
        if touched is None or self._body_written == writes.collect():
            return touched
        written = writes.since(self._body_written)
        if written.everything:
            return None
        slots = self.tables.owners_in(RIGID_BODY, written.rows)
        return united((touched, slots[slots >= 0]))

    @property
    def tells_all(self) -> bool:
        """Whether all fields that the list was made of tell when they are written."""
        return not (self._masses.size or self._parents.size)

    def _are_fields_as_they_were(self) -> bool:
        """Whether those fields of other components are that the list was made of: assignments to them are not told."""
        if self._masses.size and not np.array_equal(_masses_of(self._characters), self._masses):
            return False
        return not self._parents.size or np.array_equal(self._parents_now(), self._parents)

    def _parents_now(self) -> NDArray[int64]:
        entities = self.tables.entities
        return named_parents(entities, entities.having(PARENT)) if entities.instances[PARENT].count else _NO_NUMBER[:0]

    def _list(self, characters: ComponentRows) -> None:
        masses, parents = _masses_of(characters), self._parents_now()
        entities = self.tables.entities
        numbers, listing = entities.slots.entity, list_bodies(entities, characters, masses, self._anchors)
        owners, kind, rigid_rows = listing.owners, listing.kind, listing.rigid_rows
        if not self.is_whole:
            # An interrupt has left rows of two lists.
            self._empty()
        self.is_whole = False
        self.measurement += 1
        old, old_row_of, old_rigid, old_states = self.listed, self.row_of, self.rigid_rows, self.states
        old_numbers, old_values = self.numbers, self.values
        # A row without a body is like the world's. Some behind the others are room for the next bodies.
        spare = np.full(_SPARE_ROWS + owners.size // 8 if self.wants_room else 0, -1, int32)
        self.wants_room = False
        listed = new_list(
            np.concatenate((np.full(1, body_mass.STATIC, uint8), kind, np.full(spare.size, body_mass.STATIC, uint8))),
            np.stack([np.concatenate((_NO_ROW, entities.rows_of(line)[owners], spare)) for line in range(DRAG + 1)]),
            np.concatenate((_NO_ROW, owners, spare)),
        )
        self.row_of = np.full(numbers.size, -1, int32)
        self.row_of[owners] = np.arange(1, owners.size + 1)
        self.rigid_rows = np.concatenate((_NO_ROW, rigid_rows, spare))
        self.used = 1 + owners.size
        # A push since the last step stays if it is the same body.
        known = owners[owners < old_row_of.size]
        known = known[old_row_of[known] > 0]
        before, now = old_row_of[known], self.row_of[known]
        self.numbers = np.concatenate((_NO_NUMBER, numbers[owners], spare))
        self.last_number = int(self.numbers[owners.size])
        same = (old_rigid[before] == self.rigid_rows[now]) & (old_numbers[before] == self.numbers[now])
        before, now = before[same], now[same]
        old_rows, new_rows = run_of(before), run_of(now)
        listed.forces[new_rows] = old.forces[old_rows]
        listed.masses[new_rows] = old.masses[old_rows]
        is_as_it_was = old.kind[old_rows] == listed.kind[new_rows]
        is_as_it_was &= (old.rows[:, old_rows] == listed.rows[:, new_rows]).all(axis=0)
        self.values = values_of(self.rigid_rows)
        is_written = np.zeros(self.rigid_rows.size, bool_)
        is_written[new_rows] = (old_values[:, old_rows] != self.values[:, new_rows]).any(axis=0)
        is_as_it_was &= ~is_written[new_rows]
        self.states = carried_states(old_states, before[is_as_it_was], now[is_as_it_was], len(listed.kind))
        # New and written bodies also wake the bodies that lie on them.
        is_kept = np.zeros(self.rigid_rows.size, bool_)
        is_kept[0] = is_kept[new_rows] = True
        is_kept[self.used :] = True
        self.states.is_changed[:] = is_written | ~is_kept
        self.found_rows.clear()
        self.listed = listed
        self.held.put(owners[(rigid_rows >= 0) & (kind != body_mass.KINEMATIC)], numbers.size)
        self.others = np.concatenate((listing.anchors, listing.walking))
        self._has_gaps, self._unmeasured, self.written_rows = spare.size > 0, [], []
        of_entity = self.of_entity = bodies_of_entities(entities, self.row_of, listing.solid, listing.anchors)
        self._leave_out_sensors()
        # A disabled body hits nothing but keeps its mass. A written body is measured again.
        self.of_disabled = NO_SLOTS
        if entities.instances[DISABLED].count:
            weighed = now[(old.masses[before, body_mass.OWN_INVERSE_MASS] > 0.0) & ~is_written[now]]
            self.of_disabled = np.intersect1d(of_entity[entities.having(DISABLED)], weighed)
        self._read_surfaces()
        self._off_center = self._off_center_colliders = None
        self._has_carried = bool((listing.is_carried & (kind == body_mass.KINEMATIC)).any())
        self._walking_rows, self._walking_masses = self.row_of[listing.walking], listing.walking_masses
        self._characters, self._masses, self._parents = characters, masses, parents
        self._measured, self._measured_at = (), -1
        self.is_whole = True

    def compact(self) -> None:
        """Remove all rows without a body, so that equal worlds have equal rows."""
        if self._has_gaps and self.is_current():
            self._list(self._characters)
            self.revision += 1

    def make_room_for_slots(self) -> None:
        """Have room for all slots of entities and of colliders that there are."""
        entities, colliders = self.tables.entities.slots.entity.size, self.tables.colliders.capacity
        self.row_of = _with_room(self.row_of, entities)
        self.of_entity = _with_room(self.of_entity, entities)
        self.body_of = _with_room(self.body_of, colliders)

    def wake_members(self, rows: Slots) -> None:
        """Wake all that sleeps in the islands of some bodies."""
        members = self.members_of(rows)
        if members.size:
            self.states.island[members] = AWAKE
            self.states.slow_for[members] = 0.0
            self.sleep_changes += 1

    @property
    def own_rows(self) -> BodyTableRows:
        """The arrays of this table that follow single changes of bodies, besides :attr:`listed` and :attr:`states`."""
        return BodyTableRows(
            self.row_of,
            self.of_entity,
            self.numbers,
            self.rigid_rows,
            self.values,
            self.materials.surfaces,
            self.materials.dominance,
            self.may_sleep,
            self._own_locks,
            self._rolling_resistance,
        )

    def note_colliders(self, slots: Slots, are_of_bodies: bool) -> None:
        """Note that some entities, and with them their colliders, may belong to other bodies; ``are_of_bodies``: any of
        them belongs or belonged to a body, or to the world."""
        tables = self.tables
        self.collider_changes += are_of_bodies
        for gone in tables.colliders.absences:
            self.body_of[gone] = -1
        colliders = tables.colliders_of(slots)
        if colliders.size:
            self.body_of[colliders] = self.of_entity[tables.colliders.slots.owner[colliders]]
            self._unplaced.append(colliders)

    def note_changed(self, written: Slots, unmeasured: Slots, gone: Slots, of_disabled: Slots) -> None:
        """Note which rows were written, which are to be weighed, which are of no body any more, and which are of
        disabled bodies and keep their masses."""
        if gone.size:
            self._has_gaps = True
            if self.off_center.size and np.isin(gone, self.off_center).any():
                self._off_center = self._off_center_colliders = None
            if self.of_disabled.size:
                self.of_disabled = np.setdiff1d(self.of_disabled, gone)
        if self.of_disabled.size:
            self.of_disabled = np.setdiff1d(self.of_disabled, unmeasured)
        if of_disabled.size:
            self.of_disabled = np.union1d(self.of_disabled, of_disabled)
        if written.size:
            self.written_rows.append(written)
        if unmeasured.size:
            self._unmeasured.append(unmeasured)

    def _leave_out_sensors(self) -> None:
        """Give each collider, except sensors, the body of its entity, as they were placed last."""
        slots = self.tables.colliders.slots
        self._unplaced = []
        counts = (slots.absence == PRESENT) & (slots.sensor == 0)
        self.body_of = np.full(slots.owner.size, -1, int32)
        self.body_of[counts] = self.of_entity[slots.owner[counts]]

    def _leave_out_new_sensors(self) -> None:
        """As :meth:`_leave_out_sensors`, of the colliders that have come since."""
        slots = self.tables.colliders.slots
        for colliders in self._unplaced:
            self.body_of[colliders[slots.sensor[colliders] != 0]] = -1
        self._unplaced = []

    def bodies_of(self, slots: NDArray[int32]) -> NDArray[int32]:
        """The rows of the bodies of some colliders; −1 without a body, and if the body is not known yet."""
        if len(self) < 2 or not slots.size or int(slots.max()) >= self.body_of.size:
            return np.full(slots.shape, -1, int32)
        found: NDArray[int32] = self.body_of[slots]
        return found

    def rows_as_listed(self, owners: Slots) -> Slots:
        """The rows of the bodies of entities, by their slots, in the last list; −1 for none, and for newer entities."""
        rows = np.full(owners.shape, -1, int32)
        known = (owners < self.of_entity.size) & (self.tables.entities.placed_since[owners] <= self._lists_at)
        rows[known] = self.of_entity[owners[known]]
        return rows

    def row_of_owners(self, owners: Slots) -> Slots:
        """The rows of entities that are bodies, by their slots; 0 for other entities."""
        if len(self) < 2 or not owners.size or int(owners.max()) >= self.row_of.size:
            return np.zeros(owners.shape, int32)
        return np.maximum(self.row_of[owners], 0)

    def velocities_of_carried(self, state: PhysicsState) -> NDArray[float64]:
        """The velocities (n, 3) of bodies that a parent carries, NaN for others; no rows without such bodies.

        Carried entities are placed by the present poses of their parents.
        """
        if not self._has_carried:
            return NO_CARRIED
        carry_children(state)
        velocities = np.full((len(self), 3), np.nan)
        is_carried = (self.tables.entities.rows_of(PARENT)[self.listed.owner] >= 0) & (
            self.listed.kind == body_mass.KINEMATIC
        )
        is_carried[0] = False
        rows = np.flatnonzero(is_carried)
        velocities[rows] = carried_velocities(state, self.listed.rows[TRANSFORM, rows])
        return velocities

    def _read_surfaces(self) -> None:
        self.materials, self.may_sleep, self.locks = read_surfaces(self.rigid_rows, self.listed.kind)
        self._own_locks = self.locks
        self._rolling_resistance = self.materials.surfaces[:, SURFACE_ROLLING_RESISTANCE].copy()

    def measure(self, state: PhysicsState) -> None:
        """Update the masses from the present colliders. Children are placed by their parents."""
        as_of = writes_besides_motion()
        are_some = bool(self._unplaced or self._unmeasured)
        if (self._measured_at == as_of and not are_some) or len(self) < 2:
            return
        writes = _writes_now()
        reshaped = self._note_reshaped(writes)
        if reshaped is not None:
            if are_some or self._unplaced:
                state.place()
                self._leave_out_new_sensors()
                unmeasured = [*self._unmeasured, reshaped] if reshaped.size else self._unmeasured
                if unmeasured:
                    self._measure_some(united(unmeasured))
                self._unmeasured = []
            self._measured, self._measured_at = writes, as_of
            return
        self.is_reshaped = True
        self.measurement += 1
        carry_children(state)
        state.place()
        self._leave_out_sensors()
        # In a copy: after an interrupt, all have their old masses.
        masses = self.listed.masses.copy()
        self._weigh(self.tables.colliders.order, np.arange(len(masses), dtype=int32), masses)
        masses[self.of_disabled] = self.listed.masses[self.of_disabled]
        with np.errstate(over="ignore"):
            masses[self._walking_rows, body_mass.OWN_INVERSE_MASS] = 1.0 / self._walking_masses
        self.found_rows.clear()
        self.listed = self.listed._replace(masses=masses, arms=np.full_like(self.listed.arms, np.nan))
        refuse_weightless(masses, self.numbers)
        self._look_at_all_masses()
        self._unmeasured = []
        self._measured, self._measured_at = writes, -1

    def _note_reshaped(self, writes: tuple[int, ...]) -> Slots | None:
        """Note which colliders were written since all were measured; returns the rows of their bodies, None where it
        may be any."""
        if self._measured == writes:
            return NO_SLOTS
        tables = self.tables
        if not self._measured or tables.entities.instances[PARENT].count or self._walking_rows.size:
            return None
        owners = []
        for kind, (cls, read_to) in enumerate(zip(SHAPE_CLASSES, self._measured, strict=True)):
            written = cls._columns.writes.since(read_to)
            if written.everything:
                return None
            if written.rows.size:
                owners.append(tables.owners_of_shapes(kind, written.rows))
        if not owners:
            return NO_SLOTS
        colliders = tables.colliders_of(np.concatenate(owners))
        bodies = self.of_entity[tables.colliders.slots.owner[colliders]]
        if colliders.size:
            self.is_reshaped = True
            self.measurement += 1
            # Any may have become a sensor, or be one no more.
            self.body_of[colliders] = bodies
            self._unplaced.append(colliders)
        return np.setdiff1d(bodies[bodies > 0], self.of_disabled)

    def _measure_some(self, rows: Slots) -> None:
        """Weigh the bodies in some rows (k,), each once."""
        self.is_reshaped = True
        self.measurement += 1
        listed = self.listed
        order = self.tables.colliders_of(listed.owner[rows])
        was_off_center = self.off_center.size > 0 and bool(np.isin(rows, self.off_center).any())
        self._weigh(order, rows, listed.masses)
        listed.arms[rows] = np.nan
        result = self._look_at_masses(order, rows)
        if result == IS_WEIGHTLESS:
            refuse_weightless(listed.masses[rows], self.numbers[rows])
        if was_off_center or result == IS_OFF_CENTER:
            self._off_center = None

    def _weigh(self, order: Slots, rows: Slots, masses: NDArray[float64]) -> None:
        """Write the masses of the bodies in some rows, which have the colliders in these slots."""
        colliders, listed = self.tables.colliders, self.listed
        before = masses[rows]
        measure_bodies(
            order,
            colliders.slots.kind,
            self.body_of,
            colliders.shapes,
            MeasuredBodies(listed.kind, listed.rows, self.rigid_rows),
            rigid_blocks(),
            rows,
            masses,
        )
        keep_but_for_rounding(masses, rows, before, listed.rows[TRANSFORM, rows])

    @property
    def is_measured(self) -> bool:
        """Whether all are measured with the present colliders."""
        return self._measured == _writes_now() and not self._unmeasured

    def put_measures(self, masses: NDArray[float64], of_disabled: Slots, is_measured: bool) -> None:
        """Put back the masses of an earlier moment, with the same bodies in the same rows, and whether they still
        hold."""
        self.measurement += 1
        self.listed.masses[:] = masses
        self._unmeasured = []
        self.listed.arms[:] = np.nan
        self.of_disabled = of_disabled
        self._leave_out_sensors()
        self._look_at_all_masses()
        self._measured, self._measured_at = _writes_now() if is_measured else (), -1

    def _look_at_all_masses(self) -> None:
        """Update everything that depends on the masses and on the colliders of each body."""
        self._look_at_masses(self.tables.colliders.order, np.arange(len(self), dtype=int32))
        self._off_center = None

    def _look_at_masses(self, order: Slots, rows: Slots) -> int:
        """Update what depends on the masses of the bodies in some rows, and on their colliders, which are in these
        slots. Returns what :func:`follow_masses` does."""
        # In a copy: the bodies' own locks stay, and so do the solver's.
        locks = self.locks.copy()
        effects = MassEffects(self._rolling_resistance, self._own_locks, self.materials.surfaces, locks)
        kinds, listed = self.tables.colliders.slots.kind, self.listed
        result = follow_masses(order, kinds, self.body_of, rows, listed.kind, listed.masses, effects)
        self.locks = locks
        self._off_center_colliders = None
        return result

    @property
    def off_center(self) -> Slots:
        """The rows of the dynamic bodies whose centers of mass are not at their positions."""
        if self._off_center is None:
            self._off_center = find_off_center(self.listed.masses)
        return self._off_center

    @property
    def off_center_colliders(self) -> Slots:
        """For each slot of a collider the row of its body, if the body is dynamic and does not turn about the
        collider's position, otherwise −1; empty without such colliders. The list must be current. A new array after
        each change of masses."""
        if self._off_center_colliders is None:
            self._off_center_colliders = self._find_off_center_colliders()
        return self._off_center_colliders

    def _find_off_center_colliders(self) -> Slots:
        if not self.off_center.size and not self.tables.entities.instances[PARENT].count:
            return NO_SLOTS
        slots, bodies = self.tables.colliders.slots, self.of_entity
        is_off = np.zeros(len(self), bool_)
        is_off[self.off_center] = True
        # A child's collider turns about the center of its parent.
        turns_elsewhere = (bodies > 0) & ((bodies != self.row_of) | is_off[bodies])
        turns_elsewhere &= self.listed.kind[bodies] == body_mass.DYNAMIC
        if not turns_elsewhere.any():
            return NO_SLOTS
        of_collider = np.where(turns_elsewhere, bodies, int32(-1))[slots.owner]
        found: Slots = np.where(slots.absence == PRESENT, of_collider, int32(-1))
        return found

    def wake_all(self) -> None:
        """Wake all bodies."""
        if self.any_sleeps:
            self.states.slow_for[self.states.island != AWAKE] = 0.0
            self.states.island[:] = AWAKE
            self.sleep_changes += 1

    @property
    def all_sleep(self) -> bool:
        """Whether no dynamic body is awake."""
        return not ((self.states.island == AWAKE) & (self.listed.kind == body_mass.DYNAMIC)).any()

    @property
    def any_sleeps(self) -> bool:
        """Whether any body may sleep; computed only after changes."""
        island = self.states.island
        if island is not self._islands or self._islands_at != self.sleep_changes:
            self._any_sleeps = bool((island != AWAKE).any())
            self._islands, self._islands_at = island, self.sleep_changes
        return self._any_sleeps

    def members_of(self, rows: Slots) -> Slots:
        """The rows of all bodies that sleep in the island of any of these bodies."""
        island = self.states.island
        own = island[rows]
        own = own[own != AWAKE]
        return np.flatnonzero(np.isin(island, own)).astype(int32) if own.size else NO_SLOTS


def writes_besides_motion() -> int:
    """The number of entries in the logs of all classes except Transform."""
    return collect_all() - Transform._columns.writes.revision


def _writes_now() -> tuple[int, ...]:
    """The revisions of the logs of all collider classes."""
    collect_all()
    return tuple([cls._columns.writes.revision for cls in SHAPE_CLASSES])


def _masses_of(characters: ComponentRows) -> NDArray[float64]:
    """The ``mass`` of each character, 0 for none."""
    masses: NDArray[float64] = Character._columns.row_of_block("mass")[characters.row]
    return masses


def _with_room(rows: Slots, count: int) -> Slots:
    """The rows of at least so many slots; −1 for slots that had none."""
    missing = count - rows.size
    return rows if missing <= 0 else np.concatenate((rows, np.full(missing, -1, int32)))
