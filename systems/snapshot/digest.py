"""``digest_of``: a number for the state of a world, equal where states are, on every machine that computes the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import float64, uint64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.store.component import Component
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns
from ecsphys.systems.snapshot.world_structure import WorldStructure
from ecsphys.systems.world.esper_world import dead_entities, next_entity

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Words = NDArray[uint64]

# Odd, with as many ones as zeros: Knuth's golden ratio, and two primes of xxHash.
_FACTOR: Final = uint64(0x9E3779B97F4A7C15)
_FIRST: Final = uint64(0xC2B2AE3D27D4EB4F)
_LAST: Final = uint64(0x165667B19E3779F9)
_HALF: Final = uint64(32)
_MASK: Final = (1 << 64) - 1

# All NaN count as this one.
_NAN: Final = np.array([np.nan]).view(uint64)[0]

_CONTACTS: Final = (
    "entity_a",
    "entity_b",
    "collider_a",
    "collider_b",
    "part_a",
    "part_b",
    "normal",
    "depth",
    "is_near",
)


class Digest:
    """Mixes arrays into one number of 64 bits, in their order."""

    __slots__ = ("_number",)

    def __init__(self) -> None:
        self._number = int(_FIRST)

    def add(self, array: NDArray[Any]) -> None:
        """Mix in the numbers of an array, in C order: floats by their bits, so that −0 is not 0; all NaN are one."""
        words = _words_of(array).ravel()
        # A change of a single bit, a sign for example, is to reach others: a sum alone would let two of them cancel.
        mixed = words * _FACTOR
        mixed ^= mixed >> _HALF
        self.add_number(int(np.dot(mixed, _weights(mixed.size))) + words.size)

    def add_number(self, number: int) -> None:
        """Mix in a whole number."""
        mixed = ((self._number ^ (number & _MASK)) * int(_FACTOR)) & _MASK
        mixed ^= mixed >> 29
        self._number = (mixed * int(_LAST)) & _MASK

    @property
    def number(self) -> int:
        """What all that was added is, 0 to 2⁶⁴ − 1."""
        return self._number ^ (self._number >> 32)


def digest_of(state: PhysicsState, structure: WorldStructure) -> int:
    """The digest of the world of a physics, whose tables are up to date."""
    digest = Digest()
    digest.add_number(next_entity())
    digest.add(np.array(sorted(dead_entities()), np.int64))
    digest.add(np.array([state.clock]))
    for cls in sorted(structure.of_class, key=_name_of):
        table = structure.of_class[cls]
        digest.add_number(_number_of(cls))
        digest.add(table.entity)
        if issubclass(cls, Component):
            _add_values(digest, cls, table.row)
    tables = state.tables
    found, bodies = state.hits.found, state.body_table
    hits, points = found.buffer.table
    for name in _CONTACTS:
        digest.add(getattr(hits, name)[: found.contact_count])
    if found.buffer.has_points:
        digest.add(points.impulses[: found.contact_count])
    has_parts = bool(tables.entities.instances[COMPOUND] or tables.entities.instances[CHAIN])
    for kind in range(len(SHAPE_CLASSES) if has_parts else 0):
        entities, rows = tables.part_rows(kind)
        order = np.argsort(entities, kind="stable")
        _add_values(digest, SHAPE_CLASSES[kind], rows[order])
    if len(bodies) > 1:
        digest.add(bodies.states.island)
        digest.add(bodies.states.slow_for)
    if len(state.joints):
        digest.add(state.joints.rows.impulses)
    return digest.number


def _add_values(digest: Digest, cls: type[Component], rows: NDArray[Any]) -> None:
    columns = cls._columns
    pooled = cls in POOLS
    for block in (columns.float64, columns.int64, columns.uint32, columns.uint8):
        if not len(block) or (pooled and block is columns.int64):
            continue
        digest.add(np.take(block, rows, axis=1, mode="clip"))
    if pooled:
        runs = PooledRuns(cls, rows)
        digest.add(runs.counts)
        digest.add(runs.contents)


def _words_of(array: NDArray[Any]) -> Words:
    """Each number of an array as 64 bits."""
    if array.dtype != float64:
        return array.astype(np.int64).view(uint64)
    words: Words = np.ascontiguousarray(array).view(uint64)
    is_nan = np.isnan(array)
    if is_nan.any():
        words = words.copy()
        words[is_nan] = _NAN
    return words


_known_weights: Words = np.zeros(0, uint64)


def _weights(count: int) -> Words:
    """An odd number for each place, the same ones always."""
    global _known_weights
    if _known_weights.size < count:
        # Made as splitmix64 makes its numbers.
        numbers = np.arange(1, max(2 * count, 1024) + 1, dtype=uint64) * _FACTOR
        numbers ^= numbers >> uint64(30)
        numbers *= uint64(0xBF58476D1CE4E5B9)
        numbers ^= numbers >> uint64(27)
        numbers *= uint64(0x94D049BB133111EB)
        _known_weights = numbers | uint64(1)
    return _known_weights[:count]


def _name_of(cls: type[Any]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _number_of(cls: type[Any]) -> int:
    return int.from_bytes(hashlib.blake2b(_name_of(cls).encode(), digest_size=8).digest(), "little")
