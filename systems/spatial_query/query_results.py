"""What queries find: one thing each, or arrays for a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import Collider

Point = tuple[float, float]


class RayHit(NamedTuple):
    """Where a ray enters a collider.

    ``distance`` from the ray's origin to ``point``, on the boundary, in the world. ``normal``: outward unit normal of
    the boundary; (0, 0) for a ray that starts inside, whose ``distance`` is 0 and ``point`` its origin.

    From a world, ``collider`` is the class of what was hit, and ``part`` its number in a ``CompoundCollider``, None for
    one on its own. From ``ecsphys.geometry``, which knows no world, these and ``entity`` are None.
    """

    distance: float
    point: Point
    normal: Point
    entity: int | None = None
    collider: type[Collider] | None = None
    part: int | None = None


class Nearest(NamedTuple):
    """An entity near a point, by the nearest of its colliders.

    ``collider``: its class; ``part``: its number in a ``CompoundCollider``, None for one on its own. ``point``: the
    collider's point nearest to the one asked about; that one itself, at ``distance`` 0, if it is inside.
    """

    entity: int
    collider: type[Collider]
    part: int | None
    distance: float
    point: Point


class ShapecastHit(NamedTuple):
    """Where a moving shape first touches a collider.

    ``collider``: its class; ``part``: its number in a ``CompoundCollider``, None for one on its own. ``fraction`` of
    the displacement, in [0, 1]. ``normal``: unit normal of the collider's surface, towards the moving shape; ``point``:
    in the world, where they touch. If they overlap at the start, ``fraction`` is 0, ``normal`` the shortest way out for
    the moving shape (of a fan wider than π each half counts for itself), and ``point`` one of the collider.
    """

    entity: int
    collider: type[Collider]
    part: int | None
    fraction: float
    point: Point
    normal: Point


@dataclass(frozen=True, slots=True)
class OverlapArrays:
    """Arrays (m,) int64: the row of a query, and an entity that it found; sorted by both, no pair twice."""

    query: NDArray[int64]
    entity: NDArray[int64]

    def __len__(self) -> int:
        return int(self.query.size)


@dataclass(frozen=True, slots=True)
class RayHitArrays:
    """Hits of rays: in ``raycast_batch`` row i is ray i, in ``raycast_all_batch`` each row is a hit.

    ``query`` (n,) is the ray's row; ``entity`` (n,), −1 for a miss; ``collider`` and ``part`` (n,), index of the class
    in ``COLLIDER_CLASSES`` and number in a ``CompoundCollider``, −1 for none; all int64. ``distance`` (n,), of a miss
    the ray's ``max_distance``; ``point`` and ``normal`` (n, 2), of a miss NaN; the normal is (0, 0) where a ray starts
    inside.
    """

    query: NDArray[int64]
    entity: NDArray[int64]
    collider: NDArray[int64]
    part: NDArray[int64]
    distance: NDArray[float64]
    point: NDArray[float64]
    normal: NDArray[float64]

    def __len__(self) -> int:
        return int(self.query.size)


@dataclass(frozen=True, slots=True)
class NearestArrays:
    """Arrays of what is nearest, sorted by ``query``, then by ``distance``, then by ``entity``; see :class:`Nearest`.

    ``query``, ``entity``, ``collider`` (index of the class in ``COLLIDER_CLASSES``) and ``part`` (m,) int64;
    ``distance`` (m,), ``point`` (m, 2).
    """

    query: NDArray[int64]
    entity: NDArray[int64]
    collider: NDArray[int64]
    part: NDArray[int64]
    distance: NDArray[float64]
    point: NDArray[float64]

    def __len__(self) -> int:
        return int(self.query.size)


@dataclass(frozen=True, slots=True)
class ShapecastHitArrays:
    """The first impact of each cast, row i of cast i; see :class:`ShapecastHit`.

    ``entity`` (n,) int64, −1 for a miss; ``collider`` (index of the class in ``COLLIDER_CLASSES``) and ``part`` (n,)
    int64, −1 for none; ``fraction`` (n,), 1 for a miss; ``point`` and ``normal`` (n, 2), NaN for a miss.
    """

    entity: NDArray[int64]
    collider: NDArray[int64]
    part: NDArray[int64]
    fraction: NDArray[float64]
    point: NDArray[float64]
    normal: NDArray[float64]

    def __len__(self) -> int:
        return int(self.entity.size)
