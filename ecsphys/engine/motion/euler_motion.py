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

import math

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import kernel, scalar

EXPLICIT, SEMI_IMPLICIT, VERLET = 0, 1, 2

# Lines of the rows matrix.
TRANSFORM, VELOCITY, ACCELERATION, GRAVITY, SPRING, ORBIT, DRAG = 0, 1, 2, 3, 4, 5, 6
EULER_ROW_LINES = 7


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


@kernel(
    "b1(f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], i4[:,::1], f8, f8, f8, i8, i8)"
)
def step_euler(
    transform: NDArray[float64],
    velocity: NDArray[float64],
    acceleration: NDArray[float64],
    gravity: NDArray[float64],
    spring: NDArray[float64],
    orbit: NDArray[float64],
    drag: NDArray[float64],
    rows: NDArray[int32],
    gravity_x: float,
    gravity_y: float,
    dt: float,
    substeps: int,
    integrator: int,
) -> bool:
    """Move the entities of ``rows`` by ``dt`` seconds, in ``substeps`` (at least 1) equal parts.

    ``rows`` (7, n) has one column for each entity with its rows in the seven blocks, −1 where it lacks the component;
    transform and velocity must be there. Where no entity has any of the others (2, n) is enough. The blocks have shape
    (fields, capacity), with the fields transform x, y, angle; velocity and acceleration x, y, angular; gravity scale;
    spring anchor_x, anchor_y, stiffness, mass, damping; orbit center_x, center_y, angular_speed; drag linear, angular.
    dt = 0 leaves every bit as it was.

    Returns whether all that was written is finite; where sums of it overflow it may say False too.
    """
    if dt == 0.0:
        return True
    h = dt / substeps
    forced = rows.shape[0] > VELOCITY + 1
    poison = 0.0  # NaN once something infinite, or NaN, was multiplied by it
    for i in range(rows.shape[1]):
        t = rows[TRANSFORM, i]
        k = rows[VELOCITY, i]
        x = transform[0, t]
        y = transform[1, t]
        angle = transform[2, t]
        vx = velocity[0, k]
        vy = velocity[1, k]
        angular = velocity[2, k]
        # The conjunction of the rows is negative only if each of them is: nothing changes the velocity, the three
        # methods agree, and one step is as good as many (A1).
        if (
            not forced
            or rows[ACCELERATION, i] & rows[GRAVITY, i] & rows[SPRING, i] & rows[ORBIT, i] & rows[DRAG, i] < 0
        ):
            x += vx * dt
            y += vy * dt
            angle += angular * dt
            transform[0, t] = x
            transform[1, t] = y
            transform[2, t] = angle
            poison += 0.0 * (x + y + angle)
            continue
        ax = 0.0
        ay = 0.0
        angular_acceleration = 0.0
        row = rows[ACCELERATION, i]
        if row >= 0:
            ax = acceleration[0, row]
            ay = acceleration[1, row]
            angular_acceleration = acceleration[2, row]
        row = rows[GRAVITY, i]
        if row >= 0:
            ax += gravity[0, row] * gravity_x
            ay += gravity[0, row] * gravity_y
        anchor_x = 0.0
        anchor_y = 0.0
        stiffness = 0.0
        damping = 0.0
        row = rows[SPRING, i]
        if row >= 0:
            anchor_x = spring[0, row]
            anchor_y = spring[1, row]
            stiffness = spring[2, row] / spring[3, row]
            damping = spring[4, row] / spring[3, row]
        center_x = 0.0
        center_y = 0.0
        squared_speed = 0.0
        row = rows[ORBIT, i]
        if row >= 0:
            center_x = orbit[0, row]
            center_y = orbit[1, row]
            squared_speed = orbit[2, row] * orbit[2, row]
        linear_decay = 1.0
        angular_decay = 1.0
        row = rows[DRAG, i]
        if row >= 0:
            linear_decay = math.exp(-drag[0, row] * h)
            angular_decay = math.exp(-drag[1, row] * h)
        for _ in range(substeps):
            x, vx = substep(integrator, h, ax, stiffness, anchor_x, damping, squared_speed, center_x, x, vx)
            y, vy = substep(integrator, h, ay, stiffness, anchor_y, damping, squared_speed, center_y, y, vy)
            angle, angular = substep(integrator, h, angular_acceleration, 0.0, 0.0, 0.0, 0.0, 0.0, angle, angular)
            vx *= linear_decay
            vy *= linear_decay
            angular *= angular_decay
        transform[0, t] = x
        transform[1, t] = y
        transform[2, t] = angle
        velocity[0, k] = vx
        velocity[1, k] = vy
        velocity[2, k] = angular
        poison += 0.0 * (x + y + angle + vx + vy + angular)
    return poison == 0.0
