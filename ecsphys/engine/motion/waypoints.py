"""Positions on a path of waypoints at constant speed: round a closed path, back and forth on an open one.

The points of a path are a run of a pool, columns X, Y and ALONG: the length of the path up to the point. A closed path
ends with its first point. The distance gone is folded into the path by remainders, which are exact: so any time is
reached without adding up steps.
"""

from __future__ import annotations

from ecsphys.engine.kernels import Float64Rows, inlined_scalar

# Columns of the pool.
X, Y, ALONG = range(3)
WAYPOINT_COLUMNS = 3


@inlined_scalar
def place_on_path(
    pool: Float64Rows, start: int, count: int, is_closed: bool, gone: float
) -> tuple[float, float, float, float]:
    """(x, y, direction_x, direction_y) after the distance ``gone`` along a path; the direction is a unit vector.

    At a corner the direction is the following one. An infinite distance, or NaN, gives NaN.
    """
    last = start + count - 1
    length = pool[last, ALONG]
    turn = 1.0
    if is_closed:
        along = gone % length
    else:
        along = gone % (2.0 * length)
        if along >= length:
            along = 2.0 * length - along
            turn = -1.0
    # The last point that is not beyond it; on the way back a corner belongs to the segment before it.
    low = start
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        if pool[middle, ALONG] < along or (turn > 0.0 and pool[middle, ALONG] == along):
            low = middle
        else:
            high = middle
    size = pool[high, ALONG] - pool[low, ALONG]
    way_x = (pool[high, X] - pool[low, X]) / size
    way_y = (pool[high, Y] - pool[low, Y]) / size
    part = along - pool[low, ALONG]
    return pool[low, X] + way_x * part, pool[low, Y] + way_y * part, turn * way_x, turn * way_y
