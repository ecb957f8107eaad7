"""What single queries hand over to kernels and get back: tables of one row, which are kept.

All numbers of a row lie in one piece of memory, written and read in one call. Each query has a row of its own, from
:class:`~ecsphys.systems.spares.Spares`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any, Final

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import LooseShapes
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.engine.broadphase.pair_table import PairTable
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.spatial.nearest import NearestFound
from ecsphys.engine.spatial.overlapping import (
    AskedShapes,
    Candidates,
    FoundEntities,
    Points,
)
from ecsphys.engine.spatial.rays import RayHits, Rays
from ecsphys.engine.spatial.sweeps import Impacts, Movers
from ecsphys.systems.spatial_query.query_results import OverlapArrays

# Room for so many entities, and for so many candidates, at first; what needs more than the most is not kept.
_FIRST_ROOM: Final = 64
_MOST_KEPT: Final = 4096

_NUMBER: Final = 8


def _writer(form: Struct, numbers: NDArray[float64]) -> Callable[..., None]:
    """Writes its arguments into the first of some numbers."""
    return partial(form.pack_into, numbers.data.cast("B"), 0)


def _reader(form: Struct, numbers: NDArray[float64], first: int) -> Callable[[], tuple[Any, ...]]:
    """Reads some of the numbers, from the ``first`` on."""
    return partial(form.unpack_from, numbers.data.cast("B"), first * _NUMBER)


class RayRow:
    """One ray: ``ask(x, y, direction x and y, reach)``, cast it, and read the ``answer()``."""

    __slots__ = ("answer", "ask", "hits", "rays")

    _ASKED: Final = Struct("5d")
    _ANSWER: Final = Struct("3q5d")

    def __init__(self) -> None:
        numbers = np.zeros(14)
        whole = numbers.view(int64)
        self.rays = Rays(numbers[0:2].reshape(1, 2), numbers[2:4].reshape(1, 2), numbers[4:5])
        self.hits = RayHits(
            whole[5:6],
            whole[6:7],
            whole[7:8],
            whole[8:9],
            numbers[9:10],
            numbers[10:12].reshape(1, 2),
            numbers[12:14].reshape(1, 2),
            np.zeros(1, int32),
        )
        self.ask = _writer(self._ASKED, numbers)
        self.answer = _reader(self._ANSWER, numbers, 6)


class NearestRow:
    """One point: ``ask(x, y)``, find the one nearest to it, and read the ``answer()``, which begins with how many there
    are."""

    __slots__ = ("answer", "ask", "found")

    _ASKED: Final = Struct("2d")
    _ANSWER: Final = Struct("4q3d")

    def __init__(self) -> None:
        numbers = np.zeros(9)
        whole = numbers.view(int64)
        self.found = NearestFound(
            numbers[0:2].reshape(1, 2),
            whole[2:3],
            whole[3:4].reshape(1, 1),
            whole[4:5].reshape(1, 1),
            whole[5:6].reshape(1, 1),
            numbers[6:7].reshape(1, 1),
            numbers[7:9].reshape(1, 1, 2),
            np.zeros((1, 1), int32),
        )
        self.ask = _writer(self._ASKED, numbers)
        self.answer = _reader(self._ANSWER, numbers, 2)


class EntityList:
    """Room for the entities that a query finds, or many queries; ``is_kept``: whether to give it back."""

    __slots__ = ("found", "is_kept", "room", "values")

    def __init__(self, room: int = _FIRST_ROOM) -> None:
        self.make_room(room)

    def make_room(self, room: int) -> None:
        """Replace the tables by larger ones."""
        entity = np.zeros(room, int64)
        self.found = FoundEntities(np.zeros(room, int64), entity, np.zeros((room + 1, 2), int32))
        self.values = entity.data
        self.room = room
        self.is_kept = room <= _MOST_KEPT

    def entities(self, count: int) -> list[int]:
        """The first so many entities."""
        return self.values[:count].tolist() if count else []

    def arrays(self, count: int) -> OverlapArrays:
        """The first so many, each with its query."""
        return OverlapArrays(self.found.query[:count], self.found.entity[:count])


class PointRow(EntityList):
    """One point: ``ask(x, y)``."""

    __slots__ = ("ask", "asked")

    _ASKED: Final = Struct("2d")

    def __init__(self) -> None:
        super().__init__()
        numbers = np.zeros(2)
        self.asked = Points(numbers.reshape(1, 2))
        self.ask = _writer(self._ASKED, numbers)


class ShapeRow(EntityList):
    """What a shape may overlap, or each of some that are given. Without these, ``loose`` is the one: place it, or
    ``ask_box(...)`` with position, shape and box of an axis-aligned box."""

    __slots__ = ("_shapes", "ask_box", "asked", "candidates", "contacts", "count", "loose")

    _BOX: Final = Struct("14d")

    def __init__(self, asked: AskedShapes | None = None) -> None:
        if asked is None:
            self.loose = LooseShapes(1)
            forms, positions, shapes, boxes, *_ = self.loose.placed
            asked = AskedShapes(forms, positions, shapes, boxes)
            self.ask_box = _writer(self._BOX, self.loose.numbers)
        self.asked = asked
        self.count = len(asked.forms)
        super().__init__()

    def make_room(self, room: int) -> None:
        """Replace the tables by larger ones."""
        super().make_room(room)
        rows = self.count + room
        self.candidates = Candidates(
            np.zeros(room, int32),
            self.found.pairs,
            np.zeros(rows, uint8),
            np.zeros((rows, 2)),
            np.zeros((rows, SHAPE_COLUMNS)),
        )
        self.contacts = ContactRows(
            np.zeros((room, 2), int32), np.zeros((room, CONTACT_COLUMNS)), np.zeros((0, POINT_COLUMNS))
        )
        self._shapes = self._shapes_now()

    @property
    def shapes(self) -> ShapeArrays:
        """The shapes of the candidates, as geometry takes them."""
        if self._shapes.pool is not VERTEX_POOL.data:
            self._shapes = self._shapes_now()
        return self._shapes

    def _shapes_now(self) -> ShapeArrays:
        candidates = self.candidates
        return ShapeArrays(candidates.forms, candidates.positions, candidates.shapes, VERTEX_POOL.data)


class CastRow:
    """One moving shape: place ``loose``, ``ask(displacement x and y)``, cast it, and read the ``answer()``."""

    __slots__ = ("answer", "ask", "impacts", "loose", "movers", "table")

    _ASKED: Final = Struct("2d")
    _ANSWER: Final = Struct("3q5d")

    def __init__(self) -> None:
        self.loose = LooseShapes(1)
        self.table = PairTable()
        numbers = np.zeros(10)
        whole = numbers.view(int64)
        forms, positions, shapes, boxes, *_ = self.loose.placed
        self.movers = Movers(forms, positions, shapes, boxes, numbers[0:2].reshape(1, 2))
        self.impacts = Impacts(
            whole[2:3],
            whole[3:4],
            whole[4:5],
            numbers[5:6],
            numbers[6:8].reshape(1, 2),
            numbers[8:10].reshape(1, 2),
            np.zeros(1, int32),
        )
        self.ask = _writer(self._ASKED, numbers)
        self.answer = _reader(self._ANSWER, numbers, 2)


def ray_hits(count: int) -> RayHits:
    """Room for so many hits."""
    return RayHits(
        query=np.empty(count, int64),
        entity=np.empty(count, int64),
        collider=np.empty(count, int64),
        part=np.empty(count, int64),
        distance=np.empty(count),
        point=np.empty((count, 2)),
        normal=np.empty((count, 2)),
        slot=np.empty(count, int32),
    )


def nearest_found(points: NDArray[float64], wanted: int) -> NearestFound:
    """Room for so many entities near each point (n, 2)."""
    shape = (len(points), wanted)
    return NearestFound(
        points=points,
        counts=np.zeros(len(points), int64),
        entity=np.empty(shape, int64),
        collider=np.empty(shape, int64),
        part=np.empty(shape, int64),
        distance=np.empty(shape),
        point=np.empty((*shape, 2)),
        slot=np.empty(shape, int32),
    )
