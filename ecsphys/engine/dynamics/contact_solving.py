"""One pass over contacts: each pushes its two bodies so that they do not approach, one contact after the other.

The method is soft step (E. Catto, "Solver2D", 2024; soft constraints: "Soft Contacts", 2011): in each substep the
contacts are solved twice (sequential impulses, Gauss-Seidel). First with a *bias*: overlaps are pushed apart as by a
damped spring, whose stiffness and damping do not depend on the masses. Then, when positions have been moved,
*relaxing*, without: what the springs have added to velocities is taken out again.

Of a point whose surfaces have the separation s, the relative velocity along the normal is to become v ≥ −s/h where
they are apart: they may come just as near as to touch. Where they overlap, with impulse λ of effective mass m,

    λ_new = max(λ − m · c_m · (v + bias) − c_i · λ, 0),  bias = max(rate · s, −push-out speed)

What rests overlaps by what its spring is compressed, a ten-thousandth of a box's size for one box: so it is a hit in
each step. Tried and left out: an overlap that is not pushed apart. Where that has no spring, columns of boxes lean and
pyramids creep; where it is rigid, pyramids never come to rest.

Friction then holds the velocity along the tangent at that of the surfaces, with at most the friction coefficient times
λ. Both passes have it: with friction only in the relaxing one, large pyramids sway.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import DX, VX, BodyRows
from ecsphys.engine.dynamics.contact_blocks import (
    ARM_NORMAL,
    ARM_TANGENT,
    BOUNCE_ACCELERATION,
    BOUNCE_PLACE,
    BOUNCE_SHARE,
    BOUNCE_SPEED,
    BOUNCE_X,
    BOUNCE_Y,
    FRICTION,
    HAS_TWO_POINTS,
    INERTIA_A,
    INERTIA_B,
    IS_SPECIAL,
    IS_STATIC,
    MASS_AX,
    MASS_AY,
    MASS_BX,
    MASS_BY,
    NORMAL_IMPULSE,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    OFFSET_NORMAL,
    OFFSET_TANGENT,
    POINT_FIELDS,
    ROLLING_IMPULSE,
    ROLLING_MASS,
    ROLLING_RESISTANCE,
    ROW_A,
    ROW_B,
    SEPARATION,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_SPEED,
    TANGENT_TOTAL,
    ContactBlocks,
    ContactPlaces,
)
from ecsphys.engine.dynamics.contact_frame import Frame, frame_after
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.vectors.lanes import LANES, gather, larger, load, scatter, smaller, spread, store, where

# A contact with two points bounces by so many turns of one point after the other.
_BOUNCE_TURNS = 10


class Spring(NamedTuple):
    """How a soft constraint answers an overlap: bias rate in 1/s, the mass and the impulse factor."""

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


class Answer(NamedTuple):
    """What impulses of a contact meet. ``normal``, ``tangent``: how an impulse along the normal or tangent changes the
    relative velocity of the centres along it; ``across``, along the other. And both inverse inertias."""

    normal: Any
    tangent: Any
    across: Any
    inertia_a: Any
    inertia_b: Any


class Motion(NamedTuple):
    """The velocity of b's centre relative to that of a, in the contact's coordinates, and both angular velocities."""

    normal: Any
    tangent: Any
    omega_a: Any
    omega_b: Any


@inlined_scalar
def _at_point(motion: Motion, along: Any, arm_a: Any, arm_b: Any) -> Any:
    """The relative velocity at a point, or its movement, of which that of the centres is ``along``."""
    return along + (motion.omega_b * arm_b - motion.omega_a * arm_a)


@inlined_scalar
def _push(motion: Motion, answer: Answer, impulse: Any, arm_a: Any, arm_b: Any) -> Motion:
    """The motion after an impulse along the normal."""
    return Motion(
        motion.normal + answer.normal * impulse,
        motion.tangent + answer.across * impulse,
        motion.omega_a - answer.inertia_a * (arm_a * impulse),
        motion.omega_b + answer.inertia_b * (arm_b * impulse),
    )


@inlined_scalar
def _rub(motion: Motion, answer: Answer, impulse: Any, arm_a: Any, arm_b: Any) -> Motion:
    """The motion after an impulse along the tangent."""
    return Motion(
        motion.normal + answer.across * impulse,
        motion.tangent + answer.tangent * impulse,
        motion.omega_a - answer.inertia_a * (arm_a * impulse),
        motion.omega_b + answer.inertia_b * (arm_b * impulse),
    )


@inlined_scalar
def solve_block(block: int, lane: Any, rows: BodyRows, blocks: ContactBlocks, how: Pass) -> None:
    """Solve the contact in a lane of a block, or in all lanes, once."""
    numbers = blocks.numbers
    extras = blocks.extras
    kind = int(blocks.kinds[block]) + 0
    points = 2 if kind & HAS_TWO_POINTS else 1
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, inertia_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, inertia_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, DX)
    nx = load(numbers, block, NORMAL_X, lane)
    ny = load(numbers, block, NORMAL_Y, lane)
    offset_normal = load(numbers, block, OFFSET_NORMAL, lane)
    offset_tangent = load(numbers, block, OFFSET_TANGENT, lane)
    zero = spread(0.0, lane)
    one = spread(1.0, lane)

    # Stored apart only where it is not the same for both axes.
    mass_ax = mass_a
    mass_ay = mass_a
    mass_bx = mass_b
    mass_by = mass_b
    answer_normal = mass_a + mass_b
    answer_tangent = answer_normal
    across = zero
    if kind & IS_SPECIAL:
        mass_ax = load(extras, block, MASS_AX, lane)
        mass_ay = load(extras, block, MASS_AY, lane)
        inertia_a = load(extras, block, INERTIA_A, lane)
        mass_bx = load(extras, block, MASS_BX, lane)
        mass_by = load(extras, block, MASS_BY, lane)
        inertia_b = load(extras, block, INERTIA_B, lane)
        mass_x = mass_ax + mass_bx
        mass_y = mass_ay + mass_by
        answer_normal = mass_x * nx * nx + mass_y * ny * ny
        answer_tangent = mass_x * ny * ny + mass_y * nx * nx
        across = (mass_x - mass_y) * nx * ny
    answer = Answer(answer_normal, answer_tangent, across, inertia_a, inertia_b)

    dvx = vx_b - vx_a
    dvy = vy_b - vy_a
    motion = Motion(dvx * nx + dvy * ny, dvx * ny - dvy * nx, omega_a, omega_b)
    moved = (dx_b - dx_a) * nx + (dy_b - dy_a) * ny
    turned = Motion(moved, moved, dtheta_a, dtheta_b)

    is_static = load(numbers, block, IS_STATIC, lane) > zero
    rate = where(is_static, spread(how.static_spring.rate, lane), spread(how.spring.rate, lane))
    mass_factor = where(is_static, spread(how.static_spring.mass, lane), spread(how.spring.mass, lane))
    impulse_factor = where(is_static, spread(how.static_spring.impulse, lane), spread(how.spring.impulse, lane))
    fastest = spread(-how.push_speed, lane)
    substep_rate = spread(how.rate, lane)

    normal_impulse = zero
    tangent_impulse = zero
    pressure = zero
    for p in range(points):
        point = POINT_FIELDS * p
        arm_a = load(numbers, block, ARM_NORMAL + point, lane)
        arm_b = arm_a + offset_normal
        separation = load(numbers, block, SEPARATION + point, lane) + _at_point(turned, turned.normal, arm_a, arm_b)
        is_apart = separation > zero
        bias = where(is_apart, separation * substep_rate, larger(rate * separation, fastest))
        speed = _at_point(motion, motion.normal, arm_a, arm_b) + bias
        mass = load(numbers, block, NORMAL_MASS + point, lane) * where(is_apart, one, mass_factor)
        last = load(numbers, block, NORMAL_IMPULSE + point, lane)
        impulse = larger(last - mass * speed - where(is_apart, zero, impulse_factor) * last, zero)
        store(numbers, block, NORMAL_IMPULSE + point, lane, impulse)
        pressure = pressure + impulse
        change = impulse - last
        normal_impulse = normal_impulse + change
        motion = _push(motion, answer, change, arm_a, arm_b)
        if how.is_relaxing:
            total = load(numbers, block, NORMAL_TOTAL + point, lane)
            store(numbers, block, NORMAL_TOTAL + point, lane, total + impulse)

    friction = load(numbers, block, FRICTION, lane)
    tangent_speed = load(numbers, block, TANGENT_SPEED, lane)
    rubbed = zero
    for p in range(points):
        point = POINT_FIELDS * p
        arm_a = load(numbers, block, ARM_TANGENT + point, lane)
        arm_b = arm_a + offset_tangent
        speed = _at_point(motion, motion.tangent, arm_a, arm_b) - tangent_speed
        most = friction * load(numbers, block, NORMAL_IMPULSE + point, lane)
        last = load(numbers, block, TANGENT_IMPULSE + point, lane)
        impulse = last - load(numbers, block, TANGENT_MASS + point, lane) * speed
        impulse = larger(smaller(impulse, most), -most)
        store(numbers, block, TANGENT_IMPULSE + point, lane, impulse)
        rubbed = rubbed + impulse
        change = impulse - last
        tangent_impulse = tangent_impulse + change
        motion = _rub(motion, answer, change, arm_a, arm_b)
    if how.is_relaxing:
        store(numbers, block, TANGENT_TOTAL, lane, load(numbers, block, TANGENT_TOTAL, lane) + rubbed)

    omega_a = motion.omega_a
    omega_b = motion.omega_b
    if kind & IS_SPECIAL:
        most = load(extras, block, ROLLING_RESISTANCE, lane) * pressure
        last = load(extras, block, ROLLING_IMPULSE, lane)
        impulse = last - load(extras, block, ROLLING_MASS, lane) * (omega_b - omega_a)
        impulse = larger(smaller(impulse, most), -most)
        store(extras, block, ROLLING_IMPULSE, lane, impulse)
        omega_a = omega_a - inertia_a * (impulse - last)
        omega_b = omega_b + inertia_b * (impulse - last)

    px = normal_impulse * nx + tangent_impulse * ny
    py = normal_impulse * ny - tangent_impulse * nx
    scatter(
        rows.bodies,
        blocks.rows,
        block,
        ROW_A,
        lane,
        VX,
        (vx_a - mass_ax * px, vy_a - mass_ay * py, omega_a, mass_a),
    )
    scatter(
        rows.bodies,
        blocks.rows,
        block,
        ROW_B,
        lane,
        VX,
        (vx_b + mass_bx * px, vy_b + mass_by * py, omega_b, mass_b),
    )


@scalar
def speed_after(speed: float, distance: float, acceleration: float) -> float:
    """The speed of what moves along a line, after a distance: v² grows by 2 a s; 0 where it does not get there."""
    squared = speed * speed + 2.0 * acceleration * distance
    return math.sqrt(squared) if squared > 0.0 else 0.0


@scalar
def bounce_contacts(count: int, rows: BodyRows, blocks: ContactBlocks, places: ContactPlaces) -> None:
    """Give the points of the first ``count`` contacts that may bounce, where they have met, the speed for it.

    What is added for that is in the totals, but is not kept for the next step, in which nothing presses any more.
    """
    for k in range(count):
        place = int(places.bounces[k, BOUNCE_PLACE])
        _bounce(place // LANES, place % LANES, rows, blocks, places.bounces[k])


@inlined_scalar
def _bounce(block: int, lane: int, rows: BodyRows, blocks: ContactBlocks, bounce: NDArray[float64]) -> None:
    """Let the contact in a lane of a block bounce."""
    numbers = blocks.numbers
    extras = blocks.extras
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, inertia_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, inertia_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, DX)
    mass_ax = mass_ay = mass_a
    mass_bx = mass_by = mass_b
    if blocks.kinds[block] & IS_SPECIAL:
        mass_ax = load(extras, block, MASS_AX, lane)
        mass_ay = load(extras, block, MASS_AY, lane)
        inertia_a = load(extras, block, INERTIA_A, lane)
        mass_bx = load(extras, block, MASS_BX, lane)
        mass_by = load(extras, block, MASS_BY, lane)
        inertia_b = load(extras, block, INERTIA_B, lane)
    nx = load(numbers, block, NORMAL_X, lane)
    ny = load(numbers, block, NORMAL_Y, lane)
    offset = load(numbers, block, OFFSET_NORMAL, lane)
    sum_0 = 0.0
    sum_1 = 0.0
    moved = (dx_b - dx_a) * nx + (dy_b - dy_a) * ny
    frame = Frame(nx, ny, offset, load(numbers, block, OFFSET_TANGENT, lane), 0.0, 0.0, 0.0)
    if bounce[BOUNCE_SHARE] >= 0.0:
        # As of now: what is added in the end acts where the bodies are then.
        frame = frame_after(
            Frame(
                nx,
                ny,
                offset,
                frame.offset_tangent,
                0.0,
                load(numbers, block, ARM_NORMAL, lane),
                load(numbers, block, ARM_TANGENT, lane),
            ),
            dx_b - dx_a - bounce[BOUNCE_X],
            dy_b - dy_a - bounce[BOUNCE_Y],
            bounce[BOUNCE_SHARE],
        )
        nx = frame.nx
        ny = frame.ny
    acceleration = bounce[BOUNCE_ACCELERATION]
    for turn in range(_BOUNCE_TURNS * 2):
        p = turn & 1
        point = POINT_FIELDS * p
        bounce_speed = bounce[BOUNCE_SPEED + p]
        # Only what has pressed, in some substep, has met.
        if bounce_speed == 0.0 or not load(numbers, block, NORMAL_TOTAL + point, lane) > 0.0:
            continue
        arm_a = load(numbers, block, ARM_NORMAL + point, lane)
        turned = dtheta_b * (arm_a + offset) - dtheta_a * arm_a
        separation = load(numbers, block, SEPARATION + point, lane) + moved + turned
        arm_a += frame.arm_normal
        arm_b = arm_a + frame.offset_normal
        bounce_speed = speed_after(bounce_speed, max(separation, 0.0), acceleration)
        speed = (vx_b - vx_a) * nx + (vy_b - vy_a) * ny + (omega_b * arm_b - omega_a * arm_a)
        before = sum_1 if p else sum_0
        after = max(before - load(numbers, block, NORMAL_MASS + point, lane) * (speed - bounce_speed), 0.0)
        impulse = after - before
        sum_0 = sum_0 if p else after
        sum_1 = after if p else sum_1
        vx_a -= mass_ax * nx * impulse
        vy_a -= mass_ay * ny * impulse
        omega_a -= inertia_a * arm_a * impulse
        vx_b += mass_bx * nx * impulse
        vy_b += mass_by * ny * impulse
        omega_b += inertia_b * arm_b * impulse
    for p in range(2):
        field = NORMAL_TOTAL + POINT_FIELDS * p
        added = sum_1 if p else sum_0
        store(numbers, block, field, lane, load(numbers, block, field, lane) + added)
    scatter(rows.bodies, blocks.rows, block, ROW_A, lane, VX, (vx_a, vy_a, omega_a, mass_a))
    scatter(rows.bodies, blocks.rows, block, ROW_B, lane, VX, (vx_b, vy_b, omega_b, mass_b))
