"""Segments of chains: the points before and after each, which side it blocks, and which normals are smooth there.

A segment is a POLYGON with SEGMENT_VERTICES vertices in a run of SEGMENT_ROWS rows of the vertex pool: its two
vertices, then the point of the chain before it and the one after it. These two have no normal; in its place they tell
whether there is such a point, and the first which side blocks.

A chain runs from its first point to its last; its *right* is where the normal of a segment's first edge points. Where
two segments meet, the chain is convex on one side and concave on the other, or straight. A contact's normal is *smooth*
where both segments together, as one surface, could have it: at a convex joint any between their two normals, at
others their own alone. So nothing catches on a joint (Erin Catto's ghost vertices).
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import inlined_scalar, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes import layout

SEGMENT_VERTICES = 2
SEGMENT_ROWS = 4

# Rows after the first vertex.
FOLLOWING_VERTEX, BEFORE, AFTER = 1, 2, 3

# Columns of the rows BEFORE and AFTER: 1 if there is such a point. Of BEFORE alone: which side blocks.
IS_THERE, BLOCKING = layout.POOL_NORMAL_X, layout.POOL_NORMAL_Y

# Sides of a chain, seen along it.
LEFT, BOTH, RIGHT = -1.0, 0.0, 1.0

# Sines of angles: between a normal and a segment's own, and of a turn of the chain, up to which it is straight; and how
# far a normal at a convex joint may lie beyond the other segment's.
_OWN = 1e-9
_STRAIGHT = 1e-6
_BEYOND = 0.01

# A normal at a free end may point away from the side that the other shape is on by this much.
_ROUND_THE_END = -0.7


@inlined_scalar
def is_segment(form: int, shapes: NDArray[float64], i: int) -> bool:
    """Whether placed shape i is a segment of a chain."""
    return bool(form == layout.POLYGON and shapes[i, layout.COUNT] == SEGMENT_VERTICES)


@inlined_scalar
def blocking_side(shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> float:
    """The side from which segment i blocks: LEFT, BOTH or RIGHT."""
    return float(pool[int(shapes[i, layout.START]) + BEFORE, BLOCKING])


@scalar
def front_normal(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> tuple[float, float]:
    """The unit normal of the side from which placed shape i blocks; NaN where it blocks from all."""
    if not is_segment(form, shapes, i):
        return math.nan, math.nan
    side = blocking_side(shapes, i, pool)
    if side == BOTH:
        return math.nan, math.nan
    start = int(shapes[i, layout.START])
    c, s = shapes[i, layout.AXIS_X], shapes[i, layout.AXIS_Y]
    nx, ny = side * pool[start, layout.POOL_NORMAL_X], side * pool[start, layout.POOL_NORMAL_Y]
    return c * nx - s * ny, s * nx + c * ny


@scalar
def _joint(start: int, which: int, pool: NDArray[float64]) -> tuple[bool, float, float, float]:
    """The joint with the segment BEFORE or AFTER: (whether there is one, that one's right normal, how the chain turns).

    The turn is the sine of the angle, positive to the left, or infinite where the chain turns back.
    """
    ghost = start + which
    if pool[ghost, IS_THERE] == 0.0:
        return False, 0.0, 0.0, 0.0
    nx, ny = pool[start, layout.POOL_NORMAL_X], pool[start, layout.POOL_NORMAL_Y]
    if which == BEFORE:
        ex, ey = (
            pool[start, layout.POOL_X] - pool[ghost, layout.POOL_X],
            pool[start, layout.POOL_Y] - pool[ghost, layout.POOL_Y],
        )
    else:
        vertex = start + FOLLOWING_VERTEX
        ex, ey = (
            pool[ghost, layout.POOL_X] - pool[vertex, layout.POOL_X],
            pool[ghost, layout.POOL_Y] - pool[vertex, layout.POOL_Y],
        )
    length = hypot(ex, ey)
    other_x, other_y = ey / length, -ex / length
    turn = nx * other_y - ny * other_x
    if which == BEFORE:
        turn = -turn
    if abs(turn) <= _STRAIGHT and nx * other_x + ny * other_y < 0.0:
        turn = math.inf
    return True, other_x, other_y, turn


@inlined_scalar
def _is_convex(turn: float, side: float) -> bool:
    """Whether a joint is convex on a side; where the chain turns back it is on both."""
    return bool(turn == math.inf or side * turn > _STRAIGHT)


@scalar
def is_concave_at(start: int, which: int, side: float, pool: NDArray[float64]) -> bool:
    """Whether a segment meets the one BEFORE or AFTER in an inner corner of a side."""
    is_there, _, _, turn = _joint(start, which, pool)
    return bool(is_there and turn != math.inf and side * turn < -_BEYOND)


@scalar
def side_of(start: int, x: float, y: float, pool: NDArray[float64]) -> float:
    """The side of a segment, RIGHT or LEFT, that a point of the chain's own frame is on.

    Past an end it is also on a side of a neighbour. Of two that disagree the one towards which the joint is convex is
    right: the point is round the corner.
    """
    nx, ny = pool[start, layout.POOL_NORMAL_X], pool[start, layout.POOL_NORMAL_Y]
    from_x, from_y = x - pool[start, layout.POOL_X], y - pool[start, layout.POOL_Y]
    own = RIGHT if from_x * nx + from_y * ny >= 0.0 else LEFT
    vertex = start + FOLLOWING_VERTEX
    to_x, to_y = x - pool[vertex, layout.POOL_X], y - pool[vertex, layout.POOL_Y]
    which = BEFORE
    if to_y * nx - to_x * ny > 0.0:
        which = AFTER
        from_x, from_y = to_x, to_y
    elif from_y * nx - from_x * ny >= 0.0:
        return own
    is_there, other_x, other_y, turn = _joint(start, which, pool)
    if not is_there or turn == math.inf:
        return own
    other = RIGHT if from_x * other_x + from_y * other_y >= 0.0 else LEFT
    return other if _is_convex(turn, other) else own


@scalar
def is_smooth(start: int, x: float, y: float, side: float, pool: NDArray[float64]) -> bool:
    """Whether the unit vector (x, y) of the chain's own frame is a smooth normal of a segment, on a side of it."""
    nx, ny = side * pool[start, layout.POOL_NORMAL_X], side * pool[start, layout.POOL_NORMAL_Y]
    along = side * (y * nx - x * ny)
    facing = x * nx + y * ny
    if abs(along) <= _OWN:
        return bool(facing > 0.0)
    which = AFTER if along > 0.0 else BEFORE
    is_there, other_x, other_y, turn = _joint(start, which, pool)
    if not is_there:
        least = _ROUND_THE_END if pool[start + BEFORE, BLOCKING] == BOTH else -_OWN
        return bool(facing > least)
    if not _is_convex(turn, side):
        return False
    other_x *= side
    other_y *= side
    # On the right, normals turn to the left along the chain.
    sense = side if which == AFTER else -side
    beyond = sense * (other_x * y - other_y * x)
    return beyond <= _BEYOND and x * (nx + other_x) + y * (ny + other_y) >= -_OWN


@scalar
def is_round_the_end(start: int, x: float, y: float, pool: NDArray[float64]) -> bool:
    """Whether the unit vector (x, y) of the chain's own frame points past a free end of one that blocks from both
    sides."""
    if pool[start + BEFORE, BLOCKING] != BOTH:
        return False
    along = y * pool[start, layout.POOL_NORMAL_X] - x * pool[start, layout.POOL_NORMAL_Y]
    if abs(along) <= _OWN:
        return False
    is_there, _, _, _ = _joint(start, AFTER if along > 0.0 else BEFORE, pool)
    return not is_there


@scalar
def to_chain_frame(shapes: NDArray[float64], i: int, x: float, y: float) -> tuple[float, float]:
    """A vector of the world in the frame of the chain of segment i."""
    c, s = shapes[i, layout.AXIS_X], shapes[i, layout.AXIS_Y]
    return c * x + s * y, c * y - s * x
