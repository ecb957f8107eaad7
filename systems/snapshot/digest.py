"""``Digests``: a number for the state of a world, equal where states are, on every machine that computes the same."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.names_in_files import name_in_files
from ecsphys.components.store import component_table
from ecsphys.components.store.component import Component
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.engine.tables.mixing import mix_contacts, mix_floats, mix_words
from ecsphys.systems.snapshot.kept_components import POOLS, PooledRuns
from ecsphys.systems.world.esper_world import next_entity
from ecsphys.systems.world.world_tables import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Words = NDArray[int64]

# Odd, with about as many ones as zeros: primes of xxHash.
_FACTOR: Final = 0xC2B2AE3D27D4EB4F
_LAST: Final = 0x165667B19E3779F9
_MASK: Final = (1 << 64) - 1


class _ClassNumber:
    """The mixed values of the rows of a class, which are in an order that depends only on the entities."""

    def __init__(self, cls: type[Component], rows: NDArray[Any]) -> None:
        store = cls._columns
        self._cls = cls
        self._rows = np.ascontiguousarray(rows, np.int32)
        self._floats: Words | None = store.float64.view(int64) if len(store.float64) else None
        # The positions of runs in a pool do not count, only their contents.
        blocks = (store.uint32, store.uint8) if cls in POOLS else (store.int64, store.uint32, store.uint8)
        self._integers = [block for block in blocks if len(block)]
        # The number of a class whose writes are noted, and its revision.
        self._number = self._revision = -1

    def take(self) -> int:
        """The number as of now."""
        store = self._cls._columns
        revision = store.writes.collect() if store.tracked else -1
        if revision == self._revision >= 0:
            return self._number
        number = 0 if self._floats is None else mix_floats(self._floats, self._rows)
        for block in self._integers:
            number = _chained(number, mix_words(block[:, self._rows].astype(int64).reshape(-1), False))
        if self._cls in POOLS:
            runs = PooledRuns(self._cls, self._rows)
            number = _chained(_chained(number, mix_words(runs.counts, False)), _mix_bits(runs.contents))
        self._number, self._revision = number, revision
        return number


class Digests:
    """Makes digests of one world, and keeps for the next one what does not change in between."""

    def __init__(self) -> None:
        # What esper had attached, the tables, and the blocks, when the structure and the classes were read.
        self._as_of: tuple[object, int, int] | None = None
        self._structure = 0
        self._classes: list[_ClassNumber] = []
        self._plain: dict[type[Any], tuple[component_table.Reading, int]] = {}
        # The floats of a table of contacts as integers. Two tables take turns.
        self._tables: list[tuple[Any, list[Any]]] = []
        self._clock = np.zeros(1)
        self._clock_bits: Words = self._clock.view(int64)

    def digest_of(self, state: PhysicsState) -> int:
        """The digest of the world of a physics, whose tables are up to date."""
        token, revision, replaced = esper.get_component(NeverAttached), state.tables.revision, REPLACEMENTS.made
        as_of = self._as_of
        if as_of is None or as_of[0] is not token or as_of[1:] != (revision, replaced):
            self._as_of = None
            self._read_structure(state.tables)
            self._as_of = token, revision, replaced
        number = _chained(_chained(self._structure, next_entity()), len(esper._entities))
        if dead := dead_entities():
            number = _chained(number, mix_words(np.array(sorted(dead), int64), False))
        self._clock[0] = state.clock
        number = _chained(number, int(self._clock_bits[0]))
        for values in self._classes:
            number = _chained(number, values.take())
        number = self._with_contacts(number, state)
        bodies, joints = state.body_table, state.joints
        bodies.compact()
        if len(bodies) > 1:
            number = _chained(number, mix_words(bodies.states.island.astype(int64), False))
            number = _chained(number, _mix_bits(bodies.states.slow_for))
        if len(joints):
            number = _chained(number, _mix_bits(joints.rows.impulses))
        return number ^ (number >> 32)

    def _with_contacts(self, number: int, state: PhysicsState) -> int:
        found, table = state.hits.found, state.hits.found.buffer.table
        bits = next((bits for known, bits in self._tables if known is table), None)
        if bits is None:
            bits = [array.view(int64) for array in (table.hits.normal, table.hits.depth, table.points.impulses)]
            self._tables = [*self._tables[-1:], (table, bits)]
        count = found.counts.contacts
        normal, depth, impulses = bits
        contacts = mix_contacts(table.hits, normal, depth, impulses, count) + count
        contacts = _chained(contacts, hash(found.pressed_for))
        if found.strikes.is_any_left:
            left = found.strikes.left
            strikes, loads = left.counts.tolist()
            parts = (left.struck[:strikes], left.numbers[:strikes]), (left.loaded[:loads], left.loads[:loads])
            for entities, numbers in parts:
                contacts = _chained(_chained(contacts, mix_words(entities.reshape(-1), False)), _mix_bits(numbers))
        return _chained(number, contacts)

    def _read_structure(self, tables: WorldTables) -> None:
        number, self._classes = _FACTOR, []
        for cls in sorted(esper._components, key=name_in_files):
            if issubclass(cls, Component):
                rows = component_table.rows_of(cls)
                entities = mix_words(rows.entity, False)
                self._classes.append(_ClassNumber(cls, rows.row))
            else:
                table, known = component_table.table_of(cls), self._plain.get(cls)
                reading = component_table.reading_of(table)
                if table is None or known is None or known[0] != reading:
                    known = reading, mix_words(np.array(sorted(esper._components[cls]), int64), False)
                    self._plain[cls] = known
                entities = known[1]
            number = _chained(_chained(number, number_of(name_in_files(cls))), entities)
        if tables.entities.instances[COMPOUND].count or tables.entities.instances[CHAIN].count:
            for kind, shape in enumerate(SHAPE_CLASSES):
                owners, parts = tables.part_rows(kind)
                order = np.argsort(owners, kind="stable")
                if parts.size:
                    number = _chained(number, mix_words(owners[order].astype(int64), False))
                    self._classes.append(_ClassNumber(shape, parts[order]))
        self._structure = number


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
