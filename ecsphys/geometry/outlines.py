"""The outline of a collider as points."""

from __future__ import annotations

from typing import Final, overload

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import Collider
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import show
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.geometry.placement import SINGLES
from ecsphys.systems.debug_lines.debug_lines import checked_segments
from ecsphys.systems.debug_lines.outlines import outlines_of

_DEFAULT_SEGMENTS: Final = 48


@overload
def outline(collider: Collider, transform: Transform, segments: int = ...) -> NDArray[float64]: ...
@overload
def outline(
    collider: CompoundCollider | ChainCollider, transform: Transform, segments: int = ...
) -> list[NDArray[float64]]: ...
def outline(
    collider: Collider | CompoundCollider | ChainCollider, transform: Transform, segments: int = _DEFAULT_SEGMENTS
) -> NDArray[float64] | list[NDArray[float64]]:
    """The closed outline of a collider in the world: points (n, 2), counter-clockwise, the first not repeated.

    Every point lies on the boundary. Boxes and polygons are exact. An arc becomes straight lines: ``segments`` is the
    number of lines of a full circle, 3 to 1024, and other arcs have their part of it. For a pie slice (a fan) the
    first point is the apex.

    A compound gives a list: the outline of each part. A chain gives a list too: the points (n, 2) of each of its lines,
    in the order in which the chain has them. Its ``radius`` is left out. If the chain is closed, the last point leads
    back to the first.

    Raises TypeError if an argument has the wrong type, and ValueError if ``segments`` is out of range.

    Examples
    --------
    >>> geometry.outline(AABBCollider(2, 1), Transform(10, 0)).tolist()
    [[8.0, -1.0], [12.0, -1.0], [12.0, 1.0], [8.0, 1.0]]
    >>> len(geometry.outline(CircleCollider(1), Transform(), segments=16))
    16
    """
    count = checked_segments(segments)
    if isinstance(collider, CompoundCollider):
        return [_outline(part, transform, count) for part in collider.parts]
    if isinstance(collider, ChainCollider):
        if type(transform) is not Transform:
            raise TypeError(f"transform must be a Transform, got {show(transform)}")
        return [_placed(np.array(line), transform) for line in collider.lines]
    return _outline(collider, transform, count)


def _outline(collider: Collider, transform: Transform, segments: int) -> NDArray[float64]:
    one = SINGLES.take()
    (found,) = outlines_of(one.place(collider, transform), segments)
    SINGLES.give_back(one)
    points: NDArray[float64] = found.points[0]
    return points


def _placed(points: NDArray[float64], transform: Transform) -> NDArray[float64]:
    """Points (n, 2) of the entity's frame in the world."""
    cosines, sines = cos_sin_of(np.array([transform.angle]))
    x, y = points.T
    turned = np.column_stack((cosines * x - sines * y, sines * x + cosines * y))
    placed: NDArray[float64] = np.array((transform.x, transform.y)) + turned
    return placed
