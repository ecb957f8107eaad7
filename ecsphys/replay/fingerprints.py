"""A small number for each entity, from the values of its components. If digests differ, it finds the entities."""

from __future__ import annotations

from struct import Struct
from typing import Any, Final

import numpy as np
from numpy import int64, uint16, uint64
from numpy.typing import NDArray

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.names_in_files import name_in_files
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.systems.snapshot.digest import number_of
from ecsphys.systems.snapshot.kept_components import POOLED, POOLS, PooledRuns, Structure, blocks_of

Words = NDArray[uint64]
Fingerprint = tuple[NDArray[int64], NDArray[uint16]]
"""Entities, ascending, and a number for each."""

NO_FINGERPRINT: Final[Fingerprint] = np.zeros(0, int64), np.zeros(0, uint16)

_FACTOR: Final = uint64(0x9E3779B97F4A7C15)  # Knuth's golden ratio
_TOP, _HALF, _ONE, _TWO = uint64(48), uint64(32), uint64(1), uint64(2)
_COUNTS: Final = Struct("<III")


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
        self._known: dict[type[Any], tuple[ComponentRows, int, Words]] = {}

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
                store = cls._columns
                revision = store.writes.collect() if store.tracked else -1
                known = self._known.get(cls)
                if known is None or known[0] is not rows or not known[1] == revision >= 0:
                    known = self._known[cls] = rows, revision, _of_rows(cls, rows.row)
                total[self._places[cls]] += known[2]
            else:
                has_parts = cls in (CompoundCollider, ChainCollider)
                total[self._places[cls]] += _of_parts(rows) if has_parts else uint64(number_of(name_in_files(cls)))
        return self._entities, (total * _FACTOR >> _TOP).astype(uint16)


def _of_rows(cls: type[Component], row: NDArray[Any]) -> Words:
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


def _of_parts(rows: ComponentRows) -> Words:
    """A number for each of some compounds or chains, from their parts in order."""
    lines = [instance._lines for instance in rows.instances]
    kind, row = np.concatenate([np.zeros((0, 2), np.int32), *lines]).T
    values: Words = np.zeros(len(kind), uint64)
    for number in np.unique(kind).tolist():
        # The segments of chains are polygons.
        shape = PolygonCollider if number == KIND_CHAIN else SHAPE_CLASSES[number]
        values[kind == number] = _of_rows(shape, row[kind == number])
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
