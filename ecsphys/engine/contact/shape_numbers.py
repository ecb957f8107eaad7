"""The numbers of a placed shape, of one lane or of all, as the formulas of pairs take them."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.shapes.layout import AXIS_X, AXIS_Y, CX, CY, EXTENT, HALF_X, HALF_Y, RADIUS
from ecsphys.engine.vectors.lanes import gather


class ShapeNumbers(NamedTuple):
    """A row of ``shapes``, its lengths maybe scaled (:mod:`ecsphys.engine.shapes.layout`)."""

    cx: Any
    cy: Any
    axis_x: Any
    axis_y: Any
    half_x: Any
    half_y: Any
    radius: Any
    extent: Any


@inlined_scalar
def gather_shapes(shapes: NDArray[float64], chosen: NDArray[int32], block: int, first: int, lane: Any) -> ShapeNumbers:
    """The shapes whose rows are ``chosen`` (blocks, …) in column ``first`` + lane."""
    cx, cy, axis_x, axis_y = gather(shapes, chosen, block, first, lane, CX)
    half_x, half_y, radius, extent = gather(shapes, chosen, block, first, lane, HALF_X)
    return ShapeNumbers(cx, cy, axis_x, axis_y, half_x, half_y, radius, extent)


@inlined_scalar
def scaled_shape(shapes: NDArray[float64], i: int, scale: float) -> ShapeNumbers:
    """Shape i, scaled."""
    return ShapeNumbers(
        scale * shapes[i, CX],
        scale * shapes[i, CY],
        shapes[i, AXIS_X],
        shapes[i, AXIS_Y],
        scale * shapes[i, HALF_X],
        scale * shapes[i, HALF_Y],
        scale * shapes[i, RADIUS],
        scale * shapes[i, EXTENT],
    )
