"""How much of their impulses joints keep from substep to substep, so that the next begins stably."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_blocks import IS_LOADED, JointAt, put, take
from ecsphys.engine.dynamics.joints.joint_rows import COORDINATE, DISTANCE, HAS_LINE, IS_ROD, IS_SPINNING, SLIDE
from ecsphys.engine.dynamics.joints.joint_wrench import Masses, Wrench
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.vectors.lanes import any_of, larger, root, smaller, spread, where

# What is off by the root of this part of the sum of the arms squared is torn.
_TORN = 0.25

# How far impulses may turn what carries them, see stable_part; and those of loaded joints, which more passes correct.
_STABLE = 4.0
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


@inlined_scalar
def stable_part(kind: int, at: JointAt, masses: Masses, pull: Wrench, rate: float) -> Any:
    """The part of the impulses that act along lines with which the next substep begins stably.

    What a body turns by in a substep, h ω, turns its arm r, and with it what an impulse P does to it: by
    (P · r) h ω / I. Where that is more than ω, the impulse is a spring too stiff for the substep (the geometric
    stiffness): passes that do not solve all joints at once leave more energy than there was, and a larger impulse.
    And across the arm, P turns the body by (P × r) h / I in the substep, of which no line is left where it was. So all
    of P may act up to |P| |r| = I / h, and no more; the same for an axis that turns with a, and for the line of a
    distance. No joint of a game comes near it, but those that pull against each other do, and small bodies at long
    arms. ``rate`` is 1 / h.
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
    limit = spread((_STABLE_IF_LOADED if kind & IS_LOADED else _STABLE) * rate, at.lane)
    is_beyond = most > limit * limit
    kept = one
    if any_of(is_beyond):
        kept = where(is_beyond, limit / root(most), one)
    return kept


@inlined_scalar
def give_of(at: JointAt, masses: Masses, squared: Any, rate: float) -> Any:
    """What a soft point gives way more than its bodies do, as an inverse mass, of anchors that are the root of
    ``squared`` apart: so that it stays within :func:`stable_part`.

    A spring that is as stiff as its frequency says in each direction is weak across an arm and strong along it. Far
    apart, that drives a body round as no potential would. What gives way alike in all directions pulls straight.
    """
    turn = root(squared * _most_turn(at, masses))
    pull = take(at, field.POINT_MASS) * take(at, field.POINT_RATE) / spread(rate, at.lane)
    straight = smaller(masses.ax + masses.bx, masses.ay + masses.by)
    return larger(turn * pull - straight, spread(0.0, at.lane))


@inlined_scalar
def is_torn(kind: int, at: JointAt) -> Any:
    """Where what holds stiffly is off by more than half of its arms: what a blow does not, but joints at odds do."""
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
