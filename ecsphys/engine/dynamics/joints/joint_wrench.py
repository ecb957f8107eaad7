"""The effects of the impulses of joints on their bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_blocks import HAS_LOCKED_BODY, JointAt, is_hinge, take
from ecsphys.engine.dynamics.joints.joint_rows import ANGLE, COORDINATE, HAS_LINE, HAS_POINT, IS_SPINNING, SLIDE
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.vectors.lanes import spread


class Masses(NamedTuple):
    """Inverse masses of both bodies along x and y, and inverse inertias."""

    ax: Any
    ay: Any
    bx: Any
    by: Any
    a: Any
    b: Any


class Wrench(NamedTuple):
    """The effect of a joint on its bodies: an impulse on b, its opposite on a, and the angular impulses of both."""

    x: Any
    y: Any
    a: Any
    b: Any


@inlined_scalar
def masses_of(kind: int, at: JointAt, mass_a: Any, mass_b: Any) -> Masses:
    """The inverse masses of the bodies of a joint, from the given ones along each axis."""
    inertia_a = take(at, field.INERTIA_A)
    inertia_b = take(at, field.INERTIA_B)
    if kind & HAS_LOCKED_BODY:
        return Masses(
            take(at, field.MASS_AX),
            take(at, field.MASS_AY),
            take(at, field.MASS_BX),
            take(at, field.MASS_BY),
            inertia_a,
            inertia_b,
        )
    return Masses(mass_a, mass_a, mass_b, mass_b, inertia_a, inertia_b)


@inlined_scalar
def wrench_of(kind: int, at: JointAt) -> Wrench:
    """The effect of the impulses of a joint in its place."""
    wrench = pull_of(kind, at)
    if is_hinge(kind):
        return wrench
    turn = take(at, field.LOCK)
    if kind & COORDINATE == ANGLE:
        turn = turn + take(at, field.SPRING) + take(at, field.LOWER_LIMIT) - take(at, field.UPPER_LIMIT)
        turn = turn + take(at, field.MOTOR)
    elif kind & IS_SPINNING:
        turn = turn + take(at, field.MOTOR)
    return Wrench(wrench.x, wrench.y, wrench.a + turn, wrench.b + turn)


@inlined_scalar
def pull_of(kind: int, at: JointAt) -> Wrench:
    """The effect of its impulses along lines."""
    zero = spread(0.0, at.lane)
    x = zero
    y = zero
    a = zero
    b = zero
    if kind & COORDINATE >= SLIDE:
        along = take(at, field.SPRING) + take(at, field.LOWER_LIMIT) - take(at, field.UPPER_LIMIT)
        if not kind & IS_SPINNING:
            along = along + take(at, field.MOTOR)
        x = along * take(at, field.DIRECTION_X)
        y = along * take(at, field.DIRECTION_Y)
        a = along * take(at, field.LEVER_A)
        b = along * take(at, field.LEVER_B)
    if kind & HAS_LINE:
        across = take(at, field.POINT_X)
        x = x - across * take(at, field.AXIS_Y)
        y = y + across * take(at, field.AXIS_X)
        a = a + across * take(at, field.LINE_A)
        b = b + across * take(at, field.LINE_B)
    elif kind & HAS_POINT:
        px = take(at, field.POINT_X)
        py = take(at, field.POINT_Y)
        x = x + px
        y = y + py
        a = a + (take(at, field.ARM_AX) * py - take(at, field.ARM_AY) * px)
        b = b + (take(at, field.ARM_BX) * py - take(at, field.ARM_BY) * px)
    return Wrench(x, y, a, b)
