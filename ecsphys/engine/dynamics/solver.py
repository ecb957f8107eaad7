"""The solver's kernel: bodies that push each other by their contacts, over one step.

It takes contacts as they are in the contact table, where they were found, and moves nothing but velocities and the
movements of :class:`~ecsphys.engine.dynamics.bodies.BodyRows`. First, ``color_contacts`` says how many blocks the
contacts need. Each substep then is: velocities by accelerations and by the last impulses, contacts with bias,
movements, contacts relaxing. In the end, what has met bounces.

The same numbers come out, to the last bit, whatever lanes or threads there are: contacts of one colour have no body in
common that moves, and colours follow one another. One thread prepares the step, and writes down its phases
(:mod:`~ecsphys.engine.dynamics.solver_phases`). Then it runs them, or each member of a
:class:`~ecsphys.engine.threads.crew.Crew` runs them all, taking its parts. The velocity of a body that no impulse moves
is written with each of its contacts, by several threads at once, and stays as it is.

Joints stand before the contacts, in both passes (:mod:`~ecsphys.engine.dynamics.joints.jointed_step`).
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows, accelerate_bodies, begin_bodies, move_bodies
from ecsphys.engine.dynamics.contact_blocks import ANY_SPECIAL, BLOCK_COUNT, ContactBlocks, ContactPlaces, ContactRows
from ecsphys.engine.dynamics.contact_coloring import color_contacts
from ecsphys.engine.dynamics.contact_filling import (
    StepTime,
    Surroundings,
    begin_blocks,
    fill_blocks,
    find_bounces,
    forget_impulses,
    keep_impulses,
)
from ecsphys.engine.dynamics.contact_solving import Pass, bounce_contacts, rigid, solve_block, spring
from ecsphys.engine.dynamics.joints.joint_call import LINK, JointCall, run_joints_of
from ecsphys.engine.dynamics.solver_phases import (
    ACCELERATE,
    ANY_ELASTIC,
    AT_ONCE,
    BEGIN,
    BOUNCE,
    BOUNCING,
    END,
    FILL,
    FIND_BOUNCES,
    FIRST,
    FIRST_PLANNED,
    FORGET,
    KEEP,
    KIND,
    MOVE,
    PHASE_COUNT,
    RUN_JOINTS,
    SHARED_COUNT,
    SOLVE,
    TOLD,
    WHOLE,
    StepPhases,
    plan_phases,
)
from ecsphys.engine.kernels.array_types import Uint8s
from ecsphys.engine.kernels.compilation import COMPILES, kernel, scalar
from ecsphys.engine.threads.crew import Crew, finish_part, take_part, wait_until_done
from ecsphys.engine.vectors.lanes import ALL_LANES, LANES

# Contacts are no stiffer than this part of the substep rate; those with what does not move are twice as stiff.
_STIFFEST = 0.125
_STATIC_FACTOR = 2.0

# In place of a member's number.
ALONE = -1


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


class Sharing(NamedTuple):
    """Which ``member`` of a crew runs a step, ALONE for none; and ``way``, as of ``giving_way``."""

    member: int
    way: int


class SolverRoom(NamedTuple):
    """The solver's own: of bodies, the blocks that contacts have places in, the phases, and what shares them."""

    bodies: BodyRoom
    blocks: ContactBlocks
    places: ContactPlaces
    phases: StepPhases
    crew: Crew
    sharing: Sharing


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
    many, no body has moved. Where a crew shares the step, each member calls this, and what it says is not to be used.

    The velocities of ``rows`` are those after the step then, and the movements what bodies have moved by. The contacts
    have the impulses that the next step begins with, and their totals over the substeps.
    """
    if COMPILES:
        return advance(contacts, count, rows, body_count, around, room, settings, resting, jointed, ALL_LANES)
    return advance(contacts, count, rows, body_count, around, room, settings, resting, jointed, 0)


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
    blocks = room.blocks
    starts = room.places.starts
    state = room.phases.state
    phases = room.phases.rows
    member = room.sharing.member
    h = settings.dt / settings.substeps
    hertz = min(settings.contact_hertz, _STIFFEST / h)
    static_hertz = _STATIC_FACTOR * hertz
    biased = Pass(
        spring(hertz, settings.damping_ratio, h),
        spring(static_hertz, settings.damping_ratio, h),
        settings.push_speed,
        1.0 / h,
        False,
    )
    relaxing = Pass(rigid(), rigid(), settings.push_speed, 1.0 / h, True)
    step = StepTime(settings.dt, 0.5 * (settings.dt - h))
    to_do = 0
    number = 0
    # The first phase says how many there are.
    while number == 0 or number < state[PHASE_COUNT]:
        # What follows is little: meanwhile the other threads go to sleep, or the first would have to wait for that.
        if member > 0 and number >= FIRST_PLANNED and number == state[SHARED_COUNT]:
            break
        kind = int(phases[number, KIND]) + 0
        told = int(phases[number, TOLD]) + 0
        phase_first = int(phases[number, FIRST]) + 0
        phase_end = int(phases[number, END]) + 0
        at_once = int(phases[number, AT_ONCE]) + 0
        size = 1 if at_once == WHOLE else phase_end - phase_first
        to_do += size
        first = phase_first
        end = phase_end
        taken = 0
        taken_to = size
        while True:
            if member != ALONE:
                taken, taken_to = take_part(room.crew, member, number + 1, size, max(at_once, 1))
                if taken == taken_to:
                    wait_until_done(room.crew, to_do, room.sharing.way)
                    break
                if at_once != WHOLE:
                    first = phase_first + taken
                    end = phase_first + taken_to
            if kind == SOLVE:
                solve_blocks(first, end, rows, blocks, relaxing if told != 0 else biased, lane)
            elif kind == ACCELERATE:
                accelerate_bodies(rows, room.bodies, first, end, told != 0)
            elif kind == MOVE:
                move_bodies(rows, room.bodies, first, end, h)
            elif kind == RUN_JOINTS:
                run_joints_of(jointed, told, h)
            elif kind == FILL:
                has_extras = bool(starts[ANY_SPECIAL] != 0)
                if fill_blocks(contacts, first, end, around, rows, room.bodies, blocks, step, has_extras):
                    state[ANY_ELASTIC] = 1
            elif kind == FIND_BOUNCES:
                if state[ANY_ELASTIC] != 0:
                    state[BOUNCING] = find_bounces(
                        contacts, count, around, rows, blocks, step, room.bodies, room.places
                    )
            elif kind == BOUNCE:
                bounce_contacts(int(state[BOUNCING]) + 0, rows, blocks, room.places)
            elif kind == KEEP:
                keep_impulses(contacts, first, end, blocks)
            elif kind == FORGET:
                forget_impulses(contacts, count, room.places)
            elif kind == BEGIN:
                if first == 0:
                    linked = begin_bodies(rows, room.bodies, body_count, settings.dt, settings.substeps)
                    plan_phases(room.phases, starts, linked, settings.substeps, jointed.code != 0, member != ALONE)
                if end == 2:
                    begin_blocks(count, blocks, room.places)
            else:
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
                state[PHASE_COUNT] = 0
                if needed <= blocks.kinds.shape[0]:
                    state[PHASE_COUNT] = FIRST_PLANNED
                    run_joints_of(jointed, LINK, h)
            if member == ALONE:
                break
            finish_part(room.crew, member, taken_to - taken)
        number += 1
    return int(starts[BLOCK_COUNT]) + 0


@scalar
def solve_blocks(first: int, end: int, rows: BodyRows, blocks: ContactBlocks, how: Pass, lane: int | None) -> None:
    """Solve blocks once, one after the other."""
    for block in range(first, end):
        if lane is None:
            solve_block(block, ALL_LANES, rows, blocks, how)
        else:
            for one in range(LANES):
                solve_block(block, one, rows, blocks, how)
