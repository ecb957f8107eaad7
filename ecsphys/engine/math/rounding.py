"""How far rounding can put a separation off, and by what shapes of extreme sizes are scaled.

A separation f(n) = h_A(n) + h_B(−n) is computed from vertices and normals of two placed hulls. With u = 2⁻⁵³, the
shapes' extents r_a and r_b, and the offset d between their centres, no number in it exceeds S = r_a + |d| + r_b. To
turn and move a vertex costs up to 5u of its coordinates, normals are off by up to 4u, dot products by 2u, the last sum
by u: about 12u · S in all, and in practice a quarter of that. With L the largest of r_a + r_b, |d_x| and |d_y|,
S ≤ (1 + √2) L. So f is off by less than 29u · L < 2 · TOUCHING · L.

Points in a shape, projections on it and rays against it are computed in plain float64: products of two of the shape's
own lengths, and of one with the distance of a point. With the size e of the shape and the distance p of the point, all
of these stay in float64's range where max(e, 1e-158 · p) is between 1e-140 and 1e70; elsewhere both are scaled by a
power of two, which rounds nothing, until that is about 1. (The square of p may overflow: it is only compared with the
shape's.)
"""

from __future__ import annotations

import math

from ecsphys.engine.kernels import scalar

# Depths up to this part of the shapes' size cannot be told from touching, which is no contact.
TOUCHING = 8.0 * 2.0**-52


@scalar
def rounding_slop(size_a: float, size_b: float, x: float, y: float) -> float:
    """The rounding error to reckon with in separations of hulls with these extents, the second at (x, y) from the
    first; at the very most, it is twice as much.
    """
    return TOUCHING * max(size_a + size_b, abs(x), abs(y))


_SMALLEST, _LARGEST = 1e-140, 1e70
_WEIGHT_OF_DISTANCE = 1e-158


@scalar
def power_of_two_scale(size: float) -> float:
    """The power of two by which lengths up to ``size`` become lengths about 1: scaling by it rounds nothing."""
    _, exponent = math.frexp(size)
    return math.ldexp(1.0, min(max(-exponent, -1000), 1000))


@scalar
def safe_scale(extent: float, x: float, y: float) -> tuple[float, float]:
    """(scale, 1 / scale) for a shape of that extent and a point relative to its centre: 1 for all but extreme ones."""
    size = extent + _WEIGHT_OF_DISTANCE * (abs(x) + abs(y))
    if _SMALLEST < size < _LARGEST:
        return 1.0, 1.0
    scale = power_of_two_scale(size)
    return scale, 1.0 / scale
