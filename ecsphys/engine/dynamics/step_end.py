"""The end of a step of bodies, and their sleep.

After a step, places and velocities go back to the components, and bodies are marked that moved so far that they may
have passed through something. Groups of bodies that rest together then fall asleep: they are not computed until
something acts on them.

An *island* is a group of dynamic bodies in contact, directly or through others. It falls asleep as a whole when all of
it has been slow for a while, and wakes as a whole.

Invariant: two dynamic bodies with a contact are both awake or both asleep. A contact is there before surfaces touch, as
soon as they are nearer than the solver's margin. So the solver never takes a sleeper for a wall that another body could
push: a strike has the same result, to the last bit, whether the struck body sleeps or not.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.hits.contact_table import NORMAL_TOTAL, RUN_END, RUN_FIRST, ContactTable, RestingContacts
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows, Int32s, Uint8s
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.engine.motion.euler_motion import ANGLE, X, Y
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


class SleepSettings(NamedTuple):
    """The speed below which a body is slow, in units/s; for how long it has to be, in seconds."""

    speed: float
    patience: float


@inlined_scalar
def _is_stirred(b: int, pressing: Int32s, of: body.StepBodies, velocity: Float64Rows) -> bool:
    """Whether a body sleeps that the game has given a velocity, or on which fewer contacts press than it fell asleep
    with."""
    v = index(max(int(of.listed.rows[VELOCITY, b]), 0))
    moves = (velocity[X, v] != 0.0) | (velocity[Y, v] != 0.0) | (velocity[ANGLE, v] != 0.0)
    return bool((of.states.island[b] != body.AWAKE) & ((pressing[b] < of.states.touching[b]) | moves))


@inlined_scalar
def _is_pushed(b: int, of: body.StepBodies) -> bool:
    """Whether a body sleeps that the game pushes."""
    forces = of.listed.forces
    pushed = (forces[b, body.FORCE_X] != 0.0) | (forces[b, body.FORCE_Y] != 0.0) | (forces[b, body.TORQUE] != 0.0)
    return bool((of.states.island[b] != body.AWAKE) & pushed)


@inlined_scalar
def _is_acted_on(b: int, of: body.StepBodies, blocks: body.BodyBlocks, gravity: body.WorldGravity) -> bool:
    """Whether the game has given a body that sleeps forces other than those it fell asleep with."""
    listed, forces = of.listed, blocks.forces
    t = listed.rows[TRANSFORM, b]
    x, y = blocks.transform[X, t], blocks.transform[Y, t]
    ax, ay, angular = body.constant_accelerations(b, forces, listed, gravity)
    field_x, field_y = body.field_accelerations(b, x, y, 0.0, 0.0, forces, listed)
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
def _meets(k: int, moving: int, sign: float, table: ContactTable, bodies: body.BodyRows, dt: float) -> bool:
    """Whether a kinematic body touches a sleeper by contact k, or will within two steps. Its motion along the normal
    times ``sign`` brings it nearer.

    Contacts act a substep before surfaces meet, and there may be a single one.
    """
    if table.hits.is_near[k] == 0:
        return True
    row = bodies.bodies
    x = table.points.positions[k, 0] - bodies.centers[moving, 0]
    y = table.points.positions[k, 1] - bodies.centers[moving, 1]
    omega = row[moving, body.OMEGA]
    vx = row[moving, body.VX] - omega * y
    vy = row[moving, body.VY] + omega * x
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
    of: body.StepBodies,
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
    own = int(of.body_of[slot]) + 0
    if own < 0:
        return False
    own = index(own)
    if moved[slot] != 0 or of.states.is_changed[own] != 0:
        return True
    if of.states.island[own] != body.AWAKE:
        return False
    if of.listed.kind[own] == body.DYNAMIC:
        return True
    return _is_moving(own, of.rows) and _meets(k, own, sign, table, of.rows, dt)


@kernel
def wake_bodies(
    of: body.StepBodies,
    blocks: body.BodyBlocks,
    gravity: body.WorldGravity,
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
        asleep += island[b] != body.AWAKE
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
        sleeps = a >= 0 and island[index(a)] != body.AWAKE
        if sleeps and _wakes(k, second, first, -1.0, table, of, absence, moved, dt):
            states.is_woken[island[index(a)]] = 1
            any_woken = True
        sleeps = b >= 0 and island[index(b)] != body.AWAKE
        if sleeps and _wakes(k, first, second, 1.0, table, of, absence, moved, dt):
            states.is_woken[island[index(b)]] = 1
            any_woken = True
    # Most steps need no more than this look without a branch. Pushes do not last: in the last look there were none.
    restless = 0
    for b in range(island.shape[0]):
        restless += _is_stirred(b, pressing, of, blocks.forces.velocity) | _is_pushed(b, of)
    if restless > 0 or may_accelerate:
        for b in range(island.shape[0]):
            if island[b] != body.AWAKE and (
                _is_stirred(b, pressing, of, blocks.forces.velocity) or _is_acted_on(b, of, blocks, gravity)
            ):
                states.is_woken[island[b]] = 1
                any_woken = True
    if not any_woken:
        return 0
    _wake_those_in_contact(of, table, count)
    return wake_islands(states)


@scalar
def _wake_those_in_contact(of: body.StepBodies, table: ContactTable, count: int) -> None:
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
            if (
                island[a] == body.AWAKE
                or island[b] == body.AWAKE
                or listed.kind[a] != body.DYNAMIC
                or listed.kind[b] != body.DYNAMIC
            ):
                continue
            if is_woken[island[a]] != is_woken[island[b]]:
                is_woken[island[a]] = 1
                is_woken[island[b]] = 1
                goes_on = True


@scalar
def wake_islands(states: body.SleepStates) -> int:
    """Wake the bodies of the islands that are to wake; returns how many they are."""
    woken = 0
    for b in range(states.island.shape[0]):
        island = states.island[b]
        if island != body.AWAKE and states.is_woken[island] != 0:
            states.island[b] = body.AWAKE
            states.slow_for[b] = 0.0
            woken += 1
    for b in range(states.is_woken.shape[0]):
        states.is_woken[b] = 0
    return woken


@kernel
def wake_rows(rows: Int32s, states: body.SleepStates) -> int:
    """Wake some bodies, and all that sleep in their islands; returns how many have slept."""
    for k in range(rows.shape[0]):
        b = index(rows[k])
        states.slow_for[b] = 0.0
        if states.island[b] != body.AWAKE:
            states.is_woken[states.island[b]] = 1
    return wake_islands(states)


@scalar
def group_of(b: int, parents: Int32s) -> int:
    """The body that names the group of body b; paths are halved on the way."""
    while parents[b] != b:
        parents[b] = parents[parents[b]]
        b = int(parents[b]) + 0
    return b


@scalar
def note_slowness(of: body.StepBodies, which: Int32Rows, settings: SleepSettings, dt: float) -> bool:
    """Note how long each of some bodies has been slow after a step, in runs (k, 2) of rows, among which all are that
    are awake; returns whether any has been for long enough to sleep."""
    listed, states, row = of.listed, of.states, of.rows.bodies
    slow = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != body.DYNAMIC or states.island[b] != body.AWAKE:
                continue
            vx = row[b, body.VX]
            vy = row[b, body.VY]
            # The speed of a point at the radius of gyration.
            inverse = row[b, body.INVERSE_INERTIA]
            turning = 0.0
            if inverse > 0.0:
                turning = row[b, body.OMEGA] * row[b, body.OMEGA] * row[b, body.INVERSE_MASS] / inverse
            is_slow = vx * vx + vy * vy + turning < settings.speed * settings.speed and of.may_sleep[b] != 0
            states.slow_for[b] = states.slow_for[b] + dt if is_slow else 0.0
            slow += states.slow_for[b] >= settings.patience
    for b in range(states.is_changed.shape[0]):
        states.is_changed[b] = 0
    return slow > 0


@scalar
def fall_asleep(
    of: body.StepBodies, table: ContactTable, count: int, settings: SleepSettings, velocity: Float64Rows
) -> int:
    """Let islands sleep that have been slow for long enough.

    Dynamic bodies in contact sleep together only. A kinematic body that moves keeps those awake that overlap it, or
    that pushed it in this step. Bodies that fall asleep get no velocity; returns their number.
    """
    listed, states, body_of = of.listed, of.states, of.body_of
    parents = states.parents
    touching = states.touching
    for b in range(listed.kind.shape[0]):
        parents[b] = b
        if states.island[b] == body.AWAKE:
            touching[b] = 0
    for k in range(index(count)):
        a = int(body_of[index(table.hits.pairs[k, 0])]) + 0
        b = int(body_of[index(table.hits.pairs[k, 1])]) + 0
        if a < 0 or b < 0 or a == b:
            continue
        a = index(a)
        b = index(b)
        if table.points.totals[k, NORMAL_TOTAL] > 0.0:
            touching[a] += states.island[a] == body.AWAKE
            touching[b] += states.island[b] == body.AWAKE
        is_touching = bool(table.hits.depth[k] > 0.0 or table.points.totals[k, NORMAL_TOTAL] > 0.0)
        _link(a, b, is_touching, of)
    for k in range(states.joined.shape[0]):
        _link(int(states.joined[k, 0]) + 0, int(states.joined[k, 1]) + 0, True, of)
    # An island is as restless as its most restless body; is_woken marks islands that stay awake.
    for b in range(listed.kind.shape[0]):
        if listed.kind[b] == body.DYNAMIC and states.island[b] == body.AWAKE and states.slow_for[b] < settings.patience:
            states.is_woken[group_of(b, parents)] = 1
    asleep = 0
    for b in range(listed.kind.shape[0]):
        if listed.kind[b] != body.DYNAMIC or states.island[b] != body.AWAKE:
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
def _link(a: int, b: int, is_touching: bool, of: body.StepBodies) -> None:
    """Let two bodies sleep together only, and neither while the other, which it touches, moves by something else than
    pushes."""
    parents, slow_for = of.states.parents, of.states.slow_for
    is_dynamic_a = of.listed.kind[a] == body.DYNAMIC
    is_dynamic_b = of.listed.kind[b] == body.DYNAMIC
    if is_dynamic_a and is_dynamic_b:
        parents[group_of(a, parents)] = group_of(b, parents)
    elif is_touching and is_dynamic_a and _is_moving(b, of.rows):
        slow_for[a] = 0.0
    elif is_touching and is_dynamic_b and _is_moving(a, of.rows):
        slow_for[b] = 0.0


@inlined_scalar
def _is_moving(b: int, bodies: body.BodyRows) -> bool:
    row = bodies.bodies
    return bool((row[b, body.VX] != 0.0) | (row[b, body.VY] != 0.0) | (row[b, body.OMEGA] != 0.0))


@inlined_scalar
def _way(b: int, moved: float, turned: float, listed: body.BodyList) -> float:
    """At most how far any point of a body moved: no farther than its centre does and its farthest point turns."""
    return float(moved + min(turned, math.pi) * listed.masses[b, body.FARTHEST])


@scalar
def mark_fast_bodies(of: body.StepBodies, which: Int32Rows, margin: float, dt: float) -> int:
    """Mark which bodies moved farther in a step of ``dt`` seconds than their inner radius; returns how many did. Only
    dynamic bodies that are awake and kinematic ones are marked.

    A slower body has its middle still on the side of a wall from which it came, so its contact pushes it back there.

    Near a character with a mass a body is fast as soon as it may have moved into it without a contact: the character
    would take it for a solid that crushes it.
    """
    listed, island = of.listed, of.states.island
    count = 0
    any_walks = False
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            of.is_fast[b] = 0
            kind = listed.kind[b]
            row = of.rows.bodies[b]
            if kind == body.DYNAMIC and island[b] < 0:
                way = _way(b, hypot(row[body.DX], row[body.DY]), abs(row[body.DTHETA]), listed)
            elif kind == body.KINEMATIC:
                way = _way(b, dt * hypot(row[body.VX], row[body.VY]), dt * abs(row[body.OMEGA]), listed)
            else:
                any_walks |= kind == body.CHARACTER
                continue
            if way > listed.masses[b, body.THICKNESS]:
                of.is_fast[b] = 1
                count += 1
    for run in range(which.shape[0] if any_walks else 0):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] == body.CHARACTER:
                count += _mark_those_near(b, of, which, margin)
    return count


@scalar
def _mark_those_near(w: int, of: body.StepBodies, which: Int32Rows, margin: float) -> int:
    """Mark the bodies that may have moved into a character, body w, without a contact; returns how many more are
    fast."""
    listed, island = of.listed, of.states.island
    count = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != body.DYNAMIC or island[b] >= 0 or of.is_fast[b] != 0:
                continue
            row = of.rows.bodies[b]
            way = _way(b, hypot(row[body.DX], row[body.DY]), abs(row[body.DTHETA]), listed)
            if way <= margin:
                continue
            x = of.rows.centers[w, 0] - of.rows.centers[b, 0]
            y = of.rows.centers[w, 1] - of.rows.centers[b, 1]
            if hypot(x, y) <= way + listed.masses[b, body.FARTHEST] + listed.masses[w, body.FARTHEST]:
                of.is_fast[b] = 1
                count += 1
    return count


@scalar
def _scatter_bodies(of: body.StepBodies, which: Int32Rows, transform: Float64Rows, velocity: Float64Rows) -> bool:
    """Write back where the dynamic ones of some bodies that are awake are after a step, and how fast; ``which`` (k, 2)
    as of :func:`gather_bodies`.

    Returns whether all of that is finite. The forces of the game, on all bodies there are, are used up.

    The position moves with the centre and with the turn of the vector to it, and not at all if neither changed.
    """
    listed, island, bodies = of.listed, of.states.island, of.rows.bodies
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    listed.forces[:] = 0.0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            if listed.kind[b] != body.DYNAMIC or island[b] >= 0:
                continue
            t = listed.rows[TRANSFORM, b]
            v = listed.rows[VELOCITY, b]
            vx = bodies[b, body.VX]
            vy = bodies[b, body.VY]
            omega = bodies[b, body.OMEGA]
            dx = bodies[b, body.DX]
            dy = bodies[b, body.DY]
            angle = transform[ANGLE, t]
            turned = angle + bodies[b, body.DTHETA]
            local_x = listed.masses[b, body.LOCAL_X]
            local_y = listed.masses[b, body.LOCAL_Y]
            if turned != angle and (local_x != 0.0 or local_y != 0.0):
                before_x, before_y = body.center_from_position(b, angle, listed)
                c, s = cos_sin(turned)
                rx = c * local_x - s * local_y
                ry = s * local_x + c * local_y
                dx += before_x - rx
                dy += before_y - ry
                listed.arms[b, body.ARM_ANGLE] = turned
                listed.arms[b, body.ARM_X] = rx
                listed.arms[b, body.ARM_Y] = ry
            transform[X, t] += dx
            transform[Y, t] += dy
            transform[ANGLE, t] = turned
            velocity[X, v] = vx
            velocity[Y, v] = vy
            velocity[ANGLE, v] = omega
            poison += 0.0 * (transform[X, t] + transform[Y, t] + turned + vx + vy + omega)
    return poison == 0.0


@kernel
def finish_bodies(
    of: body.StepBodies,
    which: Int32Rows,
    blocks: body.BodyBlocks,
    table: ContactTable,
    count: int,
    margin: float,
    settings: SleepSettings,
    dt: float,
) -> tuple[bool, int, int]:
    """Write back the places of bodies after a step with the first ``count`` contacts, mark fast bodies, and
    let islands sleep that rest. The pushes of the game are used up.

    ``which``: as of :func:`gather_bodies`, the bodies that may have moved. ``margin``: the solver's around contacts.
    Returns whether all positions and velocities are finite, how many bodies fell asleep, and how many were fast.
    """
    asleep = 0
    velocity = blocks.forces.velocity
    fast = mark_fast_bodies(of, which, margin, dt)
    is_finite = _scatter_bodies(of, which, blocks.transform, velocity)
    if note_slowness(of, which, settings, dt):
        asleep = fall_asleep(of, table, count, settings, velocity)
    return is_finite, asleep, fast
