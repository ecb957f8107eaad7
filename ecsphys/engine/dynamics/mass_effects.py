"""Everything else that depends on the masses of bodies and on their colliders."""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import LOCK_ROTATION
from ecsphys.engine.dynamics.body_mass import (
    DYNAMIC,
    FARTHEST,
    LOCAL_X,
    LOCAL_Y,
    OWN_INVERSE_INERTIA,
    OWN_INVERSE_MASS,
)
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.dynamics.materials import ROLLING_RESISTANCE
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.kernels.index import index
from ecsphys.engine.shapes.layout import KIND_AABB

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
    order: Int32s, kinds: Uint8s, body_of: Int32s, which: Int32s, listed: BodyList, effects: MassEffects
) -> int:
    """Update the ``effects`` of the masses of some bodies: ``which`` are their rows.

    ``order``: the slots of all their colliders. ``kinds``, ``body_of``: for each slot its class and its body, −1 for
    none. The rolling resistance is a length: the radius of a disc that turns as the body does, of r² = 2·inertia/mass.
    A body with a box that never turns has its rotation locked: at a contact its angular velocity counts, so the box
    would strike like a turning one. Returns 0, IS_OFF_CENTER, or IS_WEIGHTLESS: then nothing has changed.
    """
    masses = listed.masses
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
        effects.surfaces[b, ROLLING_RESISTANCE] = effects.rolling_resistance[b] * radius
        effects.locks[b] = effects.own_locks[b]
        apart = abs(masses[b, LOCAL_X]) + abs(masses[b, LOCAL_Y])
        if apart > ROUNDING * masses[b, FARTHEST]:
            result = IS_OFF_CENTER
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        if b > 0 and kinds[slot] == KIND_AABB and listed.kind[b] == DYNAMIC:
            effects.locks[b] |= LOCK_ROTATION
    return result
