"""The end of a step of bodies: back to the components, to sleep where all is at rest, and how far to look ahead."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contacts.hit_tracking import ContactTable
from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.body_state import BodyList, scatter_bodies
from ecsphys.engine.dynamics.contact_reach import find_reach
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings, SleepStates, fall_asleep
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.shapes.layout import ShapeArrays


class BodyBlocks(NamedTuple):
    """The blocks of Transform and Velocity, which bodies are written to."""

    transform: Float64Rows
    velocity: Float64Rows


class Reaching(NamedTuple):
    """The order of all colliders, the row of the body of each slot, −1 for none, the shapes; how far at ``most``
    anything reaches, and where it is written how far: see ``find_reach``."""

    order: Int32s
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
        is_finite = scatter_bodies(listed, states.island, bodies, blocks.transform, blocks.velocity)
        asleep = fall_asleep(
            listed, may_sleep, bodies, table, count, reaching.body_of, states, settings, dt, blocks.velocity
        )
    find_reach(reaching.order, reaching.body_of, reaching.placed, bodies, dt, reaching.most, reaching.reach)
    return is_finite, asleep
