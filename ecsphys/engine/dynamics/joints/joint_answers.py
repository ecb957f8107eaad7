"""How joints answer impulses: their wrenches, their stability, and parts that are coupled.

A joint's parts are solved one after the other, and each undoes some of the result of the one before: a limit of a hinge
alone would leave an eighth of the speed at which a body runs into it, and a weld would carry half of its load at first.
So the first part allows for the work of the last: of an impulse that changes its speed by k and the speed of
the held part by q, the held part takes q² / k' of k, if k' is its own answer (the Schur complement). That solves a
joint as a whole, by elimination.
"""

from __future__ import annotations

from typing import Any

from ecsphys.engine.dynamics.contacts.contact_solving import Masses, Spring
from ecsphys.engine.dynamics.joints import joint_blocks as field
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_blocks import JointAt, acts_on_coordinate, is_hinge, put, take
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.math.lanes import any_of, larger, root, spread, where


class Wrench(NamedTuple):
    """The effect of a joint on its bodies: an impulse on b, its opposite on a, and the angular impulses of both."""

    x: Any
    y: Any
    a: Any
    b: Any


@inlined_scalar
def masses_of(kind: int, at: JointAt, mass_a: Any, mass_b: Any) -> Masses:
    """The inverse masses of the bodies of a joint, from the given ones along each axis."""
    a = take(at, field.INERTIA_A)
    b = take(at, field.INERTIA_B)
    if kind & field.HAS_LOCKED_BODY:
        ax, ay = take(at, field.MASS_AX), take(at, field.MASS_AY)
        return Masses(ax, ay, a, take(at, field.MASS_BX), take(at, field.MASS_BY), b)
    return Masses(mass_a, mass_a, a, mass_b, mass_b, b)


@inlined_scalar
def wrench_of(kind: int, at: JointAt) -> Wrench:
    """The effect of the impulses of a joint in its place."""
    wrench = pull_of(kind, at)
    if is_hinge(kind):
        return wrench
    turn = turn_of(kind, at)
    return Wrench(wrench.x, wrench.y, wrench.a + turn, wrench.b + turn)


@inlined_scalar
def turn_of(kind: int, at: JointAt) -> Any:
    """The angular impulse of lock, coordinate and motor of a joint that is more than a hinge."""
    turn = take(at, field.LOCK)
    if kind & row.COORDINATE == row.ANGLE:
        turn = turn + take(at, field.SPRING) + take(at, field.LOWER_LIMIT) - take(at, field.UPPER_LIMIT)
        turn = turn + take(at, field.MOTOR)
    elif kind & row.IS_SPINNING:
        turn = turn + take(at, field.MOTOR)
    return turn


@inlined_scalar
def pull_of(kind: int, at: JointAt) -> Wrench:
    """The effect of its impulses along lines."""
    zero = spread(0.0, at.lane)
    x = zero
    y = zero
    a = zero
    b = zero
    if kind & row.COORDINATE >= row.SLIDE:
        along = take(at, field.SPRING) + take(at, field.LOWER_LIMIT) - take(at, field.UPPER_LIMIT)
        if not kind & row.IS_SPINNING:
            along = along + take(at, field.MOTOR)
        x = along * take(at, field.DIRECTION_X)
        y = along * take(at, field.DIRECTION_Y)
        a = along * take(at, field.LEVER_A)
        b = along * take(at, field.LEVER_B)
    if kind & row.HAS_LINE:
        across = take(at, field.POINT_X)
        x = x - across * take(at, field.AXIS_Y)
        y = y + across * take(at, field.AXIS_X)
        a = a + across * take(at, field.LINE_A)
        b = b + across * take(at, field.LINE_B)
    elif kind & row.HAS_POINT:
        px = take(at, field.POINT_X)
        py = take(at, field.POINT_Y)
        x = x + px
        y = y + py
        a = a + (take(at, field.ARM_AX) * py - take(at, field.ARM_AY) * px)
        b = b + (take(at, field.ARM_BX) * py - take(at, field.ARM_BY) * px)
    return Wrench(x, y, a, b)


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
    if kind & row.COORDINATE >= row.SLIDE:
        mass = larger(masses.ax + masses.bx, masses.ay + masses.by)
        if kind & row.COORDINATE == row.DISTANCE:
            value = take(at, field.VALUE)
            most = larger(most, where(value > 0.0, squared * (mass * mass) / (value * value), 0.0))
        else:
            most = larger(most, squared * (mass * masses.a))
    bound = _STABLE
    if kind & field.IS_LOADED:
        bound = _STABLE_IF_LOADED
    elif kind & row.IS_SOFT_POINT or kind & row.COORDINATE == row.DISTANCE:
        bound = _STABLE_ALONE
    limit = bound * rate
    is_beyond = most > limit * limit
    kept = spread(1.0, at.lane)
    if any_of(is_beyond):
        kept = where(is_beyond, limit / root(most), 1.0)
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
    if kind & row.HAS_LINE:
        off = take(at, field.LINE_OFF) * take(at, field.LINE_OFF)
    elif kind & row.IS_ROD:
        off_x = take(at, field.VALUE) - take(at, field.REST)
        off = off_x * off_x
    return off > _TORN * (ax * ax + ay * ay + bx * bx + by * by)


@inlined_scalar
def keep_part(kind: int, at: JointAt, kept: Any) -> None:
    """Keep a part of the impulses that act along lines."""
    put(at, field.POINT_X, kept * take(at, field.POINT_X))
    put(at, field.POINT_Y, kept * take(at, field.POINT_Y))
    if kind & row.COORDINATE >= row.SLIDE:
        put(at, field.SPRING, kept * take(at, field.SPRING))
        put(at, field.LOWER_LIMIT, kept * take(at, field.LOWER_LIMIT))
        put(at, field.UPPER_LIMIT, kept * take(at, field.UPPER_LIMIT))
        if not kind & row.IS_SPINNING:
            put(at, field.MOTOR, kept * take(at, field.MOTOR))


# A part that answers by less than this share of its answer alone does not move.
_LEAST = 1e-9

# Radians that a lock or the limit of an angle may be off by, and the most of the answer of φ that the held part may
# take: that is an arm of fourteen radii of gyration. See _fits.
_OFF = 0.5
_MOST_TAKEN = 0.995


class Motion(NamedTuple):
    """The velocity of b less the velocity of a at their centres of mass, and both angular velocities."""

    x: Any
    y: Any
    a: Any
    b: Any


class Answers(NamedTuple):
    """How φ changes where the last part is held: its speed, its answer to an impulse, and that where the last part is
    as stiff as can be. For a coordinate that slides beside a line, the same, and its answer to an impulse on φ."""

    speed: Any
    answer: Any
    stiff_answer: Any
    slide_speed: Any
    slide_answer: Any
    slide_by_turn: Any


@scalar
def is_coupled(kind: int) -> bool:
    """Whether a joint has a line or a point that is held, and a part that is solved before."""
    if not (kind & row.HAS_LOCK or acts_on_coordinate(kind)):
        return False
    return bool(
        kind & row.HAS_LINE or kind & (row.HAS_POINT | row.IS_SOFT_POINT | row.IS_BOUNDED_POINT) == row.HAS_POINT
    )


@inlined_scalar
def line_change(at: JointAt, motion: Motion, soft: Spring) -> Any:
    """The change of a line's impulse."""
    speed = motion.y * take(at, field.AXIS_X) - motion.x * take(at, field.AXIS_Y)
    speed = speed + (take(at, field.LINE_B) * motion.b - take(at, field.LINE_A) * motion.a)
    bias = soft.rate * take(at, field.LINE_OFF)
    change = -soft.mass * take(at, field.LINE_MASS) * (speed + bias)
    return change - soft.impulse * take(at, field.POINT_X)


@inlined_scalar
def point_change(at: JointAt, motion: Motion, rate: Any, mass: Any, impulse: Any) -> tuple[Any, Any]:
    """The change of a point's impulse, with the factors of its spring."""
    x = motion.x - (motion.b * take(at, field.ARM_BY) - motion.a * take(at, field.ARM_AY))
    y = motion.y + (motion.b * take(at, field.ARM_BX) - motion.a * take(at, field.ARM_AX))
    x = x + rate * take(at, field.APART_X)
    y = y + rate * take(at, field.APART_Y)
    xy = take(at, field.POINT_XY)
    return (
        -mass * (take(at, field.POINT_XX) * x + xy * y) - impulse * take(at, field.POINT_X),
        -mass * (xy * x + take(at, field.POINT_YY) * y) - impulse * take(at, field.POINT_Y),
    )


@inlined_scalar
def inverse(number: Any) -> Any:
    """1 / number; 0 for 0."""
    return where(number > 0.0, 1.0 / number, 0.0)


@inlined_scalar
def left_of(answer: Any, taken: Any) -> Any:
    """The rest of an answer; 0 for a rounding error."""
    left = answer - taken
    return where(left > _LEAST * answer, left, 0.0)


@inlined_scalar
def _fits(kind: int, at: JointAt, taken: Any, alone: Any) -> Any:
    """Whether a joint is nearly where it should be. A joint that is torn, or turned far, is brought back part by part:
    a lock that turned a body as fast about a far anchor as about its centre would throw it about. So would one at the
    end of a slide that has gone far, whose arm is elsewhere after any turn: the held part takes all but a little
    there."""
    off = spread(0.0, at.lane)
    turned = take(at, field.TURNED)
    if kind & row.HAS_LOCK:
        off = larger(turned, -turned)
    if kind & row.HAS_LIMITS and kind & row.COORDINATE == row.ANGLE:
        off = larger(off, larger(take(at, field.LOWER) - turned, turned - take(at, field.UPPER)))
    off = where(taken > _MOST_TAKEN * alone, _OFF, off)
    return where(is_torn(kind, at), _OFF, off) < _OFF


@inlined_scalar
def answers_of(kind: int, at: JointAt, masses: Masses, motion: Motion, soft: Spring) -> Answers:
    """The answers of a joint that :func:`is_coupled`."""
    zero = spread(0.0, at.lane)
    factor = soft.mass
    alone = masses.a + masses.b
    turn = motion.b - motion.a
    if kind & row.HAS_LINE:
        line_a = take(at, field.LINE_A)
        line_b = take(at, field.LINE_B)
        mass = take(at, field.LINE_MASS)
        by_turn = masses.b * line_b + masses.a * line_a
        fits = _fits(kind, at, mass * by_turn * by_turn, alone)
        by_turn = where(fits, by_turn, 0.0)
        change = where(fits, line_change(at, motion, soft), 0.0)
        speed = turn + by_turn * change
        taken = mass * by_turn * by_turn
        answer = left_of(alone, factor * taken)
        stiff = left_of(alone, taken)
        if not acts_on_coordinate(kind):
            return Answers(speed, answer, stiff, zero, zero, zero)
        nx = take(at, field.DIRECTION_X)
        ny = take(at, field.DIRECTION_Y)
        lever_a = take(at, field.LEVER_A)
        lever_b = take(at, field.LEVER_B)
        by_slide = (masses.ay + masses.by) * ny * take(at, field.AXIS_X)
        by_slide = by_slide - (masses.ax + masses.bx) * nx * take(at, field.AXIS_Y)
        by_slide = by_slide + (masses.b * lever_b * line_b + masses.a * lever_a * line_a)
        by_slide = where(fits, by_slide, 0.0)
        slide_speed = motion.x * nx + motion.y * ny + (lever_b * motion.b - lever_a * motion.a)
        return Answers(
            speed,
            answer,
            stiff,
            slide_speed + by_slide * change,
            left_of(take(at, field.ANSWER), factor * mass * by_slide * by_slide),
            where(fits, masses.b * lever_b + masses.a * lever_a - factor * mass * by_slide * by_turn, zero),
        )
    rate = soft.rate
    change_x, change_y = point_change(at, motion, rate, factor, soft.impulse)
    by_x = -(masses.b * take(at, field.ARM_BY)) - masses.a * take(at, field.ARM_AY)
    by_y = masses.b * take(at, field.ARM_BX) + masses.a * take(at, field.ARM_AX)
    xy = take(at, field.POINT_XY)
    taken = by_x * (take(at, field.POINT_XX) * by_x + xy * by_y) + by_y * (xy * by_x + take(at, field.POINT_YY) * by_y)
    fits = _fits(kind, at, taken, alone)
    taken = where(fits, taken, 0.0)
    speed = turn + where(fits, by_x * change_x + by_y * change_y, 0.0)
    return Answers(speed, left_of(alone, factor * taken), left_of(alone, taken), zero, zero, zero)
