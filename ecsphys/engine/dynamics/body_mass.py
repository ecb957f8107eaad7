"""Mass, centre of mass and moment of inertia of bodies, from their colliders."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import bodies
from ecsphys.engine.dynamics.contacts import materials
from ecsphys.engine.kernels import NamedTuple, index, kernel, packed
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Int64Rows, Uint8s
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.shapes.layout import CX, CY, EXTENT, KIND_AABB, ShapeArrays
from ecsphys.engine.shapes.measures import inner_radius, join_parts, shape_mass
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.entity_rows import TRANSFORM

# Fields of RigidBody, in the order of its blocks.
MASS, INERTIA, DENSITY, RESTITUTION, FRICTION, ROLLING_RESISTANCE, TANGENT_SPEED = range(7)
KIND, LOCK_X, LOCK_Y, LOCK_ROTATION, DOMINANCE, CAN_SLEEP = range(6)

# The choices of RigidBody.kind. An entity without one that blocks is static, or kinematic where something moves it. A
# character that bodies push has a mass, but the game moves it.
DYNAMIC, KINEMATIC, STATIC, CHARACTER = range(4)

# Columns of the masses of bodies: inverses, 0 for immovable bodies, and the centre of mass in the body's own frame.
# And of what blocks: the least inner radius of its colliders, infinite without any, and how far any of their points is
# from the centre of mass, or from the position of a body that is not dynamic.
OWN_INVERSE_MASS, OWN_INVERSE_INERTIA, LOCAL_X, LOCAL_Y, THICKNESS, FARTHEST = range(6)
MASS_COLUMNS = 6

# Columns of the sums from which masses are made: area, centroid, inertia for unit density.
_AREA, _X, _Y, _INERTIA = range(4)

# The mass of a body without area.
_POINT_MASS = 1.0


@packed
class RigidBlocks(NamedTuple):
    """The blocks of RigidBody and of Transform."""

    reals: Float64Rows
    whole: Int64Rows
    transforms: Float64Rows


class MeasuredBodies(NamedTuple):
    """The kind of each body (n,), its rows (lines, n) of components, and its row of RigidBody; −1 for none."""

    kind: Uint8s
    rows: Int32Rows
    rigid_row: Int32s


@kernel
def measure_bodies(
    order: Int32s,
    kinds: Uint8s,
    body_of: Int32s,
    placed: ShapeArrays,
    bodies: MeasuredBodies,
    blocks: RigidBlocks,
    which: Int32s,
    masses: Float64Rows,
) -> None:
    """Write the ``masses`` (n, MASS_COLUMNS) of some bodies, from the placed shapes of their colliders.

    ``which``: their rows. ``order``: the slots of all their colliders. ``kinds``, ``body_of``: for each slot its class
    and its body, −1 for none.

    The parts are summed in the frame of the body's position, by the parallel axis theorem; see
    :mod:`ecsphys.engine.shapes.measures`. A dynamic body without area has the mass 1; one with an AABB does not rotate.
    """
    forms, positions, shapes, pool = placed
    transforms = blocks.transforms
    for i in range(which.shape[0]):
        b = index(which[i])
        for k in range(MASS_COLUMNS):
            masses[b, k] = 0.0
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        if b < 0 or bodies.kind[b] != DYNAMIC:
            continue
        t = bodies.rows[TRANSFORM, b]
        area, x, y, inertia = shape_mass(int(forms[slot]) + 0, shapes, slot, pool)
        x += positions[slot, 0] - transforms[TRANSFORM_X, t]
        y += positions[slot, 1] - transforms[TRANSFORM_Y, t]
        whole = join_parts((masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA]), (area, x, y, inertia))
        masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA] = whole
    for i in range(which.shape[0]):
        b = index(which[i])
        if bodies.kind[b] != DYNAMIC:
            continue
        area, x, y, inertia = masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA]
        row = bodies.rigid_row[b]
        mass = blocks.reals[MASS, row]
        if mass == 0.0:
            mass = blocks.reals[DENSITY, row] * area
            if mass == 0.0:
                mass = _POINT_MASS
        given = blocks.reals[INERTIA, row]
        moment = given if given > 0.0 else (mass * (inertia / area) if area > 0.0 else 0.0)
        c, s = cos_sin(transforms[TRANSFORM_ANGLE, bodies.rows[TRANSFORM, b]])
        masses[b, OWN_INVERSE_MASS] = 1.0 / mass
        masses[b, OWN_INVERSE_INERTIA] = 1.0 / moment if moment > 0.0 else 0.0
        masses[b, LOCAL_X] = c * x + s * y
        masses[b, LOCAL_Y] = c * y - s * x
        if blocks.whole[LOCK_ROTATION, row] != 0:
            masses[b, OWN_INVERSE_INERTIA] = 0.0
    for i in range(which.shape[0]):
        b = index(which[i])
        masses[b, THICKNESS] = math.inf
        masses[b, FARTHEST] = 0.0
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        # The world has no size.
        if b <= 0:
            continue
        if kinds[slot] == KIND_AABB:
            masses[b, OWN_INVERSE_INERTIA] = 0.0
        t = bodies.rows[TRANSFORM, b]
        x = shapes[slot, CX] + (positions[slot, 0] - transforms[TRANSFORM_X, t])
        y = shapes[slot, CY] + (positions[slot, 1] - transforms[TRANSFORM_Y, t])
        if bodies.kind[b] == DYNAMIC:
            c, s = cos_sin(transforms[TRANSFORM_ANGLE, t])
            x -= c * masses[b, LOCAL_X] - s * masses[b, LOCAL_Y]
            y -= s * masses[b, LOCAL_X] + c * masses[b, LOCAL_Y]
        thickness = inner_radius(int(forms[slot]) + 0, shapes, slot, pool)
        masses[b, THICKNESS] = min(masses[b, THICKNESS], thickness)
        masses[b, FARTHEST] = max(masses[b, FARTHEST], math.sqrt(x * x + y * y) + shapes[slot, EXTENT])


# Fraction of a body's reach: a center of mass that is not farther from the position is at the position.
ROUNDING = 1e-12

# Results: an impulse gives a body no finite velocity; and, a bit, a dynamic body's center of mass is elsewhere.
IS_WEIGHTLESS, IS_OFF_CENTER = -1, 1


class MassEffects(NamedTuple):
    """For each body (n,) its ``rolling_resistance`` as a fraction of its radius, and its own locks; and what follows
    from its masses: its ``surfaces``, and all its locks."""

    rolling_resistance: Float64s
    own_locks: Uint8s
    surfaces: Float64Rows
    locks: Uint8s


@kernel
def follow_masses(
    order: Int32s,
    kinds: Uint8s,
    body_of: Int32s,
    which: Int32s,
    kind_of: Uint8s,
    masses: Float64Rows,
    effects: MassEffects,
) -> int:
    """Update the ``effects`` of the masses of some bodies, whose kinds are in ``kind_of``; the rest as of
    :func:`measure_bodies`.

    The rolling resistance is a length: the radius of a disc that turns as the body does, of r² = 2·inertia/mass.
    A body with a box that never turns has its rotation locked: at a contact its angular velocity counts, so the box
    would strike like a turning one. Returns 0, IS_OFF_CENTER, or IS_WEIGHTLESS: then nothing has changed.
    """
    for i in range(which.shape[0]):
        b = index(which[i])
        if not (math.isfinite(masses[b, OWN_INVERSE_MASS]) and math.isfinite(masses[b, OWN_INVERSE_INERTIA])):
            return IS_WEIGHTLESS
    result = 0
    for i in range(which.shape[0]):
        b = index(which[i])
        radius = 0.0
        if masses[b, OWN_INVERSE_INERTIA] > 0.0:
            radius = math.sqrt(2.0 * masses[b, OWN_INVERSE_MASS] / masses[b, OWN_INVERSE_INERTIA])
        effects.surfaces[b, materials.ROLLING_RESISTANCE] = effects.rolling_resistance[b] * radius
        effects.locks[b] = effects.own_locks[b]
        apart = abs(masses[b, LOCAL_X]) + abs(masses[b, LOCAL_Y])
        if apart > ROUNDING * masses[b, FARTHEST]:
            result = IS_OFF_CENTER
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        if b > 0 and kinds[slot] == KIND_AABB and kind_of[b] == DYNAMIC:
            effects.locks[b] |= bodies.LOCK_ROTATION
    return result
