"""Numbers for the state of a world, equal where states are, on every machine that computes the same.

``Digests`` makes one number for all. ``Fingerprints`` makes a small one for each entity: if digests differ, they find
the entities.
"""

from __future__ import annotations

import hashlib
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import int64, uint16, uint64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import ROW_KINDS, SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.other_names import name_in_files
from ecsphys.components.store import component_table
from ecsphys.components.store.component import Component
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.engine.tables.row_copies import mix_contacts, mix_floats, mix_words
from ecsphys.systems.snapshot.kept_components import POOLED, POOLS, PooledRuns, Structure, blocks_of
from ecsphys.systems.world.esper_world import NeverAttached, next_entity

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import WorldTables

Words = NDArray[uint64]
Fingerprint = tuple[NDArray[int64], NDArray[uint16]]
"""Entities, ascending, and a number for each."""

NO_FINGERPRINT: Final[Fingerprint] = np.zeros(0, int64), np.zeros(0, uint16)

# Odd, with about as many ones as zeros: primes of xxHash.
_FACTOR: Final = 0xC2B2AE3D27D4EB4F
_LAST: Final = 0x165667B19E3779F9
_MASK: Final = (1 << 64) - 1

_GOLDEN: Final = uint64(0x9E3779B97F4A7C15)  # Knuth's golden ratio
_TOP, _HALF, _ONE, _TWO = uint64(48), uint64(32), uint64(1), uint64(2)
_COUNTS: Final = Struct("<III")


class Digests:
    """Makes digests of one world, and keeps for the next one what does not change in between."""

    def __init__(self) -> None:
        # What esper had attached, and the tables, when the structure was read.
        self._as_of: tuple[object, int] | None = None
        self._structure = 0
        # Classes and their rows, in an order that depends only on the entities; the revision of a number, and this.
        self._classes: list[tuple[type[Component], NDArray[Any], float, int]] = []
        self._plain: dict[type[Any], tuple[component_table.Reading, int]] = {}

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
            if issubclass(cls, Component):
                rows = component_table.rows_of(cls)
                entities = mix_words(rows.entity, False)
                found.append((cls, rows.row))
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


class Fingerprints:
    """The entities of the current world, ascending, and 16 bits for each, from the values of its components.

    The values include outlines, paths, and the parts of compounds and chains. Only changes since the last call are
    read.
    """

    def __init__(self) -> None:
        self._structure: Structure | None = None
        self._entities: NDArray[int64] = NO_FINGERPRINT[0]
        # By class: the places of its entities; and the rows, their revision, and the numbers.
        self._places: dict[type[Any], NDArray[int64]] = {}
        self._known: dict[type[Any], tuple[component_table.ComponentRows, float, Words]] = {}

    def take(self) -> Fingerprint:
        structure = Structure.of_world(self._structure)
        of_class = structure.of_class
        if structure is not self._structure:
            bare = np.fromiter(structure.bare, int64, len(structure.bare))
            entities = np.unique(np.concatenate([bare, *(rows.entity for rows in of_class.values())]))
            self._places = {cls: np.searchsorted(entities, rows.entity) for cls, rows in of_class.items()}
            self._known = {cls: known for cls, known in self._known.items() if cls in of_class}
            self._entities, self._structure = entities, structure
        total: Words = np.zeros(self._entities.size, uint64)
        for cls, rows in of_class.items():
            if issubclass(cls, Component):
                written, known = cls._columns.revision(), self._known.get(cls)
                if known is None or known[0] is not rows or known[1] != written:
                    known = self._known[cls] = rows, written, _fingerprints_of_rows(cls, rows.row)
                total[self._places[cls]] += known[2]
            else:
                has_parts = cls in (CompoundCollider, ChainCollider)
                number = _fingerprints_of_parts(rows) if has_parts else uint64(number_of(name_in_files(cls)))
                total[self._places[cls]] += number
        return self._entities, (total * _GOLDEN >> _TOP).astype(uint16)


def _fingerprints_of_rows(cls: type[Component], row: NDArray[Any]) -> Words:
    """A number for each of some rows (n,) of a class, from its fields and its runs in a pool."""
    store, number = cls._columns, uint64(number_of(name_in_files(cls)))
    blocks = [
        block for block in blocks_of(store) if block is not store.int64 or POOLED.isdisjoint(store.names_in("int64"))
    ]
    words = [_words_of(np.take(block, row, axis=1, mode="clip")) for block in blocks]
    numbers = number + _weighted(np.concatenate(words) if words else np.zeros((0, len(row)), uint64), number)
    if cls in POOLS:
        runs = PooledRuns(cls, row)
        of_points = _weighted(_words_of(runs.contents.T.copy()), ~number)
        _add_runs(numbers, of_points, runs.lengths, runs.places_in_runs())
    return numbers


def _fingerprints_of_parts(rows: component_table.ComponentRows) -> Words:
    """A number for each of some compounds or chains, from their parts in order."""
    lines = [instance._lines for instance in rows.instances]
    kind, row = np.concatenate([np.zeros((0, 2), np.int32), *lines]).T
    values: Words = np.zeros(len(kind), uint64)
    for number in np.unique(kind).tolist():
        shape = SHAPE_CLASSES[ROW_KINDS[number]]
        values[kind == number] = _fingerprints_of_rows(shape, row[kind == number])
    numbers: Words = np.zeros(len(rows), uint64)
    places = np.concatenate([np.zeros(0, int64), *(np.arange(len(line)) for line in lines)])
    _add_runs(numbers, values, np.array([len(line) for line in lines], int64), places)
    return numbers


def _add_runs(numbers: Words, values: Words, lengths: NDArray[int64], places: NDArray[int64]) -> None:
    """Add the values of each run, with a factor for each place: in another order they give another number."""
    np.add.at(numbers, np.repeat(np.arange(len(lengths)), lengths), values * (_TWO * places.astype(uint64) + _ONE))


def _weighted(words: Words, salt: uint64) -> Words:
    """The sum of each column (fields, n), with a factor for each field. A changed sign changes more than one bit."""
    factors = np.arange(1, 2 * len(words), 2, dtype=uint64) * (salt | _ONE)
    weighted: Words = factors @ (words ^ words >> _HALF)
    return weighted


def _words_of(array: NDArray[Any]) -> Words:
    return array.view(uint64) if array.dtype.itemsize == 8 else array.astype(uint64)


def changes_between(then: Fingerprint, now: Fingerprint) -> bytes:
    """The fingerprints that changed, as bytes for :func:`changed`."""
    entities, numbers = now
    gone = come = entities[:0]
    if entities is not then[0]:
        gone = np.setdiff1d(then[0], entities, assume_unique=True)
        come = np.setdiff1d(entities, then[0], assume_unique=True)
    is_other = _of_entities(then, entities) != numbers
    parts = gone.astype("<i8"), come.astype("<i8"), np.packbits(is_other), numbers[is_other].astype("<u2")
    return _COUNTS.pack(gone.size, come.size, parts[3].size) + b"".join(part.tobytes() for part in parts)


def changed(then: Fingerprint, data: bytes) -> Fingerprint:
    """The fingerprints of the next step, from bytes of :func:`changes_between`. Raises ValueError for other bytes."""
    gone_count, come_count, other_count = _COUNTS.unpack_from(data)
    ends = np.cumsum((_COUNTS.size, 8 * gone_count, 8 * come_count)).tolist()
    gone = np.frombuffer(data, "<i8", gone_count, ends[0])
    come = np.frombuffer(data, "<i8", come_count, ends[1])
    entities = then[0]
    if gone_count or come_count:
        entities = np.union1d(np.setdiff1d(entities, gone, assume_unique=True), come.astype(int64))
    bitmap = np.frombuffer(data, np.uint8, (entities.size + 7) // 8, ends[2])
    is_other = np.unpackbits(bitmap, count=entities.size).astype(bool)
    numbers = _of_entities(then, entities).copy()
    numbers[is_other] = np.frombuffer(data, "<u2", other_count, ends[2] + bitmap.size)
    return entities, numbers


def _of_entities(then: Fingerprint, entities: NDArray[int64]) -> NDArray[uint16]:
    """The known numbers of some entities; 0 for others."""
    if entities is then[0]:
        return then[1]
    numbers: NDArray[uint16] = np.zeros(entities.size, uint16)
    _, here, there = np.intersect1d(then[0], entities, assume_unique=True, return_indices=True)
    numbers[there] = then[1][here]
    return numbers
