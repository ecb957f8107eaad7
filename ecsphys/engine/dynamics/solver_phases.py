"""The phases of a solver's step that several threads share, written down in their order.

Each begins when the one before it has ended. Its *items* are blocks of one colour, or bodies, which threads may share;
or it is one item, which has an order of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.dynamics.contacts.contact_blocks import COLORS, GROUPS
from ecsphys.engine.dynamics.joints.joint_blocks import BEGIN as BEGIN_JOINTS
from ecsphys.engine.dynamics.joints.joint_blocks import KEEP as KEEP_JOINTS
from ecsphys.engine.dynamics.joints.joint_blocks import PUSH, RUN_AT_ONCE, RUN_END, turn_of
from ecsphys.engine.dynamics.joints.joint_blocks import RELAX as RELAX_JOINTS
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Int64Rows, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar

# Columns of a phase: its kind; its argument; its range, and how many items are taken at once, WHOLE for all.
KIND, TOLD, FIRST, END, AT_ONCE = range(5)
PHASE_COLUMNS = 5
WHOLE = 0

# Kinds: colour contacts; begin with bodies and plan the phases that follow, and with blocks; read contacts; prepare
# blocks; list contacts that may bounce; run blocks of joints, told their phase and turn; bounce, told the substep;
# accelerate bodies, told whether it is the first substep; move bodies; solve blocks, told whether they relax; keep
# impulses.
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
    return FIRST_PLANNED + GROUPS + 4 + joints.run_count + substeps * (2 * GROUPS + 3 + 2 * in_pass)


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
    for group in range(GROUPS):
        start = int(starts[group]) + 0
        end = int(starts[group + 1]) + 0
        if group < COLORS and end - start < _FEW_BLOCKS:
            continue
        _add(phases, kind, told, first, start, WHOLE)
        _add(phases, kind, told, start, end, _BLOCKS_AT_ONCE if group < COLORS else WHOLE)
        first = end


@scalar
def _add_joints(phases: StepPhases, phase: int, turns: int, joints: JointRuns) -> None:
    """Add a phase of joints, run by run."""
    for turn in range(turns):
        first = 0
        for run in range(joints.run_count):
            end = int(joints.runs[run, RUN_END]) + 0
            _add(phases, RUN_JOINTS, turn_of(phase, turn), first, end, int(joints.runs[run, RUN_AT_ONCE]) + 0)
            first = end


@scalar
def plan_phases(phases: StepPhases, starts: Int32s, count: int, linked: int, substeps: int, joints: JointRuns) -> None:
    """Add the phases of a step with so many contacts and ``linked`` bodies, and blocks as their ``starts`` say."""
    state = phases.state
    state[ANY_ELASTIC] = 0
    state[BOUNCING] = 0
    _add(phases, READ, 0, 0, count, _CONTACTS_AT_ONCE)
    # It adds to what bodies begin with: colour by colour.
    _add_blocks(phases, PREPARE, 0, starts)
    _add(phases, LIST_BOUNCES, 0, 0, 1, WHOLE)
    _add_joints(phases, BEGIN_JOINTS, 1, joints)
    for substep in range(substeps):
        # Skipped where nothing may bounce.
        _add(phases, STRIKE, substep, 0, 1, WHOLE)
        _add(phases, ACCELERATE, 1 if substep == 0 else 0, 0, linked, _BODIES_AT_ONCE)
        _add_joints(phases, PUSH, joints.turns, joints)
        _add_blocks(phases, SOLVE, 0, starts)
        _add(phases, MOVE, 0, 0, linked, _BODIES_AT_ONCE)
        _add_joints(phases, RELAX_JOINTS, joints.turns, joints)
        _add_blocks(phases, SOLVE, 1, starts)
    _add(phases, RUN_JOINTS, turn_of(KEEP_JOINTS, 0), 0, joints.blocks, _JOINTS_AT_ONCE)
    state[SHARED_COUNT] = state[PHASE_COUNT]
    _add(phases, KEEP, 0, 0, 1, WHOLE)
