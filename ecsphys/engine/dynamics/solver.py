"""The solver's kernel: bodies that push each other by their contacts, over one step.

It takes contacts as they are in the contact table, where they were found, and moves nothing but velocities and the
movements of :class:`~ecsphys.engine.dynamics.bodies.BodyRows`. Before it, ``color_contacts`` says how many blocks the
contacts need. Each substep then is: velocities by accelerations and by the last impulses, contacts with bias,
movements, contacts relaxing. In the end, what has met bounces.

The same numbers come out, to the last bit, whatever lanes or threads there are: contacts of one colour have no body in
common that moves, and colours follow one another.
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contacts.hit_tracking import ContactTable
from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows, accelerate_bodies, begin_bodies, move_bodies
from ecsphys.engine.dynamics.contact_blocks import GROUPS, ContactBlocks, ContactPlaces
from ecsphys.engine.dynamics.contact_filling import Surroundings, clear_blocks, fill_contacts, keep_impulses
from ecsphys.engine.dynamics.contact_solving import Pass, bounce_block, rigid, solve_block, spring
from ecsphys.engine.kernels.array_types import Float64Rows
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.kernels.vectors import LANES

# Contacts are no stiffer than this part of the substep rate; those with what does not move are twice as stiff.
_STIFFEST = 0.125
_STATIC_FACTOR = 2.0


class SolverSettings(NamedTuple):
    """How a step is solved: seconds; substeps; frequency in Hz and damping ratio of the springs that overlaps are, and
    the most speed at which they push apart.

    No spring is stiffer than an eighth of the substep rate. Stiffer ones carry higher columns: at 60 Hz, with eight
    substeps of a step of 1/60 s, one of twenty boxes stands; at 30 Hz it leans within seconds.
    """

    dt: float
    substeps: int
    contact_hertz: float
    damping_ratio: float
    push_speed: float


@kernel
def solve_step(
    table: ContactTable,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: BodyRoom,
    blocks: ContactBlocks,
    places: ContactPlaces,
    settings: SolverSettings,
    totals: Float64Rows,
) -> None:
    """Move the first ``body_count`` bodies over a step, with the first ``count`` contacts of the table, which
    ``color_contacts`` has given their ``places``.

    The velocities of ``rows`` are those after the step then, and the movements what bodies have moved by. Of each
    contact ``totals`` (m, 2) has the impulses along normal and tangent, summed over the substeps, and the table those
    that the next step begins with.
    """
    h = settings.dt / settings.substeps
    hertz = min(settings.contact_hertz, _STIFFEST / h)
    biased = Pass(
        spring(hertz, settings.damping_ratio, h),
        spring(_STATIC_FACTOR * hertz, settings.damping_ratio, h),
        settings.push_speed,
        1.0 / h,
        False,
    )
    relaxing = Pass(rigid(), rigid(), settings.push_speed, 1.0 / h, True)
    block_count = int(places.starts[GROUPS]) + 0
    begin_bodies(rows, room, body_count, settings.dt, settings.substeps)
    clear_blocks(blocks, places)
    fill_contacts(table, 0, count, around, rows, room, blocks, places)
    for substep in range(settings.substeps):
        accelerate_bodies(rows, room, 0, body_count, substep == 0)
        _solve_blocks(0, block_count, rows, blocks, biased)
        move_bodies(rows, room, 0, body_count, h)
        _solve_blocks(0, block_count, rows, blocks, relaxing)
    for block in range(block_count):
        bounce_block(block, rows, blocks)
    keep_impulses(table, 0, count, blocks, places, totals)


@inlined_scalar
def _solve_blocks(first: int, end: int, rows: BodyRows, blocks: ContactBlocks, how: Pass) -> None:
    """Solve blocks once, one after the other."""
    for block in range(first, end):
        for lane in range(LANES):
            solve_block(block, lane, rows, blocks, how)
