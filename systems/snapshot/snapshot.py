"""``Snapshot``: the state of a world at some moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.character.character_move import REVISION, STOOD_ON
from ecsphys.engine.contacts.touches import OTHER, OWN
from ecsphys.systems.snapshot.contact_values import KeptContacts
from ecsphys.systems.snapshot.encoding import decode, encode
from ecsphys.systems.snapshot.kept_arrays import KeptArrays

if TYPE_CHECKING:
    from ecsphys.components.store.component import Component
    from ecsphys.systems.collision.sleeping_colliders import SleepingState
    from ecsphys.systems.dynamics.body_solver import BodySolver
    from ecsphys.systems.dynamics.joints.joint_breaks import JointBreak
    from ecsphys.systems.hits.hit_listeners import HitListeners
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.snapshot.column_values import ClassValues
    from ecsphys.systems.snapshot.pooled_runs import PooledRuns
    from ecsphys.systems.snapshot.world_structure import WorldStructure
    from ecsphys.systems.world.collider_table import ColliderTable
    from ecsphys.systems.world.entity_table import EntityTable

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

    __slots__ = (
        "__weakref__",
        "_absent",
        "_arrays",
        "_breaks",
        "_contacts",
        "_dead",
        "_flags",
        "_given_pairs",
        "_is_unproven",
        "_listeners",
        "_measurement",
        "_next_entity",
        "_order",
        "_owners",
        "_physics",
        "_plain",
        "_remembered",
        "_runs",
        "_sleeping",
        "_solver",
        "_structure",
        "_systems",
        "_token",
        "_tree",
        "_values",
        "clock",
    )

    _absent: NDArray[int64]
    """Columns: slot, entity, kind, part, reason of absence; for the absent colliders of contacts."""
    _breaks: list[JointBreak]
    _dead: frozenset[int]
    _flags: dict[str, Any]
    _given_pairs: NDArray[int32] | None
    _listeners: HitListeners
    _next_entity: int
    _order: NDArray[int32]
    """The slots of all colliders, in the public order."""
    _owners: Any
    _plain: list[tuple[Any, Put, Any]]
    """Plain components: the instance, the function that puts its value back, the value."""
    _remembered: dict[int, int]
    """The rows of characters in their memory."""
    _runs: dict[type[Component], PooledRuns]
    _sleeping: SleepingState | None
    _solver: BodySolver | None
    _systems: list[tuple[Any, Any]]
    _structure: WorldStructure
    _token: object
    _values: dict[type[Component], ClassValues]
    clock: float

    def __init__(self, physics: Physics | None) -> None:
        self._physics = physics
        self._tree: dict[str, Any] | None = None
        """What was read from bytes, until a physics makes it its own."""
        self._arrays = KeptArrays()
        self._contacts = KeptContacts()
        self._is_unproven = False
        """Whether it was read from bytes, and has never been restored."""
        self._measurement = -1
        """Of the masses of bodies, see ``BodyTable.measurement``."""
        self._values = {}
        self._runs = {}

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
        from ecsphys.systems.snapshot.saved_world import to_tree

        return encode(to_tree(self) if self._tree is None else self._tree)

    @classmethod
    def from_bytes(cls, data: Any) -> Snapshot:
        """The snapshot from bytes of :meth:`to_bytes`. It then belongs to the first physics that restores it.

        Component classes are found by name, so import them first. Raises TypeError unless ``data`` are bytes, and
        ValueError if they are not a snapshot, have another format, or are truncated or damaged.
        """
        tree = decode(data)
        if not isinstance(tree, dict) or not isinstance(tree.get("clock"), float):
            raise ValueError("the snapshot is malformed: it has no clock")
        read = cls(None)
        read._tree, read.clock = tree, tree["clock"]
        return read

    def _has(self, name: str) -> bool:
        """Whether an array is from this moment, and not from an older snapshot in the same memory."""
        kind = name.partition(".")[0]
        if kind == "bodies":
            return bool(self._flags["has_bodies"])
        if kind == "joints":
            return bool(self._flags["has_joints"])
        return kind not in ("memory", "journal") or bool(self._remembered)

    def _make_own(self, physics: Physics) -> None:
        """Give the data to a physics. Raises ValueError, before the world changes, if it does not fit."""
        from ecsphys.systems.snapshot.loaded_world import fill

        if self._tree is not None:
            try:
                fill(self, self._tree, physics)
            except (KeyError, TypeError, IndexError, AttributeError, ArithmeticError) as error:
                raise ValueError(f"the snapshot is malformed: {error!r}") from error
            except ValueError as error:
                text = str(error)
                raise ValueError(text if text.startswith("the snapshot") else f"the snapshot: {text}") from error
            self._physics, self._tree, self._is_unproven = physics, None, True

    def _follow_slots(self, colliders: ColliderTable, entities: EntityTable) -> None:
        """Refer to colliders by their present slots, in the same public order."""
        slots = colliders.slots
        is_moved = colliders.order is not self._order
        absent = self._absent
        here = absent[:, 0]
        if not is_moved and not (here.size and (slots.absence[here] != absent[:, 4]).any()):
            return
        old, new = self._order, colliders.order
        if old.size != new.size:
            raise RuntimeError(f"the world has {new.size} colliders, but the snapshot has {old.size}")
        most = int(max(old.max(initial=-1), here.max(initial=-1))) + 1
        place: NDArray[int32] = np.full(most + 1, -1, int32)
        place[old] = new
        gone = np.zeros(0, int32)
        if here.size:
            place[here] = gone = colliders.add_absent(entities, [tuple(row) for row in absent[:, 1:].tolist()])
        arrays = self._arrays
        pairs = place[self._contacts.pairs]
        # Colliders that moved may be gone: they have no place.
        moved = _places_of(arrays["moved"], place)
        followed: dict[str, NDArray[Any]] = {"moved": moved[moved >= 0]}
        touched = arrays["touches.numbers"].copy()
        for column in (OWN, OTHER):
            touched[:, column] = _places_of(touched[:, column], place)
        followed["touches.numbers"] = touched
        if "journal.born" in arrays and arrays["journal.born"].size:
            born = arrays["journal.born"]
            by_slot = np.zeros((colliders.capacity, *born.shape[1:]), born.dtype)
            known = old[old < len(born)]
            by_slot[place[known]] = born[known]
            followed["journal.born"] = by_slot
        if "journal.slots" in arrays:
            followed |= _followed_journal(arrays, place)
        # From here on nothing fails.
        self._contacts.follow(pairs)
        arrays.update(followed)
        absent[:, 0] = gone
        if is_moved:
            self._sleeping = None
        self._order = colliders.keep_order()


def _followed_journal(arrays: KeptArrays, place: NDArray[int32]) -> dict[str, NDArray[Any]]:
    """The data of the journal and of its readers that refer to slots, by the present ``place`` of each slot."""
    noted, poses = arrays["journal.slots"], arrays["journal.poses"]
    known = np.flatnonzero(_places_of(noted, place) >= 0)
    # A deleted collider has no reader. The following entry takes its place, because a reader takes the first entry of
    # each slot. Deleted colliders at the end are dropped.
    count = int(known[-1]) + 1 if known.size else 0
    source = known[np.searchsorted(known, np.arange(count))]
    end = int(arrays["journal.first"][0]) + count
    numbers, values = arrays["memory.numbers"].copy(), arrays["memory.values"].copy()
    numbers[:, REVISION] = np.minimum(numbers[:, REVISION], end)
    stood_on = values[:, STOOD_ON].astype(int64)
    values[:, STOOD_ON] = np.where(stood_on >= 0, _places_of(stood_on, place), stood_on)
    return {
        "journal.slots": place[noted[source]],
        "journal.poses": poses[source],
        "memory.numbers": numbers,
        "memory.values": values,
    }


def _places_of(slots: NDArray[Any], place: NDArray[int32]) -> NDArray[int32]:
    """The places of slots, −1 for slots without a place."""
    inside = (slots >= 0) & (slots < len(place))
    found: NDArray[int32] = np.where(inside, place[np.where(inside, slots, 0)], np.int32(-1))
    return found
