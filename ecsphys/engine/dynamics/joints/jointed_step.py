"""The kernels of joints: where they are at the start of a step, what they wake, and a step of the solver with them."""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, INVERSE_MASS, OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.dynamics.contact_blocks import ContactRows
from ecsphys.engine.dynamics.contact_filling import Surroundings
from ecsphys.engine.dynamics.joints.joint_blocks import JointRoom
from ecsphys.engine.dynamics.joints.joint_measuring import measure_joint
from ecsphys.engine.dynamics.joints.joint_rows import (
    BODY_A,
    BODY_B,
    IS_GEAR,
    WAS_ASLEEP,
    JointRows,
    JointSettings,
)
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates, wake_islands
from ecsphys.engine.dynamics.solver import Jointed, SolverRoom, SolverSettings, advance
from ecsphys.engine.kernels.array_types import Float64Rows, Uint8s
from ecsphys.engine.kernels.compilation import COMPILES, inlined_scalar, kernel
from ecsphys.engine.vectors.lanes import ALL_LANES


@kernel
def solve_jointed_step(
    contacts: ContactRows,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: SolverRoom,
    settings: SolverSettings,
    joints: JointRows,
    joint_room: JointRoom,
    how: JointSettings,
) -> None:
    """``solve_step`` with joints, which :func:`measure_joints` has measured, and ``order_joints`` given places; they
    keep the impulses that the next step begins with, and have their totals over the substeps."""
    jointed = Jointed(joints, joint_room, how)
    if COMPILES:
        advance(contacts, count, rows, body_count, around, room, settings, ALL_LANES, jointed)
    else:
        advance(contacts, count, rows, body_count, around, room, settings, 0, jointed)


@inlined_scalar
def _moves(b: int, kind: Uint8s, rows: BodyRows) -> bool:
    """Whether a body that does not sleep is one of which what hangs on it has to wake."""
    bodies = rows.bodies
    return bool(
        (kind[b] == DYNAMIC) & ((bodies[b, INVERSE_MASS] > 0.0) | (bodies[b, INVERSE_INERTIA] > 0.0))
        | (bodies[b, VX] != 0.0)
        | (bodies[b, VY] != 0.0)
        | (bodies[b, OMEGA] != 0.0)
    )


@kernel
def measure_joints(
    joints: JointRows, rows: BodyRows, kind: Uint8s, transform: Float64Rows, shift: float, states: SleepStates
) -> int:
    """Write where joints are at the start of a step, and wake the islands whose joints are elsewhere than they were, or
    at a body that moves or was changed; returns how many bodies woke.

    ``kind`` (bodies,) is what each body is. Of what has moved on to the step's end, ``shift`` seconds are taken back.
    """
    any_woken = False
    for j in range(joints.kinds.shape[0]):
        has_moved = measure_joint(j, joints, rows, transform, shift)
        if joints.kinds[j] & IS_GEAR:
            continue
        sleeps = False
        for side in range(2):
            b = int(joints.ends[j, BODY_A + side]) + 0
            other = int(joints.ends[j, BODY_B - side]) + 0
            island = states.island[b]
            if island == AWAKE:
                continue
            sleeps = True
            moves = states.island[other] == AWAKE and (_moves(other, kind, rows) or states.is_changed[other] != 0)
            if moves or (has_moved and joints.starts[j, WAS_ASLEEP] != 0.0):
                states.is_woken[island] = 1
                any_woken = True
        joints.starts[j, WAS_ASLEEP] = 1.0 if sleeps else 0.0
    return wake_islands(states) if any_woken else 0
