"""Between components and the rows of bodies that a solver computes with."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import body_mass as mass
from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Uint8s
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.motion import euler_motion as force
from ecsphys.engine.motion.euler_motion import ANGLE, ForceBlocks, X, Y, axis_acceleration
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, mean_velocity
from ecsphys.engine.tables import entity_rows as component
from ecsphys.engine.tables.entity_rows import EntityLines, row_of

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
    local_x = listed.masses[b, mass.LOCAL_X]
    local_y = listed.masses[b, mass.LOCAL_Y]
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
    ax = listed.forces[b, FORCE_X] * listed.masses[b, mass.OWN_INVERSE_MASS]
    ay = listed.forces[b, FORCE_Y] * listed.masses[b, mass.OWN_INVERSE_MASS]
    angular = listed.forces[b, TORQUE] * listed.masses[b, mass.OWN_INVERSE_INERTIA]
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
            for k in range(body.BODY_COLUMNS):
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
            if v >= 0 and kind in (mass.DYNAMIC, mass.KINEMATIC):
                vx = velocity[X, v]
                vy = velocity[Y, v]
                omega = velocity[ANGLE, v]
            if kind == mass.KINEMATIC and dt > 0.0:
                for line in range(component.LINEAR_TRAJECTORY, component.PATH_TRAJECTORY + 1):
                    row = row_of(line, listed.owner[b], lines)
                    if row >= 0:
                        vx, vy = mean_velocity(trajectories, line - component.LINEAR_TRAJECTORY, row, dt)
            if carried.shape[0] > 0 and not math.isnan(carried[b, 0]):
                vx = carried[b, 0]
                vy = carried[b, 1]
                omega = carried[b, 2]
            if kind == mass.DYNAMIC and island[b] < 0:
                angle = transform[ANGLE, t]
                rx, ry = center_from_position(b, angle, listed)
                if rx != 0.0 or ry != 0.0:
                    listed.arms[b, ARM_ANGLE] = angle
                    listed.arms[b, ARM_X] = rx
                    listed.arms[b, ARM_Y] = ry
                bodies.centers[b, 0] = x + rx
                bodies.centers[b, 1] = y + ry
                bodies.bodies[b, body.VX] = vx
                bodies.bodies[b, body.VY] = vy
                bodies.bodies[b, body.INVERSE_MASS] = listed.masses[b, mass.OWN_INVERSE_MASS]
                bodies.bodies[b, body.INVERSE_INERTIA] = listed.masses[b, mass.OWN_INVERSE_INERTIA]
                ax, ay = field_accelerations(b, x, y, vx, vy, blocks, listed)
                bodies.bodies[b, body.VX] += ax * dt
                bodies.bodies[b, body.VY] += ay * dt
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
                bodies.bodies[b, body.VX] = vx
                bodies.bodies[b, body.VY] = vy
                if kind == mass.CHARACTER:
                    bodies.bodies[b, body.INVERSE_MASS] = listed.masses[b, mass.OWN_INVERSE_MASS]
            bodies.bodies[b, body.OMEGA] = omega
