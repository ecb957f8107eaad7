"""``Digests``: a number for the state of a world, equal where states are, on every machine that computes the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.names_in_files import name_in_files
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import Reading, dead_entities, reading_of, rows_of, table_of
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.kernels.compilation import COMPILES
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.systems.hits.strikes import used_part
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns
from ecsphys.systems.snapshot.world_structure import structure_token
from ecsphys.systems.world.esper_world import next_entity

if COMPILES:
    from ecsphys.engine.tables.mixing import mix_contacts, mix_floats, mix_words
else:
    from ecsphys.engine.tables.plain_mixing import mix_contacts, mix_floats, mix_words

if TYPE_CHECKING:
    from ecsphys.engine.contacts.contact_table import ContactTable
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Words = NDArray[int64]

# Odd, with about as many ones as zeros: primes of xxHash.
_FACTOR: Final = 0xC2B2AE3D27D4EB4F
_LAST: Final = 0x165667B19E3779F9
_MASK: Final = (1 << 64) - 1


class _Kept(NamedTuple):
    """The result for a class whose writes are noted, and its revision."""

    revision: int
    number: int


class _Contacts(NamedTuple):
    """A table of contacts, and the bits of its floats."""

    table: ContactTable
    normal: Words
    depth: Words
    impulses: Words


class _ClassValues:
    """The values of the rows of a class, in an order that depends only on the entities."""

    __slots__ = ("_cls", "_floats", "_integers", "_kept", "_rows", "_store")

    def __init__(self, cls: type[Component], rows: NDArray[Any]) -> None:
        self._cls = cls
        self._store = store = cls._columns
        self._rows = np.ascontiguousarray(rows, np.int32)
        self._floats: Words | None = store.float64.view(int64) if len(store.float64) else None
        # The positions of runs in a pool do not count, only their contents.
        blocks = (store.uint32, store.uint8) if cls in POOLS else (store.int64, store.uint32, store.uint8)
        self._integers = [block for block in blocks if len(block)]
        self._kept: _Kept | None = None

    def number(self) -> int:
        """The mixed values as they are now."""
        store = self._store
        if not store.tracked:
            return self._mixed()
        revision = store.writes.collect()
        if self._kept is None or self._kept.revision != revision:
            self._kept = _Kept(revision, self._mixed())
        return self._kept.number

    def _mixed(self) -> int:
        number = 0 if self._floats is None else mix_floats(self._floats, self._rows)
        for block in self._integers:
            number = _chained(number, mix_words(block[:, self._rows].astype(int64).reshape(-1), False))
        if self._cls in POOLS:
            runs = PooledRuns(self._cls, self._rows)
            number = _chained(number, mix_words(runs.counts, False))
            number = _chained(number, mix_words(_words_of(runs.contents), True))
        return number


class Digests:
    """Makes digests of one world, and keeps for the next one what does not change in between."""

    __slots__ = ("_as_of", "_clock", "_clock_word", "_contacts", "_plain", "_structure", "_values")

    def __init__(self) -> None:
        # What esper had attached, the tables, and the blocks, when the rest was made.
        self._as_of: tuple[object, int, int] | None = None
        self._structure = 0
        self._values: list[_ClassValues] = []
        self._plain: dict[type[Any], tuple[Reading, int]] = {}
        self._contacts: list[_Contacts] = []
        self._clock = np.zeros(1)
        self._clock_word: Words = self._clock.view(int64)

    def digest_of(self, state: PhysicsState) -> int:
        """The digest of the world of a physics, whose tables are up to date."""
        token = structure_token()
        revision, replaced = state.tables.revision, REPLACEMENTS.made
        as_of = self._as_of
        if as_of is None or as_of[0] is not token or as_of[1:] != (revision, replaced):
            self._as_of = None
            self._find_values(state.tables)
            self._as_of = token, revision, replaced
        number = _chained(self._structure, next_entity())
        number = _chained(number, len(esper._entities))
        dead = dead_entities()
        if dead:
            number = _chained(number, mix_words(np.array(sorted(dead), int64), False))
        self._clock[0] = state.clock
        number = _chained(number, int(self._clock_word[0]))
        for values in self._values:
            number = _chained(number, values.number())
        number = _chained(number, self._contact_number(state))
        bodies, joints = state.body_table, state.joints
        bodies.compact()
        if len(bodies) > 1:
            number = _chained(number, mix_words(bodies.states.island.astype(int64), False))
            number = _chained(number, mix_words(_words_of(bodies.states.slow_for), True))
        if len(joints):
            number = _chained(number, mix_words(_words_of(joints.rows.impulses), True))
        return number ^ (number >> 32)

    def _contact_number(self, state: PhysicsState) -> int:
        found = state.hits.found
        table = found.buffer.table
        known = next((known for known in self._contacts if known.table is table), None)
        if known is None:
            floats = table.hits.normal, table.hits.depth, table.points.impulses
            known = _Contacts(table, *(array.view(int64) for array in floats))
            # Two buffers take turns.
            self._contacts = [*self._contacts[-1:], known]
        count = found.counts.contacts
        number = mix_contacts(table.hits, known.normal, known.depth, known.impulses, count) + count
        number = _chained(number, hash(found.pressed_for))
        if found.strikes.is_any_left:
            left = used_part(found.strikes.left)
            for entities, numbers in ((left.struck, left.numbers), (left.loaded, left.loads)):
                number = _chained(number, mix_words(entities.reshape(-1), False))
                number = _chained(number, mix_words(_words_of(numbers), True))
        return number

    def _find_values(self, tables: WorldTables) -> None:
        number, self._values = _FACTOR, []
        for cls in sorted(esper._components, key=_name_of):
            if issubclass(cls, Component):
                rows = rows_of(cls)
                entities = mix_words(rows.entity, False)
                self._values.append(_ClassValues(cls, rows.row))
            else:
                entities = self._plain_entities(cls)
            number = _chained(_chained(number, _number_of(_name_of(cls))), entities)
        if tables.entities.instances[COMPOUND].count or tables.entities.instances[CHAIN].count:
            for kind, shape in enumerate(SHAPE_CLASSES):
                owners, parts = tables.part_rows(kind)
                order = np.argsort(owners, kind="stable")
                if parts.size:
                    number = _chained(number, mix_words(owners[order].astype(int64), False))
                    self._values.append(_ClassValues(shape, parts[order]))
        self._structure = number

    def _plain_entities(self, cls: type[Any]) -> int:
        table, known = table_of(cls), self._plain.get(cls)
        reading = reading_of(table)
        if table is not None and known is not None and known[0] == reading:
            return known[1]
        number = mix_words(np.array(sorted(esper._components[cls]), int64), False)
        self._plain[cls] = reading, number
        return number


def _chained(number: int, other: int) -> int:
    mixed = ((number ^ (other & _MASK)) * _FACTOR) & _MASK
    mixed ^= mixed >> 29
    return (mixed * _LAST) & _MASK


def _words_of(array: NDArray[float64]) -> Words:
    words: Words = np.ascontiguousarray(array, float64).reshape(-1).view(int64)
    return words


def _name_of(cls: type[Any]) -> str:
    return name_in_files(cls)


_numbers: dict[str, int] = {}


def _number_of(name: str) -> int:
    """A number of 64 bits for a name, the same one always."""
    if name not in _numbers:
        digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
        _numbers[name] = int.from_bytes(digest, "little")
    return _numbers[name]
