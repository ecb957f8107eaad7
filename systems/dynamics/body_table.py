"""The bodies of a world: which entities are some, which colliders are theirs, what they weigh and are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import esper
import numpy as np
from numpy import bool_, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.parent import Parent
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.change_log import Writes
from ecsphys.engine.dynamics.bodies import LOCK_ROTATION as BIT_ROTATION
from ecsphys.engine.dynamics.bodies import LOCK_X as BIT_X
from ecsphys.engine.dynamics.bodies import LOCK_Y as BIT_Y
from ecsphys.engine.dynamics.body_mass import (
    DYNAMIC,
    KIND,
    KINEMATIC,
    MASS_COLUMNS,
    OWN_INVERSE_INERTIA,
    OWN_INVERSE_MASS,
    STATIC,
    BodySources,
    RigidBlocks,
    measure_bodies,
)
from ecsphys.engine.dynamics.body_state import FORCE_COLUMNS, BodyList
from ecsphys.engine.dynamics.materials import MATERIAL_COLUMNS, Materials
from ecsphys.engine.dynamics.materials import ROLLING_RESISTANCE as SURFACE_ROLLING_RESISTANCE
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import (
    DISABLED,
    DRAG,
    HARMONIC_TRAJECTORY,
    LINEAR_TRAJECTORY,
    PARENT,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
)
from ecsphys.systems.motion.hierarchy import carry_children
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.row_checks import refuse_bad_values
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

_PATHS = range(LINEAR_TRAJECTORY, HARMONIC_TRAJECTORY + 1)
_NO_SLOTS: Slots = np.zeros(0, int32)
# More than any body's.
_UNMOVED_DOMINANCE = 128

_NO_ROW: Slots = np.full(1, -1, int32)
_NO_NUMBER: NDArray[int64] = np.full(1, -1, int64)
_DEFAULTS = {field.name: field.default for field in RigidBody._columns.fields}

# RigidBody's fields of a material, in the order of its columns.
_SURFACE_FIELDS = ("friction", "restitution", "rolling_resistance", "tangent_speed")


class BodyTable:
    """Every entity with a ``RigidBody``, and every ``Solid`` one that moves: a row each, by ascending entity.

    Row 0 is the world: all that is solid and neither moves nor has a body of its own. The rows are numbered anew where
    entities come or go, or a ``RigidBody`` is written.

    Attributes
    ----------
    listed
        What each body is, its rows of components, its mass, what pushes it.
    body_of
        For each slot of a collider the row of its body, −1 where it gives hits without response.
    materials, locks, may_sleep
        What the solver has to know of each besides.
    states
        Which bodies sleep.
    revision
        Grows with each change of :attr:`listed`.
    """

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._lists_at = -1
        self._is_whole = True
        self._body_written = -1
        self._measured: tuple[int, ...] = ()
        self.revision = 0
        self._empty()

    def _empty(self) -> None:
        self.listed = _new_list(np.zeros(1, uint8), np.full((DRAG + 1, 1), -1, int32), np.full(1, -1, int32))
        self.states = _new_states(1)
        self.rigid_rows: Slots = np.full(1, -1, int32)
        self._numbers = _NO_NUMBER
        self._of_disabled = _NO_SLOTS
        self.row_of: Slots = _NO_SLOTS
        """For each slot of an entity the row of its body, −1 for none."""
        self.body_of: Slots = _NO_SLOTS
        self.held: Slots = _NO_SLOTS
        """The slots of the entities that stepped motion leaves alone."""
        self._read_materials()

    def __len__(self) -> int:
        return len(self.listed.kind)

    def update(self) -> None:
        """Bring the list in line with the tables; a dynamic body without a ``Velocity`` gets one.

        ValueError for a whole number in a column that no assignment accepts.
        """
        tables = self._tables
        has_bodies = bool(tables.entities.instances[RIGID_BODY])
        if not has_bodies and self._lists_at == tables.revision:
            return
        written = RigidBody._columns.writes.collect()
        if self._lists_at == tables.revision and self._body_written == written:
            return
        if has_bodies:
            self._add_velocities()
            self._list(RigidBody._columns.writes.since(self._body_written))
            self.revision += 1
        elif len(self.rigid_rows) > 1 or self.held.size:
            self._empty()
            self.revision += 1
        self._lists_at, self._body_written = tables.revision, written

    def _add_velocities(self) -> None:
        """Give a ``Velocity`` to dynamic bodies that have none."""
        tables, entities = self._tables, self._tables.entities
        lacking = entities.having(RIGID_BODY)
        lacking = lacking[(entities.rows_of(VELOCITY)[lacking] < 0) & (entities.rows_of(TRANSFORM)[lacking] >= 0)]
        if lacking.size:
            kinds = RigidBody._columns.int64[KIND, entities.rows_of(RIGID_BODY)[lacking]]
            for entity in entities.slots.entity[lacking[kinds == DYNAMIC]].tolist():
                esper.add_component(entity, Velocity())
            tables.update()

    def _list(self, written: Writes) -> None:
        entities = self._tables.entities
        numbers, rigid_row = entities.slots.entity, entities.rows_of(RIGID_BODY)
        is_placed = entities.rows_of(TRANSFORM) >= 0
        rigid = entities.having(RIGID_BODY)
        refuse_bad_values(RigidBody, numbers[rigid], rigid_row[rigid])
        rigid = rigid[is_placed[rigid]]
        solid = entities.having(SOLID)
        solid = solid[is_placed[solid] & (rigid_row[solid] < 0)]
        on_path = np.zeros(numbers.size, bool_)
        for line in _PATHS:
            if entities.instances[line]:
                on_path |= entities.rows_of(line) >= 0
        moving = solid[(entities.rows_of(VELOCITY)[solid] >= 0) | on_path[solid]]
        owners = np.concatenate((rigid, moving))
        owners = owners[np.argsort(numbers[owners])]
        rigid_rows = rigid_row[owners]
        is_rigid = rigid_rows >= 0
        kind = np.full(owners.size, KINEMATIC, uint8)
        kind[is_rigid] = RigidBody._columns.int64[KIND, rigid_rows[is_rigid]]
        # What something else moves, nothing pushes.
        kind[(kind == DYNAMIC) & (on_path[owners] | self._is_carried(owners))] = KINEMATIC
        if not self._is_whole:
            # An interrupt has left rows of two lists.
            self._empty()
        self._is_whole = False
        old, old_row_of, old_rigid, old_states = self.listed, self.row_of, self.rigid_rows, self.states
        old_numbers = self._numbers
        listed = _new_list(
            np.concatenate((np.full(1, STATIC, uint8), kind)),
            np.stack([np.concatenate((_NO_ROW, entities.rows_of(line)[owners])) for line in range(DRAG + 1)]),
            np.concatenate((np.full(1, -1, int32), owners)),
        )
        self.row_of = np.full(numbers.size, -1, int32)
        self.row_of[owners] = np.arange(1, owners.size + 1)
        self.rigid_rows = np.concatenate((np.full(1, -1, int32), rigid_rows))
        # What was pushed since the last step still is, where it is the same body.
        known = owners[owners < old_row_of.size]
        known = known[old_row_of[known] > 0]
        before, now = old_row_of[known], self.row_of[known]
        self._numbers = np.concatenate((_NO_NUMBER, numbers[owners]))
        same = (old_rigid[before] == self.rigid_rows[now]) & (old_numbers[before] == self._numbers[now])
        before, now = before[same], now[same]
        old_rows, new_rows = run_of(before), run_of(now)
        listed.forces[new_rows] = old.forces[old_rows]
        listed.masses[new_rows] = old.masses[old_rows]
        is_as_it_was = old.kind[old_rows] == listed.kind[new_rows]
        is_as_it_was &= (old.rows[:, old_rows] == listed.rows[:, new_rows]).all(axis=0)
        is_written = written.everything | np.isin(self.rigid_rows, written.rows)
        is_as_it_was &= ~is_written[now]
        self.states = _carried(old_states, before[is_as_it_was], now[is_as_it_was], len(listed.kind))
        # What is written wakes what lies on it as well.
        self.states.is_changed[1:] = is_written[1:]
        self.listed = listed
        self.held = owners[is_rigid & (kind != KINEMATIC)]
        of_entity = self._find_bodies_of_colliders(solid)
        # What is disabled hits nothing, but weighs what it weighed; what was written is weighed anew.
        self._of_disabled = _NO_SLOTS
        if entities.instances[DISABLED]:
            weighed = now[(old.masses[before, OWN_INVERSE_MASS] > 0.0) & ~is_written[now]]
            self._of_disabled = np.intersect1d(of_entity[entities.having(DISABLED)], weighed)
        self._read_materials()
        self._measured = ()
        self._is_whole = True

    def _is_carried(self, owners: Slots) -> NDArray[bool_]:
        """Whether entities have a ``Parent``."""
        found: NDArray[bool_] = self._tables.entities.rows_of(PARENT)[owners] >= 0
        return found

    def _find_bodies_of_colliders(self, solid: Slots) -> Slots:
        """Which colliders belong to which body; those of a body's children, and of theirs, are the body's.

        Returns for each slot of an entity the row of the body that it belongs to, −1 for none.
        """
        entities, colliders = self._tables.entities, self._tables.colliders
        of_entity = self.row_of.copy()
        blocks = solid[of_entity[solid] < 0]
        of_entity[blocks] = 0
        children = entities.having(PARENT)
        if children.size:
            children = children[entities.rows_of(RIGID_BODY)[children] < 0]
            parents = Parent._columns.column("entity")[entities.rows_of(PARENT)[children]]
            slot_of = entities.slot_of
            carriers = np.array([slot_of.get(parent, -1) for parent in parents.tolist()], int32)
            children, carriers = children[carriers >= 0], carriers[carriers >= 0]
            # A child of a child is reached in the next round; parents form no cycle.
            while True:
                inherited = of_entity[carriers]
                inherits = (inherited > 0) & (of_entity[children] != inherited)
                if not inherits.any():
                    break
                of_entity[children[inherits]] = inherited[inherits]
        owner = colliders.slots.owner
        is_there = colliders.slots.absence == PRESENT
        self.body_of = np.full(owner.size, -1, int32)
        self.body_of[is_there] = of_entity[owner[is_there]]
        return of_entity

    def _read_materials(self) -> None:
        is_rigid = self.rigid_rows >= 0
        rows = self.rigid_rows[is_rigid]
        store = RigidBody._columns
        surfaces = np.empty((is_rigid.size, MATERIAL_COLUMNS))
        for column, name in enumerate(_SURFACE_FIELDS):
            surfaces[:, column] = _DEFAULTS[name]
            surfaces[is_rigid, column] = store.row_of_block(name)[rows]
        dominance = np.zeros(is_rigid.size, int32)
        dominance[is_rigid] = store.row_of_block("dominance")[rows]
        # What contacts do not move is dominated by nothing.
        dominance[self.listed.kind != DYNAMIC] = _UNMOVED_DOMINANCE
        dominance[0] = _UNMOVED_DOMINANCE
        self.may_sleep: NDArray[uint8] = np.zeros(is_rigid.size, uint8)
        self.may_sleep[is_rigid] = store.row_of_block("can_sleep")[rows] != 0
        self._rolling_resistance = surfaces[:, SURFACE_ROLLING_RESISTANCE].copy()
        self.materials = Materials(surfaces, dominance)
        self.locks: NDArray[uint8] = np.zeros(is_rigid.size, uint8)
        for bit, name in ((BIT_X, "lock_x"), (BIT_Y, "lock_y"), (BIT_ROTATION, "lock_rotation")):
            self.locks[is_rigid] |= (store.row_of_block(name)[rows] != 0) * uint8(bit)

    def measure(self, state: PhysicsState) -> bool:
        """Bring the masses in line with the colliders as they are now; children are put where their parents are.

        Returns whether any collider may have changed.
        """
        if len(self) < 2:
            return False
        for cls in COLLIDER_CLASSES:
            cls._columns.writes.collect()
        writes = tuple(cls._columns.writes.revision for cls in COLLIDER_CLASSES)
        if self._measured == writes:
            return False
        carry_children(state)
        state.place()
        colliders = self._tables.colliders
        kept = self.listed.masses[self._of_disabled]
        measure_bodies(
            colliders.order,
            colliders.slots.kind,
            self.body_of,
            colliders.shapes,
            BodySources(self.listed.kind, self.listed.rows[TRANSFORM].copy(), self.rigid_rows),
            RigidBlocks(RigidBody._columns.float64, RigidBody._columns.int64, Transform._columns.float64),
            self.listed.masses,
        )
        self.listed.masses[self._of_disabled] = kept
        # A disc of radius r has the inertia m·r²/2: the radius of the disc that turns as the body does.
        masses = self.listed.masses
        turns = masses[:, OWN_INVERSE_INERTIA] > 0.0
        radius = np.zeros(len(turns))
        radius[turns] = np.sqrt(2.0 * masses[turns, OWN_INVERSE_MASS] / masses[turns, OWN_INVERSE_INERTIA])
        self.materials.surfaces[:, SURFACE_ROLLING_RESISTANCE] = self._rolling_resistance * radius
        self._measured = writes
        return True

    def wake_all(self) -> None:
        """Let no body sleep."""
        self.states.island[:] = AWAKE

    def members_of(self, rows: Slots) -> Slots:
        """The rows of all bodies that sleep in one island with any of some."""
        island = self.states.island
        own = island[rows]
        return np.flatnonzero(np.isin(island, own[own != AWAKE])).astype(int32)


def run_of(rows: Slots) -> slice | Slots:
    """Ascending rows as a slice where they follow each other, which is many times faster to read and write."""
    count = len(rows)
    is_run = count > 0 and int(rows[-1]) - int(rows[0]) == count - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if is_run else rows


def _new_list(kind: NDArray[uint8], rows: NDArray[int32], owners: Slots) -> BodyList:
    return BodyList(
        kind,
        np.ascontiguousarray(rows),
        owners.astype(int32, copy=False),
        np.zeros((kind.size, MASS_COLUMNS)),
        np.zeros((kind.size, FORCE_COLUMNS)),
    )


def _new_states(count: int) -> SleepStates:
    return SleepStates(
        np.zeros(count),
        np.full(count, AWAKE, int32),
        np.zeros((count, 3)),
        np.zeros(count, int32),
        np.zeros(count, uint8),
        np.zeros(count, uint8),
        np.zeros(count, int32),
    )


def _carried(old: SleepStates, before: Slots, now: Slots, count: int) -> SleepStates:
    """The states of bodies that have other rows ``now``; an island that has lost one is awake."""
    states = _new_states(count)
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
