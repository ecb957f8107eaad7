"""Joints as the solver reads them: a row each, of the same parts whatever its kind.

A joint holds two *anchors*, points of body a and of body b. With d from a's anchor to b's anchor, and φ the angle
of b less the angle of a, it may have

* a *coordinate*: φ, the *slide* d · axis (an axis that turns with a), or the *distance* |d|. On it act a spring, a
  motor, limits, or it is a rod, which keeps the distance;
* a *line*: d has no part across the axis;
* a *point*: d is 0;
* a *lock*: φ stays;
* a motor on φ beside a slide: a wheel's.

A revolute joint is an angle and a point, a prismatic one a slide, a line and a lock, a distance joint a distance, a
weld a point and a lock, a wheel a slide, a line and a spinning motor; a mouse joint is a soft point, a motor joint a
point and a lock of limited strength. A gear is a row of its own, of the coordinates of two other joints.

The effect of an impulse s of a coordinate is written by its *direction*: v_b += s n/m_b, ω_b += s j_b/I_b, and the same
with the opposite sign for a; the coordinate changes at the rate (v_b − v_a) · n + ω_b j_b − ω_a j_a.
"""

from __future__ import annotations

from ecsphys.engine.kernels import Float64Rows, Int32Rows, Int64s, NamedTuple, packed

# The coordinate, in the lowest bits of the kind of a joint.
NO_COORDINATE, ANGLE, SLIDE, DISTANCE = range(4)
COORDINATE = 3

# Further bits: what acts on the coordinate, which other parts the joint has; whether point and lock are springs that
# the game has asked for, and whether the point is of limited strength.
HAS_SPRING, HAS_MOTOR, IS_SPINNING, HAS_LIMITS, IS_ROD = 4, 8, 16, 32, 64
HAS_LINE, HAS_POINT, HAS_LOCK, IS_GEAR = 128, 256, 512, 1024
IS_SOFT_POINT, IS_SOFT_LOCK, IS_BOUNDED_POINT = 2048, 4096, 8192

# Columns of the ends: rows of the bodies; rows of the transforms that the anchors belong to, −1 for the world; whether
# these have moved on to the step's end already; and of a gear, its two joints.
BODY_A, BODY_B, POSE_A, POSE_B, IS_AHEAD_A, IS_AHEAD_B, FIRST_JOINT, SECOND_JOINT, END_COLUMNS = range(9)

# Columns of the settings. Anchors in the frames of their transforms; the axis in a's frame; the angle of b in it that
# counts as 0.
LOCAL_AX, LOCAL_AY, LOCAL_BX, LOCAL_BY, LOCAL_AXIS_X, LOCAL_AXIS_Y, REFERENCE = range(7)
# Of the coordinate: limits; motor: speed, most force or torque; spring: frequency in Hz, damping ratio, where it rests.
LOWER, UPPER, MOTOR_SPEED, MOTOR_MOST, SPRING_HERTZ, SPRING_DAMPING, REST = range(7, 14)
# Of point and lock: the spring, 0 Hz for as stiff as can be, and the most force or torque.
POINT_HERTZ, POINT_DAMPING, POINT_MOST, LOCK_HERTZ, LOCK_DAMPING, LOCK_MOST = range(14, 20)
# The ratio of a gear; the force and the torque above which a joint breaks.
RATIO, BREAK_FORCE, BREAK_TORQUE, SETTING_COLUMNS = range(20, 24)

# Columns of the starts, where joints are at the start of the step, in the world: arms from the centres of mass to the
# anchors, d, φ, the axis; and whether the joint slept at its last look.
START_AX, START_AY, START_BX, START_BY, START_X, START_Y = range(6)
START_ANGLE, START_AXIS_X, START_AXIS_Y, WAS_ASLEEP, START_COLUMNS = range(6, 11)

# Columns of the impulses, which live from step to step: of the spring, rod or gear, the motor, both limits, the point
# (of a line the first), the lock. And the sum of the coordinates that a gear keeps, NaN until it is known.
SPRING, MOTOR, LOWER_LIMIT, UPPER_LIMIT, POINT_X, POINT_Y, LOCK, GEAR_SUM, IMPULSE_COLUMNS = range(9)

# Columns of the totals: impulse on b, and angular impulse about its anchor, over the step.
TOTAL_X, TOTAL_Y, TOTAL_TURN, TOTAL_COLUMNS = range(4)


@packed
class JointRows(NamedTuple):
    """The joints of a world, a row each: joints that are solved first in front, gears last.

    ``kinds`` (n,); ``ends`` (n, END_COLUMNS); ``settings`` (n, SETTING_COLUMNS); ``starts`` (n, START_COLUMNS),
    ``impulses`` (n, IMPULSE_COLUMNS) and ``totals`` (n, TOTAL_COLUMNS) are the solver's. Impulses are kept as forces,
    divided by the seconds of a substep, as the next step may have another length.
    """

    kinds: Int64s
    ends: Int32Rows
    settings: Float64Rows
    starts: Float64Rows
    impulses: Float64Rows
    totals: Float64Rows


class JointSettings(NamedTuple):
    """How joints are solved: the frequency in Hz and damping ratio of the springs that hold the parts that are not soft
    themselves, and how often all are solved in each pass."""

    hertz: float
    damping_ratio: float
    iterations: int
