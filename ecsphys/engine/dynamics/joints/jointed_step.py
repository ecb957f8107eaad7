"""The kernels of joints: their places at the start of a step, the bodies that they wake, their part in the solver's
step, and their loads."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, INVERSE_MASS, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.dynamics.contacts.contact_filling import kept_part
from ecsphys.engine.dynamics.contacts.contact_solving import Spring, rigid, spring
from ecsphys.engine.dynamics.joints.joint_blocks import BLOCK_COUNT, JointBlocks, JointPlaces, JointRoom
from ecsphys.engine.dynamics.joints.joint_call import BEGIN, KEEP, LINK, RELAX, part_of
from ecsphys.engine.dynamics.joints.joint_filling import Substeps, fill_joints, keep_joints, link_joints
from ecsphys.engine.dynamics.joints.joint_measuring import measure_joint
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B, IS_GEAR, WAS_ASLEEP, JointRows, JointSettings
from ecsphys.engine.dynamics.joints.joint_solving import Effort, JointPass, solve_joints
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates, wake_islands
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.kernels.compilation import COMPILES, inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import ALL_LANES

# Joints are no stiffer than this part of the substep rate, times the root of how often they are solved, up to the
# double: a chain that is stiffer than one pass can carry never comes to rest.
_STIFFEST = 0.25
_MOST_STIFFENING = 4.0

# Loaded joints are solved at least so often in each pass: with 4, a few of a hundred random links of 1 : 1000 tear
# further than Box2D's. They are as stiff as parts that are solved less often: at stiffer ones, heavy bodies whose
# joints pull against each other throw light ones about, at 2e5.
_LOADED_ITERATIONS = 8
_LOADED_STIFFENING = 1.5


@kernel
def run_joints(
    joints: JointRows,
    blocks: JointBlocks,
    places: JointPlaces,
    rows: BodyRows,
    bodies: BodyRoom,
    hertz: float,
    damping_ratio: float,
    iterations: int,
    phase: int,
    h: float,
) -> None:
    """One phase of a step with joints, of substeps of h seconds. :func:`measure_joints` has measured them, and
    ``order_joints`` given them places.

    ``phase`` may tell a part, see ``joint_call``. In the end joints keep the impulses that the next step begins with,
    and have their totals over the substeps.
    """
    how = JointSettings(hertz, damping_ratio, iterations)
    if COMPILES:
        run_phase(joints, JointRoom(blocks, places), rows, bodies, how, phase, h, ALL_LANES)
    else:
        run_phase(joints, JointRoom(blocks, places), rows, bodies, how, phase, h, 0)


@scalar
def run_phase(
    joints: JointRows,
    room: JointRoom,
    rows: BodyRows,
    bodies: BodyRoom,
    how: JointSettings,
    phase: int,
    h: float,
    lane: int | None,
) -> None:
    """What :func:`run_joints` does: joints of a block in ALL_LANES at once, else one after the other."""
    part = part_of(phase, int(room.places.counts[BLOCK_COUNT]) + 0)
    stiff = _spring_of(how, float(how.iterations), h)
    loaded = _spring_of(how, max(float(how.iterations), _LOADED_STIFFENING), h)
    if part.phase == LINK:
        link_joints(joints, bodies)
        return
    if part.phase == KEEP:
        keep_joints(joints, room, part, h, kept_part(h))
        return
    if part.phase == BEGIN:
        fill_joints(joints, rows, room, part, Substeps(h, stiff, loaded))
    once = part.phase == BEGIN
    relaxes = part.phase == RELAX
    how_often = Effort(rigid() if relaxes else stiff, 1 if once else how.iterations)
    if_loaded = Effort(rigid() if relaxes else loaded, 1 if once else turns_of(how.iterations, True))
    solve_joints(joints, rows, bodies, room, part, JointPass(how_often, if_loaded, 1.0 / h, once, relaxes), lane)


@scalar
def turns_of(iterations: int, is_loaded: bool) -> int:
    """How often a pass solves joints."""
    return max(iterations, _LOADED_ITERATIONS) if is_loaded else iterations


@inlined_scalar
def _spring_of(how: JointSettings, iterations: float, h: float) -> Spring:
    """The spring of joints that are solved so often in each pass, and are as stiff as can be."""
    hertz = min(how.hertz, _STIFFEST * math.sqrt(min(iterations, _MOST_STIFFENING)) / h)
    return spring(hertz, how.damping_ratio, h)


@inlined_scalar
def _moves(b: int, kind: Uint8s, rows: BodyRows) -> bool:
    """Whether bodies that hang on a body which does not sleep have to wake."""
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

    ``kind`` (bodies,) is the kind of each body. Motion on to the step's end is taken back by ``shift`` seconds.
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


@kernel
def hand_out_loads(totals: Float64Rows, dt: float, places: Int64s, rows: Int32s, loads: Float64Rows) -> None:
    """Write force and torque of the joints at some ``places`` (k,) to the ``rows`` (k,) of their class.

    ``totals`` (joints, 3) are the impulses over the step of ``dt`` seconds, ``loads`` (rows, 3) of a class.
    """
    for k in range(places.shape[0]):
        place = index(places[k])
        row = index(rows[k])
        for axis in range(3):
            loads[row, axis] = totals[place, axis] / dt
