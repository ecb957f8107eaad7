"""How the solver of contacts runs the joints: by the address of their kernel, which only a world with joints loads."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.kernel_calls import call_kernel

# The phases of a step: note which bodies are held; write the joints to their blocks, and let the first substep begin
# with their impulses; solve them with bias; place and solve them relaxing; write the impulses back.
LINK, BEGIN, PUSH, RELAX, KEEP = range(5)

# A phase may be run in parts, by several threads. Then its number has further bits: the turn, counted from 1, of those
# in which a pass solves each joint once; and the first block and that after the last. Gears count as one block after
# the last. Without these bits, all is done, in all turns.
_PHASE_BITS, _TURN_BITS, _BLOCK_BITS = 3, 16, 22
MOST_TURNS = (1 << _TURN_BITS) - 1


class JointCall(NamedTuple):
    """The kernel ``run_joints``, 0 for none, and its arguments: packed bundles by their addresses, and the settings."""

    code: int
    joints: int
    blocks: int
    places: int
    rows: int
    bodies: int
    hertz: float
    damping_ratio: float
    iterations: int


NO_JOINTS = JointCall(0, 0, 0, 0, 0, 0, 0.0, 0.0, 0)


class JointPart(NamedTuple):
    """The part of a phase to do; ``turn`` −1 for all turns."""

    phase: int
    turn: int
    first: int
    end: int


@scalar
def turn_of(phase: int, turn: int) -> int:
    """The number of a phase in one turn, with no blocks yet."""
    return phase | (turn + 1) << _PHASE_BITS


@scalar
def blocks_of(turned: int, first: int, end: int) -> int:
    """The number of :func:`turn_of`, with its blocks."""
    return turned | (first | end << _BLOCK_BITS) << (_PHASE_BITS + _TURN_BITS)


@scalar
def part_of(number: int, count: int) -> JointPart:
    """The meaning of the number of a phase, with ``count`` blocks."""
    turn = number >> _PHASE_BITS & MOST_TURNS
    if turn == 0:
        return JointPart(number, -1, 0, count + 1)
    blocks = number >> (_PHASE_BITS + _TURN_BITS)
    most = (1 << _BLOCK_BITS) - 1
    return JointPart(number & ((1 << _PHASE_BITS) - 1), turn - 1, blocks & most, blocks >> _BLOCK_BITS)


@inlined_scalar
def run_joints_of(called: JointCall, phase: int, h: float) -> None:
    """Run a phase of the joints, if there are any, or the part that its number tells, for substeps of h seconds."""
    if called.code != 0:
        call_kernel(
            called.code,
            (
                called.joints,
                called.blocks,
                called.places,
                called.rows,
                called.bodies,
                called.hertz,
                called.damping_ratio,
                called.iterations,
                phase,
                h,
            ),
        )
