"""The fields of a joint in a block, by name: ``field.ARM_AX``.

They are in the order in which kinds of joints need them: a hinge has the first, one with limits, a motor, a spring or a
lock those up to TURNING_FIELDS, what slides or is soft all.
"""

from __future__ import annotations

# At the start of the step, in the world: arms from the centres of mass to the anchors, and d from a's anchor to b's
# b. The same in the substep; impulse and inverse matrix of the point (of a line the first number of each); the inverse
# inertias. Impulse on b and angular impulse about its anchor, over the step.
(
    START_AX,
    START_AY,
    START_BX,
    START_BY,
    START_X,
    START_Y,
    ARM_AX,
    ARM_AY,
    ARM_BX,
    ARM_BY,
    APART_X,
    APART_Y,
    POINT_X,
    POINT_Y,
    POINT_XX,
    POINT_XY,
    POINT_YY,
    INERTIA_A,
    INERTIA_B,
    TOTAL_X,
    TOTAL_Y,
    TOTAL_TURN,
) = range(22)
HINGE_FIELDS = 22

# φ at the start, and in the substep; the mass of what turns; of the lock the impulse, its most, and its spring. Of the
# coordinate: direction, levers, value, answer to an impulse and the inverse of that, the effective mass. What acts on
# it: impulses; the limits; the motor's speed and its greatest impulse; of the spring where it rests, and its factors.
(
    START_ANGLE,
    TURNED,
    TURN_MASS,
    LOCK,
    LOCK_MOST,
    LOCK_RATE,
    LOCK_MASS,
    LOCK_IMPULSE,
    DIRECTION_X,
    DIRECTION_Y,
    LEVER_A,
    LEVER_B,
    VALUE,
    ANSWER,
    MASS,
    SPRING,
    MOTOR,
    LOWER_LIMIT,
    UPPER_LIMIT,
    LOWER,
    UPPER,
    MOTOR_SPEED,
    MOTOR_MOST,
    REST,
    SPRING_RATE,
    SPRING_MASS,
    SPRING_IMPULSE,
) = range(22, 49)
TURNING_FIELDS = 49

# The axis at the start, and in the substep; of the line the levers, how far off it is, and its mass; what turning arms
# have changed of the impulse on b in the substep; of a soft point the spring's rate, and how fast it gives way to an
# impulse of 1; of one of limited strength the most impulse. The inverse masses, where a body has other ones along x
# than along y.
(
    START_AXIS_X,
    START_AXIS_Y,
    AXIS_X,
    AXIS_Y,
    LINE_A,
    LINE_B,
    LINE_OFF,
    LINE_MASS,
    TURNED_X,
    TURNED_Y,
    POINT_RATE,
    POINT_GIVE,
    POINT_MOST,
    MASS_AX,
    MASS_AY,
    MASS_BX,
    MASS_BY,
) = range(49, 66)
ALL_FIELDS = 66
