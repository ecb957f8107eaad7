"""A small number for each entity, from the values of its components. If digests differ, it finds the entities."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from struct import Struct
from typing import Any, Final

import numpy as np
from numpy import float64, int64, uint16, uint64
from numpy.typing import NDArray

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.names_in_files import name_in_files
from ecsphys.components.store.column_store import ColumnStore
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns, lengths_of
from ecsphys.systems.snapshot.world_structure import WorldStructure

Entities = NDArray[int64]
Numbers = NDArray[uint16]
Words = NDArray[uint64]

_FACTOR: Final = uint64(0x9E3779B97F4A7C15)  # Knuth's golden ratio
_MASK: Final = (1 << 64) - 1
_TOP: Final = uint64(48)
_HALF: Final = uint64(32)

# Where the runs of a row are in a pool: other places in another process.
_POOLED: Final = frozenset({"_start", "_count"})

_WITH_PARTS: Final = (CompoundCollider, ChainCollider)

_COUNTS: Final = Struct("<III")

NO_ENTITIES: Final[Entities] = np.zeros(0, int64)
NO_NUMBERS: Final[Numbers] = np.zeros(0, uint16)


class Fingerprints:
    """The entities of the current world, ascending, and 16 bits for each, from the values of its components.

    The values include outlines, paths, and the parts of compounds and chains. Only changes since the last call are
    read.
    """

    def __init__(self) -> None:
        self._structure: WorldStructure | None = None
        self._entities = NO_ENTITIES
        self._places: dict[type[Any], NDArray[int64]] = {}
        # By class: the rows, their revision, and the numbers.
        self._known: dict[type[Component], tuple[ComponentRows, int, Words]] = {}

    def take(self) -> tuple[Entities, Numbers]:
        structure = WorldStructure.of_world(self._structure)
        if structure is not self._structure:
            self._list(structure)
        total: Words = np.zeros(self._entities.size, uint64)
        for cls, rows in structure.of_class.items():
            if issubclass(cls, Component):
                numbers: Words | uint64 = self._numbers_of(cls, rows)
            else:
                numbers = _parts_of(rows) if cls in _WITH_PARTS else _number_of(cls)
            total[self._places[cls]] += numbers
        return self._entities, (total * _FACTOR >> _TOP).astype(uint16)

    def _list(self, structure: WorldStructure) -> None:
        bare = np.fromiter(structure.bare, int64, len(structure.bare))
        of_class = {cls: rows.entity for cls, rows in structure.of_class.items()}
        self._entities = np.unique(np.concatenate([bare, *of_class.values()]))
        self._places = {cls: np.searchsorted(self._entities, entity) for cls, entity in of_class.items()}
        self._known = {cls: known for cls, known in self._known.items() if cls in of_class}
        self._structure = structure

    def _numbers_of(self, cls: type[Component], rows: ComponentRows) -> Words:
        store: ColumnStore = cls._columns
        revision = store.writes.collect() if store.tracked else -1
        known = self._known.get(cls)
        if known is not None and known[0] is rows and known[1] == revision >= 0:
            return known[2]
        numbers = _values_of(cls, rows.row)
        self._known[cls] = rows, revision, numbers
        return numbers


class FingerprintWriter:
    """The fingerprints of each step as bytes: only fingerprints that changed since the step before."""

    def __init__(self) -> None:
        self._fingerprints = Fingerprints()
        self._entities, self._numbers = NO_ENTITIES, NO_NUMBERS

    def take(self) -> bytes:
        entities, numbers = self._fingerprints.take()
        before, gone, come = self._numbers, NO_ENTITIES, NO_ENTITIES
        if entities is not self._entities:
            gone = np.setdiff1d(self._entities, entities, assume_unique=True)
            come = np.setdiff1d(entities, self._entities, assume_unique=True)
            before = _followed(self._entities, before, entities)
        self._entities, self._numbers = entities, numbers
        is_other = before != numbers
        parts = gone.astype("<i8"), come.astype("<i8"), np.packbits(is_other), numbers[is_other].astype("<u2")
        return _COUNTS.pack(gone.size, come.size, parts[3].size) + b"".join(part.tobytes() for part in parts)


class FingerprintReader:
    """Reads the bytes of a :class:`FingerprintWriter`, step by step: ``entities`` and ``numbers``."""

    def __init__(self) -> None:
        self.entities, self.numbers = NO_ENTITIES, NO_NUMBERS

    def read(self, data: bytes) -> None:
        """Read the next step. Raises ValueError for other bytes."""
        gone_count, come_count, other_count = _COUNTS.unpack_from(data)
        place = _COUNTS.size
        gone, place = np.frombuffer(data, "<i8", gone_count, place), place + 8 * gone_count
        come, place = np.frombuffer(data, "<i8", come_count, place), place + 8 * come_count
        entities = self.entities
        if gone_count or come_count:
            stay = np.setdiff1d(entities, gone, assume_unique=True)
            entities = np.union1d(stay, come.astype(int64))
            self.numbers = _followed(self.entities, self.numbers, entities)
            self.entities = entities
        bitmap = np.frombuffer(data, np.uint8, (entities.size + 7) // 8, place)
        is_other = np.unpackbits(bitmap, count=entities.size).astype(bool)
        numbers = self.numbers.copy()
        numbers[is_other] = np.frombuffer(data, "<u2", other_count, place + bitmap.size)
        self.numbers = numbers


def _followed(old: Entities, numbers: Numbers, new: Entities) -> Numbers:
    """The numbers of the old entities at the places of the new entities, 0 for others."""
    followed: Numbers = np.zeros(new.size, uint16)
    _, here, there = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    followed[there] = numbers[here]
    return followed


def _values_of(cls: type[Component], row: NDArray[Any]) -> Words:
    """A number for each of some rows (n,) of a class, from its fields and its data in pools."""
    numbers: Words = np.full(len(row), _number_of(cls), uint64)
    salt = int(_number_of(cls)) | 1
    for block in _blocks_of(cls._columns):
        words = _spread(_words_of(np.take(block, row, axis=1, mode="clip")))
        numbers += _factors(len(words), salt) @ words
        salt = salt * int(_FACTOR) & _MASK
    if cls in POOLS:
        runs = PooledRuns(cls, row)
        lengths = lengths_of(cls, runs.counts)
        place = np.arange(len(runs.contents)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        words = _spread(_words_of(runs.contents.T.copy()))
        of_points = _factors(len(words), salt) @ words
        np.add.at(numbers, np.repeat(np.arange(len(row)), lengths), of_points * _odd(place))
    return numbers


def _parts_of(rows: ComponentRows) -> Words:
    """A number for each of some compounds or chains, from their parts in order."""
    numbers: Words = np.zeros(len(rows), uint64)
    if not len(rows):
        return numbers
    lines = [instance._lines for instance in rows.instances]
    lengths = np.array([len(line) for line in lines])
    kind, row = np.concatenate(lines).T
    values: Words = np.zeros(len(kind), uint64)
    for number in np.unique(kind).tolist():
        chosen = kind == number
        # The segments of chains are polygons.
        shape = PolygonCollider if number == KIND_CHAIN else SHAPE_CLASSES[number]
        values[chosen] = _values_of(shape, row[chosen])
    place = np.arange(len(kind)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    np.add.at(numbers, np.repeat(np.arange(len(rows)), lengths), values * _odd(place))
    return numbers


def _spread(words: Words) -> Words:
    """Mix the bits, so a change of the highest bit, for example a sign, changes others."""
    spread: Words = words ^ words >> _HALF
    return spread


def _odd(places: NDArray[int64]) -> Words:
    """A factor for each place in a run, so the same values in another order give another number."""
    odd: Words = 2 * places.astype(uint64) + uint64(1)
    return odd


def _factors(count: int, salt: int) -> Words:
    """A factor for each of ``count`` fields."""
    factors: Words = np.arange(1, 2 * count, 2, dtype=uint64) * uint64(salt)
    return factors


def _blocks_of(store: ColumnStore) -> Iterator[NDArray[Any]]:
    """The blocks of a class, without fields that are only positions in the memory of this process."""
    for block in (store.float64, store.uint32, store.uint8):
        if len(block):
            yield block
    if len(store.int64) and _POOLED.isdisjoint(store.int_fields):
        yield store.int64


def _words_of(array: NDArray[Any]) -> Words:
    if array.dtype in (float64, int64):
        return array.view(uint64)
    return array.astype(uint64)


_numbers: dict[type[Any], uint64] = {}


def _number_of(cls: type[Any]) -> uint64:
    """A number for a class, the same one in every process."""
    number = _numbers.get(cls)
    if number is None:
        name = name_in_files(cls).encode()
        number = _numbers[cls] = uint64(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little"))
    return number
