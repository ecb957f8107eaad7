"""The solver's kernel: bodies that push each other by their contacts, over one step.

It takes contacts as they are in the contact table, where they were found, and moves nothing but velocities and the
movements of :class:`~ecsphys.engine.dynamics.bodies.BodyRows`. First, ``color_contacts`` says how many blocks the
contacts need. Each substep then is: what meets in it bounces, velocities by accelerations and by the last impulses,
contacts with bias, movements, contacts relaxing.

The same numbers come out, to the last bit, whatever lanes or threads there are: contacts of one colour have no body in
common that moves, and colours follow one another. Here, one thread does it all; several do the same in
:mod:`~ecsphys.engine.dynamics.shared_solver`.

Joints stand before the contacts, in both passes (:mod:`~ecsphys.engine.dynamics.joints.jointed_step`).
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows, accelerate_bodies, begin_bodies, move_bodies
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactBlocks, ContactPlaces, ContactRows
from ecsphys.engine.dynamics.contacts.contact_bouncing import list_bounces, strike_contacts
from ecsphys.engine.dynamics.contacts.contact_coloring import color_contacts
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings, begin_blocks, keep_impulses, read_contacts
from ecsphys.engine.dynamics.contacts.contact_meeting import StrikeTime
from ecsphys.engine.dynamics.contacts.contact_preparing import prepare_blocks, step_time
from ecsphys.engine.dynamics.contacts.contact_solving import Pass, rigid, solve_block, spring
from ecsphys.engine.dynamics.joints.joint_blocks import BEGIN, KEEP, LINK, PUSH, RELAX, JointCall, run_joints_of
from ecsphys.engine.kernels.array_types import Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import ALL_LANES, LANES

# In Hz for each substep of a step: as stiff as contacts get, an eighth of the rate of substeps at 60 steps/s. It is the
# same however long a step is, or a stack would rise and sink with the rate of steps. Springs stiffer than a fourth of
# the rate of substeps are unstable: below 30 steps/s contacts are softer.
_STIFFEST = 7.5
_STABLE = 0.25
# Contacts with what does not move are so many times as stiff.
_STATIC_FACTOR = 2.0


class SolverSettings(NamedTuple):
    """How a step is solved: seconds; substeps; frequency in Hz and damping ratio of the springs that overlaps are, and
    the most speed at which they push apart.

    No spring is stiffer than 7.5 Hz for each substep. Stiffer ones carry higher columns: with 30 Hz, a column of twenty
    boxes leans within seconds; with 60 Hz, at eight substeps, it stands.
    """

    dt: float
    substeps: int
    contact_hertz: float
    damping_ratio: float
    push_speed: float


class SolverRoom(NamedTuple):
    """The solver's own: of bodies, and the blocks that contacts have places in."""

    bodies: BodyRoom
    blocks: ContactBlocks
    places: ContactPlaces


@inlined_scalar
def biased_pass(settings: SolverSettings, h: float) -> Pass:
    """How contacts are solved with bias, in substeps of h seconds."""
    hertz = min(settings.contact_hertz, _STIFFEST * settings.substeps, _STABLE / h)
    return Pass(
        spring(hertz, settings.damping_ratio, h),
        spring(_STATIC_FACTOR * hertz, settings.damping_ratio, h),
        settings.push_speed,
        1.0 / h,
        False,
    )


@inlined_scalar
def relaxing_pass(settings: SolverSettings, h: float) -> Pass:
    """How contacts are solved relaxing."""
    return Pass(rigid(), rigid(), settings.push_speed, 1.0 / h, True)


@kernel
def solve_step(
    contacts: ContactRows,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: SolverRoom,
    settings: SolverSettings,
    resting: Uint8s,
    jointed: JointCall,
) -> int:
    """Move the first ``body_count`` bodies over a step, with the first ``count`` contacts, and with joints.

    ``resting``: as of ``color_contacts``. Returns how many blocks the contacts need; where there is no room for so
    many, no body has moved.

    The velocities of ``rows`` are those after the step then, and the movements what bodies have moved by. The contacts
    have the impulses that the next step begins with, and their totals over the substeps.
    """
    return advance(contacts, count, rows, body_count, around, room, settings, resting, jointed, ALL_LANES)


@scalar
def advance(
    contacts: ContactRows,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: SolverRoom,
    settings: SolverSettings,
    resting: Uint8s,
    jointed: JointCall,
    lane: int | None,
) -> int:
    """What :func:`solve_step` does: contacts of a block in ALL_LANES at once, else one after the other."""
    needed = color_contacts(
        contacts,
        count,
        around.body_of,
        rows,
        body_count,
        around.materials,
        around.changes,
        resting,
        room.bodies,
        room.places,
    )
    if needed > room.blocks.kinds.shape[0]:
        return needed
    h = settings.dt / settings.substeps
    biased = biased_pass(settings, h)
    relaxing = relaxing_pass(settings, h)
    blocks = room.blocks
    block_count = int(room.places.starts[field.BLOCK_COUNT]) + 0
    run_joints_of(jointed, LINK, h)
    linked = begin_bodies(rows, room.bodies, body_count, settings.dt, settings.substeps)
    begin_blocks(blocks, room.places)
    has_extras = bool(room.places.starts[field.ANY_SPECIAL] != 0)
    bouncing = 0
    step = step_time(settings.dt, settings.substeps, around.bounce_threshold)
    read_contacts(contacts, 0, count, around, rows, room.bodies, blocks, room.places, has_extras, h)
    if prepare_blocks(0, block_count, rows, room.bodies, blocks, step, lane):
        bouncing = list_bounces(contacts, count, around, rows, blocks, room.bodies, room.places)
    run_joints_of(jointed, BEGIN, h)
    for substep in range(settings.substeps):
        if bouncing > 0:
            strike = StrikeTime(h, settings.dt, settings.dt - substep * h, around.bounce_threshold, substep == 0)
            strike_contacts(bouncing, rows, room.bodies, blocks, room.places, strike)
        accelerate_bodies(rows, room.bodies, 0, linked, substep == 0)
        for turn in range(2):
            if turn == 1:
                move_bodies(rows, room.bodies, 0, linked, h)
            run_joints_of(jointed, RELAX if turn == 1 else PUSH, h)
            solve_blocks(0, block_count, rows, blocks, relaxing if turn == 1 else biased, lane)
    keep_impulses(contacts, 0, count, h, blocks, room.places, around)
    run_joints_of(jointed, KEEP, h)
    return needed


@scalar
def solve_blocks(first: int, end: int, rows: BodyRows, blocks: ContactBlocks, how: Pass, lane: int | None) -> None:
    """Solve blocks once, one after the other."""
    if how.is_relaxing:
        _solve_blocks(first, end, rows, blocks, how, lane, True)
    else:
        _solve_blocks(first, end, rows, blocks, how, lane, False)


@inlined_scalar
def _solve_blocks(
    first: int, end: int, rows: BodyRows, blocks: ContactBlocks, how: Pass, lane: int | None, is_relaxing: bool
) -> None:
    """The same, compiled for each kind of pass."""
    for block in range(index(first), index(end)):
        if lane is None:
            solve_block(block, ALL_LANES, rows, blocks, how, is_relaxing)
        else:
            for one in range(LANES):
                solve_block(block, one, rows, blocks, how, is_relaxing)
