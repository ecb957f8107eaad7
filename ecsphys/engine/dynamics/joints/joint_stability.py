"""How much of their impulses joints keep from substep to substep, so that the next begins stably."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_blocks import IS_LOADED, JointAt, put, take
from ecsphys.engine.dynamics.joints.joint_rows import (
    COORDINATE,
    DISTANCE,
    HAS_LINE,
    IS_ROD,
    IS_SOFT_POINT,
    IS_SPINNING,
    SLIDE,
)
from ecsphys.engine.dynamics.joints.joint_wrench import Masses, Wrench
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.vectors.lanes import any_of, larger, root, spread, where

# A joint with an error above the root of this share of the sum of the arms squared is torn.
_TORN = 0.25

# The bound of h |P| |r| / I, see stable_part; the same for rods and soft points; for loaded joints.
_STABLE = 1.0
_STABLE_ALONE = 4.0
_STABLE_IF_LOADED = 16.0


@inlined_scalar
def _most_turn(at: JointAt, masses: Masses) -> Any:
    """The most that an impulse of 1 at the anchors turns one of the bodies, squared."""
    ax = take(at, field.ARM_AX)
    ay = take(at, field.ARM_AY)
    bx = take(at, field.ARM_BX)
    by = take(at, field.ARM_BY)
    arm_a = masses.a * masses.a * (ax * ax + ay * ay)
    arm_b = masses.b * masses.b * (bx * bx + by * by)
    return larger(arm_a, arm_b)


@scalar
def _bound_of(kind: int) -> float:
    if kind & IS_LOADED:
        return _STABLE_IF_LOADED
    return _STABLE_ALONE if kind & IS_SOFT_POINT or kind & COORDINATE == DISTANCE else _STABLE


@inlined_scalar
def stable_part(kind: int, at: JointAt, masses: Masses, pull: Wrench, rate: float) -> Any:
    """The part of the impulses that act along lines with which the next substep begins stably.

    The turn of a body in a substep, h ω, turns its arm r, and with it the effect of an impulse P on it: P is a spring
    of the stiffness P r / h for the turning (the geometric stiffness). The body alone would swing in it with
    Ω² = P r / (h I), and velocities that are changed before places (symplectic Euler) carry that up to h² Ω² = 4. But
    several joints share a body, and passes that do not solve all of them at once leave more energy than there was: all
    of P may act up to |P| |r| = I / h, and no more. The same holds for an axis that turns with a.

    Rods, ropes and soft points keep up to 4: cut at 1, they gain energy from springs that pull against them.

    Loaded joints are solved so often that little of such a turn is left: what holds a link at both ends takes three
    quarters of it in each pass. Their bound is wider, as heavy bodies on light links need it.

    Joints that pull against each other come near the bound, and small bodies at long arms. ``rate`` is 1 / h.
    """
    squared = pull.x * pull.x + pull.y * pull.y
    most = squared * _most_turn(at, masses)
    if kind & COORDINATE >= SLIDE:
        zero = spread(0.0, at.lane)
        mass = larger(masses.ax + masses.bx, masses.ay + masses.by)
        if kind & COORDINATE == DISTANCE:
            value = take(at, field.VALUE)
            most = larger(most, where(value > zero, squared * (mass * mass) / (value * value), zero))
        else:
            most = larger(most, squared * (mass * masses.a))
    one = spread(1.0, at.lane)
    limit = spread(_bound_of(kind) * rate, at.lane)
    is_beyond = most > limit * limit
    kept = one
    if any_of(is_beyond):
        kept = where(is_beyond, limit / root(most), one)
    return kept


@inlined_scalar
def is_torn(kind: int, at: JointAt) -> Any:
    """Whether a stiff part is off by more than half of its arms: no blow does this, but joints at odds do."""
    ax = take(at, field.ARM_AX)
    ay = take(at, field.ARM_AY)
    bx = take(at, field.ARM_BX)
    by = take(at, field.ARM_BY)
    off_x = take(at, field.APART_X)
    off_y = take(at, field.APART_Y)
    off = off_x * off_x + off_y * off_y
    if kind & HAS_LINE:
        off = take(at, field.LINE_OFF) * take(at, field.LINE_OFF)
    elif kind & IS_ROD:
        off_x = take(at, field.VALUE) - take(at, field.REST)
        off = off_x * off_x
    return off > spread(_TORN, at.lane) * (ax * ax + ay * ay + bx * bx + by * by)


@inlined_scalar
def keep_part(kind: int, at: JointAt, kept: Any) -> None:
    """Keep a part of the impulses that act along lines."""
    put(at, field.POINT_X, kept * take(at, field.POINT_X))
    put(at, field.POINT_Y, kept * take(at, field.POINT_Y))
    if kind & COORDINATE >= SLIDE:
        put(at, field.SPRING, kept * take(at, field.SPRING))
        put(at, field.LOWER_LIMIT, kept * take(at, field.LOWER_LIMIT))
        put(at, field.UPPER_LIMIT, kept * take(at, field.UPPER_LIMIT))
        if not kind & IS_SPINNING:
            put(at, field.MOTOR, kept * take(at, field.MOTOR))
