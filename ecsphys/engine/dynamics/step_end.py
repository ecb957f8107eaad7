"""The end of a step of bodies: back to the components, to sleep if all is at rest, and which bodies moved so far that
they may have passed through something."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import DTHETA, DX, DY, OMEGA, VX, VY
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC, FARTHEST, KINEMATIC, LOCAL_X, LOCAL_Y, THICKNESS
from ecsphys.engine.dynamics.body_state import (
    ARM_ANGLE,
    ARM_X,
    ARM_Y,
    BodyBlocks,
    BodyList,
    StepBodies,
    center_from_position,
)
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings, fall_asleep, note_slowness
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels import Float64Rows, Int32Rows, index, inlined_scalar, kernel, scalar
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.engine.motion.euler_motion import ANGLE, X, Y
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


@inlined_scalar
def _way(b: int, moved: float, turned: float, listed: BodyList) -> float:
    """At most how far any point of a body moved: no farther than its centre does and its farthest point turns."""
    return float(moved + min(turned, math.pi) * listed.masses[b, FARTHEST])


@scalar
def mark_fast_bodies(of: StepBodies, which: Int32Rows, margin: float, dt: float) -> int:
    """Mark which bodies moved farther in a step of ``dt`` seconds than their inner radius; returns how many did. Only
    dynamic bodies that are awake and kinematic ones are marked.

    A slower body has its middle still on the side of a wall from which it came, so its contact pushes it back there.

    Near a character with a mass a body is fast as soon as it may have moved into it without a contact: the character
    would take it for a solid that crushes it.
    """
    listed, island = of.listed, of.states.island
    count = 0
    any_walks = False
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            of.is_fast[b] = 0
            kind = listed.kind[b]
            row = of.rows.bodies[b]
            if kind == DYNAMIC and island[b] < 0:
                way = _way(b, hypot(row[DX], row[DY]), abs(row[DTHETA]), listed)
            elif kind == KINEMATIC:
                way = _way(b, dt * hypot(row[VX], row[VY]), dt * abs(row[OMEGA]), listed)
            else:
                any_walks |= kind == CHARACTER
                continue
            if way > listed.masses[b, THICKNESS]:
                of.is_fast[b] = 1
                count += 1
    for run in range(which.shape[0] if any_walks else 0):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] == CHARACTER:
                count += _mark_those_near(b, of, which, margin)
    return count


@scalar
def _mark_those_near(w: int, of: StepBodies, which: Int32Rows, margin: float) -> int:
    """Mark the bodies that may have moved into a character, body w, without a contact; returns how many more are
    fast."""
    listed, island = of.listed, of.states.island
    count = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != DYNAMIC or island[b] >= 0 or of.is_fast[b] != 0:
                continue
            row = of.rows.bodies[b]
            way = _way(b, hypot(row[DX], row[DY]), abs(row[DTHETA]), listed)
            if way <= margin:
                continue
            x = of.rows.centers[w, 0] - of.rows.centers[b, 0]
            y = of.rows.centers[w, 1] - of.rows.centers[b, 1]
            if hypot(x, y) <= way + listed.masses[b, FARTHEST] + listed.masses[w, FARTHEST]:
                of.is_fast[b] = 1
                count += 1
    return count


@scalar
def _scatter_bodies(of: StepBodies, which: Int32Rows, transform: Float64Rows, velocity: Float64Rows) -> bool:
    """Write back where the dynamic ones of some bodies that are awake are after a step, and how fast; ``which`` (k, 2)
    as of :func:`gather_bodies`.

    Returns whether all of that is finite. The forces of the game, on all bodies there are, are used up.

    The position moves with the centre and with the turn of the vector to it, and not at all if neither changed.
    """
    listed, island, bodies = of.listed, of.states.island, of.rows.bodies
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    listed.forces[:] = 0.0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != DYNAMIC or island[b] >= 0:
                continue
            t = listed.rows[TRANSFORM, b]
            v = listed.rows[VELOCITY, b]
            vx = bodies[b, VX]
            vy = bodies[b, VY]
            omega = bodies[b, OMEGA]
            dx = bodies[b, DX]
            dy = bodies[b, DY]
            angle = transform[ANGLE, t]
            turned = angle + bodies[b, DTHETA]
            local_x = listed.masses[b, LOCAL_X]
            local_y = listed.masses[b, LOCAL_Y]
            if turned != angle and (local_x != 0.0 or local_y != 0.0):
                before_x, before_y = center_from_position(b, angle, listed)
                c, s = cos_sin(turned)
                rx = c * local_x - s * local_y
                ry = s * local_x + c * local_y
                dx += before_x - rx
                dy += before_y - ry
                listed.arms[b, ARM_ANGLE] = turned
                listed.arms[b, ARM_X] = rx
                listed.arms[b, ARM_Y] = ry
            transform[X, t] += dx
            transform[Y, t] += dy
            transform[ANGLE, t] = turned
            velocity[X, v] = vx
            velocity[Y, v] = vy
            velocity[ANGLE, v] = omega
            poison += 0.0 * (transform[X, t] + transform[Y, t] + turned + vx + vy + omega)
    return poison == 0.0


@kernel
def finish_bodies(
    of: StepBodies,
    which: Int32Rows,
    blocks: BodyBlocks,
    table: ContactTable,
    count: int,
    margin: float,
    settings: SleepSettings,
    dt: float,
) -> tuple[bool, int, int]:
    """Write back the places of bodies after a step with the first ``count`` contacts, mark fast bodies, and
    let islands sleep that rest. The pushes of the game are used up.

    ``which``: as of :func:`gather_bodies`, the bodies that may have moved. ``margin``: the solver's around contacts.
    Returns whether all positions and velocities are finite, how many bodies fell asleep, and how many were fast.
    """
    asleep = 0
    velocity = blocks.forces.velocity
    fast = mark_fast_bodies(of, which, margin, dt)
    is_finite = _scatter_bodies(of, which, blocks.transform, velocity)
    if note_slowness(of, which, settings, dt):
        asleep = fall_asleep(of, table, count, settings, velocity)
    return is_finite, asleep, fast
