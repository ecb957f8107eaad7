"""The components of a world at some moment: which entities have which, their values, and their runs in pools.

Instances are kept, and with them their rows: nothing is copied for an entity. If nothing was added or removed since,
neither taking nor bringing back looks at any entity. Values that were not written since are shared.

``Digests`` makes one number for the state of a world, on every machine that computes the same.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.polygon_collider import VERTEX_POOL, PolygonCollider
from ecsphys.components.motion.transform import WAYPOINT_POOL, PathTrajectory
from ecsphys.components.other_names import name_in_files
from ecsphys.components.store import component_table
from ecsphys.components.store.column_store import ColumnStore, RunPool
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.shapes.segment import SEGMENT_ROWS, SEGMENT_VERTICES
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.engine.tables.row_copies import mix_contacts, mix_floats, mix_words
from ecsphys.systems.world.esper_world import NeverAttached, next_entity

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Rows = NDArray[int32]

POOLS: Final[dict[type[Component], RunPool]] = {
    PolygonCollider: VERTEX_POOL,
    PathTrajectory: WAYPOINT_POOL,
}
# Fields that say where the run of a row is in a pool: in another place in each process.
POOLED: Final = frozenset({"_start", "_count"})
# Above this part of the rows, readers are told that all have changed.
_MANY: Final = 0.125


class Structure:
    """The components of all entities of a world at some moment.

    ``of_class``: the entities and the instances of each class that is attached. ``bare``: the entities without any.
    """

    def __init__(self, of_class: dict[type[Any], ComponentRows], bare: frozenset[int]) -> None:
        self.of_class, self.bare = of_class, bare
        self._answer: object = None

    @classmethod
    def of_world(cls, last: Structure | None = None) -> Structure:
        """The structure of the current world: ``last`` itself if nothing was added or removed since.

        Raises TypeError if a column component is attached under another class than its own (esper's ``type_alias``).
        """
        answer = esper.get_component(NeverAttached)
        if last is not None and last._answer is answer:
            return last
        bare = frozenset([entity for entity, components in esper._entities.items() if not components])
        classes = tuple(esper._components)
        found = cls({one: component_table.rows_of(one, not issubclass(one, Component)) for one in classes}, bare)
        found._answer = answer
        return found

    def bring_back(self) -> None:
        """Give the current world these entities and instances, and no others.

        After an interrupt it can be called again. esper's queries may go through entities in another order afterwards.
        """
        if esper.get_component(NeverAttached) is self._answer:
            return
        now = self.of_world()
        # All differences are found before anything changes.
        plan = [
            (cls, *_differences(cls, there, wanted))
            for cls in {**self.of_class, **now.of_class}
            if (there := now.of_class.get(cls, NO_ROWS)) is not (wanted := self.of_class.get(cls, NO_ROWS))
        ]
        entities, tables = esper._entities, esper._components
        touched = set(now.bare)
        for cls, gone, come in plan:
            table = tables.get(cls)
            if table is None:
                table = tables[cls] = component_table.ComponentTable(cls, ())
            for entity in gone:
                entities.get(entity, {}).pop(cls, None)
                table.discard(entity)
            for entity, instance in come:
                entities.setdefault(entity, {})[cls] = instance
                table.add(entity)
            touched.update(gone)
            if not table:
                del tables[cls]
        for entity in touched - self.bare:
            if not entities.get(entity, True):
                del entities[entity]
        for entity in self.bare:
            entities.setdefault(entity, {})
        esper.clear_cache()
        for cls, rows in self.of_class.items():
            table = component_table.table_of(cls)
            if table is not None:
                table.adopt(rows)
        self._answer = esper.get_component(NeverAttached)


def _differences(
    cls: type[Any], there: ComponentRows, wanted: ComponentRows
) -> tuple[list[int], list[tuple[int, Any]]]:
    """The entities with unwanted components, and the entities that lack a wanted component, with the component."""

    def are_same(at: Any, at_wanted: Any) -> NDArray[bool_]:
        same: NDArray[bool_] = (there.entity[at] == wanted.entity[at_wanted]) & (keys[at] == keys_wanted[at_wanted])
        return same

    # All are alive: an equal row, or an equal address, is the same instance.
    keys, keys_wanted = (
        rows.row if issubclass(cls, Component) else np.fromiter(map(id, rows.instances), int64, len(rows))
        for rows in (there, wanted)
    )
    count = min(len(there), len(wanted))
    same = are_same(slice(count), slice(count))
    first = count if same.all() else int(np.argmin(same))
    now, then = there.entity[first:], wanted.entity[first:]
    if not then.size:
        return now.tolist(), []
    place = np.minimum(np.searchsorted(then, now), then.size - 1)
    is_kept = are_same(slice(first, None), first + place)
    missing = first + np.delete(np.arange(then.size), place[is_kept])
    return now[~is_kept].tolist(), [(int(wanted.entity[k]), wanted.instances[k]) for k in missing.tolist()]


class ClassValues:
    """The values of some rows of one class, and their runs in a pool.

    Values that were not written since the last snapshot are shared with it, and never written again.

    ``rows`` (n,). ``blocks``: for each block of the store that has fields an array (fields, n), in the order of
    ``rows``; or in ascending order of the rows, if these fill a range.
    """

    def __init__(self, cls: type[Component], rows: Rows) -> None:
        self._store: ColumnStore = cls._columns
        self.rows = rows
        self.blocks: list[NDArray[Any]] = []
        self.runs: PooledRuns | None = None
        # NaN if they are not up to date with anything.
        self._revision, self._is_shared = math.nan, False
        self._range: slice | None = None
        first, end = (int(rows.min()), int(rows.max()) + 1) if rows.size else (0, 0)
        if end - first == rows.size:
            self._range = slice(first, end)

    @classmethod
    def take(
        cls, component: type[Component], rows: Rows, last: ClassValues | None = None, room: ClassValues | None = None
    ) -> ClassValues:
        """The present values: ``last`` itself if it has them, or a copy, in the arrays of ``room`` if these fit."""
        store = component._columns
        revision = store.revision()
        before = last if last is not None and last.rows is rows else None
        if before is not None and before._revision == revision:
            before._is_shared = True
            return before
        taken = room
        if taken is None or taken.rows is not rows or taken._is_shared:
            taken = cls(component, rows)
            taken.blocks = [np.empty((len(block), rows.size), block.dtype) for block in blocks_of(store)]
        for block, values in zip(blocks_of(store), taken.blocks, strict=True):
            if taken._range is None:
                np.take(block, rows, axis=1, out=values, mode="clip")
            else:
                values[...] = block[:, taken._range]
        if component in POOLS:
            runs = None if before is None else before.runs
            taken.runs = runs if runs is not None and runs.are_current() else PooledRuns(component, rows)
        taken._revision = revision
        return taken

    def moved_to(self, cls: type[Component], rows: Rows) -> ClassValues:
        """The same values, for other rows (n,) of the class."""
        moved = ClassValues(cls, rows)
        order = slice(None) if moved._range is None else np.argsort(rows)
        moved.blocks = [np.ascontiguousarray(self.ordered(block)[:, order]) for block in self.blocks]
        if self.runs is not None:
            moved.runs = PooledRuns(cls, rows)
            moved.runs.counts, moved.runs.contents = self.runs.counts, self.runs.contents
        return moved

    def ordered(self, values: NDArray[Any]) -> NDArray[Any]:
        """The values of a block (fields, n) in the order of :attr:`rows`."""
        return values if self._range is None else values[:, self.rows - self._range.start]

    def put_back(self) -> None:
        """Write the values back to the rows, and note the writes for the readers of the class."""
        store = self._store
        if self.runs is not None:
            self.runs.put_back()
        if store.revision() == self._revision:
            return
        where: Any = self.rows if self._range is None else self._range
        is_other: Any = False
        with blocks_stay():
            for block, values in zip(blocks_of(store), self.blocks, strict=True):
                if store.tracked:
                    is_other |= (_bits(block[:, where]) != _bits(values)).any(axis=0)
                if block is not store.int64 or POOLED.isdisjoint(store.names_in("int64")):
                    block[:, where] = values
                    continue
                for field, name in enumerate(store.names_in("int64")):
                    if name not in POOLED:
                        block[field, where] = values[field]
        if not store.tracked:
            return
        changed = np.flatnonzero(is_other)
        if changed.size > _MANY * self.rows.size:
            store.writes.note_everything()
        elif changed.size:
            in_range = self._range is not None
            store.writes.note_rows(changed + where.start if in_range else self.rows[changed].astype(int64))
        self._revision = store.writes.revision


def blocks_of(store: ColumnStore) -> list[NDArray[Any]]:
    """The blocks that have fields."""
    return [block for block in (store.float64, store.int64, store.uint32, store.uint8) if len(block)]


def _bits(values: NDArray[Any]) -> NDArray[Any]:
    """Floats as their bits, so that NaN equals itself and −0 is not 0."""
    return np.ascontiguousarray(values).view(int64) if values.dtype.kind == "f" else values


def places_in_runs(lengths: NDArray[int64]) -> NDArray[int64]:
    """For each row of some runs, one after the other, its place in its run."""
    return np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)


class PooledRuns:
    """The runs that some rows of a class had in a pool: corners of polygons, points of paths.

    ``starts`` and ``counts`` (n,); ``lengths`` (n,): the rows of each in ``contents``. The segments of chains have more
    rows than vertices.
    """

    def __init__(self, cls: type[Component], rows: NDArray[Any]) -> None:
        self.cls, self.rows = cls, rows
        self.starts, self.counts = cls._columns.values(rows, "_start", "_count")
        self.contents: NDArray[Any] = POOLS[cls].data[self._places()]

    @property
    def lengths(self) -> NDArray[int64]:
        is_segment = (self.counts == SEGMENT_VERTICES) & (self.cls is PolygonCollider)
        lengths: NDArray[int64] = np.where(is_segment, SEGMENT_ROWS, self.counts)
        return lengths

    def _places(self) -> NDArray[int64]:
        return np.repeat(self.starts, self.lengths) + places_in_runs(self.lengths)

    def are_current(self) -> bool:
        """Whether the rows have these runs still, with the same contents."""
        starts, counts = self.cls._columns.values(self.rows, "_start", "_count")
        return bool(
            np.array_equal(starts, self.starts)
            and np.array_equal(counts, self.counts)
            and np.array_equal(POOLS[self.cls].data[self._places()], self.contents)
        )

    def put_back(self) -> None:
        """Give the rows these contents again; in other runs, if the game has released theirs."""
        if self.are_current():
            return
        pool, columns = POOLS[self.cls], self.cls._columns
        starts, counts = columns.row_of_block("_start"), columns.row_of_block("_count")
        if columns.tracked:
            columns.mark_written(self.rows)
        runs = np.split(self.contents, np.cumsum(self.lengths)[:-1])
        for row, count, run in zip(self.rows.tolist(), self.counts.tolist(), runs, strict=True):
            before = int(starts[row]), int(counts[row])
            if before[1] == count:
                pool.put(before[0], run)
                continue
            start = pool.allocate(count)
            pool.put(start, run)
            starts[row], counts[row] = start, count
            # Last, as everywhere: an interrupt leaves no component with a run that another may get.
            pool.release(*before)


# Odd, with about as many ones as zeros: primes of xxHash.
_FACTOR: Final = 0xC2B2AE3D27D4EB4F
_LAST: Final = 0x165667B19E3779F9
_MASK: Final = (1 << 64) - 1


class Digests:
    """Makes digests of one world, and keeps for the next one what does not change in between."""

    def __init__(self) -> None:
        # What esper had attached, and the tables, when the structure was read.
        self._as_of: tuple[object, int] | None = None
        self._structure = 0
        # Classes and their rows, in an order that depends only on the entities; the revision of a number, and this.
        self._classes: list[tuple[type[Component], NDArray[Any], float, int]] = []

    def digest_of(self, state: PhysicsState) -> int:
        """The digest of the world of a physics, whose tables are up to date."""
        token, revision, as_of = esper.get_component(NeverAttached), state.tables.revision, self._as_of
        if as_of is None or as_of[0] is not token or as_of[1] != revision:
            self._as_of = None
            self._read_structure(state.tables)
            self._as_of = token, revision
        number = _chained(_chained(self._structure, next_entity()), len(esper._entities))
        if dead := dead_entities():
            number = _chained(number, mix_words(np.array(sorted(dead), int64), False))
        number = _chained(number, state.stepping.gate.clock.view(int64).item(0))
        for place, (cls, rows, read_to, known) in enumerate(self._classes):
            written = cls._columns.revision()
            if written != read_to:
                known = _number_of_rows(cls, rows)
                self._classes[place] = cls, rows, written, known
            number = _chained(number, known)
        number = _chained(number, _number_of_contacts(state))
        bodies, joints = state.body_table, state.joints
        bodies.compact()
        if len(bodies) > 1:
            number = _chained(number, mix_words(bodies.states.island.astype(int64), False))
            number = _chained(number, _mix_bits(bodies.states.slow_for))
        if len(joints):
            number = _chained(number, _mix_bits(joints.rows.impulses))
        return number ^ (number >> 32)

    def _read_structure(self, tables: WorldTables) -> None:
        number, found = _FACTOR, []
        for cls in sorted(esper._components, key=name_in_files):
            is_column = issubclass(cls, Component)
            rows = component_table.rows_of(cls, not is_column)
            number = _chained(_chained(number, number_of(name_in_files(cls))), mix_words(rows.entity, False))
            if is_column:
                found.append((cls, rows.row))
        if tables.entities.instances[COMPOUND].count or tables.entities.instances[CHAIN].count:
            for kind, shape in enumerate(SHAPE_CLASSES):
                slots, parts = tables.part_owners.rows_of(kind)
                owners = tables.entities.slots.entity[slots]
                order = np.argsort(owners, kind="stable")
                if parts.size:
                    number = _chained(number, mix_words(owners[order], False))
                    found.append((shape, parts[order]))
        self._classes = [(cls, np.ascontiguousarray(rows, np.int32), np.nan, 0) for cls, rows in found]
        self._structure = number


def _number_of_rows(cls: type[Component], rows: NDArray[Any]) -> int:
    """The mixed values of some rows of a class."""
    store, is_pooled = cls._columns, cls in POOLS
    number = mix_floats(store.float64.view(int64), rows) if len(store.float64) else 0
    # The positions of runs in a pool do not count, only their contents.
    for block in (store.uint32, store.uint8) if is_pooled else (store.int64, store.uint32, store.uint8):
        if len(block):
            number = _chained(number, mix_words(block[:, rows].astype(int64).reshape(-1), False))
    if is_pooled:
        runs = PooledRuns(cls, rows)
        number = _chained(_chained(number, mix_words(runs.counts, False)), _mix_bits(runs.contents))
    return number


def _number_of_contacts(state: PhysicsState) -> int:
    found, (hits, points) = state.hits.found, state.hits.found.buffer.table
    number = count = found.counts.contacts
    if count:
        normal, depth, impulses = hits.normal.view(int64), hits.depth.view(int64), points.impulses.view(int64)
        number += mix_contacts(hits, normal, depth, impulses, count)
    number = _chained(number, hash(found.pressed_for))
    if found.strikes.is_any_left:
        left = found.strikes.left
        strikes, loads = left.counts.tolist()
        parts = (left.struck[:strikes], left.numbers[:strikes]), (left.loaded[:loads], left.loads[:loads])
        for entities, numbers in parts:
            number = _chained(_chained(number, mix_words(entities.reshape(-1), False)), _mix_bits(numbers))
    return number


def _chained(number: int, other: int) -> int:
    mixed = ((number ^ (other & _MASK)) * _FACTOR) & _MASK
    mixed ^= mixed >> 29
    return (mixed * _LAST) & _MASK


def _mix_bits(array: NDArray[Any]) -> int:
    return mix_words(np.ascontiguousarray(array, np.float64).reshape(-1).view(int64), True)


@cache
def number_of(name: str) -> int:
    """A number of 64 bits for the name of a class: the same number in every process."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
