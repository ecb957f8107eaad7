"""One pass over contacts: each pushes its two bodies so that they do not approach, one contact after the other.

The method is soft step (E. Catto, "Solver2D", 2024; soft constraints: "Soft Contacts", 2011): in each substep the
contacts are solved twice (sequential impulses, Gauss-Seidel). First with a *bias*: overlaps are pushed apart as by a
damped spring, whose stiffness and damping do not depend on the masses. Then, when positions have been moved,
*relaxing*, without: the springs' part of the velocities is taken out again.

Of a point whose surfaces have the separation s, the relative velocity along the normal is to become v ≥ −s/h where
they are apart: they may come just as near as to touch. Where they overlap, with impulse λ of effective mass m and the
spring's mass factor c,

    λ_new = max(c · (λ − m · (v + bias)), 0),  bias = max(rate · s, −push-out speed)

A resting body overlaps by the compression of its spring, a ten-thousandth of a box's size for one box: so it is a hit
in each step. Tried and left out: an overlap that is not pushed apart. Without a spring, columns of boxes lean and
pyramids creep; where it is rigid, pyramids never come to rest.

How each impulse changes the velocities that the next ones meet is known beforehand, as all constants are: what one
impulse waits for of the one before is a product and a difference, not the velocities of both bodies. So a processor,
which does other blocks meanwhile, has less to wait for.

Friction then holds the velocity along the tangent at the surfaces' velocity, with at most the friction coefficient
times λ. Both passes have it: with friction only in the relaxing one, large pyramids sway.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import DX, VX, BodyRows
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.math.lanes import gather, larger, load, scatter, smaller, spread, store, where


class Spring(NamedTuple):
    """How a soft constraint answers an overlap: bias rate in 1/s, the mass and the impulse factor, which sum to 1."""

    rate: float
    mass: float
    impulse: float


class Pass(NamedTuple):
    """How contacts are solved in a pass: the springs between movable bodies, and with what does not move; the most
    speed that pushes apart, and the substeps in a second."""

    spring: Spring
    static_spring: Spring
    push_speed: float
    rate: float
    is_relaxing: bool


@scalar
def spring(hertz: float, damping_ratio: float, h: float) -> Spring:
    """The spring with a frequency and damping ratio, integrated implicitly over a substep of length h: with ω = 2π f,
    a = 2ζ + hω and c = hωa, the rate is ω / a and the factors are c / (1 + c) and 1 / (1 + c)."""
    omega = 2.0 * math.pi * hertz
    a = 2.0 * damping_ratio + h * omega
    c = h * omega * a
    return Spring(omega / a, c / (1.0 + c), 1.0 / (1.0 + c))


@scalar
def rigid() -> Spring:
    """No spring: velocities are solved as they are."""
    return Spring(0.0, 1.0, 0.0)


class Masses(NamedTuple):
    """The inverse masses of both bodies of a contact along the axes, and their inverse inertias."""

    ax: Any
    ay: Any
    a: Any
    bx: Any
    by: Any
    b: Any


class Motion(NamedTuple):
    """The velocity of b relative to a at the centre of a, in the contact's coordinates, and how much faster b turns; or
    movements in their place. So at a point it is ``normal + spin · arm``, with a's arm."""

    normal: Any
    tangent: Any
    spin: Any


class Springs(NamedTuple):
    """The spring of contacts: its rate, its mass factor, the most that overlaps push at, less than 0; and the substeps
    in a second."""

    rate: Any
    factor: Any
    fastest: Any
    substep_rate: Any


class Wanted(NamedTuple):
    """The last impulse of a point, its goal if no other has changed by now, and the spring's mass
    factor, which that has not yet."""

    last: Any
    impulse: Any
    factor: Any


@inlined_scalar
def masses_of(block: int, lane: Any, rows: BodyRows, blocks: field.ContactBlocks, is_special: bool) -> Masses:
    """What impulses of a contact meet: the masses of its bodies, or its own."""
    _, _, _, mass_a = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX)
    _, _, _, mass_b = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX)
    _, _, _, inertia_a = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, DX)
    _, _, _, inertia_b = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, DX)
    if is_special:
        extras = blocks.extras
        return Masses(
            load(extras, block, field.MASS_AX, lane),
            load(extras, block, field.MASS_AY, lane),
            load(extras, block, field.INERTIA_A, lane),
            load(extras, block, field.MASS_BX, lane),
            load(extras, block, field.MASS_BY, lane),
            load(extras, block, field.INERTIA_B, lane),
        )
    return Masses(mass_a, mass_a, inertia_a, mass_b, mass_b, inertia_b)


@inlined_scalar
def _want_normal(
    p: int,
    block: int,
    lane: Any,
    motion: Motion,
    moved: Motion,
    blocks: field.ContactBlocks,
    springs: Springs,
    is_relaxing: bool,
) -> Wanted:
    """What point p wants along the normal, of bodies that have ``moved`` so since the start of the step."""
    constants = blocks.constants
    arm = load(constants, block, field.ARM_NORMAL + field.POINT_CONSTANTS * p, lane)
    separation = load(constants, block, field.SEPARATION + field.POINT_CONSTANTS * p, lane) + (
        moved.normal + moved.spin * arm
    )
    mass = load(constants, block, field.NORMAL_MASS + field.POINT_CONSTANTS * p, lane)
    last = load(blocks.doubles, block, field.NORMAL_IMPULSE + field.POINT_IMPULSES * p, lane)
    speed = motion.normal + motion.spin * arm
    if is_relaxing:
        speed = speed + larger(separation, 0.0) * springs.substep_rate
        return Wanted(last, last - mass * speed, spread(1.0, lane))
    is_apart = separation > 0.0
    bias = larger(separation * springs.rate, springs.fastest)
    speed = speed + where(is_apart, separation * springs.substep_rate, bias)
    return Wanted(last, last - mass * speed, where(is_apart, 1.0, springs.factor))


@inlined_scalar
def _want_tangent(
    p: int, block: int, lane: Any, motion: Motion, blocks: field.ContactBlocks, is_special: bool
) -> Wanted:
    """What point p wants along the tangent."""
    constants = blocks.constants
    arm = load(constants, block, field.ARM_TANGENT + field.POINT_CONSTANTS * p, lane)
    mass = load(constants, block, field.TANGENT_MASS + field.POINT_CONSTANTS * p, lane)
    last = load(blocks.doubles, block, field.TANGENT_IMPULSE + field.POINT_IMPULSES * p, lane)
    speed = motion.tangent + motion.spin * arm
    if is_special:
        speed = speed - load(blocks.extras, block, field.TANGENT_SPEED, lane)
    return Wanted(last, last - mass * speed, spread(1.0, lane))


@inlined_scalar
def _within(impulse: Any, most: Any) -> Any:
    return larger(smaller(impulse, most), -most)


@inlined_scalar
def solve_block(
    block: int, lane: Any, rows: BodyRows, blocks: field.ContactBlocks, how: Pass, is_relaxing: bool
) -> None:
    """Solve the contact in a lane of a block, or in all lanes, once; ``is_relaxing``: as of the pass.

    What differs by the kind of block is compiled for each.
    """
    kind = int(blocks.kinds[block]) + 0
    if kind & field.IS_SPECIAL:
        _solve(block, lane, rows, blocks, how, is_relaxing, True, True)
    elif kind & field.HAS_TWO_POINTS:
        _solve(block, lane, rows, blocks, how, is_relaxing, True, False)
    else:
        _solve(block, lane, rows, blocks, how, is_relaxing, False, False)


@inlined_scalar
def _springs_of(block: int, lane: Any, blocks: field.ContactBlocks, how: Pass, is_special: bool) -> Springs:
    """The springs of the contacts of a block."""
    soft = how.static_spring if blocks.kinds[block] & field.IS_STATIC else how.spring
    rate = soft.rate
    factor = soft.mass
    if is_special:
        is_static = load(blocks.extras, block, field.MEETS_UNMOVED, lane) > 0.0
        rate = where(is_static, how.static_spring.rate, how.spring.rate)
        factor = where(is_static, how.static_spring.mass, how.spring.mass)
    return Springs(rate, factor, -how.push_speed, how.rate)


@inlined_scalar
def _solve(
    block: int,
    lane: Any,
    rows: BodyRows,
    blocks: field.ContactBlocks,
    how: Pass,
    is_relaxing: bool,
    has_two_points: bool,
    is_special: bool,
) -> None:
    """Solve contacts that have no second point, or are not special, where it says so."""
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, _ = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, _ = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, DX)
    masses = masses_of(block, lane, rows, blocks, is_special)
    constants, doubles = blocks.constants, blocks.doubles
    nx = load(blocks.doubles, block, field.NORMAL_X, lane)
    ny = load(blocks.doubles, block, field.NORMAL_Y, lane)
    friction = load(constants, block, field.FRICTION, lane)
    springs = _springs_of(block, lane, blocks, how, is_special)
    offset_normal = load(constants, block, field.OFFSET_NORMAL, lane)
    offset_tangent = load(constants, block, field.OFFSET_TANGENT, lane)
    x = vx_b - vx_a
    y = vy_b - vy_a
    normal = x * nx + y * ny + omega_b * offset_normal
    tangent = x * ny - y * nx + omega_b * offset_tangent
    motion = Motion(normal, tangent, omega_b - omega_a)
    normal = (dx_b - dx_a) * nx + (dy_b - dy_a) * ny + dtheta_b * offset_normal
    moved = Motion(normal, normal, dtheta_b - dtheta_a)

    # Along the normal: impulses, their changes, and what these add along normal and tangent and to the spin of a.
    wanted = _want_normal(0, block, lane, motion, moved, blocks, springs, is_relaxing)
    pressure_0 = larger(wanted.factor * wanted.impulse, 0.0)
    pressure_1 = 0.0
    pressed_0 = pressure_0 - wanted.last
    pressed_1 = 0.0
    along = pressed_0
    turn = load(constants, block, field.ARM_NORMAL, lane) * pressed_0
    store(doubles, block, field.NORMAL_IMPULSE, lane, pressure_0)
    if has_two_points:
        wanted = _want_normal(1, block, lane, motion, moved, blocks, springs, is_relaxing)
        impulse = wanted.impulse - load(constants, block, field.NORMAL_ON_NORMAL, lane) * pressed_0
        pressure_1 = larger(wanted.factor * impulse, 0.0)
        pressed_1 = pressure_1 - wanted.last
        along = along + pressed_1
        turn = turn + load(constants, block, field.ARM_NORMAL + field.POINT_CONSTANTS, lane) * pressed_1
        store(doubles, block, field.NORMAL_IMPULSE + field.POINT_IMPULSES, lane, pressure_1)

    # Along the tangent.
    wanted = _want_tangent(0, block, lane, motion, blocks, is_special)
    impulse = wanted.impulse - load(constants, block, field.OWN_NORMAL_ON_TANGENT, lane) * pressed_0
    if has_two_points:
        impulse = impulse - load(constants, block, field.BACK_ON_TANGENT, lane) * pressed_1
    impulse = _within(impulse, friction * pressure_0)
    rubbed = impulse - wanted.last
    across = rubbed
    total = impulse
    turn = turn + load(constants, block, field.ARM_TANGENT, lane) * rubbed
    store(doubles, block, field.TANGENT_IMPULSE, lane, impulse)
    if has_two_points:
        wanted = _want_tangent(1, block, lane, motion, blocks, is_special)
        impulse = wanted.impulse - load(constants, block, field.NORMAL_ON_TANGENT, lane) * pressed_0
        impulse = (
            impulse - load(constants, block, field.OWN_NORMAL_ON_TANGENT + field.POINT_CONSTANTS, lane) * pressed_1
        )
        impulse = impulse - load(constants, block, field.TANGENT_ON_TANGENT, lane) * rubbed
        impulse = _within(impulse, friction * pressure_1)
        rubbed = impulse - wanted.last
        across = across + rubbed
        total = total + impulse
        turn = turn + load(constants, block, field.ARM_TANGENT + field.POINT_CONSTANTS, lane) * rubbed
        store(doubles, block, field.TANGENT_IMPULSE + field.POINT_IMPULSES, lane, impulse)

    if is_relaxing:
        _add_to(blocks.totals, block, field.NORMAL_TOTAL, lane, pressure_0)
        _add_to(blocks.totals, block, field.TANGENT_TOTAL, lane, total)
        if has_two_points:
            _add_to(blocks.totals, block, field.NORMAL_TOTAL + 1, lane, pressure_1)
    # Of b, all arms are longer by the same.
    turn_b = turn + (offset_normal * along + offset_tangent * across)
    if is_special:
        rolled = _roll(
            omega_a - masses.a * turn, omega_b + masses.b * turn_b, pressure_0 + pressure_1, block, lane, blocks
        )
        turn = turn + rolled
        turn_b = turn_b + rolled
    px = along * nx + across * ny
    py = along * ny - across * nx
    after_a = vx_a - masses.ax * px, vy_a - masses.ay * py, omega_a - masses.a * turn, mass_a
    after_b = vx_b + masses.bx * px, vy_b + masses.by * py, omega_b + masses.b * turn_b, mass_b
    scatter(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX, after_a)
    # A body that no contact of the block moves is only read: a floor under thousands is not handed from core to core.
    if is_special or not blocks.kinds[block] & field.IS_STATIC:
        scatter(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX, after_b)


@inlined_scalar
def _roll(omega_a: Any, omega_b: Any, pressure: Any, block: int, lane: Any, blocks: field.ContactBlocks) -> Any:
    """Resist rolling, by no more than the ``pressure`` allows; returns the change of b's spin."""
    extras = blocks.extras
    most = load(extras, block, field.ROLLING_RESISTANCE, lane) * pressure
    last = load(extras, block, field.ROLLING_IMPULSE, lane)
    impulse = _within(last - load(extras, block, field.ROLLING_MASS, lane) * (omega_b - omega_a), most)
    store(extras, block, field.ROLLING_IMPULSE, lane, impulse)
    return impulse - last


@inlined_scalar
def _add_to(numbers: NDArray[float64], block: int, column: int, lane: Any, added: Any) -> None:
    store(numbers, block, column, lane, load(numbers, block, column, lane) + added)
