"""The joints of a step: filled into blocks, solved in phases, kept for the next step; and their loads."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, IS_TOUCHED, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_filling import blended, inverse_masses, kept_part
from ecsphys.engine.dynamics.contacts.contact_solving import Spring, rigid, spring
from ecsphys.engine.dynamics.joints import joint_blocks as field
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_blocks import (
    JointAt,
    JointBlocks,
    JointPart,
    JointRoom,
    acts_on_coordinate,
    fields_of,
    put,
    take,
)
from ecsphys.engine.dynamics.joints.joint_order import acts, turns_of
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.joint_solving import Effort, JointPass, effort_for, solve_joints
from ecsphys.engine.kernels import Float64Rows, Int32s, Int64s, index, inlined_scalar, kernel, scalar
from ecsphys.engine.math.lanes import ALL_LANES, LANES

# From this angle in a substep on, a spring is fast. Of one without any damping, the ratio is half of the second.
_FAST = 0.5
_LEAST_DAMPING = 1e-6


@scalar
def asked_for(hertz: float, damping_ratio: float, h: float, stretch: float) -> Spring:
    """A spring that a game has asked for: as ``spring``, but where it is slow beside the substeps, without the damping
    of that, half of hω: its force is that of where it is, not of where it will be (symplectic Euler). Some of what it
    moves may swing so many times faster, by ``stretch``."""
    omega = 2.0 * math.pi * hertz
    if h * omega * stretch > _FAST:
        return spring(hertz, damping_ratio, h)
    a = max(2.0 * damping_ratio, _LEAST_DAMPING)
    c = h * omega * a
    return Spring(omega / a, c / (1.0 + c), 1.0 / (1.0 + c))


@scalar
def fill_joints(joints: JointRows, rows: BodyRows, room: JointRoom, part: JointPart, how: JointPass) -> None:
    """Write the joints of a part to their places in the blocks, where bodies have not moved yet.

    Those whose bodies sleep keep their impulses and their totals.
    """
    blocks = room.blocks
    block_count = int(room.places.counts[field.BLOCK_COUNT]) + 0
    for block in range(part.first, min(part.end, block_count)):
        for lane in range(LANES):
            j = int(blocks.members[block, lane]) + 0
            if j >= 0:
                _fill_joint(j, block, lane, joints, rows, blocks, how)
            else:
                for name in range(fields_of(int(blocks.kinds[block]))):
                    blocks.numbers[0, int(blocks.firsts[block]) + name, lane] = 0.0
    if part.end <= block_count:
        return
    for j in range(int(room.places.counts[field.FIRST_GEAR]), int(joints.kinds.shape[0])):
        if acts(j, joints, rows):
            joints.totals[j, row.TOTAL_TURN] = 0.0


@inlined_scalar
def _fill_joint(
    j: int, block: int, lane: int, joints: JointRows, rows: BodyRows, blocks: JointBlocks, how: JointPass
) -> None:
    settings = joints.settings
    impulses = joints.impulses
    starts = joints.starts
    kind = int(blocks.kinds[block]) + 0
    at = JointAt(blocks.numbers, int(blocks.firsts[block]) + 0, lane)
    a = int(joints.ends[j, row.BODY_A]) + 0
    b = int(joints.ends[j, row.BODY_B]) + 0
    for k in range(6):
        put(at, field.START_AX + k, starts[j, row.START_AX + k])
    for k in range(2):
        put(at, field.POINT_X + k, how.h * impulses[j, row.POINT_X + k])
    put(at, field.INERTIA_A, rows.bodies[a, INVERSE_INERTIA])
    put(at, field.INERTIA_B, rows.bodies[b, INVERSE_INERTIA])
    for k in range(3):
        put(at, field.TOTAL_X + k, 0.0)
    fields = fields_of(kind)
    if fields == field.HINGE_FIELDS:
        return
    put(at, field.START_ANGLE, starts[j, row.START_ANGLE])
    # A part that the joint has no more leaves no impulse behind.
    put(at, field.LOCK, how.h * impulses[j, row.LOCK] if kind & row.HAS_LOCK else 0.0)
    if kind & row.HAS_LOCK:
        soft = effort_for(kind, how).spring
        if kind & row.IS_SOFT_LOCK:
            soft = asked_for(settings[j, row.LOCK_HERTZ], settings[j, row.LOCK_DAMPING], how.h, 1.0)
        put(at, field.LOCK_MOST, settings[j, row.LOCK_MOST] * how.h)
        put(at, field.LOCK_RATE, soft.rate)
        put(at, field.LOCK_MASS, soft.mass)
        put(at, field.LOCK_IMPULSE, soft.impulse)
    has_spring = bool(kind & (row.HAS_SPRING | row.IS_ROD))
    put(at, field.SPRING, how.h * impulses[j, row.SPRING] if has_spring else 0.0)
    put(at, field.MOTOR, how.h * impulses[j, row.MOTOR] if kind & row.HAS_MOTOR else 0.0)
    put(at, field.LOWER_LIMIT, how.h * impulses[j, row.LOWER_LIMIT] if kind & row.HAS_LIMITS else 0.0)
    put(at, field.UPPER_LIMIT, how.h * impulses[j, row.UPPER_LIMIT] if kind & row.HAS_LIMITS else 0.0)
    put(at, field.MOTOR_SPEED, settings[j, row.MOTOR_SPEED])
    put(at, field.MOTOR_MOST, settings[j, row.MOTOR_MOST] * how.h)
    # Of an angle; a slide's are written when it is placed.
    put(at, field.DIRECTION_X, 0.0)
    put(at, field.DIRECTION_Y, 0.0)
    put(at, field.LEVER_A, 1.0)
    put(at, field.LEVER_B, 1.0)
    if acts_on_coordinate(kind):
        put(at, field.LOWER, settings[j, row.LOWER])
        put(at, field.UPPER, settings[j, row.UPPER])
        put(at, field.REST, settings[j, row.REST])
        if kind & row.HAS_SPRING:
            soft = asked_for(settings[j, row.SPRING_HERTZ], settings[j, row.SPRING_DAMPING], how.h, 1.0)
            put(at, field.SPRING_RATE, soft.rate)
            put(at, field.SPRING_MASS, soft.mass)
            put(at, field.SPRING_IMPULSE, soft.impulse)
    if fields == field.TURNING_FIELDS:
        return
    put(at, field.START_AXIS_X, starts[j, row.START_AXIS_X])
    put(at, field.START_AXIS_Y, starts[j, row.START_AXIS_Y])
    put(at, field.TURNED_X, 0.0)
    put(at, field.TURNED_Y, 0.0)
    put(at, field.POINT_MOST, settings[j, row.POINT_MOST] * how.h)
    if kind & row.IS_SOFT_POINT:
        _fill_soft_point(j, at, joints, rows, how.h)
    if kind & field.HAS_LOCKED_BODY:
        mass_a = inverse_masses(a, False, rows)
        mass_b = inverse_masses(b, False, rows)
        put(at, field.MASS_AX, mass_a.x)
        put(at, field.MASS_AY, mass_a.y)
        put(at, field.MASS_BX, mass_b.x)
        put(at, field.MASS_BY, mass_b.y)


@scalar
def _squared(x: float, y: float) -> float:
    return x * x + y * y


@inlined_scalar
def _fill_soft_point(j: int, at: JointAt, joints: JointRows, rows: BodyRows, h: float) -> None:
    """The spring of a soft point: as stiff in all directions, by what bodies weigh that it does not turn.

    Were it as stiff in each direction as its frequency says there, it would be weak across an arm and strong along it,
    and turn with that: no potential has such a force, and what swings in it gains energy.
    """
    starts = joints.starts
    mass_a = inverse_masses(int(joints.ends[j, row.BODY_A]) + 0, False, rows)
    mass_b = inverse_masses(int(joints.ends[j, row.BODY_B]) + 0, False, rows)
    apart = _squared(starts[j, row.START_X], starts[j, row.START_Y])
    arm_a = _squared(starts[j, row.START_AX], starts[j, row.START_AY]) + apart
    arm_b = _squared(starts[j, row.START_BX], starts[j, row.START_BY]) + apart
    straight = max(mass_a.x + mass_b.x, mass_a.y + mass_b.y)
    turning = mass_a.inertia * arm_a + mass_b.inertia * arm_b
    answer = straight if straight > 0.0 else turning
    stretch = math.sqrt((straight + turning) / answer) if answer > 0.0 else 1.0
    soft = asked_for(joints.settings[j, row.POINT_HERTZ], joints.settings[j, row.POINT_DAMPING], h, stretch)
    put(at, field.POINT_RATE, soft.rate)
    # A spring of the answer K to impulses has the mass factor K / (K + give).
    put(at, field.POINT_GIVE, answer * soft.impulse / soft.mass)


@scalar
def keep_joints(joints: JointRows, room: JointRoom, part: JointPart, h: float, share: float) -> None:
    """Write impulses of substeps of h seconds back to the rows as forces, times a ``share``, and totals."""
    blocks = room.blocks
    impulses = joints.impulses
    rate = 1.0 / h
    for block in range(part.first, min(part.end, int(room.places.counts[field.BLOCK_COUNT]))):
        kind = int(blocks.kinds[block]) + 0
        if kind & field.IS_PASSIVE:
            continue
        fields = fields_of(kind)
        for lane in range(LANES):
            j = int(blocks.members[block, lane]) + 0
            if j < 0:
                break
            at = JointAt(blocks.numbers, int(blocks.firsts[block]) + 0, lane)
            for k in range(2):
                impulses[j, row.POINT_X + k] = blended(
                    impulses[j, row.POINT_X + k], rate * take(at, field.POINT_X + k), share
                )
            for k in range(3):
                joints.totals[j, row.TOTAL_X + k] = take(at, field.TOTAL_X + k)
            has_more = fields > field.HINGE_FIELDS
            for k in range(4):
                now = rate * take(at, field.SPRING + k) if has_more else 0.0
                impulses[j, row.SPRING + k] = blended(impulses[j, row.SPRING + k], now, share)
            now = rate * take(at, field.LOCK) if has_more else 0.0
            impulses[j, row.LOCK] = blended(impulses[j, row.LOCK], now, share)


# Joints are no stiffer than this part of the substep rate, times the root of how often they are solved, up to the
# double: a chain that is stiffer than one pass can carry never comes to rest.
_STIFFEST = 0.25
_MOST_STIFFENING = 4.0

# Loaded joints are as stiff as parts that are solved less often: at stiffer ones, heavy bodies whose joints pull
# against each other throw light ones about, at 2e5.
_LOADED_STIFFENING = 1.5


@kernel
def run_joints(
    joints: JointRows, room: JointRoom, rows: BodyRows, bodies: BodyRoom, how: JointSettings, part: JointPart, h: float
) -> None:
    """A part of a phase of a step with joints, of substeps of h seconds. :func:`measure_joints` has measured them, and
    ``order_joints`` given them places.

    In the end joints keep the impulses that the next step begins with, and have their totals over the substeps.
    """
    run_phase(joints, room, rows, bodies, how, part, h, ALL_LANES)


@scalar
def run_phase(
    joints: JointRows,
    room: JointRoom,
    rows: BodyRows,
    bodies: BodyRoom,
    how: JointSettings,
    part: JointPart,
    h: float,
    lane: int | None,
) -> None:
    """What :func:`run_joints` does: joints of a block in ALL_LANES at once, else one after the other."""
    if part.phase == field.LINK:
        # Bodies that joints hold move by substeps.
        for j in range(joints.kinds.shape[0]):
            if joints.kinds[j] & row.IS_GEAR == 0:
                for side in range(2):
                    bodies.links[int(joints.ends[j, row.BODY_A + side]) + 0] |= IS_TOUCHED
        return
    if part.phase == field.KEEP:
        keep_joints(joints, room, part, h, kept_part(h))
        return
    is_first = part.phase == field.BEGIN
    relaxes = part.phase == field.RELAX
    stiff = _spring_of(how, float(how.iterations), h)
    loaded = _spring_of(how, max(float(how.iterations), _LOADED_STIFFENING), h)
    plain = Effort(rigid() if relaxes else stiff, 1 if is_first else how.iterations)
    if_loaded = Effort(rigid() if relaxes else loaded, 1 if is_first else turns_of(how.iterations, True))
    passed = JointPass(plain, if_loaded, h, 1.0 / h, is_first, relaxes)
    if is_first:
        fill_joints(joints, rows, room, part, passed)
    solve_joints(joints, rows, bodies, room, part, passed, lane)


@inlined_scalar
def _spring_of(how: JointSettings, iterations: float, h: float) -> Spring:
    """The spring of joints that are solved so often in each pass, and are as stiff as can be."""
    hertz = min(how.hertz, _STIFFEST * math.sqrt(min(iterations, _MOST_STIFFENING)) / h)
    return spring(hertz, how.damping_ratio, h)


@kernel
def hand_out_loads(totals: Float64Rows, dt: float, places: Int64s, rows: Int32s, loads: Float64Rows) -> None:
    """Write force and torque of the joints at some ``places`` (k,) to the ``rows`` (k,) of their class.

    ``totals`` (joints, 3) are the impulses over the step of ``dt`` seconds, ``loads`` (rows, 3) of a class.
    """
    for k in range(places.shape[0]):
        place = index(places[k])
        own = index(rows[k])
        for axis in range(3):
            loads[own, axis] = totals[place, axis] / dt
