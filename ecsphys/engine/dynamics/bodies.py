"""The bodies of a step: a solver's data of each, and how each moves if nothing touches it.

Positions do not occur in the solver, but for the centres of mass at the start of the step: it moves the
*movements* since then, three small numbers a body, so that nothing is lost far from the world's origin.
"""

from __future__ import annotations

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, packed, scalar, zeros_of
from ecsphys.engine.kernels.arrays import Float64Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.math.elementary import exp

# Columns of a body's row, which is one cache line: two halves of four, each read and turned as one.
VX, VY, OMEGA, INVERSE_MASS, DX, DY, DTHETA, INVERSE_INERTIA = range(8)
BODY_COLUMNS = 8

# The row of the world: what never moves.
WORLD_ROW = 0

# Bits of locks.
LOCK_X, LOCK_Y, LOCK_ROTATION = 1, 2, 4

# Columns of a body's row in BodyRoom: the change of velocity and its rest after a substep; the velocity that
# the body would have without impulses, or what these have added to it.
_GAIN_X, _GAIN_Y, _LINEAR_DECAY, _ANGULAR_DECAY, FREE_X, FREE_Y, FREE_OMEGA, _GAIN_OMEGA = range(8)
ROOM_COLUMNS = 8

# The bit of ``links`` of a body that no impulse moves, but that others are linked to.
IS_TOUCHED = 1 << 62


@packed
class BodyRows(NamedTuple):
    """The bodies of a step, a row each; row WORLD_ROW is the world, with zeros only.

    ``bodies`` (n, BODY_COLUMNS): velocity of the centre of mass and angular velocity, inverse mass and inertia, and the
    movement since the contacts were found, which the solver begins with zeros, except for bodies that no impulse moves.
    A body that has zero for both inverses is not moved by any impulse; it moves by its velocity (a kinematic body), or
    has none (a static one). ``centers`` (n, 2): centre of mass in the world at the start. ``accelerations`` (n, 3): x,
    y, angular; the same for the whole step. ``damping`` (n, 2): the rates in 1/s at which linear and angular velocity
    decay. ``locks`` (n,): bits LOCK_X, LOCK_Y, LOCK_ROTATION; along an axis that is locked a body has no velocity and
    infinite mass.
    """

    bodies: Float64Rows
    centers: Float64Rows
    accelerations: Float64Rows
    damping: Float64Rows
    locks: Uint8s


def new_rows(count: int) -> BodyRows:
    """Rows for so many bodies."""
    return zeros_of(BodyRows, (count, BODY_COLUMNS), (count, 2), (count, 3), (count, 2), count)


@packed
class BodyRoom(NamedTuple):
    """Scratch space of the solver for each body: ``steps`` (n, ROOM_COLUMNS), begin with a cache line.

    ``links`` (n,) has a bit for each colour of a contact of the body, IS_TOUCHED for one that cannot be moved; 0 where
    nothing holds or touches it. ``traits`` (n,): bits of what counts for contacts, see ``contact_coloring``.
    ``linked`` (n,) lists the bodies whose ``links`` are not 0.
    """

    steps: Float64Rows
    links: Int64s
    traits: Uint8s
    linked: Int32s


@inlined_scalar
def _is_still(i: int, rows: BodyRows) -> bool:
    """Whether nothing moves body i, and it does not move by itself: it is static, or sleeps."""
    bodies = rows.bodies
    return bool(
        (bodies[i, INVERSE_MASS] == 0.0)
        & (bodies[i, INVERSE_INERTIA] == 0.0)
        & (bodies[i, VX] == 0.0)
        & (bodies[i, VY] == 0.0)
        & (bodies[i, OMEGA] == 0.0)
    )


@scalar
def begin_bodies(rows: BodyRows, room: BodyRoom, count: int, dt: float, substeps: int) -> int:
    """Prepare the first ``count`` bodies for a step: no movement, no impulses; locked axes lose their velocity.

    What nothing touches is moved over the whole step; the others are listed. Returns how many these are.
    """
    bodies = rows.bodies
    steps = room.steps
    h = dt / substeps
    linked = 0
    for i in range(count):
        if room.links[i] == 0 and _is_still(i, rows):
            continue
        locks = rows.locks[i]
        if locks & LOCK_X:
            bodies[i, VX] = 0.0
        if locks & LOCK_Y:
            bodies[i, VY] = 0.0
        if locks & LOCK_ROTATION:
            bodies[i, OMEGA] = 0.0
        if bodies[i, INVERSE_MASS] != 0.0 or bodies[i, INVERSE_INERTIA] != 0.0:
            bodies[i, DX] = 0.0
            bodies[i, DY] = 0.0
            bodies[i, DTHETA] = 0.0
        linear = rows.damping[i, 0]
        angular = rows.damping[i, 1]
        steps[i, _GAIN_X] = 0.0 if locks & LOCK_X else rows.accelerations[i, 0] * h
        steps[i, _GAIN_Y] = 0.0 if locks & LOCK_Y else rows.accelerations[i, 1] * h
        steps[i, _GAIN_OMEGA] = 0.0 if locks & LOCK_ROTATION else rows.accelerations[i, 2] * h
        steps[i, _LINEAR_DECAY] = exp(-linear * h) if linear != 0.0 else 1.0
        steps[i, _ANGULAR_DECAY] = exp(-angular * h) if angular != 0.0 else 1.0
        steps[i, FREE_X] = 0.0
        steps[i, FREE_Y] = 0.0
        steps[i, FREE_OMEGA] = 0.0
        if room.links[i] == 0:
            _move_freely(i, rows, room, h, substeps)
        else:
            room.linked[linked] = i
            linked += 1
    return linked


@inlined_scalar
def _move_freely(i: int, rows: BodyRows, room: BodyRoom, h: float, substeps: int) -> None:
    """Move body i, which nothing touches, over the whole step: by the mean of its velocities before and after each
    substep, which is exact for a constant acceleration."""
    bodies = rows.bodies
    steps = room.steps
    for _ in range(substeps):
        vx = bodies[i, VX]
        vy = bodies[i, VY]
        omega = bodies[i, OMEGA]
        bodies[i, VX] = (vx + steps[i, _GAIN_X]) * steps[i, _LINEAR_DECAY]
        bodies[i, VY] = (vy + steps[i, _GAIN_Y]) * steps[i, _LINEAR_DECAY]
        bodies[i, OMEGA] = (omega + steps[i, _GAIN_OMEGA]) * steps[i, _ANGULAR_DECAY]
        bodies[i, DX] += 0.5 * h * (vx + bodies[i, VX])
        bodies[i, DY] += 0.5 * h * (vy + bodies[i, VY])
        bodies[i, DTHETA] += 0.5 * h * (omega + bodies[i, OMEGA])


@scalar
def accelerate_bodies(rows: BodyRows, room: BodyRoom, first: int, end: int, is_first: bool) -> None:
    """Begin a substep of the linked bodies first … end − 1: the velocities that they would have without impulses, and
    the last substep's impulses on top.

    All impulses of the last substep have added to a velocity: its value now, less its value without them.
    So the solver is warm-started without a pass over the contacts. In the ``is_first`` substep the room has what the
    impulses of the last step add.
    """
    bodies = rows.bodies
    steps = room.steps
    for place in range(first, end):
        i = index(room.linked[place])
        vx = bodies[i, VX]
        vy = bodies[i, VY]
        omega = bodies[i, OMEGA]
        added_x = steps[i, FREE_X] if is_first else vx - steps[i, FREE_X]
        added_y = steps[i, FREE_Y] if is_first else vy - steps[i, FREE_Y]
        added_omega = steps[i, FREE_OMEGA] if is_first else omega - steps[i, FREE_OMEGA]
        vx = (vx + steps[i, _GAIN_X]) * steps[i, _LINEAR_DECAY]
        vy = (vy + steps[i, _GAIN_Y]) * steps[i, _LINEAR_DECAY]
        omega = (omega + steps[i, _GAIN_OMEGA]) * steps[i, _ANGULAR_DECAY]
        steps[i, FREE_X] = vx
        steps[i, FREE_Y] = vy
        steps[i, FREE_OMEGA] = omega
        bodies[i, VX] = vx + added_x
        bodies[i, VY] = vy + added_y
        bodies[i, OMEGA] = omega + added_omega


@scalar
def move_bodies(rows: BodyRows, room: BodyRoom, first: int, end: int, h: float) -> None:
    """Move the linked bodies first … end − 1 by their velocities over a substep of length h."""
    bodies = rows.bodies
    for place in range(first, end):
        i = index(room.linked[place])
        bodies[i, DX] += h * bodies[i, VX]
        bodies[i, DY] += h * bodies[i, VY]
        bodies[i, DTHETA] += h * bodies[i, OMEGA]
