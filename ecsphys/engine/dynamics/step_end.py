"""The end of a step of bodies: back to the components, to sleep if all is at rest, and which bodies moved so far that
they may have passed through something."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import DTHETA, DX, DY, OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC, FARTHEST, KINEMATIC, THICKNESS
from ecsphys.engine.dynamics.body_state import BodyBlocks, BodyList, scatter_bodies
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings, SleepStates, fall_asleep, note_slowness
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.building import NamedTuple
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.intrinsics import index
from ecsphys.engine.math.elementary import hypot


class MovedBodies(NamedTuple):
    """The bodies that may have moved, in runs (k, 2) of ``rows`` as of ``gather_bodies``. ``body_of``: the row of the
    body of each slot of a collider, −1 for none. For each body whether it ``is_fast``, and the solver's ``margin``
    around contacts."""

    rows: Int32Rows
    body_of: Int32s
    is_fast: Uint8s
    margin: float


@inlined_scalar
def _way(b: int, moved: float, turned: float, listed: BodyList) -> float:
    """At most how far any point of a body moved: no farther than its centre does and its farthest point turns."""
    return float(moved + min(turned, math.pi) * listed.masses[b, FARTHEST])


@scalar
def mark_fast_bodies(listed: BodyList, island: Int32s, bodies: BodyRows, dt: float, moved: MovedBodies) -> int:
    """Mark which bodies moved farther in a step of ``dt`` seconds than their inner radius; returns how many did. Only
    dynamic bodies that are awake and kinematic ones are marked.

    A slower body has its middle still on the side of a wall from which it came, so its contact pushes it back there.

    Near a character with a mass a body is fast as soon as it may have moved into it without a contact: the character
    would take it for a solid that crushes it.
    """
    which = moved.rows
    count = 0
    any_walks = False
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            moved.is_fast[b] = 0
            kind = listed.kind[b]
            row = bodies.bodies[b]
            if kind == DYNAMIC and island[b] < 0:
                way = _way(b, hypot(row[DX], row[DY]), abs(row[DTHETA]), listed)
            elif kind == KINEMATIC:
                way = _way(b, dt * hypot(row[VX], row[VY]), dt * abs(row[OMEGA]), listed)
            else:
                any_walks |= kind == CHARACTER
                continue
            if way > listed.masses[b, THICKNESS]:
                moved.is_fast[b] = 1
                count += 1
    for run in range(which.shape[0] if any_walks else 0):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] == CHARACTER:
                count += _mark_those_near(b, listed, island, bodies, moved)
    return count


@scalar
def _mark_those_near(w: int, listed: BodyList, island: Int32s, bodies: BodyRows, moved: MovedBodies) -> int:
    """Mark the bodies that may have moved into a character, body w, without a contact; returns how many more are
    fast."""
    which = moved.rows
    count = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != DYNAMIC or island[b] >= 0 or moved.is_fast[b] != 0:
                continue
            row = bodies.bodies[b]
            way = _way(b, hypot(row[DX], row[DY]), abs(row[DTHETA]), listed)
            if way <= moved.margin:
                continue
            x = bodies.centers[w, 0] - bodies.centers[b, 0]
            y = bodies.centers[w, 1] - bodies.centers[b, 1]
            if hypot(x, y) <= way + listed.masses[b, FARTHEST] + listed.masses[w, FARTHEST]:
                moved.is_fast[b] = 1
                count += 1
    return count


@kernel
def finish_bodies(
    listed: BodyList,
    may_sleep: Uint8s,
    bodies: BodyRows,
    blocks: BodyBlocks,
    table: ContactTable,
    count: int,
    moved: MovedBodies,
    states: SleepStates,
    settings: SleepSettings,
    dt: float,
) -> tuple[bool, int, int]:
    """Write back the places of bodies after a step with the first ``count`` contacts, mark fast bodies, and
    let islands sleep that rest. The pushes of the game are used up.

    Returns whether all positions and velocities are finite, how many bodies fell asleep, and how many were fast.
    """
    asleep = 0
    velocity = blocks.forces.velocity
    fast = mark_fast_bodies(listed, states.island, bodies, dt, moved)
    is_finite = scatter_bodies(listed, moved.rows, states.island, bodies, blocks.transform, velocity)
    if note_slowness(listed, moved.rows, may_sleep, bodies, states, settings, dt):
        asleep = fall_asleep(listed, bodies, table, count, moved.body_of, states, settings, velocity)
    return is_finite, asleep, fast
