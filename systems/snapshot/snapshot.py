"""``Snapshot``: the state of a world at some moment; ``Snapshots`` takes and restores it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast
from weakref import ReferenceType, ref

import esper
import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.store.column import show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import is_within_stage
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.systems.snapshot.kept_components import ClassValues, Digests, Structure
from ecsphys.systems.snapshot.kept_state import KeptState
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.world import esper_world

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.physics_state import PhysicsState

Put = Callable[[Any, Any], object]


class Snapshot:
    """The state of a world between two steps, as ``physics.snapshot`` returns it.

    It refers to components of the world, and keeps them and their rows alive. ``clock``: the seconds that the physics
    had run.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(), Velocity(6, 0))
    >>> state = physics.snapshot()
    >>> esper.process(0.5)
    >>> physics.restore(state)
    >>> esper.component_for_entity(ball, Transform).x
    0.0
    """

    clock: float
    _dead: frozenset[int]
    _next_entity: int
    _structure: Structure
    _systems: list[tuple[Any, Any]]
    _token: object
    _plain: list[tuple[Any, Put, Any]]
    """Plain components: the instance, the function that puts its value back, the value."""
    _tree: dict[str, Any] | None = None
    """What was read from bytes, until a physics makes it its own."""
    _is_unproven = False
    """Whether it was read from bytes, and has never been restored."""

    def __init__(self, physics: Physics | None) -> None:
        self._physics = physics
        self._kept = KeptState()
        self._values: dict[type[Component], ClassValues] = {}

    def __repr__(self) -> str:
        return f"<Snapshot at {self.clock:g} s>"

    def to_bytes(self) -> bytes:
        """The snapshot as bytes, for a file or another process: versioned, with a checksum, without pickle.

        Plain components are included if ``physics.add_to_snapshots`` names their class. Their values must consist of
        None, bools, numbers, str, lists, tuples, dicts and arrays; others raise TypeError. Listeners, and processors
        that are not stages, are not included.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> ball = esper.create_entity(Transform(), Velocity(6, 0))
        >>> saved = physics.snapshot().to_bytes()
        >>> esper.process(0.5)
        >>> physics.restore(Snapshot.from_bytes(saved))
        >>> esper.component_for_entity(ball, Transform).x
        0.0
        """
        # Imported when it is first asked for: most games keep their snapshots in memory.
        from ecsphys.systems.snapshot import saved_world

        return saved_world.encode(saved_world.to_tree(self) if self._tree is None else self._tree)

    @classmethod
    def from_bytes(cls, data: Any) -> Snapshot:
        """The snapshot from bytes of :meth:`to_bytes`. It then belongs to the first physics that restores it.

        Component classes are found by name, so import them first. Raises TypeError unless ``data`` are bytes, and
        ValueError if they are not a snapshot, have another format, or are truncated or damaged.
        """
        from ecsphys.systems.snapshot import saved_world

        read = cls(None)
        read._tree = saved_world.decode(data)
        try:
            read.clock = float(read._tree["physics"]["tables"]["values"]["clock"][0])
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"the snapshot is malformed: {error!r}") from None
        return read


class Snapshots:
    """Takes and restores the state of one world; a base of :class:`~ecsphys.Physics`."""

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # The last snapshot that was taken or restored, while the game keeps it: it keeps components alive.
        self._last: ReferenceType[Snapshot] | None = None
        self._hooks: dict[type[Any], tuple[Callable[[Any], Any], Put]] = {}
        self._digests = Digests()
        # Rows of attached components and of parts of compounds, by class: their source and its revision.
        self._with_parts: dict[type[Component], tuple[NDArray[int32], int, NDArray[int32]]] = {}

    def snapshot(self, into: Snapshot | None = None) -> Snapshot:
        """Take the state of the world between two steps, for :meth:`restore`.

        ``into``: an older snapshot of this physics that you do not need any more. Its arrays are used again, so a ring
        of snapshots needs no new memory. Settings of the physics, and data in plain components and processors, are not
        included; see :meth:`add_to_snapshots`. Raises the errors of :meth:`restore` and of the next step.
        """
        self._check_between_steps("snapshot")
        if into is not None:
            self._check_own(into, "into")
        state = self._state
        self._follow_world()
        # The next step moves everything that the game has moved since the last step.
        state.place()
        last = None if self._last is None else self._last()
        taken = into if into is not None else Snapshot(cast("Physics", self))
        structure = Structure.of_world(None if last is None else last._structure)
        known, held = {} if last is None else last._values, taken._values
        taken._values = {
            cls: ClassValues.take(cls, rows, known.get(cls), held.get(cls))
            for cls, rows in self._rows_by_class(structure).items()
        }
        taken._structure = structure
        taken._dead, taken._next_entity = frozenset(dead_entities()), esper_world.next_entity()
        taken._token, taken.clock = esper_world.database_token(), state.clock
        taken._kept.take(state)
        taken._systems = []
        for system in self._stages():
            if type(system).take_state is not Stage.take_state:
                system.follow_database()
                taken._systems.append((system, system.take_state()))
        if state.stepping.fixed_step is not None:
            taken._systems.append((state.stepping.fixed_step, state.stepping.fixed_step.take_state()))
        taken._plain = [
            (instance, put, take(instance))
            for cls, (take, put) in self._hooks.items()
            for instance in (
                [system for system in running_systems() if type(system) is cls]
                if issubclass(cls, esper.Processor)
                else structure.of_class.get(cls, NO_ROWS).instances
            )
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
        self._check_between_steps("restore")
        self._check_own(snapshot, "snapshot")
        if not snapshot._is_unproven:
            self._state.progress.unfinished = self._completion_of(snapshot)
            self._put(snapshot)
            return
        # If the bytes are not a state of a world, the world does not change.
        before = self.snapshot()
        self._state.progress.unfinished = self._completion_of(before)
        try:
            self._put_world(snapshot)
        except Exception as error:
            self._put(before)
            raise ValueError(f"the snapshot describes an impossible world: {error}") from error
        snapshot._is_unproven = False
        self._state.progress.unfinished = self._completion_of(snapshot)
        self._put_plain(snapshot)

    def digest(self) -> int:
        """A number of 64 bits for the present state of the world, to compare worlds that should be the same.

        It covers entities and their numbers, values of column components, contacts, impulses, sleep and the clock, but
        not the data of plain components. It does not depend on the process, or on when components were created. Floats
        are compared by their bits: −0 differs from 0, but all NaN are equal. Errors are the same as for
        :meth:`restore`.
        """
        self._check_between_steps("digest")
        self._follow_world()
        return self._digests.digest_of(self._state)

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

    def _check_between_steps(self, what: str) -> None:
        state = self._state
        esper_world.refuse_other_world(state.world)
        if state.progress.is_delivering or is_within_stage():
            raise RuntimeError(
                f"{what} must not be called by a system or a handler during a step: call it between steps"
            )
        if state.progress.unfinished is not None and what != "restore":
            state.complete()

    def _check_own(self, snapshot: Any, name: str) -> None:
        if type(snapshot) is not Snapshot:
            hint = "; use Snapshot.from_bytes(data)" if isinstance(snapshot, bytes | bytearray) else ""
            raise TypeError(f"{name} must be a Snapshot, got {show(snapshot)}{hint}")
        if snapshot._tree is not None and name == "snapshot":
            from ecsphys.systems.snapshot import saved_world

            saved_world.fill(snapshot, snapshot._tree, cast("Physics", self))
        if snapshot._physics is not self:
            raise ValueError(f"{name} was taken by another Physics: restore it in the world in which it was taken")

    def _stages(self) -> list[Stage]:
        """The stages of this physics, in the world and of its own."""
        systems = (*running_systems(), *self._state.stepping.own_stages)
        return [system for system in systems if isinstance(system, Stage) and system.physics is self]

    def _follow_world(self) -> None:
        """Update everything that is derived from the world's components."""
        state = self._state
        state.update()
        state.levels.update()
        state.body_table.update()
        state.body_table.compact()
        state.joints.update()
        state.update()

    def _rows_by_class(self, structure: Structure) -> dict[type[Component], NDArray[int32]]:
        """The rows of the components of each class on entities, or in compounds and chains on entities."""
        tables = self._state.tables
        rows = {cls: table.row for cls, table in structure.of_class.items() if issubclass(cls, Component)}
        if not tables.entities.instances[COMPOUND].count and not tables.entities.instances[CHAIN].count:
            return rows
        revision = max(tables.line_revisions[COMPOUND], tables.line_revisions[CHAIN])
        for kind, cls in enumerate(SHAPE_CLASSES):
            own = rows.get(cls, NO_ROWS.row)
            known = self._with_parts.get(cls)
            if known is None or known[0] is not own or known[1] != revision:
                parts = tables.part_owners.rows_of(kind)[1]
                known = self._with_parts[cls] = own, revision, np.concatenate((own, parts)).astype(int32)
            if known[2].size:
                rows[cls] = known[2]
        return rows

    def _completion_of(self, snapshot: Snapshot) -> Callable[[], None]:
        """The function that the next stage calls to restore after an interrupt; nothing in a cleared database."""
        token = esper_world.database_token()

        def complete() -> None:
            if esper_world.database_token() in (token, snapshot._token):
                self._put(snapshot)
            else:
                self._state.progress.unfinished = None

        return complete

    def _put(self, snapshot: Snapshot) -> None:
        """Put everything back; after an interrupt, it may be called again."""
        self._put_world(snapshot)
        self._put_plain(snapshot)

    def _put_world(self, snapshot: Snapshot) -> None:
        state = self._state
        snapshot._structure.bring_back()
        esper_world.put_next_entity(snapshot._next_entity, snapshot._token)
        dead = dead_entities()
        dead.clear()
        dead.update(snapshot._dead)
        for values in snapshot._values.values():
            values.put_back()
        state.update()
        # Which bodies there were has nothing to do with which there are now.
        state.joints.forget_bodies()
        self._follow_world()
        snapshot._kept.follow_colliders(state)
        snapshot._kept.put(state)
        for system, kept in snapshot._systems:
            system.put_state(kept)
            if isinstance(system, Stage):
                system.note_database()
        self._last = ref(snapshot)

    def _put_plain(self, snapshot: Snapshot) -> None:
        try:
            for instance, put, value in snapshot._plain:
                put(instance, value)
        except Exception:
            # The game's own: all else is back.
            self._state.progress.unfinished = None
            raise
        # Last: after an interrupt, the next stage does it again.
        self._state.progress.unfinished = None
