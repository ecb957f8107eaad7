"""Prepares contacts before a step, block by block, in lanes: where they act, their effective masses, how each impulse
changes the next, and the velocities that their first impulses add.

An impulse that acts at one point of both adds nothing to the angular momentum of the two. The arms of that point differ
by the distance of the centres; so an impulse with the arms of the step's start adds to it the way that the centres have
moved past each other since. Normal and arms of a contact therefore belong to the *moment* at which it acts, and the two
bodies where free flight takes them until then. Two that have no other contact act when they meet: solved in substeps,
that is when their impulses act on average. In a crowd the moment is the middle of the step for all, whichever acts
first.

The way of the centres past each other until that moment is shared between the arms of a and b: a point under the
centre of a body stays there, as with a disc. For two discs the normal is the line through both centres, and
turns with it.
"""

from __future__ import annotations

from typing import Any

from numpy import float32
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import FREE_X, VX
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_solving import Masses, masses_of
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, scalar
from ecsphys.engine.math import lanes

# A point is on the line along the normal through a centre if it is no farther from it than this part of how far it is
# along the normal from both centres. Single precision is a tenth of that.
_UNDER_CENTER = 1e-6

# The addition to the share of two discs.
_ROUND = 2.0


class Frame(NamedTuple):
    """A contact's normal, the offsets of b's arms, the separation and arms of a (see ``contact_blocks``): of a point,
    or the addition to the separations and arms of all its points."""

    nx: Any
    ny: Any
    offset_normal: Any
    offset_tangent: Any
    separation: Any
    arm_normal: Any
    arm_tangent: Any


@inlined_scalar
def time_of_meeting(separation: Any, speed: Any, dt: float) -> Any:
    """When surfaces that are a separation apart, which grows at a speed, touch in a step of dt seconds; 0 where they do
    from the beginning, or not at all."""
    return lanes.where(separation > 0.0, lanes.where(speed < 0.0, lanes.smaller(-separation / speed, dt), 0.0), 0.0)


@inlined_scalar
def _is_under(across: Any, reach: Any) -> Any:
    """1 for a point that is under a centre, else 0."""
    most = _UNDER_CENTER * reach
    return lanes.where(lanes.larger(across, -across) > most, 0.0, 1.0)


@inlined_scalar
def share_of(frame: Frame, has_two_points: Any, inertia_a: Any, inertia_b: Any) -> Any:
    """The share that a's arms have of the centres' way past each other, for a contact whose point is the point of the
    ``frame``; by _ROUND more for two discs. ``has_two_points`` is 1 where it is so, else 0.

    Where neither body has its point under the centre, the one that is harder to turn has more.
    """
    both = inertia_a + inertia_b
    by_inertia = lanes.where(both > 0.0, inertia_b / both, 0.5)
    distance = frame.offset_tangent
    along_a = frame.arm_tangent
    along_b = frame.arm_tangent + distance
    reach = lanes.larger(along_a, -along_a) + lanes.larger(along_b, -along_b)
    is_under_a = _is_under(frame.arm_normal, reach)
    is_under_b = _is_under(frame.arm_normal + frame.offset_normal, reach)
    share = lanes.where(is_under_a > is_under_b, 0.0, lanes.where(is_under_b > is_under_a, 1.0, by_inertia))
    of_discs = _ROUND + lanes.smaller(lanes.larger(-along_a / distance, 0.0), 1.0)
    are_discs = lanes.where(distance > 0.0, is_under_a * is_under_b, 0.0)
    return lanes.where(has_two_points > 0.5, by_inertia, lanes.where(are_discs > 0.5, of_discs, share))


@inlined_scalar
def frame_after(frame: Frame, dx: Any, dy: Any, share: Any) -> Frame:
    """The frame when b has moved by (dx, dy) more than a, with the additions to separations and arms since ``frame``,
    so that separations still are those at the start where nothing has moved."""
    slid = dx * frame.ny - dy * frame.nx
    neared = dx * frame.nx + dy * frame.ny
    distance = frame.offset_tangent + neared
    now = lanes.root(distance * distance + slid * slid)
    along = lanes.where(now > 0.0, distance / now, 1.0)
    across = lanes.where(now > 0.0, slid / now, 0.0)
    nx = along * frame.nx + across * frame.ny
    ny = along * frame.ny - across * frame.nx
    grown = now - frame.offset_tangent
    is_sliding = share < _ROUND
    return Frame(
        lanes.where(is_sliding, frame.nx, nx),
        lanes.where(is_sliding, frame.ny, ny),
        lanes.where(is_sliding, frame.offset_normal - slid, frame.offset_normal),
        lanes.where(is_sliding, distance, now),
        lanes.where(is_sliding, 0.0, grown - (dx * nx + dy * ny)),
        lanes.where(is_sliding, share * slid, 0.0),
        lanes.where(is_sliding, -share * neared, (_ROUND - share) * grown),
    )


# Of the speed below which nothing bounces: what approaches faster strikes, where it does not bounce.
STRIKING = 0.5

# Sides at a smaller angle are flat on each other.
_FLAT = 0.02

# Of the distance of two centres, squared: a body that moves less past the other in a step counts as unmoved, and none
# as moved by more than this until its moment.
_LEAST_SHIFT, _MOST_SHIFT = 1e-8, 0.25


@scalar
def prepare_blocks(step: field.SolverStep, room: field.SolverRoom, first: int, end: int, lane: int | None) -> bool:
    """Compute the constants of some blocks, and add the impulses they begin with to velocities; returns whether
    any surface may bounce or strike."""
    blocks = room.blocks
    any_kind = 0
    for block in range(index(first), index(end)):
        kind = 0
        for one in range(lanes.LANES):
            kind |= int(blocks.lane_kinds[block, one]) + 0
        blocks.kinds[block] = kind
        strikes = False
        if lane is None:
            strikes = _prepare(block, lanes.ALL_LANES, step, room)
        else:
            for one in range(lanes.LANES):
                strikes |= _prepare(block, one, step, room)
        if strikes and kind & field.HAS_TWO_POINTS:
            kind |= field.IS_STRIKING
        blocks.kinds[block] = kind
        any_kind |= kind
    return any_kind & (field.IS_ELASTIC | field.IS_STRIKING) != 0


@inlined_scalar
def _prepare(block: int, lane: Any, step: field.SolverStep, room: field.SolverRoom) -> bool:
    """Compute the constants of the contact in a lane of a block, or in all lanes, and what its impulses add; returns
    whether any surfaces approach so fast that they strike.

    A side that strikes flat is to stop dead. Passes over one point after the other leave it speed and spin.
    What does not move is struck by corners as well.
    """
    rows, blocks, constants, dt = step.rows, room.blocks, room.blocks.constants, step.settings.dt
    kind = int(blocks.kinds[block]) + 0
    masses = masses_of(block, lane, rows, blocks, kind & field.IS_SPECIAL != 0)
    vx_a, vy_a, omega_a, _ = lanes.gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX)
    vx_b, vy_b, omega_b, _ = lanes.gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX)
    approach = Approach(vx_b - vx_a, vy_b - vy_a, omega_a, omega_b)
    apart = (
        lanes.load(constants, block, field.SEPARATION, lane),
        lanes.load(constants, block, field.SEPARATION + field.POINT_CONSTANTS, lane),
    )
    if not kind & field.IS_STATIC or kind & field.IS_SPECIAL:
        _move_frame(block, lane, approach, masses, blocks, step.settings)
    nx = lanes.load(blocks.doubles, block, field.NORMAL_X, lane)
    ny = lanes.load(blocks.doubles, block, field.NORMAL_Y, lane)
    offset_normal = lanes.load(constants, block, field.OFFSET_NORMAL, lane)
    offset_tangent = lanes.load(constants, block, field.OFFSET_TANGENT, lane)
    # How an impulse along the normal or the tangent changes the relative velocity of the centres along it; and across:
    # along the other.
    mass_x = masses.ax + masses.bx
    mass_y = masses.ay + masses.by
    of_normal = mass_x * nx * nx + mass_y * ny * ny
    of_tangent = mass_x * ny * ny + mass_y * nx * nx
    of_across = (mass_x - mass_y) * nx * ny
    # All special contacts are solved as if they had two points.
    points = 2 if kind & (field.HAS_TWO_POINTS | field.IS_SPECIAL) else 1
    lanes.store(blocks.totals, block, field.TANGENT_TOTAL, lane, 0.0)
    closing = -(approach.x * nx + approach.y * ny)
    fastest = 0.0
    meeting = 0.0
    along = 0.0
    across = 0.0
    turn = 0.0
    for p in range(points):
        of_point = field.POINT_CONSTANTS * p
        normal = _arms(block, field.ARM_NORMAL + of_point, offset_normal, lane, constants)
        tangent = _arms(block, field.ARM_TANGENT + of_point, offset_tangent, lane, constants)
        # Without mass, a point takes no impulse.
        is_there = lanes.load(constants, block, field.HAS_POINT + of_point, lane) > 0.0
        speed = lanes.where(is_there, closing + (approach.omega_a * normal.a - approach.omega_b * normal.b), 0.0)
        fastest = lanes.larger(fastest, speed)
        # Points farther apart do not meet in this step.
        meeting = lanes.larger(meeting, lanes.where(apart[p] > speed * dt, 0.0, speed))
        normal_mass = _inverse(of_normal + _turned(normal, normal, masses), is_there)
        tangent_mass = _inverse(of_tangent + _turned(tangent, tangent, masses), is_there)
        lanes.store(constants, block, field.NORMAL_MASS + of_point, lane, normal_mass)
        lanes.store(constants, block, field.TANGENT_MASS + of_point, lane, tangent_mass)
        own = of_across + _turned(normal, tangent, masses)
        _store_ratio(block, field.OWN_NORMAL_ON_TANGENT + of_point, tangent_mass * own, lane, constants)
        if p == 1:
            normal_0 = _arms(block, field.ARM_NORMAL, offset_normal, lane, constants)
            tangent_0 = _arms(block, field.ARM_TANGENT, offset_tangent, lane, constants)
            mass_0 = lanes.load(constants, block, field.TANGENT_MASS, lane)
            both = of_normal + _turned(normal_0, normal, masses)
            _store_ratio(block, field.NORMAL_ON_NORMAL, normal_mass * both, lane, constants)
            both = of_across + _turned(normal_0, tangent, masses)
            _store_ratio(block, field.NORMAL_ON_TANGENT, tangent_mass * both, lane, constants)
            both = of_across + _turned(normal, tangent_0, masses)
            _store_ratio(block, field.BACK_ON_TANGENT, mass_0 * both, lane, constants)
            both = of_tangent + _turned(tangent_0, tangent, masses)
            _store_ratio(block, field.TANGENT_ON_TANGENT, tangent_mass * both, lane, constants)
        lanes.store(blocks.totals, block, field.NORMAL_TOTAL + p, lane, 0.0)
        normal_impulse = lanes.load(blocks.doubles, block, field.NORMAL_IMPULSE + field.POINT_IMPULSES * p, lane)
        tangent_impulse = lanes.load(blocks.doubles, block, field.TANGENT_IMPULSE + field.POINT_IMPULSES * p, lane)
        along = along + normal_impulse
        across = across + tangent_impulse
        turn = turn + (normal_impulse * normal.a + tangent_impulse * tangent.a)
    lanes.store(blocks.totals, block, field.MEETING_SPEED, lane, meeting)
    if points == 2 and not kind & field.IS_STATIC:
        fastest = lanes.where(is_flat(block, apart, lane, constants), fastest, 0.0)
    strikes = lanes.any_of(fastest > STRIKING * step.bounce_threshold)
    turn_b = turn + (offset_normal * along + offset_tangent * across)
    px = along * nx + across * ny
    py = along * ny - across * nx
    steps = room.bodies.steps
    free_x, free_y, free_omega, gain = lanes.gather(steps, blocks.rows, block, field.ROW_A, lane, FREE_X)
    freed = free_x - masses.ax * px, free_y - masses.ay * py, free_omega - masses.a * turn, gain
    lanes.scatter(steps, blocks.rows, block, field.ROW_A, lane, FREE_X, freed)
    if kind & field.IS_STATIC and not kind & field.IS_SPECIAL:
        return strikes
    free_x, free_y, free_omega, gain = lanes.gather(steps, blocks.rows, block, field.ROW_B, lane, FREE_X)
    freed = free_x + masses.bx * px, free_y + masses.by * py, free_omega + masses.b * turn_b, gain
    lanes.scatter(steps, blocks.rows, block, field.ROW_B, lane, FREE_X, freed)
    return strikes


@inlined_scalar
def is_flat(block: int, apart: tuple[Any, Any], lane: Any, constants: NDArray[float32]) -> Any:
    """Whether the sides of two bodies, whose two points are so far ``apart``, are parallel but for a small angle."""
    along_side = lanes.load(constants, block, field.ARM_NORMAL + field.POINT_CONSTANTS, lane) - lanes.load(
        constants, block, field.ARM_NORMAL, lane
    )
    gap = apart[1] - apart[0]
    return gap * gap < _FLAT * _FLAT * (along_side * along_side)


class Arms(NamedTuple):
    """The lever arms of a point along normal or tangent, of both bodies."""

    a: Any
    b: Any


@inlined_scalar
def _arms(block: int, column: int, offset: Any, lane: Any, constants: NDArray[float32]) -> Arms:
    arm = lanes.load(constants, block, column, lane)
    return Arms(arm, arm + offset)


@inlined_scalar
def _turned(arms: Arms, others: Arms, masses: Masses) -> Any:
    """The relative velocity where one impulse acts, by what another turns both bodies: of the arms of both."""
    return masses.a * arms.a * others.a + masses.b * arms.b * others.b


@inlined_scalar
def _store_ratio(block: int, column: int, ratio: Any, lane: Any, constants: NDArray[float32]) -> None:
    lanes.store(constants, block, column, lane, lanes.larger(lanes.smaller(ratio, field.LARGEST), -field.LARGEST))


@inlined_scalar
def _inverse(number: Any, is_there: Any) -> Any:
    """The mass of an inverse mass; 0 for unmoved bodies, and for a point that is not there."""
    mass = lanes.smaller(1.0 / number, field.LARGEST)
    return lanes.where(is_there, lanes.where(number > 0.0, mass, 0.0), 0.0)


class Approach(NamedTuple):
    """How two bodies move past each other: the velocity of b relative to a, and both angular velocities."""

    x: Any
    y: Any
    omega_a: Any
    omega_b: Any


@inlined_scalar
def _move_frame(
    block: int,
    lane: Any,
    approach: Approach,
    masses: Masses,
    blocks: field.ContactBlocks,
    settings: field.SolverSettings,
) -> None:
    """Move normal, arms and separations of contacts to the moment at which they act."""
    constants = blocks.constants
    start = Frame(
        lanes.load(blocks.doubles, block, field.NORMAL_X, lane),
        lanes.load(blocks.doubles, block, field.NORMAL_Y, lane),
        lanes.load(constants, block, field.OFFSET_NORMAL, lane),
        lanes.load(constants, block, field.OFFSET_TANGENT, lane),
        lanes.load(constants, block, field.SEPARATION, lane),
        lanes.load(constants, block, field.ARM_NORMAL, lane),
        lanes.load(constants, block, field.ARM_TANGENT, lane),
    )
    time = time_of_acting(approach, start, lanes.load(constants, block, field.IS_ALONE, lane), settings)
    if int(blocks.kinds[block]) & field.IS_SPECIAL:
        time = lanes.where(lanes.load(blocks.extras, block, field.MEETS_UNMOVED, lane) > 0.0, 0.0, time)
    has_moved = time > 0.0
    if not lanes.any_of(has_moved):
        return
    has_second = lanes.load(constants, block, field.HAS_POINT + field.POINT_CONSTANTS, lane)
    share = share_of(start, has_second, masses.a, masses.b)
    frame = frame_after(start, approach.x * time, approach.y * time, share)
    lanes.store(blocks.doubles, block, field.NORMAL_X, lane, lanes.where(has_moved, frame.nx, start.nx))
    lanes.store(blocks.doubles, block, field.NORMAL_Y, lane, lanes.where(has_moved, frame.ny, start.ny))
    lanes.store(
        constants, block, field.OFFSET_NORMAL, lane, lanes.where(has_moved, frame.offset_normal, start.offset_normal)
    )
    lanes.store(
        constants, block, field.OFFSET_TANGENT, lane, lanes.where(has_moved, frame.offset_tangent, start.offset_tangent)
    )
    _add(constants, block, field.SEPARATION, lane, lanes.where(has_moved, frame.separation, 0.0))
    _add(constants, block, field.ARM_NORMAL, lane, lanes.where(has_moved, frame.arm_normal, 0.0))
    _add(constants, block, field.ARM_TANGENT, lane, lanes.where(has_moved, frame.arm_tangent, 0.0))


@inlined_scalar
def _add(constants: NDArray[float32], block: int, column: int, lane: Any, change: Any) -> None:
    """Change a constant of both points."""
    lanes.store(constants, block, column, lane, lanes.load(constants, block, column, lane) + change)
    column += field.POINT_CONSTANTS
    lanes.store(constants, block, column, lane, lanes.load(constants, block, column, lane) + change)


@inlined_scalar
def time_of_acting(approach: Approach, frame: Frame, is_alone: Any, settings: field.SolverSettings) -> Any:
    """When a contact acts, of its first point's ``frame`` at the start of the step; 0 where next to nothing moves until
    then. ``is_alone`` is 1 for contacts that act when they meet, else 0."""
    x, y = approach.x, approach.y
    squared = x * x + y * y
    apart = frame.offset_normal * frame.offset_normal + frame.offset_tangent * frame.offset_tangent
    dt = settings.dt
    # What presses all the time does so at the start of each substep.
    time = 0.5 * (dt - dt / settings.substeps)
    meets = is_alone > 0.0
    if lanes.any_of(meets):
        turning = approach.omega_b * (frame.arm_normal + frame.offset_normal) - approach.omega_a * frame.arm_normal
        speed = x * frame.nx + y * frame.ny + turning
        time = lanes.where(meets, time_of_meeting(frame.separation, speed, dt), time)
    most = _MOST_SHIFT * apart
    is_fast = squared * time * time > most
    if lanes.any_of(is_fast):
        time = lanes.where(is_fast, lanes.root(most / squared), time)
    return lanes.where(squared * dt * dt < _LEAST_SHIFT * apart, 0.0, time)
