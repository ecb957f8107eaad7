"""``Snapshots``: takes the state of a world, and puts it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast
from weakref import ReferenceType, ref

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.store.column import show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS, dead_entities
from ecsphys.components.store.standing_blocks import is_within_stage
from ecsphys.engine.character.character_move import REVISION
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.snapshot.column_values import ClassValues, Rows
from ecsphys.systems.snapshot.digest import Digests
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns
from ecsphys.systems.snapshot.snapshot import Put, Snapshot
from ecsphys.systems.snapshot.world_structure import WorldStructure
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.running_systems import running_systems
from ecsphys.systems.world.esper_world import (
    database_token,
    next_entity,
    put_dead_entities,
    put_next_entity,
    refuse_other_world,
)

if TYPE_CHECKING:
    from ecsphys.systems.character_controller.character_memory import CharacterMemory
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.snapshot.kept_arrays import KeptArrays

_SLEEP_FIELDS = ("slow_for", "island", "accelerations", "touching", "is_changed")
_NO_SLOTS = np.zeros(0, np.int32)

_SLEEP = tuple(f"bodies.{name}" for name in _SLEEP_FIELDS)
_JOINTS = ("starts", "impulses", "totals")
_TOUCHES = ("touches.numbers", "touches.values", "touches.kept")


class Snapshots:
    """Takes and restores the state of one world; a base of :class:`~ecsphys.Physics`."""

    def __init__(self, state: PhysicsState, characters: CharacterMemory) -> None:
        self._state = state
        self._characters = characters
        # The last snapshot that was taken or restored, while the game keeps it: it keeps components alive.
        self._last: ReferenceType[Snapshot] | None = None
        self._hooks: dict[type[Any], tuple[Callable[[Any], Any], Put]] = {}
        self._digests = Digests()
        # Rows of attached components and of parts of compounds, by class: their source and its revision.
        self._with_parts: dict[type[Component], tuple[Rows, int, Rows]] = {}

    def snapshot(self, into: Snapshot | None = None) -> Snapshot:
        """Take the state of the world between two steps, for :meth:`restore`.

        ``into``: an older snapshot of this physics that you do not need any more. Its arrays are used again, so a ring
        of snapshots needs no new memory. Settings of the physics, and data in plain components and processors, are not
        included; see :meth:`add_to_snapshots`. Raises the errors of :meth:`restore` and of the next step.
        """
        self._refuse_within("snapshot")
        if into is not None:
            self._refuse_foreign(into, "into")
        state = self._state
        self._follow_world(state)
        # The next step moves everything that the game has moved since the last step.
        state.place()
        last = self._last_snapshot
        taken = into if into is not None else Snapshot(cast("Physics", self))
        structure = WorldStructure.of_world(None if last is None else last._structure)
        self._take_values(taken, structure, last)
        taken._structure = structure
        taken._dead, taken._next_entity = frozenset(dead_entities()), next_entity()
        taken._token, taken.clock = database_token(), state.clock
        self._take_physics(taken, state)
        taken._systems = []
        for system in (*running_systems(), *state.own_stages):
            if isinstance(system, Stage) and system.physics is self:
                system.follow_database()
                if type(system).take_state is not Stage.take_state:
                    taken._systems.append((system, system.take_state()))
        if state.fixed_step is not None:
            taken._systems.append((state.fixed_step, state.fixed_step.take_state()))
        taken._plain = [
            (instance, put, take(instance))
            for cls, (take, put) in self._hooks.items()
            for instance in self._instances_of(cls, structure)
        ]
        self._last = ref(taken)
        return taken

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back to the state of a snapshot. The following steps are then identical to the bit.

        - Entities that were deleted since come back, with their numbers and the same components. Entities that were
          created since are removed.
        - The values of each ``Component``, hits, contacts, sleep, joints, characters, particles and the time that a
          fixed step has left come back. Settings, handlers and processors do not change.
        - It sends no events. In the next step, hits start, continue and end as they would have after the snapshot.

        Raises ValueError for a snapshot of another physics. Raises RuntimeError if another world is current, or if a
        stage or a handler calls it. After an interrupt, the next step completes it.
        """
        self._refuse_within("restore")
        self._refuse_foreign(snapshot, "snapshot")
        if snapshot._is_unproven:
            self._put_unproven(snapshot)
        else:
            self._put_whole(snapshot)

    def digest(self) -> int:
        """A number of 64 bits for the present state of the world, to compare worlds that should be the same.

        It covers entities and their numbers, values of column components, contacts, impulses, sleep and the clock, but
        not the data of plain components. It does not depend on the process, or on when components were created. Floats
        are compared by their bits: −0 differs from 0, but all NaN are equal. Errors are the same as for
        :meth:`restore`.
        """
        self._refuse_within("digest")
        state = self._state
        self._follow_world(state)
        return self._digests.digest_of(state)

    def add_to_snapshots(self, cls: type[Any], take: Callable[[Any], Any], put: Put) -> None:
        """Include the data of a plain class in snapshots: of components, or of processors of the world.

        ``take(instance)`` returns the data, as a value that does not change later. ``put(instance, value)`` puts it
        back, each time the snapshot is restored. Raises TypeError unless ``cls`` is a class and both are functions, and
        for subclasses of ``Component``, which are always included.

        Examples
        --------
        >>> class Plan:
        ...     def __init__(self):
        ...         self.goals = ["wait"]
        >>> physics = ecsphys.install()
        >>> physics.add_to_snapshots(Plan, lambda plan: plan.goals[:], lambda plan, goals: plan.goals.__init__(goals))
        """
        if not isinstance(cls, type) or issubclass(cls, Component):
            raise TypeError(f"add_to_snapshots takes a plain class, of components or processors, got {show(cls)}")
        for name, function in (("take", take), ("put", put)):
            if not callable(function):
                raise TypeError(f"add_to_snapshots: {name} must be a function, got {show(function)}")
        self._hooks[cls] = take, put

    @property
    def _last_snapshot(self) -> Snapshot | None:
        return None if self._last is None else self._last()

    def _refuse_within(self, what: str) -> None:
        state = self._state
        refuse_other_world(state.world)
        if state.is_delivering or is_within_stage():
            raise RuntimeError(
                f"{what} must not be called by a system or a handler during a step: call it between steps"
            )
        if state.unfinished is not None and what != "restore":
            state.complete()

    def _refuse_foreign(self, snapshot: Any, name: str) -> None:
        if type(snapshot) is not Snapshot:
            hint = "; use Snapshot.from_bytes(data)" if isinstance(snapshot, bytes | bytearray) else ""
            raise TypeError(f"{name} must be a Snapshot, got {show(snapshot)}{hint}")
        if snapshot._physics is None and name == "snapshot":
            snapshot._make_own(cast("Physics", self))
        if snapshot._physics is not self:
            raise ValueError(f"{name} was taken by another Physics: restore it in the world in which it was taken")

    def _instances_of(self, cls: type[Any], structure: WorldStructure) -> list[Any]:
        if issubclass(cls, esper.Processor):
            return [system for system in running_systems() if type(system) is cls]
        return list(structure.of_class.get(cls, NO_ROWS).instances)

    def _follow_world(self, state: PhysicsState) -> None:
        """Update everything that is derived from the world's components."""
        state.update()
        state.levels.update()
        state.body_table.update()
        state.body_table.compact()
        state.joints.update()
        state.update()

    def _take_values(self, taken: Snapshot, structure: WorldStructure, last: Snapshot | None) -> None:
        rooms, known = taken._values, {} if last is None else last._values
        runs, known_runs = {}, {} if last is None else last._runs
        taken._values = values = {}
        for cls, rows in self._rows_by_class(structure).items():
            before = known.get(cls)
            values[cls] = now = ClassValues.take(cls, rows, before, rooms.get(cls))
            if cls in POOLS:
                held = known_runs.get(cls)
                is_same = held is not None and held.rows is rows and (now is before or held.are_as_they_were())
                runs[cls] = held if held is not None and is_same else PooledRuns(cls, rows)
        taken._runs = runs

    def _rows_by_class(self, structure: WorldStructure) -> dict[type[Component], Rows]:
        """The rows of the components of each class on entities, or in compounds on entities."""
        tables = self._state.tables
        rows = {cls: table.row for cls, table in structure.of_class.items() if issubclass(cls, Component)}
        if not tables.entities.instances[COMPOUND].count and not tables.entities.instances[CHAIN].count:
            return rows
        revision = max(tables.line_revisions[COMPOUND], tables.line_revisions[CHAIN])
        for kind, cls in enumerate(SHAPE_CLASSES):
            own = rows.get(cls, NO_ROWS.row)
            known = self._with_parts.get(cls)
            if known is None or known[0] is not own or known[1] != revision:
                parts = tables.part_rows(kind)[1]
                known = self._with_parts[cls] = own, revision, np.concatenate((own, parts)).astype(int32)
            if known[2].size:
                rows[cls] = known[2]
        return rows

    def _take_physics(self, taken: Snapshot, state: PhysicsState) -> None:
        arrays, tables, hits, placing = taken._arrays, state.tables, state.hits, state.placing
        colliders, bodies, joints = tables.colliders, state.body_table, state.joints
        found = hits.found
        taken._contacts.take(found)
        arrays.keep("moved", placing.moved)
        taken._order = colliders.keep_order()
        taken._listeners, taken._owners = found.listeners, hits.owners.take_state()
        taken._absent = self._absent_among(taken._contacts.pairs) if colliders.absent_count else _NONE_ABSENT
        if placing.has_refiltered():
            hits.wake_refiltered()
        taken._sleeping = state.sleeping.take_state() if state.sleeping.is_whole else None
        given = state.pairs.given
        taken._given_pairs = None if given is None else given.copy()
        taken._solver = state.solver
        taken._flags = {
            "dt": state.dt,
            "are_all_moved": placing.are_all_moved,
            "prediction": hits.search.prediction,
            "keeps_points": hits.search.keeps_points,
            "has_structure_changed": hits.has_structure_changed,
            "has_changed": state.solver is not None and state.solver.has_changed,
            "is_measured": bodies.is_measured,
            "has_bodies": len(bodies) > 1,
            "has_joints": len(joints) > 0,
        }
        if len(bodies) > 1:
            arrays.keep("bodies.forces", bodies.listed.forces)
            if taken._measurement != bodies.measurement:
                arrays.keep("bodies.masses", bodies.listed.masses)
                arrays.keep("bodies.of_disabled", bodies.of_disabled)
                taken._measurement = bodies.measurement
            for name, field in zip(_SLEEP, _SLEEP_FIELDS, strict=True):
                arrays.keep(name, getattr(bodies.states, field))
        taken._breaks = list(joints.breaks.pending)
        if len(joints):
            for name in _JOINTS:
                arrays.keep(f"joints.{name}", getattr(joints.rows, name))
            arrays.keep("joints.loads", joints.loads)
        for name, touched in zip(_TOUCHES, state.touches.take_state(), strict=True):
            arrays.keep(name, touched)
        memory = self._characters
        taken._remembered = memory.rows
        if taken._remembered:
            used = memory.used
            arrays.keep("memory.numbers", memory.arrays.numbers[:used])
            arrays.keep("memory.values", memory.arrays.values[:used])
            arrays.keep("memory.dropped", memory.arrays.dropped[: int(memory.arrays.dropped_count[0])])
            journal = placing.keep_journal()
            rows = list(taken._remembered.values())
            read_to = memory.arrays.numbers[rows, REVISION]
            slots, poses, first = journal.since(int(read_to[read_to >= 0].min(initial=journal.revision)))
            arrays.keep("journal.slots", slots)
            arrays.keep("journal.poses", poses)
            arrays.keep("journal.first", np.array([first]))
            arrays.keep("journal.born", journal.arrays.born)

    def _absent_among(self, pairs: NDArray[int32]) -> NDArray[int64]:
        slots = self._state.tables.colliders.slots
        gone = np.unique(pairs)
        gone = gone[slots.absence[gone] != PRESENT]
        columns = (gone, slots.entity[gone], slots.kind[gone], slots.part[gone], slots.absence[gone])
        return np.stack([column.astype(int64) for column in columns], axis=1)

    def _put_whole(self, snapshot: Snapshot) -> None:
        """Put everything back; after an interrupt, the next stage does it again."""
        self._state.unfinished = self._completion_of(snapshot)
        self._put(snapshot)

    def _completion_of(self, snapshot: Snapshot) -> Callable[[], None]:
        """Completes the restoring of a snapshot; it does nothing if the database was cleared since."""
        token = database_token()

        def complete() -> None:
            if database_token() in (token, snapshot._token):
                self._put(snapshot)
            else:
                self._state.unfinished = None

        return complete

    def _put_unproven(self, snapshot: Snapshot) -> None:
        """Put back data from bytes. If they are not a state of a world, the world does not change."""
        before = self.snapshot()
        self._state.unfinished = self._completion_of(before)
        try:
            self._put_world(snapshot)
        except Exception as error:
            self._put(before)
            raise ValueError(f"the snapshot describes an impossible world: {error}") from error
        snapshot._is_unproven = False
        self._state.unfinished = self._completion_of(snapshot)
        self._put_plain(snapshot)

    def _put(self, snapshot: Snapshot) -> None:
        """Put everything back; after an interrupt, it may be called again."""
        self._put_world(snapshot)
        self._put_plain(snapshot)

    def _put_world(self, snapshot: Snapshot) -> None:
        state = self._state
        snapshot._structure.bring_back()
        put_next_entity(snapshot._next_entity, snapshot._token)
        put_dead_entities(snapshot._dead)
        for runs in snapshot._runs.values():
            runs.put_back()
        for values in snapshot._values.values():
            values.put_back()
        state.update()
        # Which bodies there were has nothing to do with which there are now.
        state.joints.forget_bodies()
        self._follow_world(state)
        snapshot._follow_slots(state.tables.colliders, state.tables.entities)
        self._put_physics(snapshot, state)
        for system, kept in snapshot._systems:
            system.put_state(kept)
            if isinstance(system, Stage):
                system.note_database()
        self._last = ref(snapshot)

    def _put_plain(self, snapshot: Snapshot) -> None:
        state = self._state
        try:
            for instance, put, value in snapshot._plain:
                put(instance, value)
        except Exception:
            # The game's own: all else is back.
            state.unfinished = None
            raise
        # Last: after an interrupt, the next stage does it again.
        state.unfinished = None

    def _put_physics(self, snapshot: Snapshot, state: PhysicsState) -> None:
        arrays, flags = snapshot._arrays, snapshot._flags
        hits, placing, sleeping = state.hits, state.placing, state.sleeping
        state.place()
        if snapshot._sleeping is not None:
            sleeping.put_state(snapshot._sleeping)
        else:
            sleeping.wake_all()
        placing.put_moved(arrays["moved"], flags["are_all_moved"])
        if placing.has_refiltered():
            placing.forget_refiltered()
        self._put_bodies(snapshot, state)
        hits.go_on(flags["prediction"], flags["keeps_points"], flags["has_structure_changed"])
        hits.found = snapshot._contacts.put(state, snapshot._listeners)
        hits.owners.put_state(snapshot._owners)
        self._put_characters(snapshot, arrays)
        numbers, values, kept = (arrays[name] for name in _TOUCHES)
        state.touches.put_state(numbers, values, int(kept[0]))
        state.pairs.use_up()
        if snapshot._given_pairs is not None:
            state.pairs.give(snapshot._given_pairs)
        state.begin_between_steps(snapshot.clock, flags["dt"])
        if state.solver is not None:
            state.solver.go_on(flags["has_changed"])

    def _put_bodies(self, snapshot: Snapshot, state: PhysicsState) -> None:
        arrays, bodies, joints = snapshot._arrays, state.body_table, state.joints
        if snapshot._solver is not None and not snapshot._solver.is_of(bodies):
            # Of a database that was cleared since.
            snapshot._solver = BodySolver(state)
        if state.solver is not snapshot._solver:
            # The other one goes through all bodies, whatever this one has passed over.
            state.placing.pass_over(_NO_SLOTS)
        state.solver = snapshot._solver
        if len(bodies) > 1:
            if len(arrays["bodies.slow_for"]) != len(bodies):
                raise ValueError(f"it has {len(arrays['bodies.slow_for'])} bodies, but the world has {len(bodies)}")
            is_measured = snapshot._flags["is_measured"]
            if snapshot._measurement != bodies.measurement or bodies.is_measured != is_measured:
                bodies.put_measures(arrays["bodies.masses"], arrays["bodies.of_disabled"].copy(), is_measured)
                snapshot._measurement = bodies.measurement
            bodies.listed.forces[:] = arrays["bodies.forces"]
            for name, field in zip(_SLEEP, _SLEEP_FIELDS, strict=True):
                getattr(bodies.states, field)[:] = arrays[name]
            bodies.sleep_changes += 1
        joints.breaks.pending[:] = snapshot._breaks
        if len(joints):
            for name in _JOINTS:
                getattr(joints.rows, name)[:] = arrays[f"joints.{name}"]
            if arrays["joints.loads"].shape != joints.rows.totals.shape:
                raise ValueError(f"it has {len(arrays['joints.loads'])} joints, but the world has {len(joints)}")
            joints.loads = arrays["joints.loads"]

    def _put_characters(self, snapshot: Snapshot, arrays: KeptArrays) -> None:
        if not snapshot._remembered:
            self._characters.forget()
            return
        journal = self._state.placing.keep_journal()
        slots, first = arrays["journal.slots"], int(arrays["journal.first"][0])
        journal.put_entries(slots, arrays["journal.poses"], first, arrays["journal.born"])
        self._characters.put_state(
            snapshot._remembered, arrays["memory.numbers"], arrays["memory.values"], arrays["memory.dropped"]
        )


_NONE_ABSENT: NDArray[int64] = np.zeros((0, 5), int64)
