"""The masses of the bodies of a world: they are weighed again when colliders or materials change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import collect_all
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import body_following as following
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM
from ecsphys.systems.motion.motion import carry_children
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots, united

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.physics_state import PhysicsState

# Measured twice, bodies differ by less than this part of their size, and by so many roundings of their positions.
_SAME: Final = 1e-9
_EPSILONS: Final = 16.0 * float(np.finfo(float64).eps)


class BodyMasses:
    """Weighs the bodies of a table, and updates everything that depends on their masses and colliders.

    Attributes
    ----------
    measurement
        Another number for each time that anything may weigh something else.
    is_reshaped
        Whether any collider may have changed since contacts were solved, which sets it back.
    of_disabled
        The rows of disabled bodies, which keep their masses.
    locks
        The locked axes of each body, for the solver.
    """

    def __init__(self, table: BodyTable, measurement: int) -> None:
        self._table = table
        self.measurement = measurement
        self.is_reshaped = True

    def begin(self, of_disabled: Slots, walking: Slots, walking_masses: NDArray[float64]) -> None:
        """The table has other rows: all bodies must be weighed. ``walking``: the rows of characters with a mass."""
        self.measurement += 1
        self.of_disabled = of_disabled
        self._walking, self._walking_masses = walking, walking_masses
        self.locks: NDArray[uint8] = self._table.own.locks
        # The revisions of the colliders' logs, and the number of writes, at the last measurement.
        self._measured: tuple[int, ...] = ()
        self._measured_at = -1
        # Rows of bodies that must be weighed; and colliders that came since.
        self._unmeasured: list[Slots] = []
        self._unplaced: list[Slots] = []
        self._off_center: Slots | None = None
        self._off_center_colliders: Slots | None = None

    def note_colliders(self, colliders: Slots) -> None:
        """Note that the entities of some colliders may belong to other bodies."""
        if colliders.size:
            table = self._table
            table.body_of[colliders] = table.own.of_entity[table.tables.colliders.slots.owner[colliders]]
            self._unplaced.append(colliders)

    def note_changed(self, unmeasured: Slots, gone: Slots, rested: Slots) -> None:
        """Note which rows must be weighed, which are of no body any more, and which are of disabled bodies and keep
        their masses."""
        if gone.size and self.off_center.size and np.isin(gone, self.off_center).any():
            self._off_center = self._off_center_colliders = None
        if self.of_disabled.size:
            self.of_disabled = np.setdiff1d(self.of_disabled, np.concatenate((gone, unmeasured)))
        if rested.size:
            self.of_disabled = np.union1d(self.of_disabled, rested)
        if unmeasured.size:
            self._unmeasured.append(unmeasured)

    def leave_out_sensors(self) -> None:
        """Give each collider, except sensors, the body of its entity, as they were placed last."""
        table, slots = self._table, self._table.tables.colliders.slots
        counts = (slots.absence == PRESENT) & (slots.sensor == 0)
        body_of = np.full(slots.owner.size, -1, int32)
        body_of[counts] = table.own.of_entity[slots.owner[counts]]
        table.body_of, self._unplaced = body_of, []

    def measure(self, state: PhysicsState) -> None:
        """Update the masses from the present colliders. Children are placed by their parents."""
        table, as_of = self._table, writes_besides_motion()
        if len(table) < 2 or (self._measured_at == as_of and not self._unplaced and not self._unmeasured):
            return
        writes = _writes_now()
        rows = self._rows_to_measure(writes)
        if rows is None:
            carry_children(state)
            state.place()
            self._measure_all()
        elif self._unplaced or self._unmeasured:
            state.place()
            slots = table.tables.colliders.slots
            for colliders in self._unplaced:
                table.body_of[colliders[slots.sensor[colliders] != 0]] = -1
            self._unplaced = []
            rows = united([*self._unmeasured, rows])
            if rows.size:
                self._measure_some(rows)
            self._unmeasured = []
        self._measured, self._measured_at = writes, as_of

    def _rows_to_measure(self, writes: tuple[int, ...]) -> Slots | None:
        """The rows of the bodies whose colliders were written since all were measured; None if it may be any."""
        table, tables = self._table, self._table.tables
        if self._measured == writes:
            return NO_SLOTS
        if not self._measured or tables.entities.instances[PARENT].count or self._walking.size:
            return None
        owners = []
        for kind, (cls, read_to) in enumerate(zip(SHAPE_CLASSES, self._measured, strict=True)):
            written = cls._columns.writes.since(read_to)
            if written.everything:
                return None
            if written.rows.size:
                owners.append(tables.owners_of_shapes(kind, written.rows))
        colliders = tables.colliders_of(np.concatenate(owners)) if owners else NO_SLOTS
        if not colliders.size:
            return NO_SLOTS
        self.is_reshaped = True
        self.measurement += 1
        # Any may have become a sensor, or be one no more.
        self.note_colliders(colliders)
        bodies = table.body_of[colliders]
        return np.setdiff1d(bodies[bodies > 0], self.of_disabled)

    def _measure_all(self) -> None:
        table, listed = self._table, self._table.listed
        self.is_reshaped = True
        self.measurement += 1
        self.leave_out_sensors()
        # In a copy: after an interrupt, all have their old masses.
        masses = listed.masses.copy()
        self._weigh(table.tables.colliders.order, np.arange(len(masses), dtype=int32), masses)
        masses[self.of_disabled] = listed.masses[self.of_disabled]
        with np.errstate(over="ignore"):
            masses[self._walking, body.OWN_INVERSE_MASS] = 1.0 / self._walking_masses
        table.found_rows.clear()
        table.listed = listed._replace(masses=masses, arms=np.full_like(listed.arms, np.nan))
        _refuse_weightless(masses, table.own.numbers)
        self._follow_all_masses()
        self._unmeasured = []

    def _measure_some(self, rows: Slots) -> None:
        """Weigh the bodies in some rows (k,), each once."""
        table, listed = self._table, self._table.listed
        self.is_reshaped = True
        self.measurement += 1
        order = table.tables.colliders_of(listed.owner[rows])
        was_off_center = self.off_center.size > 0 and bool(np.isin(rows, self.off_center).any())
        self._weigh(order, rows, listed.masses)
        listed.arms[rows] = np.nan
        result = self._follow_masses(order, rows)
        if result == following.IS_WEIGHTLESS:
            _refuse_weightless(listed.masses[rows], table.own.numbers[rows])
        if was_off_center or result == following.IS_OFF_CENTER:
            self._off_center = None

    def _weighed(self) -> following.WeighedBodies:
        """The bodies as they are listed now, and their colliders."""
        table, colliders = self._table, self._table.tables.colliders
        kinds = colliders.slots.kind
        return following.WeighedBodies(table.listed, table.own, rigid_blocks(), kinds, table.body_of, colliders.shapes)

    def _weigh(self, order: Slots, rows: Slots, masses: NDArray[float64]) -> None:
        """Write the masses of the bodies in some rows, which have the colliders in these slots.

        Colliders are measured as they are placed: the numbers of a body that has turned differ by rounding. They stay
        as they were then: a step must not depend on how often bodies were measured.
        """
        listed, before = self._table.listed, masses[rows]
        following.measure_bodies(order, rows, self._weighed(), masses)
        if not before.any():
            return
        x, y = Transform._columns.float64[:2, listed.rows[TRANSFORM, rows]]
        size = before[:, body.FARTHEST]
        blur = _SAME * size + _EPSILONS * (np.abs(x) + np.abs(y))
        part = np.divide(blur, size, out=np.zeros_like(size), where=size > 0.0)
        bounds = np.repeat(blur[:, None], body.MASS_COLUMNS, axis=1)
        bounds[:, : body.LOCAL_X] = before[:, : body.LOCAL_X] * part[:, None]
        now = masses[rows]
        with np.errstate(invalid="ignore"):
            masses[rows] = np.where(np.abs(now - before) <= bounds, before, now)

    @property
    def is_measured(self) -> bool:
        """Whether all are measured with the present colliders."""
        return self._measured == _writes_now() and not self._unmeasured

    def put(self, masses: NDArray[float64], of_disabled: Slots, is_measured: bool) -> None:
        """Put back the masses of an earlier moment, with the same bodies in the same rows, and whether they still
        hold."""
        listed = self._table.listed
        self.measurement += 1
        listed.masses[:] = masses
        self._unmeasured = []
        listed.arms[:] = np.nan
        self.of_disabled = of_disabled
        self.leave_out_sensors()
        self._follow_all_masses()
        self._measured, self._measured_at = _writes_now() if is_measured else (), -1

    def _follow_all_masses(self) -> None:
        """Update everything that depends on the masses and on the colliders of each body."""
        self._follow_masses(self._table.tables.colliders.order, np.arange(len(self._table), dtype=int32))
        self._off_center = None

    def _follow_masses(self, order: Slots, rows: Slots) -> int:
        """Update what depends on the masses of the bodies in some rows, and on their colliders, which are in these
        slots. Returns what :func:`follow_masses` does."""
        # In a copy: the bodies' own locks stay, and so do the solver's.
        locks = self.locks.copy()
        result = following.follow_masses(order, rows, self._weighed(), self._table.listed.masses, locks)
        self.locks = locks
        self._off_center_colliders = None
        return result

    @property
    def off_center(self) -> Slots:
        """The rows of the dynamic bodies whose centers of mass are not at their positions."""
        if self._off_center is None:
            masses = self._table.listed.masses
            apart = np.abs(masses[:, body.LOCAL_X]) + np.abs(masses[:, body.LOCAL_Y])
            self._off_center = np.flatnonzero(apart > following.ROUNDING * masses[:, body.FARTHEST]).astype(int32)
        return self._off_center

    @property
    def off_center_colliders(self) -> Slots:
        """For each slot of a collider the row of its body, if the body is dynamic and does not turn about the
        collider's position, otherwise −1; empty without such colliders. The list must be current. A new array after
        each change of masses."""
        found = self._off_center_colliders
        if found is not None:
            return found
        table, tables, found = self._table, self._table.tables, NO_SLOTS
        if self.off_center.size or tables.entities.instances[PARENT].count:
            slots, bodies = tables.colliders.slots, table.own.of_entity
            is_off = np.zeros(len(table), bool_)
            is_off[self.off_center] = True
            # A child's collider turns about the center of its parent.
            turns_elsewhere = (bodies > 0) & ((bodies != table.own.row_of) | is_off[bodies])
            turns_elsewhere &= table.listed.kind[bodies] == body.DYNAMIC
            if turns_elsewhere.any():
                of_collider = np.where(turns_elsewhere, bodies, int32(-1))[slots.owner]
                found = np.where(slots.absence == PRESENT, of_collider, int32(-1))
        self._off_center_colliders = found
        return found


@while_blocks_stand
def rigid_blocks() -> following.RigidBlocks:
    """The blocks of ``RigidBody`` and ``Transform``; valid until the next of these components is created."""
    return following.RigidBlocks(RigidBody._columns.float64, RigidBody._columns.int64, Transform._columns.float64)


def writes_besides_motion() -> int:
    """The number of entries in the logs of all classes except Transform."""
    return collect_all() - Transform._columns.writes.revision


def _writes_now() -> tuple[int, ...]:
    """The revisions of the logs of all collider classes."""
    collect_all()
    return tuple([cls._columns.writes.revision for cls in SHAPE_CLASSES])


def _refuse_weightless(masses: NDArray[float64], numbers: NDArray[int64]) -> None:
    """ValueError naming the first body, by its entity, so light that an impulse gives it no finite velocity."""
    inverses = masses[:, [body.OWN_INVERSE_MASS, body.OWN_INVERSE_INERTIA]]
    if np.isfinite(inverses).all():
        return
    row, column = np.argwhere(~np.isfinite(inverses))[0].tolist()
    what = ("mass", "inertia")[column]
    raise ValueError(f"entity {numbers[row]}: the {what} of its RigidBody is too small: 1/{what} is infinite")
