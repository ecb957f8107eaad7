"""Which line two touching hulls slide along, if any.

Two hulls that touch at corners have many tangents, and the closest points tell only one. A box that slides over flush
tiles approaches the side of each next one until their corners meet; that its bottom is level with the tile's top, and
stays so, shows in another tangent. So of all edge normals along which the hulls do not overlap, one along which they do
not approach either proves that they slide past each other.
"""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.cast.safe_advance import turning_rate
from ecsphys.engine.contact.convex import EDGE_COUNT, NORMAL_X, NORMAL_Y, ROUNDING, X, Y, support
from ecsphys.engine.kernels.compilation import scalar


@scalar
def sliding_axis(
    a: NDArray[float64],
    b: NDArray[float64],
    x: float,
    y: float,
    vx: float,
    vy: float,
    turn_a: float,
    turn_b: float,
    slop: float,
) -> tuple[bool, float, float, float]:
    """(whether there is one, n_x, n_y, gap) of hulls a and b: n from a to b, the gap along it.

    a turns by ``turn_a`` a unit of time about the origin, b by ``turn_b`` about (x, y); (v_x, v_y) is the velocity of
    a's position less b's position. Gaps down to −slop are none, rates up to ``slop`` no approach.
    """
    rounding = a[ROUNDING] + b[ROUNDING]
    for side in range(2):
        own = a if side == 0 else b
        other = b if side == 0 else a
        sign = 1.0 if side == 0 else -1.0
        for k in range(int(own[EDGE_COUNT])):
            mx = own[NORMAL_X + k]
            my = own[NORMAL_Y + k]
            gap = -(own[X + k] * mx + own[Y + k] * my + support(other, -mx, -my)[0]) - rounding
            if gap < -slop:
                continue
            nx = sign * mx
            ny = sign * my
            rate_a = turning_rate(a, 0.0, 0.0, nx, ny, turn_a, slop)
            rate_b = turning_rate(b, x, y, -nx, -ny, turn_b, slop)
            if vx * nx + vy * ny + rate_a + rate_b <= slop:
                return True, nx, ny, gap
    return False, 0.0, 0.0, 0.0
