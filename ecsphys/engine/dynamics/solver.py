"""The solver: bodies that push each other by their contacts and joints, over one step.

It takes contacts as they are in the contact table, where they were found, and moves nothing but velocities and the
movements of :class:`~ecsphys.engine.dynamics.bodies.BodyRows`. First, ``color_contacts`` says how many blocks the
contacts need. Each substep then is: what meets in it bounces, velocities by accelerations and by the last impulses,
contacts with bias, movements, contacts relaxing. Joints stand before the contacts, in both passes
(:mod:`~ecsphys.engine.dynamics.joints.jointed_step`).

The same numbers come out, to the last bit, whatever lanes or threads there are: contacts of one colour have no body in
common that moves, and colours follow one another. :func:`solve_step` does it all on one thread.

For several threads, the step is written down as *phases*. Each begins when the one before it has ended. Its *items* are
blocks of one colour, or bodies, which threads may share; or it is one item, which has an order of its own. Each member
of a crew runs :func:`solve_shared` with its number, and goes through the same phases. The velocity of a body that no
impulse moves is written with each of its contacts, by several threads at once, and stays as it is: ±0 is taken from it,
and it is not −0, since ``accelerate_bodies`` adds 0.
"""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import BodyRows, accelerate_bodies, begin_bodies, move_bodies
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_bouncing import list_bounces, strike_contacts
from ecsphys.engine.dynamics.contacts.contact_filling import begin_blocks, color_contacts, keep_impulses, read_contacts
from ecsphys.engine.dynamics.contacts.contact_preparing import prepare_blocks
from ecsphys.engine.dynamics.contacts.contact_solving import Pass, rigid, solve_block, spring
from ecsphys.engine.dynamics.joints import joint_blocks as joint
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Int32Rows, Int32s, Int64Rows, Int64s
from ecsphys.engine.math.lanes import ALL_LANES, LANES
from ecsphys.engine.threads.crew import Crew, finish_part, take_part, wait_until_done

# In Hz for each substep of a step: as stiff as contacts get, an eighth of the rate of substeps at 60 steps/s. It is the
# same however long a step is, or a stack would rise and sink with the rate of steps. Springs stiffer than a fourth of
# the rate of substeps are unstable: below 30 steps/s contacts are softer.
_STIFFEST = 7.5
_STABLE = 0.25
# Contacts with what does not move are so many times as stiff.
_STATIC_FACTOR = 2.0


@inlined_scalar
def _passes(settings: field.SolverSettings) -> tuple[Pass, Pass]:
    """How contacts are solved with bias, and relaxing."""
    h = settings.dt / settings.substeps
    hertz = min(settings.contact_hertz, _STIFFEST * settings.substeps, _STABLE / h)
    soft = spring(hertz, settings.damping_ratio, h)
    of_static = spring(_STATIC_FACTOR * hertz, settings.damping_ratio, h)
    biased = Pass(soft, of_static, settings.push_speed, 1.0 / h, False)
    return biased, Pass(rigid(), rigid(), settings.push_speed, 1.0 / h, True)


@scalar
def solve_blocks(
    first: int, end: int, rows: BodyRows, blocks: field.ContactBlocks, how: Pass, lane: int | None
) -> None:
    """Solve blocks once, one after the other."""
    if how.is_relaxing:
        _solve_blocks(first, end, rows, blocks, how, lane, True)
    else:
        _solve_blocks(first, end, rows, blocks, how, lane, False)


@inlined_scalar
def _solve_blocks(
    first: int, end: int, rows: BodyRows, blocks: field.ContactBlocks, how: Pass, lane: int | None, is_relaxing: bool
) -> None:
    """The same, compiled for each kind of pass."""
    for block in range(index(first), index(end)):
        if lane is None:
            solve_block(block, ALL_LANES, rows, blocks, how, is_relaxing)
        else:
            for one in range(LANES):
                solve_block(block, one, rows, blocks, how, is_relaxing)


@kernel
def solve_step(step: field.SolverStep, room: field.SolverRoom, jointed: joint.JointCall) -> int:
    """Move bodies over a step, with their contacts and joints. Returns how many blocks the contacts need; where there
    is no room for so many, no body has moved.

    The velocities of the rows are those after the step then, and the movements what bodies have moved by. The contacts
    have the impulses that the next step begins with, and their totals over the substeps.
    """
    return advance(step, room, jointed, ALL_LANES)


@scalar
def advance(step: field.SolverStep, room: field.SolverRoom, jointed: joint.JointCall, lane: int | None) -> int:
    """What :func:`solve_step` does: contacts of a block in ALL_LANES at once, else one after the other."""
    needed = color_contacts(step, room)
    rows, settings, blocks = step.rows, step.settings, room.blocks
    if needed > blocks.kinds.shape[0]:
        return needed
    h = settings.dt / settings.substeps
    biased, relaxing = _passes(settings)
    joint.run_joints_of(jointed, joint.whole(joint.LINK), h)
    linked = begin_bodies(rows, room.bodies, step.body_count, settings.dt, settings.substeps)
    begin_blocks(blocks, room.places)
    bouncing = 0
    read_contacts(step, room, 0, step.contact_count, h)
    if prepare_blocks(step, room, 0, needed, lane):
        bouncing = list_bounces(step, room)
    joint.run_joints_of(jointed, joint.whole(joint.BEGIN), h)
    for substep in range(settings.substeps):
        if bouncing > 0:
            strike_contacts(step, room, bouncing, substep)
        accelerate_bodies(rows, room.bodies, 0, linked, substep == 0)
        for turn in range(2):
            if turn == 1:
                move_bodies(rows, room.bodies, 0, linked, h)
            joint.run_joints_of(jointed, joint.whole(joint.RELAX if turn == 1 else joint.PUSH), h)
            solve_blocks(0, needed, rows, blocks, relaxing if turn == 1 else biased, lane)
    keep_impulses(step, room, h)
    joint.run_joints_of(jointed, joint.whole(joint.KEEP), h)
    return needed


# Columns of a phase: its kind; its argument; its range, and how many items are taken at once, WHOLE for all.
KIND, TOLD, FIRST, END, AT_ONCE = range(5)
PHASE_COLUMNS = 5
WHOLE = 0

# Kinds: colour contacts; begin with bodies and plan the phases that follow, and with blocks; read contacts; prepare
# blocks; list contacts that may bounce; run blocks of joints, told their phase + PHASES · turn; bounce, told the
# substep; accelerate bodies, told whether it is the first substep; move bodies; solve blocks, told whether they relax;
# keep impulses.
COLOR, BEGIN, READ, PREPARE, LIST_BOUNCES, RUN_JOINTS, STRIKE, ACCELERATE, MOVE, SOLVE, KEEP = range(11)

# What every step begins with.
FIRST_PHASES = ((COLOR, 0, 0, 1, WHOLE), (BEGIN, 0, 0, 2, 1))
FIRST_PLANNED = 2

# Numbers of what phases leave for others: how many phases there are, and how many of them several threads share;
# whether anything is elastic, and how much may bounce.
PHASE_COUNT, SHARED_COUNT, ANY_ELASTIC, BOUNCING = range(4)
STATE_NUMBERS = 4

# How much is taken at once, some µs of work each. Colours with fewer blocks than the last are solved by one thread.
_CONTACTS_AT_ONCE, _BLOCKS_AT_ONCE, _BODIES_AT_ONCE, _FEW_BLOCKS = 256, 64, 1024, 32
_JOINTS_AT_ONCE = 64


@packed
class StepPhases(NamedTuple):
    """The phases of a step (n, PHASE_COLUMNS), and their results for others (STATE_NUMBERS,)."""

    rows: Int64Rows
    state: Int64s


class JointRuns(NamedTuple):
    """The joints of a step: each of the ``turns`` of a pass solves the first ``run_count`` of ``runs``, as of
    ``JointPlaces``. They have so many ``blocks``.
    """

    runs: Int32Rows
    run_count: int
    turns: int
    blocks: int


def most_phases(substeps: int, joints: JointRuns) -> int:
    """How many phases a step may have."""
    in_pass = joints.run_count * joints.turns
    return FIRST_PLANNED + field.GROUPS + 4 + joints.run_count + substeps * (2 * field.GROUPS + 3 + 2 * in_pass)


@inlined_scalar
def _add(phases: StepPhases, kind: int, told: int, first: int, end: int, at_once: int) -> None:
    if first == end:
        return
    number = int(phases.state[PHASE_COUNT]) + 0
    phases.rows[number, KIND] = kind
    phases.rows[number, TOLD] = told
    phases.rows[number, FIRST] = first
    phases.rows[number, END] = end
    phases.rows[number, AT_ONCE] = at_once
    phases.state[PHASE_COUNT] = number + 1


@scalar
def _add_blocks(phases: StepPhases, kind: int, told: int, starts: Int32s) -> None:
    """Add the phases of all blocks, colour by colour, but small colours in a row as one."""
    first = 0
    for group in range(field.GROUPS):
        start = int(starts[group]) + 0
        end = int(starts[group + 1]) + 0
        if group < field.COLORS and end - start < _FEW_BLOCKS:
            continue
        _add(phases, kind, told, first, start, WHOLE)
        _add(phases, kind, told, start, end, _BLOCKS_AT_ONCE if group < field.COLORS else WHOLE)
        first = end


@scalar
def _add_joints(phases: StepPhases, phase: int, turns: int, joints: JointRuns) -> None:
    """Add a phase of joints, run by run."""
    for turn in range(turns):
        first = 0
        for run in range(joints.run_count):
            end = int(joints.runs[run, joint.RUN_END]) + 0
            at_once = int(joints.runs[run, joint.RUN_AT_ONCE]) + 0
            _add(phases, RUN_JOINTS, phase + joint.PHASES * turn, first, end, at_once)
            first = end


@scalar
def _plan_phases(phases: StepPhases, starts: Int32s, count: int, linked: int, substeps: int, joints: JointRuns) -> None:
    """Add the phases of a step with so many contacts and ``linked`` bodies, and blocks as their ``starts`` say."""
    state = phases.state
    state[ANY_ELASTIC] = 0
    state[BOUNCING] = 0
    _add(phases, READ, 0, 0, count, _CONTACTS_AT_ONCE)
    # It adds to what bodies begin with: colour by colour.
    _add_blocks(phases, PREPARE, 0, starts)
    _add(phases, LIST_BOUNCES, 0, 0, 1, WHOLE)
    _add_joints(phases, joint.BEGIN, 1, joints)
    for substep in range(substeps):
        # Skipped where nothing may bounce.
        _add(phases, STRIKE, substep, 0, 1, WHOLE)
        _add(phases, ACCELERATE, 1 if substep == 0 else 0, 0, linked, _BODIES_AT_ONCE)
        _add_joints(phases, joint.PUSH, joints.turns, joints)
        _add_blocks(phases, SOLVE, 0, starts)
        _add(phases, MOVE, 0, 0, linked, _BODIES_AT_ONCE)
        _add_joints(phases, joint.RELAX, joints.turns, joints)
        _add_blocks(phases, SOLVE, 1, starts)
    _add(phases, RUN_JOINTS, joint.KEEP, 0, joints.blocks, _JOINTS_AT_ONCE)
    state[SHARED_COUNT] = state[PHASE_COUNT]
    _add(phases, KEEP, 0, 0, 1, WHOLE)


class SharedRoom(NamedTuple):
    """The shared data of the members of a crew, and which ``member`` this is; ``way``: as of ``giving_way``; the
    ``joints`` of the step."""

    phases: StepPhases
    crew: Crew
    member: int
    way: int
    joints: JointRuns


@kernel
def solve_shared(step: field.SolverStep, room: field.SolverRoom, jointed: joint.JointCall, shared: SharedRoom) -> None:
    """Take part in :func:`solve_step`, as one member of a crew. How many blocks there are, ``room.places`` says."""
    rows, settings, blocks = step.rows, step.settings, room.blocks
    state = shared.phases.state
    phases = shared.phases.rows
    crew = shared.crew
    member = shared.member
    h = settings.dt / settings.substeps
    biased, relaxing = _passes(settings)
    to_do = 0
    number = 0
    # The first phase says how many there are.
    while number == 0 or number < state[PHASE_COUNT]:
        # What follows is little: meanwhile the other threads go to sleep, or the first would have to wait for that.
        if member > 0 and number >= FIRST_PLANNED and number == state[SHARED_COUNT]:
            break
        kind = int(phases[number, KIND]) + 0
        if kind == STRIKE and state[BOUNCING] == 0:
            number += 1
            continue
        told = int(phases[number, TOLD]) + 0
        phase_first = int(phases[number, FIRST]) + 0
        phase_end = int(phases[number, END]) + 0
        at_once = int(phases[number, AT_ONCE]) + 0
        size = 1 if at_once == WHOLE else phase_end - phase_first
        to_do += size
        first = phase_first
        end = phase_end
        while True:
            taken, taken_to = take_part(crew, member, number + 1, size, max(at_once, 1))
            if taken == taken_to:
                wait_until_done(crew, to_do, shared.way)
                break
            if at_once != WHOLE:
                first = phase_first + taken
                end = phase_first + taken_to
            if kind == SOLVE:
                solve_blocks(first, end, rows, blocks, relaxing if told != 0 else biased, ALL_LANES)
            elif kind == ACCELERATE:
                accelerate_bodies(rows, room.bodies, first, end, told != 0)
            elif kind == MOVE:
                move_bodies(rows, room.bodies, first, end, h)
            elif kind == RUN_JOINTS:
                part = joint.JointPart(told % joint.PHASES, told // joint.PHASES, first, end)
                joint.run_joints_of(jointed, part, h)
            elif kind == READ:
                read_contacts(step, room, first, end, h)
            elif kind == PREPARE:
                if prepare_blocks(step, room, first, end, ALL_LANES):
                    state[ANY_ELASTIC] = 1
            elif kind == LIST_BOUNCES:
                if state[ANY_ELASTIC] != 0:
                    state[BOUNCING] = list_bounces(step, room)
            elif kind == STRIKE:
                strike_contacts(step, room, int(state[BOUNCING]) + 0, told)
            elif kind == KEEP:
                keep_impulses(step, room, h)
            elif kind == BEGIN:
                if first == 0:
                    linked = begin_bodies(rows, room.bodies, step.body_count, settings.dt, settings.substeps)
                    _plan_phases(
                        shared.phases, room.places.starts, step.contact_count, linked, settings.substeps, shared.joints
                    )
                if end == 2:
                    begin_blocks(blocks, room.places)
            else:
                needed = color_contacts(step, room)
                state[PHASE_COUNT] = 0
                if needed <= blocks.kinds.shape[0]:
                    state[PHASE_COUNT] = FIRST_PLANNED
                    joint.run_joints_of(jointed, joint.whole(joint.LINK), h)
            finish_part(crew, member, taken_to - taken)
        number += 1
