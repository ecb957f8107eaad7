"""The end of a step of bodies: back to the components, to sleep if all is at rest, and which bodies were fast."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.body_state import BodyBlocks, BodyList, scatter_bodies
from ecsphys.engine.dynamics.fast_bodies import FastMarks, mark_fast_bodies
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings, SleepStates, fall_asleep, note_slowness
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel


class MovedBodies(NamedTuple):
    """The bodies that may have moved, in runs (k, 2) of ``rows`` as of ``gather_bodies``. ``body_of``: the row of the
    body of each slot of a collider, −1 for none. ``fast``: see ``mark_fast_bodies``."""

    rows: Int32Rows
    body_of: Int32s
    fast: FastMarks


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
    fast = mark_fast_bodies(listed, moved.rows, states.island, bodies, dt, moved.fast)
    is_finite = scatter_bodies(listed, moved.rows, states.island, bodies, blocks.transform, velocity)
    if note_slowness(listed, moved.rows, may_sleep, bodies, states, settings, dt):
        asleep = fall_asleep(listed, bodies, table, count, moved.body_of, states, settings, velocity)
    return is_finite, asleep, fast
