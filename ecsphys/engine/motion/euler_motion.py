"""Stepped motion: velocities, forces and drag, integrated by one of three Euler-like methods (A1, A4, A9, A10).

The acceleration of an entity is the sum of what its components give, along each axis alike:

    a(x, v) = Acceleration + scale · gravity − (stiffness · (x − anchor) + damping · v) / mass
              − angular_speed² · (x − center)

and one substep of length h is

* ``EXPLICIT``:       x += v·h, then v += a(x_old, v_old)·h
* ``SEMI_IMPLICIT``:  v += a(x, v)·h, then x += v·h with the new v
* ``VERLET``:         x += v·h + ½ a_old h², then v += ½ (a_old + a_new)·h, where a_new is taken at the new position and
  at the predicted velocity v + a_old·h; exact for a constant acceleration, second order otherwise

After each substep drag multiplies the velocities by e^(−rate·h), its exact solution over the substep. The angle is
moved by the same method with the constant ``Acceleration.angular``.
"""

from __future__ import annotations

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows, Int32s
from ecsphys.engine.math.elementary import exp
from ecsphys.engine.tables import entity_rows

EXPLICIT, SEMI_IMPLICIT, VERLET = 0, 1, 2

# Fields of the blocks, in the order of the components.
X, Y, ANGLE = range(3)
SCALE = 0
ANCHOR_X, ANCHOR_Y, STIFFNESS, MASS, DAMPING = range(5)
CENTER_X, CENTER_Y, ANGULAR_SPEED = range(3)
LINEAR_DRAG, ANGULAR_DRAG = range(2)


@scalar
def axis_acceleration(
    constant: float,
    stiffness: float,
    anchor: float,
    damping: float,
    squared_speed: float,
    center: float,
    x: float,
    v: float,
) -> float:
    """The formula above along one axis; stiffness and damping are already divided by the mass."""
    return constant - (stiffness * (x - anchor) + damping * v) - squared_speed * (x - center)


@scalar
def substep(
    integrator: int,
    h: float,
    constant: float,
    stiffness: float,
    anchor: float,
    damping: float,
    squared_speed: float,
    center: float,
    x: float,
    v: float,
) -> tuple[float, float]:
    """Position and velocity along one axis after one substep, before drag."""
    a = axis_acceleration(constant, stiffness, anchor, damping, squared_speed, center, x, v)
    if integrator == EXPLICIT:
        return x + v * h, v + a * h
    if integrator == SEMI_IMPLICIT:
        v += a * h
        return x + v * h, v
    x += v * h + 0.5 * a * h * h
    a_new = axis_acceleration(constant, stiffness, anchor, damping, squared_speed, center, x, v + a * h)
    return x, v + 0.5 * (a + a_new) * h


@packed
class ForceBlocks(NamedTuple):
    """The blocks of the components that stepped motion is computed from, (fields, capacity)."""

    velocity: Float64Rows
    acceleration: Float64Rows
    gravity: Float64Rows
    spring: Float64Rows
    orbit: Float64Rows
    drag: Float64Rows


class StepSettings(NamedTuple):
    """How motion is stepped: gravity (x, y), seconds, equal parts (at least 1), EXPLICIT, SEMI_IMPLICIT or VERLET."""

    gravity_x: float
    gravity_y: float
    dt: float
    substeps: int
    integrator: int


@kernel
def step_euler(
    transform: Float64Rows, blocks: ForceBlocks, rows: Int32Rows, first: int, end: int, settings: StepSettings
) -> bool:
    """Move the entities of the columns first … end − 1 of ``rows`` by ``settings.dt`` seconds.

    ``rows`` (7, n) has one column for each entity with its rows in the seven blocks, −1 where it lacks the component;
    transform and velocity must be there. Where no entity has any of the others (2, n) is enough. dt = 0 leaves every
    bit as it was.

    Returns whether all that was written is finite; where sums of it overflow it may say False too.
    """
    velocity, acceleration, gravity, spring, orbit, drag = blocks
    gravity_x, gravity_y, dt, substeps, integrator = settings
    if dt == 0.0:
        return True
    h = dt / substeps
    forced = rows.shape[0] > entity_rows.VELOCITY + 1
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    for i in range(index(first), index(end)):
        t = rows[entity_rows.TRANSFORM, i]
        k = rows[entity_rows.VELOCITY, i]
        x = transform[X, t]
        y = transform[Y, t]
        angle = transform[ANGLE, t]
        vx = velocity[X, k]
        vy = velocity[Y, k]
        angular = velocity[ANGLE, k]
        # The conjunction of the rows is negative only if each of them is: nothing changes the velocity, the three
        # methods agree, and one step is as good as many (A1).
        if (
            not forced
            or rows[entity_rows.ACCELERATION, i]
            & rows[entity_rows.GRAVITY, i]
            & rows[entity_rows.SPRING, i]
            & rows[entity_rows.ORBIT, i]
            & rows[entity_rows.DRAG, i]
            < 0
        ):
            x += vx * dt
            y += vy * dt
            angle += angular * dt
            transform[X, t] = x
            transform[Y, t] = y
            transform[ANGLE, t] = angle
            poison += 0.0 * (x + y + angle)
            continue
        ax = 0.0
        ay = 0.0
        angular_acceleration = 0.0
        row = rows[entity_rows.ACCELERATION, i]
        if row >= 0:
            ax = acceleration[X, row]
            ay = acceleration[Y, row]
            angular_acceleration = acceleration[ANGLE, row]
        row = rows[entity_rows.GRAVITY, i]
        if row >= 0:
            ax += gravity[SCALE, row] * gravity_x
            ay += gravity[SCALE, row] * gravity_y
        anchor_x = 0.0
        anchor_y = 0.0
        stiffness = 0.0
        damping = 0.0
        row = rows[entity_rows.SPRING, i]
        if row >= 0:
            anchor_x = spring[ANCHOR_X, row]
            anchor_y = spring[ANCHOR_Y, row]
            stiffness = spring[STIFFNESS, row] / spring[MASS, row]
            damping = spring[DAMPING, row] / spring[MASS, row]
        center_x = 0.0
        center_y = 0.0
        squared_speed = 0.0
        row = rows[entity_rows.ORBIT, i]
        if row >= 0:
            center_x = orbit[CENTER_X, row]
            center_y = orbit[CENTER_Y, row]
            squared_speed = orbit[ANGULAR_SPEED, row] * orbit[ANGULAR_SPEED, row]
        linear_decay = 1.0
        angular_decay = 1.0
        row = rows[entity_rows.DRAG, i]
        if row >= 0:
            linear_decay = exp(-drag[LINEAR_DRAG, row] * h)
            angular_decay = exp(-drag[ANGULAR_DRAG, row] * h)
        for _ in range(substeps):
            x, vx = substep(integrator, h, ax, stiffness, anchor_x, damping, squared_speed, center_x, x, vx)
            y, vy = substep(integrator, h, ay, stiffness, anchor_y, damping, squared_speed, center_y, y, vy)
            angle, angular = substep(integrator, h, angular_acceleration, 0.0, 0.0, 0.0, 0.0, 0.0, angle, angular)
            vx *= linear_decay
            vy *= linear_decay
            angular *= angular_decay
        transform[X, t] = x
        transform[Y, t] = y
        transform[ANGLE, t] = angle
        velocity[X, k] = vx
        velocity[Y, k] = vy
        velocity[ANGLE, k] = angular
        poison += 0.0 * (x + y + angle + vx + vy + angular)
    return poison == 0.0


@inlined_scalar
def _moves(slot: int, lines: entity_rows.EntityLines, held: Int32s) -> bool:
    """Whether stepped motion moves an entity; ``held``: for each slot −1, unless something else moves it."""
    moves = (
        entity_rows.row_of(entity_rows.TRANSFORM, slot, lines) >= 0
        and entity_rows.row_of(entity_rows.VELOCITY, slot, lines) >= 0
    )
    is_held = slot < held.shape[0] and held[slot] >= 0
    return moves and not entity_rows.is_on_path(slot, lines) and not is_held


@kernel
def follow_movers(
    movers: Int32s, changed: Int32s, lines: entity_rows.EntityLines, held: Int32s, found: Int32s, rows: Int32Rows
) -> int:
    """Write to ``found`` the slots (ascending) of ``movers`` after the entities in some slots have ``changed``.

    ``movers`` and ``changed`` are ascending; ``found`` has room for both. ``rows`` (lines, n) are the rows of the first
    lines, −1 for none. Returns how many movers there are.
    """
    count = 0
    i = 0
    k = 0
    while i < movers.shape[0] or k < changed.shape[0]:
        if k == changed.shape[0] or (i < movers.shape[0] and movers[i] < changed[k]):
            slot = int(movers[i]) + 0
            i += 1
        else:
            slot = int(changed[k]) + 0
            k += 1
            if i < movers.shape[0] and movers[i] == slot:
                i += 1
            if not _moves(slot, lines, held):
                continue
        found[count] = slot
        for line in range(rows.shape[0]):
            rows[line, count] = entity_rows.row_of(line, slot, lines)
        count += 1
    return count
