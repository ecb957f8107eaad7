"""The results of queries, one each or arrays for a batch; and how they are made of the records of kernels."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from struct import Struct
from typing import Final, NamedTuple

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES, Collider
from ecsphys.components.collision.polygon_collider import ChainCollider

Point = tuple[float, float]


class RayHit(NamedTuple):
    """The point at which a ray enters a collider.

    Attributes
    ----------
    distance
        From the ray's origin to ``point``, units.
    point
        On the boundary, in the world.
    normal
        Outward unit normal of the boundary. For a ray that starts inside it is (0, 0), ``distance`` is 0 and ``point``
        the ray's origin.
    entity, collider, part
        The entity, the class of the collider, and its number in a ``CompoundCollider`` (None for a collider on its
        own). All three are None from ``ecsphys.geometry``, which has no world.
    """

    distance: float
    point: Point
    normal: Point
    entity: int | None = None
    collider: type[Collider | ChainCollider] | None = None
    part: int | None = None


class Nearest(NamedTuple):
    """An entity near a point, by the nearest of its colliders.

    Attributes
    ----------
    entity, collider, part
        The entity, the class of that collider, and its number in a ``CompoundCollider`` (None for one on its own).
    distance
        In units; 0 for a point inside the collider.
    point
        The collider's point nearest to the point of the query; for a point inside, the point itself.
    """

    entity: int
    collider: type[Collider | ChainCollider]
    part: int | None
    distance: float
    point: Point


class ShapecastHit(NamedTuple):
    """Where a moving shape first touches a collider.

    Attributes
    ----------
    entity, collider, part
        The entity, the class of the collider, and its number in a ``CompoundCollider`` (None for one on its own).
    fraction
        The fraction of the displacement before the shapes touch, in [0, 1]; 0 if they overlap at the start.
    point
        The point of contact, in the world; for an overlap, a point of the collider.
    normal
        Unit normal of the collider's surface, toward the moving shape; for an overlap, the shortest direction out for
        the moving shape (for a fan wider than π, out of each half of it).
    """

    entity: int
    collider: type[Collider | ChainCollider]
    part: int | None
    fraction: float
    point: Point
    normal: Point


@dataclass(frozen=True, slots=True)
class OverlapArrays:
    """The results of a batch of overlap queries, sorted by query, then by entity, without duplicates.

    Attributes
    ----------
    query
        (m,) int64, the row of a query.
    entity
        (m,) int64, an entity that it found.
    """

    query: NDArray[int64]
    entity: NDArray[int64]

    def __len__(self) -> int:
        return len(self.entity)


@dataclass(frozen=True, slots=True)
class NearestArrays(OverlapArrays):
    """The nearest entities of a batch, sorted by ``query``, then by ``distance``, then by ``entity``.

    See :class:`Nearest`.

    Attributes
    ----------
    query, entity
        (m,) int64.
    collider, part
        (m,) int64, index of the class in ``COLLIDER_CLASSES`` and number in a ``CompoundCollider``, −1 for none.
    distance
        (m,) float64, units.
    point
        (m, 2) float64.
    """

    collider: NDArray[int64]
    part: NDArray[int64]
    distance: NDArray[float64]
    point: NDArray[float64]


@dataclass(frozen=True, slots=True)
class RayHitArrays(NearestArrays):
    """Hits of rays: in ``raycast_batch`` row i is ray i, in ``raycast_all_batch`` each row is a hit.

    Attributes
    ----------
    query
        (n,) int64, the ray's row.
    entity
        (n,) int64, −1 for a miss.
    collider, part
        (n,) int64, index of the class in ``COLLIDER_CLASSES`` and number in a ``CompoundCollider``, −1 for none.
    distance
        (n,) float64, units; for a miss the ray's ``max_distance``.
    point, normal
        (n, 2) float64, NaN for a miss. The normal is (0, 0) if the ray starts inside the collider.
    """

    normal: NDArray[float64]


@dataclass(frozen=True, slots=True)
class ShapecastHitArrays:
    """The first impact of each cast, row i of cast i; see :class:`ShapecastHit`.

    Attributes
    ----------
    entity
        (n,) int64, −1 for a miss.
    collider, part
        (n,) int64, index of the class in ``COLLIDER_CLASSES`` and number in a ``CompoundCollider``, −1 for none.
    fraction
        (n,) float64, 1 for a miss.
    point, normal
        (n, 2) float64, NaN for a miss.
    """

    entity: NDArray[int64]
    collider: NDArray[int64]
    part: NDArray[int64]
    fraction: NDArray[float64]
    point: NDArray[float64]
    normal: NDArray[float64]

    def __len__(self) -> int:
        return len(self.entity)


# A row of FOUND, and how it is read.
Result = tuple[float, float, float, float, float, int, int, int, int, int]
RESULT: Final = Struct("5d5q")
_SIZE: Final = RESULT.size

# Where a result has its collider.
COLLIDER: Final = 7

_IN_ORDER: Final = itemgetter(4, 9)

# The work of a NamedTuple's constructor, in half the time.
_new = tuple.__new__


def ray_hit(result: Result) -> RayHit:
    """A result as it is public."""
    x, y, normal_x, normal_y, distance, _, entity, kind, part, _ = result
    hit = (distance, (x, y), (normal_x, normal_y), entity, COLLIDER_CLASSES[kind], None if part < 0 else part)
    return _new(RayHit, hit)


def ray_hits(found: memoryview) -> list[RayHit]:
    """The results of one ray, sorted by distance, then in public order."""
    return list(map(ray_hit, sorted(RESULT.iter_unpack(found), key=_IN_ORDER)))


def nearest(found: memoryview, count: int) -> list[Nearest]:
    """The first so many results, of one point."""
    return [
        _new(Nearest, (entity, COLLIDER_CLASSES[kind], None if part < 0 else part, distance, (x, y)))
        for x, y, _, _, distance, _, entity, kind, part, _ in RESULT.iter_unpack(found[: count * _SIZE])
    ]


def shapecast_hit(result: Result) -> ShapecastHit:
    """A result as it is public."""
    x, y, normal_x, normal_y, fraction, _, entity, kind, part, _ = result
    hit = (entity, COLLIDER_CLASSES[kind], None if part < 0 else part, fraction, (x, y), (normal_x, normal_y))
    return _new(ShapecastHit, hit)
