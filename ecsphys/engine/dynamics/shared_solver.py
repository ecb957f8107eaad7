"""The solver's step on several threads: what :mod:`~ecsphys.engine.dynamics.solver` does, in phases that a crew shares.

Each member runs this kernel with its number, and goes through the same phases; the results equal those of one thread,
to the last bit. The velocity of a body that no impulse moves is written with each of its contacts, by several threads
at once, and stays as it is: ±0 is taken from it, and it is not −0, since ``accelerate_bodies`` adds 0.
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import BodyRows, accelerate_bodies, begin_bodies, move_bodies
from ecsphys.engine.dynamics.contacts.contact_blocks import ANY_SPECIAL, ContactRows
from ecsphys.engine.dynamics.contacts.contact_bouncing import list_bounces, strike_contacts
from ecsphys.engine.dynamics.contacts.contact_coloring import color_contacts
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings, begin_blocks, keep_impulses, read_contacts
from ecsphys.engine.dynamics.contacts.contact_meeting import StrikeTime
from ecsphys.engine.dynamics.contacts.contact_preparing import prepare_blocks, step_time
from ecsphys.engine.dynamics.joints.joint_blocks import LINK, JointCall, blocks_of, run_joints_of
from ecsphys.engine.dynamics.solver import SolverRoom, SolverSettings, biased_pass, relaxing_pass, solve_blocks
from ecsphys.engine.dynamics.solver_phases import (
    ACCELERATE,
    ANY_ELASTIC,
    AT_ONCE,
    BEGIN,
    BOUNCING,
    END,
    FIRST,
    FIRST_PLANNED,
    KEEP,
    KIND,
    LIST_BOUNCES,
    MOVE,
    PHASE_COUNT,
    PREPARE,
    READ,
    RUN_JOINTS,
    SHARED_COUNT,
    SOLVE,
    STRIKE,
    TOLD,
    WHOLE,
    JointRuns,
    StepPhases,
    plan_phases,
)
from ecsphys.engine.kernels.array_types import Uint8s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.threads.crew import Crew, finish_part, take_part, wait_until_done
from ecsphys.engine.vectors.lanes import ALL_LANES


class SharedRoom(NamedTuple):
    """The shared data of the members of a crew, and which ``member`` this is; ``way``: as of ``giving_way``; the
    ``joints`` of the step."""

    phases: StepPhases
    crew: Crew
    member: int
    way: int
    joints: JointRuns


@kernel
def solve_shared(
    contacts: ContactRows,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: SolverRoom,
    settings: SolverSettings,
    resting: Uint8s,
    jointed: JointCall,
    shared: SharedRoom,
) -> None:
    """Take part in ``solve_step``, as one member of a crew. How many blocks there are, ``room.places`` says."""
    blocks = room.blocks
    starts = room.places.starts
    state = shared.phases.state
    phases = shared.phases.rows
    crew = shared.crew
    member = shared.member
    h = settings.dt / settings.substeps
    biased = biased_pass(settings, h)
    relaxing = relaxing_pass(settings, h)
    step = step_time(settings.dt, settings.substeps, around.bounce_threshold)
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
                run_joints_of(jointed, blocks_of(told, first, end), h)
            elif kind == READ:
                has_extras = bool(starts[ANY_SPECIAL] != 0)
                read_contacts(contacts, first, end, around, rows, room.bodies, blocks, room.places, has_extras, h)
            elif kind == PREPARE:
                if prepare_blocks(first, end, rows, room.bodies, blocks, step, ALL_LANES):
                    state[ANY_ELASTIC] = 1
            elif kind == LIST_BOUNCES:
                if state[ANY_ELASTIC] != 0:
                    state[BOUNCING] = list_bounces(contacts, count, around, rows, blocks, room.bodies, room.places)
            elif kind == STRIKE:
                strike = StrikeTime(h, settings.dt, settings.dt - told * h, around.bounce_threshold, told == 0)
                strike_contacts(int(state[BOUNCING]) + 0, rows, room.bodies, blocks, room.places, strike)
            elif kind == KEEP:
                keep_impulses(contacts, 0, count, h, blocks, room.places, around)
            elif kind == BEGIN:
                if first == 0:
                    linked = begin_bodies(rows, room.bodies, body_count, settings.dt, settings.substeps)
                    plan_phases(shared.phases, starts, count, linked, settings.substeps, shared.joints)
                if end == 2:
                    begin_blocks(blocks, room.places)
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
            finish_part(crew, member, taken_to - taken)
        number += 1
