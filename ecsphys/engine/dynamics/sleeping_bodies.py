"""Sleep: groups of bodies that rest together are not computed until something acts on them.

An *island* is a group of dynamic bodies in contact, directly or through others. It falls asleep as a whole when all of
it has been slow for a while, and wakes as a whole.

Invariant: two dynamic bodies with a contact are both awake or both asleep. A contact is there before surfaces touch, as
soon as they are nearer than the solver's margin. So the solver never takes a sleeper for a wall that another body could
push: a strike has the same result, to the last bit, whether the struck body sleeps or not.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import body_state
from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, INVERSE_MASS, OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.dynamics.body_state import AWAKE, SleepStates, StepBodies
from ecsphys.engine.hits.contact_table import NORMAL_TOTAL, RUN_END, RUN_FIRST, ContactTable, RestingContacts
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows, Int32s, Uint8s
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.motion.euler_motion import ANGLE, X, Y
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


class SleepSettings(NamedTuple):
    """The speed below which a body is slow, in units/s; for how long it has to be, in seconds."""

    speed: float
    patience: float


@inlined_scalar
def _is_stirred(b: int, pressing: Int32s, of: StepBodies, velocity: Float64Rows) -> bool:
    """Whether a body sleeps that the game has given a velocity, or on which fewer contacts press than it fell asleep
    with."""
    v = index(max(int(of.listed.rows[VELOCITY, b]), 0))
    moves = (velocity[X, v] != 0.0) | (velocity[Y, v] != 0.0) | (velocity[ANGLE, v] != 0.0)
    return bool((of.states.island[b] != AWAKE) & ((pressing[b] < of.states.touching[b]) | moves))


@inlined_scalar
def _is_pushed(b: int, of: StepBodies) -> bool:
    """Whether a body sleeps that the game pushes."""
    forces = of.listed.forces
    pushed = (
        (forces[b, body_state.FORCE_X] != 0.0)
        | (forces[b, body_state.FORCE_Y] != 0.0)
        | (forces[b, body_state.TORQUE] != 0.0)
    )
    return bool((of.states.island[b] != AWAKE) & pushed)


@inlined_scalar
def _is_acted_on(b: int, of: StepBodies, blocks: body_state.BodyBlocks, gravity: body_state.WorldGravity) -> bool:
    """Whether the game has given a body that sleeps forces other than those it fell asleep with."""
    listed, forces = of.listed, blocks.forces
    t = listed.rows[TRANSFORM, b]
    x, y = blocks.transform[X, t], blocks.transform[Y, t]
    ax, ay, angular = body_state.constant_accelerations(b, forces, listed, gravity)
    field_x, field_y = body_state.field_accelerations(b, x, y, 0.0, 0.0, forces, listed)
    ax += field_x
    ay += field_y
    known = of.states.accelerations
    if math.isnan(known[b, 0]):
        # The first look since it fell asleep.
        known[b, 0] = ax
        known[b, 1] = ay
        known[b, 2] = angular
        for k in range(3):
            if listed.forces[b, k] != 0.0:
                return True
    return bool((ax != known[b, 0]) | (ay != known[b, 1]) | (angular != known[b, 2]))


@inlined_scalar
def _meets(k: int, moving: int, sign: float, table: ContactTable, bodies: BodyRows, dt: float) -> bool:
    """Whether a kinematic body touches a sleeper by contact k, or will within two steps. Its motion along the normal
    times ``sign`` brings it nearer.

    Contacts act a substep before surfaces meet, and there may be a single one.
    """
    if table.hits.is_near[k] == 0:
        return True
    row = bodies.bodies
    x = table.points.positions[k, 0] - bodies.centers[moving, 0]
    y = table.points.positions[k, 1] - bodies.centers[moving, 1]
    omega = row[moving, OMEGA]
    vx = row[moving, VX] - omega * y
    vy = row[moving, VY] + omega * x
    # A second point is as far from the first as the shapes are long there.
    aside = 0.0
    if table.points.features[k, 1] != NO_FEATURE:
        aside = abs(omega) * hypot(
            table.points.positions[k, 2] - table.points.positions[k, 0],
            table.points.positions[k, 3] - table.points.positions[k, 1],
        )
    closing = sign * (vx * table.hits.normal[k, 0] + vy * table.hits.normal[k, 1]) + aside
    return bool(-table.hits.depth[k] <= 2.0 * closing * dt)


@inlined_scalar
def _wakes(
    k: int,
    slot: int,
    sleeper: int,
    sign: float,
    table: ContactTable,
    of: StepBodies,
    absence: Uint8s,
    moved: Uint8s,
    dt: float,
) -> bool:
    """Whether a collider wakes the body of a sleeper by contact k.

    It does if either has moved or changed, if its own body is dynamic and awake, or if that is kinematic and meets the
    sleeper. A collider without a body pushes nothing, so it wakes nothing, neither by its motion nor when it goes.
    """
    if moved[sleeper] != 0:
        return True
    if absence[slot] != PRESENT:
        return bool(table.points.totals[k, NORMAL_TOTAL] > 0.0)
    body = int(of.body_of[slot]) + 0
    if body < 0:
        return False
    body = index(body)
    if moved[slot] != 0 or of.states.is_changed[body] != 0:
        return True
    if of.states.island[body] != AWAKE:
        return False
    if of.listed.kind[body] == DYNAMIC:
        return True
    return _is_moving(body, of.rows) and _meets(k, body, sign, table, of.rows, dt)


@kernel
def wake_bodies(
    of: StepBodies,
    blocks: body_state.BodyBlocks,
    gravity: body_state.WorldGravity,
    table: ContactTable,
    count: int,
    resting: RestingContacts,
    absence: Uint8s,
    moved: Uint8s,
    may_accelerate: bool,
    dt: float,
) -> int:
    """Wake the islands that something acts on; returns how many bodies woke.

    That is: the game, by a velocity or by other forces; a dynamic body that is awake and in contact with them; a
    kinematic one that moves, and touches them or will within the step; what moved or changed where they touched it; and
    that a contact is gone which pressed on them, for whatever reason. Bodies in contact with them wake with them.

    ``absence``: why colliders are absent, by their slots; ``moved``: whether they have moved or changed since contacts
    were found. ``may_accelerate``: anything but the game's pushes may accelerate what sleeps otherwise than when it was
    looked at last.
    """
    body_of, states = of.body_of, of.states
    island = states.island
    asleep = 0
    for b in range(island.shape[0]):
        asleep += island[b] != AWAKE
    if asleep == 0:
        return 0
    any_woken = False
    pressing = states.parents
    knows_resting = resting.runs.shape[0] > 0
    for b in range(island.shape[0]):
        pressing[b] = resting.pressing[b] if knows_resting else 0
    run = 0
    k = -1
    while k + 1 < count:
        k += 1
        if run < resting.runs.shape[0] and resting.runs[run, RUN_FIRST] == k:
            k = int(resting.runs[run, RUN_END]) - 1
            run += 1
            continue
        first = index(table.hits.pairs[k, 0])
        second = index(table.hits.pairs[k, 1])
        a = int(body_of[first]) + 0
        b = int(body_of[second]) + 0
        if a >= 0 and b >= 0 and a != b and table.points.totals[k, NORMAL_TOTAL] > 0.0:
            pressing[index(a)] += 1
            pressing[index(b)] += 1
        sleeps = a >= 0 and island[index(a)] != AWAKE
        if sleeps and _wakes(k, second, first, -1.0, table, of, absence, moved, dt):
            states.is_woken[island[index(a)]] = 1
            any_woken = True
        sleeps = b >= 0 and island[index(b)] != AWAKE
        if sleeps and _wakes(k, first, second, 1.0, table, of, absence, moved, dt):
            states.is_woken[island[index(b)]] = 1
            any_woken = True
    # Most steps need no more than this look without a branch. Pushes do not last: in the last look there were none.
    restless = 0
    for b in range(island.shape[0]):
        restless += _is_stirred(b, pressing, of, blocks.forces.velocity) | _is_pushed(b, of)
    if restless > 0 or may_accelerate:
        for b in range(island.shape[0]):
            if island[b] != AWAKE and (
                _is_stirred(b, pressing, of, blocks.forces.velocity) or _is_acted_on(b, of, blocks, gravity)
            ):
                states.is_woken[island[b]] = 1
                any_woken = True
    if not any_woken:
        return 0
    _wake_those_in_contact(of, table, count)
    return wake_islands(states)


@scalar
def _wake_those_in_contact(of: StepBodies, table: ContactTable, count: int) -> None:
    """Mark the islands that are in contact with an island that must wake, until no more are found.

    Bodies that fell asleep at different times, or that the game put to sleep, have islands of their own.
    """
    listed, body_of = of.listed, of.body_of
    island = of.states.island
    is_woken = of.states.is_woken
    goes_on = True
    while goes_on:
        goes_on = False
        for k in range(index(count)):
            a = int(body_of[index(table.hits.pairs[k, 0])]) + 0
            b = int(body_of[index(table.hits.pairs[k, 1])]) + 0
            if a < 0 or b < 0:
                continue
            a = index(a)
            b = index(b)
            if island[a] == AWAKE or island[b] == AWAKE or listed.kind[a] != DYNAMIC or listed.kind[b] != DYNAMIC:
                continue
            if is_woken[island[a]] != is_woken[island[b]]:
                is_woken[island[a]] = 1
                is_woken[island[b]] = 1
                goes_on = True


@scalar
def wake_islands(states: SleepStates) -> int:
    """Wake the bodies of the islands that are to wake; returns how many they are."""
    woken = 0
    for b in range(states.island.shape[0]):
        island = states.island[b]
        if island != AWAKE and states.is_woken[island] != 0:
            states.island[b] = AWAKE
            states.slow_for[b] = 0.0
            woken += 1
    for b in range(states.is_woken.shape[0]):
        states.is_woken[b] = 0
    return woken


@scalar
def group_of(b: int, parents: Int32s) -> int:
    """The body that names the group of body b; paths are halved on the way."""
    while parents[b] != b:
        parents[b] = parents[parents[b]]
        b = int(parents[b]) + 0
    return b


@scalar
def note_slowness(of: StepBodies, which: Int32Rows, settings: SleepSettings, dt: float) -> bool:
    """Note how long each of some bodies has been slow after a step, in runs (k, 2) of rows, among which all are that
    are awake; returns whether any has been for long enough to sleep."""
    listed, states, row = of.listed, of.states, of.rows.bodies
    slow = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != DYNAMIC or states.island[b] != AWAKE:
                continue
            vx = row[b, VX]
            vy = row[b, VY]
            # The speed of a point at the radius of gyration.
            inverse = row[b, INVERSE_INERTIA]
            turning = 0.0
            if inverse > 0.0:
                turning = row[b, OMEGA] * row[b, OMEGA] * row[b, INVERSE_MASS] / inverse
            is_slow = vx * vx + vy * vy + turning < settings.speed * settings.speed and of.may_sleep[b] != 0
            states.slow_for[b] = states.slow_for[b] + dt if is_slow else 0.0
            slow += states.slow_for[b] >= settings.patience
    for b in range(states.is_changed.shape[0]):
        states.is_changed[b] = 0
    return slow > 0


@scalar
def fall_asleep(of: StepBodies, table: ContactTable, count: int, settings: SleepSettings, velocity: Float64Rows) -> int:
    """Let islands sleep that have been slow for long enough.

    Dynamic bodies in contact sleep together only. A kinematic body that moves keeps those awake that overlap it, or
    that pushed it in this step. Bodies that fall asleep get no velocity; returns their number.
    """
    listed, states, body_of = of.listed, of.states, of.body_of
    parents = states.parents
    touching = states.touching
    for b in range(listed.kind.shape[0]):
        parents[b] = b
        if states.island[b] == AWAKE:
            touching[b] = 0
    for k in range(index(count)):
        a = int(body_of[index(table.hits.pairs[k, 0])]) + 0
        b = int(body_of[index(table.hits.pairs[k, 1])]) + 0
        if a < 0 or b < 0 or a == b:
            continue
        a = index(a)
        b = index(b)
        if table.points.totals[k, NORMAL_TOTAL] > 0.0:
            touching[a] += states.island[a] == AWAKE
            touching[b] += states.island[b] == AWAKE
        is_touching = bool(table.hits.depth[k] > 0.0 or table.points.totals[k, NORMAL_TOTAL] > 0.0)
        _link(a, b, is_touching, of)
    for k in range(states.joined.shape[0]):
        _link(int(states.joined[k, 0]) + 0, int(states.joined[k, 1]) + 0, True, of)
    # An island is as restless as its most restless body; is_woken marks islands that stay awake.
    for b in range(listed.kind.shape[0]):
        if listed.kind[b] == DYNAMIC and states.island[b] == AWAKE and states.slow_for[b] < settings.patience:
            states.is_woken[group_of(b, parents)] = 1
    asleep = 0
    for b in range(listed.kind.shape[0]):
        if listed.kind[b] != DYNAMIC or states.island[b] != AWAKE:
            continue
        root = group_of(b, parents)
        if states.is_woken[root] == 0:
            states.island[b] = root
            states.accelerations[b, 0] = math.nan
            v = listed.rows[VELOCITY, b]
            velocity[X, v] = 0.0
            velocity[Y, v] = 0.0
            velocity[ANGLE, v] = 0.0
            asleep += 1
    for b in range(listed.kind.shape[0]):
        states.is_woken[b] = 0
    return asleep


@inlined_scalar
def _link(a: int, b: int, is_touching: bool, of: StepBodies) -> None:
    """Let two bodies sleep together only, and neither while the other, which it touches, moves by something else than
    pushes."""
    parents, slow_for = of.states.parents, of.states.slow_for
    is_dynamic_a = of.listed.kind[a] == DYNAMIC
    is_dynamic_b = of.listed.kind[b] == DYNAMIC
    if is_dynamic_a and is_dynamic_b:
        parents[group_of(a, parents)] = group_of(b, parents)
    elif is_touching and is_dynamic_a and _is_moving(b, of.rows):
        slow_for[a] = 0.0
    elif is_touching and is_dynamic_b and _is_moving(a, of.rows):
        slow_for[b] = 0.0


@inlined_scalar
def _is_moving(b: int, bodies: BodyRows) -> bool:
    row = bodies.bodies
    return bool((row[b, VX] != 0.0) | (row[b, VY] != 0.0) | (row[b, OMEGA] != 0.0))
