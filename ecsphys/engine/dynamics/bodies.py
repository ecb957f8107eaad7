"""The bodies of a step: a row of each, gathered from components, and how each moves if nothing touches it.

Positions do not occur in the solver, but for the centres of mass at the start of the step: it moves the
*movements* since then, three small numbers a body, so that nothing is lost far from the world's origin.
"""

from __future__ import annotations

import math

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar, zeros_of
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.math.elementary import cos_sin, exp
from ecsphys.engine.motion import euler_motion as force
from ecsphys.engine.motion.euler_motion import ANGLE, ForceBlocks, X, Y, axis_acceleration
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, mean_velocity
from ecsphys.engine.tables import entity_rows as component
from ecsphys.engine.tables.entity_rows import EntityLines, row_of

# The choices of RigidBody.kind. An entity without one that blocks is static, or kinematic where something moves it. A
# character that bodies push has a mass, but the game moves it.
DYNAMIC, KINEMATIC, STATIC, CHARACTER = range(4)

# Columns of the masses of bodies: inverses, 0 for immovable bodies, and the centre of mass in the body's own frame.
# And of what blocks: the least inner radius of its colliders, infinite without any, and how far any of their points is
# from the centre of mass, or from the position of a body that is not dynamic.
OWN_INVERSE_MASS, OWN_INVERSE_INERTIA, LOCAL_X, LOCAL_Y, THICKNESS, FARTHEST = range(6)
MASS_COLUMNS = 6

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
    nothing holds or touches it. ``traits`` (n,): bits of what counts for contacts, see ``contact_filling``.
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


# Columns of the game's push on a body: a force (x, y) and a torque.
FORCE_X, FORCE_Y, TORQUE = range(3)
FORCE_COLUMNS = 3

# Columns of the vector from a body's position to its centre of mass, as it was last computed: the angle of the body
# then, NaN before the first time; x and y.
ARM_ANGLE, ARM_X, ARM_Y = range(3)
ARM_COLUMNS = 3


class WorldGravity(NamedTuple):
    """The world's, in units/s²."""

    x: float
    y: float


@packed
class BodyList(NamedTuple):
    """For each body (n,) its kind, its rows (DRAG + 1, n) of components, −1 for none, the slot of its entity, −1 for
    none, its mass (n, MASS_COLUMNS), the game's push (n, FORCE_COLUMNS), and where its centre of mass is
    (n, ARM_COLUMNS). A change of masses clears the last."""

    kind: Uint8s
    rows: Int32Rows
    owner: Int32s
    masses: Float64Rows
    forces: Float64Rows
    arms: Float64Rows


# The island of a body that is awake.
AWAKE = -1


@packed
class SleepStates(NamedTuple):
    """For each body (n,): how long it has been slow, in seconds; its island, named by one of its bodies, AWAKE if it is
    awake; the accelerations (n, 3) and the number of contacts pressing on it that it fell asleep with; whether the game
    has changed it since contacts were solved; whether the island that it names is to wake; and scratch space.

    ``joined`` (k, 2): bodies that joints hold together."""

    slow_for: Float64s
    island: Int32s
    accelerations: Float64Rows
    touching: Int32s
    is_changed: Uint8s
    is_woken: Uint8s
    parents: Int32s
    joined: Int32Rows


@packed
class StepBodies(NamedTuple):
    """The bodies of a step: what each is, its sleep, and its row for the solver; whether it may sleep, and whether it
    was fast in the last step. And the row of the body of each collider, −1 for none, and of each entity."""

    listed: BodyList
    states: SleepStates
    rows: BodyRows
    may_sleep: Uint8s
    is_fast: Uint8s
    body_of: Int32s
    of_entity: Int32s


@packed
class BodyBlocks(NamedTuple):
    """The blocks that bodies are gathered from: Transform; velocities and forces; trajectories, and which entities have
    them; and the velocities (n, 3) of bodies that parents carry, NaN for other bodies, without rows if there are no
    such bodies."""

    transform: Float64Rows
    forces: ForceBlocks
    trajectories: TrajectoryBlocks
    lines: EntityLines
    carried: Float64Rows


@inlined_scalar
def center_from_position(b: int, angle: float, listed: BodyList) -> tuple[float, float]:
    """The vector from a body's position to its centre of mass, at an angle of the body."""
    if listed.arms[b, ARM_ANGLE] == angle:
        return listed.arms[b, ARM_X], listed.arms[b, ARM_Y]
    local_x = listed.masses[b, LOCAL_X]
    local_y = listed.masses[b, LOCAL_Y]
    if local_x == 0.0 and local_y == 0.0:
        return local_x, local_y
    c, s = cos_sin(angle)
    return c * local_x - s * local_y, s * local_x + c * local_y


@inlined_scalar
def field_accelerations(
    b: int, x: float, y: float, vx: float, vy: float, blocks: ForceBlocks, listed: BodyList
) -> tuple[float, float]:
    """The acceleration that springs and orbits give a dynamic body at (x, y) with a velocity."""
    ax = 0.0
    ay = 0.0
    row = listed.rows[component.SPRING, b]
    if row >= 0:
        spring = blocks.spring
        stiffness = spring[force.STIFFNESS, row] / spring[force.MASS, row]
        damping = spring[force.DAMPING, row] / spring[force.MASS, row]
        ax = axis_acceleration(ax, stiffness, spring[force.ANCHOR_X, row], damping, 0.0, 0.0, x, vx)
        ay = axis_acceleration(ay, stiffness, spring[force.ANCHOR_Y, row], damping, 0.0, 0.0, y, vy)
    row = listed.rows[component.ORBIT, b]
    if row >= 0:
        orbit = blocks.orbit
        squared = orbit[force.ANGULAR_SPEED, row] * orbit[force.ANGULAR_SPEED, row]
        ax -= squared * (x - orbit[force.CENTER_X, row])
        ay -= squared * (y - orbit[force.CENTER_Y, row])
    return ax, ay


@inlined_scalar
def constant_accelerations(
    b: int, blocks: ForceBlocks, listed: BodyList, gravity: WorldGravity
) -> tuple[float, float, float]:
    """The accelerations of a dynamic body, along x and y and angular, that do not hang on where it is."""
    rows = listed.rows
    ax = listed.forces[b, FORCE_X] * listed.masses[b, OWN_INVERSE_MASS]
    ay = listed.forces[b, FORCE_Y] * listed.masses[b, OWN_INVERSE_MASS]
    angular = listed.forces[b, TORQUE] * listed.masses[b, OWN_INVERSE_INERTIA]
    scale = 1.0
    row = rows[component.GRAVITY, b]
    if row >= 0:
        scale = blocks.gravity[force.SCALE, row]
    ax += scale * gravity.x
    ay += scale * gravity.y
    row = rows[component.ACCELERATION, b]
    if row >= 0:
        ax += blocks.acceleration[X, row]
        ay += blocks.acceleration[Y, row]
        angular += blocks.acceleration[ANGLE, row]
    return ax, ay, angular


@kernel
def gather_bodies(of: StepBodies, which: Int32Rows, sources: BodyBlocks, gravity: WorldGravity, dt: float) -> None:
    """Write the rows of some bodies as they are at the start of a step of ``dt`` seconds.

    ``which`` (k, 2) are the first row and the one after the last of each run of them. What sleeps, and has an
    ``island``, is as static as the world.

    The ``Velocity`` of a dynamic body is the velocity of its centre of mass, as in the row. All other bodies turn about
    their positions. A kinematic body has been moved to where it is at the step's end: its centre was one step back. On
    a trajectory it has the mean velocity of the step, so that a rider ends where it ends.

    Springs and orbits change the velocity here, before anything moves, as the semi-implicit method does. Their anchor
    changes in a step, and a mean over the step would gain energy.
    """
    listed, island, bodies = of.listed, of.states.island, of.rows
    transform, blocks, trajectories, lines, carried = sources
    velocity = blocks.velocity
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            for k in range(BODY_COLUMNS):
                bodies.bodies[b, k] = 0.0
            for k in range(3):
                bodies.accelerations[b, k] = 0.0
            bodies.damping[b, 0] = 0.0
            bodies.damping[b, 1] = 0.0
            t = listed.rows[component.TRANSFORM, b]
            if t < 0:
                bodies.centers[b, 0] = 0.0
                bodies.centers[b, 1] = 0.0
                continue
            x = transform[X, t]
            y = transform[Y, t]
            kind = listed.kind[b]
            v = listed.rows[component.VELOCITY, b]
            vx = 0.0
            vy = 0.0
            omega = 0.0
            if v >= 0 and kind in (DYNAMIC, KINEMATIC):
                vx = velocity[X, v]
                vy = velocity[Y, v]
                omega = velocity[ANGLE, v]
            if kind == KINEMATIC and dt > 0.0:
                for line in range(component.LINEAR_TRAJECTORY, component.PATH_TRAJECTORY + 1):
                    row = row_of(line, listed.owner[b], lines)
                    if row >= 0:
                        vx, vy = mean_velocity(trajectories, line - component.LINEAR_TRAJECTORY, row, dt)
            if carried.shape[0] > 0 and not math.isnan(carried[b, 0]):
                vx = carried[b, 0]
                vy = carried[b, 1]
                omega = carried[b, 2]
            if kind == DYNAMIC and island[b] < 0:
                angle = transform[ANGLE, t]
                rx, ry = center_from_position(b, angle, listed)
                if rx != 0.0 or ry != 0.0:
                    listed.arms[b, ARM_ANGLE] = angle
                    listed.arms[b, ARM_X] = rx
                    listed.arms[b, ARM_Y] = ry
                bodies.centers[b, 0] = x + rx
                bodies.centers[b, 1] = y + ry
                bodies.bodies[b, VX] = vx
                bodies.bodies[b, VY] = vy
                bodies.bodies[b, INVERSE_MASS] = listed.masses[b, OWN_INVERSE_MASS]
                bodies.bodies[b, INVERSE_INERTIA] = listed.masses[b, OWN_INVERSE_INERTIA]
                ax, ay = field_accelerations(b, x, y, vx, vy, blocks, listed)
                bodies.bodies[b, VX] += ax * dt
                bodies.bodies[b, VY] += ay * dt
                ax, ay, angular = constant_accelerations(b, blocks, listed, gravity)
                bodies.accelerations[b, 0] = ax
                bodies.accelerations[b, 1] = ay
                bodies.accelerations[b, 2] = angular
                row = listed.rows[component.DRAG, b]
                bodies.damping[b, 0] = blocks.drag[force.LINEAR_DRAG, row] if row >= 0 else 0.0
                bodies.damping[b, 1] = blocks.drag[force.ANGULAR_DRAG, row] if row >= 0 else 0.0
            else:
                bodies.centers[b, 0] = x - vx * dt
                bodies.centers[b, 1] = y - vy * dt
                bodies.bodies[b, VX] = vx
                bodies.bodies[b, VY] = vy
                if kind == CHARACTER:
                    bodies.bodies[b, INVERSE_MASS] = listed.masses[b, OWN_INVERSE_MASS]
            bodies.bodies[b, OMEGA] = omega
