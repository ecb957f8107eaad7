"""How a moving thing takes a swept body along, from their impact to the end of the step.

The bullet keeps its place on what turns: it is carried round with it, and the path moves it along the normal there as
far as that comes its way; on what it lay at when the step began, it also slides on. On a curved side, or with corners
of its own, it may then not be clear at the end. The missing rest is made up along the normal. From the impact on it
goes straight and evenly there, and meets others on the way as on any other motion.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry.sweep_motion import ANGLE, LINEAR_X, LINEAR_Y, MOTION_COLUMNS, UNTIL, is_moving, offset
from ecsphys.engine.geometry.time_of_impact import time_of_impact
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.shapes.layout import ShapeArrays, turn_shape_row

# If the normal at the end equals the push's, one will do.
_MOST_CORRECTIONS = 8


@scalar
def carried_by(
    motion: NDArray[float64], position_x: float, position_y: float, x: float, y: float, t: float
) -> tuple[float, float, float]:
    """(x, y, angle): how far a motion takes the world's point (x, y), fixed to it at t, and how it turns, until 1."""
    if not is_moving(motion, t):
        return 0.0, 0.0, 0.0
    then_x, then_y = offset(motion, t)
    end_x, end_y = offset(motion, 1.0)
    turn = motion[ANGLE] * (min(1.0, motion[UNTIL]) - t)
    dx = end_x - then_x
    dy = end_y - then_y
    if turn != 0.0:
        c, s = cos_sin(turn)
        arm_x = x - (position_x + then_x)
        arm_y = y - (position_y + then_y)
        dx += (c * arm_x - s * arm_y) - arm_x
        dy += (s * arm_x + c * arm_y) - arm_y
    return dx, dy, turn


@scalar
def go_straight(
    first: int,
    end: int,
    motions: NDArray[float64],
    positions: NDArray[float64],
    shapes: NDArray[float64],
    t: float,
    dx: float,
    dy: float,
) -> None:
    """Let shapes first … end − 1 of one body go on from t by (dx, dy) until 1, without turning.

    Their positions become those from which they would have come at 0, going so all the time.
    """
    for i in range(first, end):
        motion = motions[i]
        x, y = offset(motion, t)
        turn_shape_row(shapes, i, motion[ANGLE] * min(t, motion[UNTIL]))
        for column in range(MOTION_COLUMNS):
            motion[column] = 0.0
        motion[UNTIL] = 1.0
        motion[LINEAR_X] = dx / (1.0 - t)
        motion[LINEAR_Y] = dy / (1.0 - t)
        positions[i, 0] += x - motion[LINEAR_X] * t
        positions[i, 1] += y - motion[LINEAR_Y] * t


class Push(NamedTuple):
    """How a body is taken along: the unit normal from it to what pushes, whether something else takes it along already
    (``goes_on``), whether it goes on along the tangent (``slides``), and whether it keeps its place at what it touched,
    even if that flees (``follows``). At the end the gap must be at ``least`` so large, and at ``most`` if it follows;
    else it is made up to the one ``wanted``. Negative gaps are overlaps."""

    normal_x: float
    normal_y: float
    goes_on: bool
    slides: bool
    follows: bool
    least: float
    wanted: float
    most: float


@scalar
def push_bullet(
    self: int,
    other: int,
    first: int,
    end: int,
    placed: ShapeArrays,
    motions: NDArray[float64],
    t: float,
    push: Push,
    hulls: NDArray[float64],
) -> None:
    """Let the body of shape ``self``, shapes first … end − 1, be taken along by shape ``other`` from t < 1 on.

    The normal of the ``push`` is theirs at t, from ``self`` to ``other``.
    """
    positions, shapes = placed.positions, placed.shapes
    nx, ny, goes_on, slides, follows, least, wanted, most = push
    then_x, then_y = offset(motions[self], t)
    end_x, end_y = offset(motions[self], 1.0)
    own_x = end_x - then_x
    own_y = end_y - then_y
    at_x = positions[self, 0] + then_x
    at_y = positions[self, 1] + then_y
    carried_x, carried_y, turn = carried_by(motions[other], positions[other, 0], positions[other, 1], at_x, at_y, t)
    c, s = cos_sin(turn)
    out_x = -(c * nx - s * ny)
    out_y = -(s * nx + c * ny)
    if goes_on:
        missing = max((carried_x - own_x) * out_x + (carried_y - own_y) * out_y, 0.0)
        dx = own_x + missing * out_x
        dy = own_y + missing * out_y
    elif follows:
        dx = carried_x
        dy = carried_y
    else:
        # Round with it, and of its path the part that comes this way.
        then_x, then_y = offset(motions[other], t)
        end_x, end_y = offset(motions[other], 1.0)
        along = max((end_x - then_x) * out_x + (end_y - then_y) * out_y, 0.0)
        dx = carried_x - (end_x - then_x) + along * out_x
        dy = carried_y - (end_y - then_y) + along * out_y
        if slides:
            aside = own_y * out_x - own_x * out_y
            dx -= aside * out_y
            dy += aside * out_x
    go_straight(first, end, motions, positions, shapes, t, dx, dy)
    for _ in range(_MOST_CORRECTIONS):
        target = abs(wanted)
        _, gap, _, _, _, _ = time_of_impact(self, other, placed, motions, target, target, 1.0, hulls, 0.0)
        if gap >= least and (gap <= most or not follows):
            break
        dx += (wanted - gap) * out_x
        dy += (wanted - gap) * out_y
        go_straight(first, end, motions, positions, shapes, t, dx, dy)
