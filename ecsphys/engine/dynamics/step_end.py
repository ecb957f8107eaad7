"""The end of a step of bodies: back to the components, to sleep where all is at rest, and how far to look ahead."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contacts.contact_table import ContactTable
from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.body_state import BodyBlocks, BodyList, scatter_bodies
from ecsphys.engine.dynamics.contact_reach import find_reach
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings, SleepStates, fall_asleep, note_slowness
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.shapes.layout import ShapeArrays


class Reaching(NamedTuple):
    """The bodies that may have moved, in runs (k, 2) of ``rows`` as of ``gather_bodies``, and the slots of their
    colliders, and of those of no body: of the others nothing has changed since all were gone through. The row of the
    body of each slot, −1 for none; the shapes; how far at ``most`` anything reaches, and where it is written how far:
    see ``find_reach``."""

    rows: Int32Rows
    slots: Int32s
    body_of: Int32s
    placed: ShapeArrays
    most: float
    reach: Float64Rows


@kernel
def finish_bodies(
    listed: BodyList,
    may_sleep: Uint8s,
    bodies: BodyRows,
    blocks: BodyBlocks,
    table: ContactTable,
    count: int,
    reaching: Reaching,
    states: SleepStates,
    settings: SleepSettings,
    dt: float,
) -> tuple[bool, int]:
    """Write back where the bodies are after a step with the first ``count`` contacts, let islands sleep that rest, and
    write how far colliders move in the next step. What the game has pushed with is used up.

    Returns whether all positions and velocities are finite, and how many bodies fell asleep. With a ``count`` of −1
    nothing was solved: only the reach is written.
    """
    is_finite = True
    asleep = 0
    if count >= 0:
        velocity = blocks.forces.velocity
        is_finite = scatter_bodies(listed, reaching.rows, states.island, bodies, blocks.transform, velocity)
        if note_slowness(listed, reaching.rows, may_sleep, bodies, states, settings, dt):
            asleep = fall_asleep(listed, bodies, table, count, reaching.body_of, states, settings, velocity)
    find_reach(reaching.slots, reaching.body_of, reaching.placed, bodies, dt, reaching.most, reaching.reach)
    return is_finite, asleep
