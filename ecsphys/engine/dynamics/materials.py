"""What surfaces are like, and what becomes of two that meet."""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar

# Columns of a body's material.
FRICTION, RESTITUTION, ROLLING_RESISTANCE, TANGENT_SPEED = range(4)
MATERIAL_COLUMNS = 4

# How the numbers of two surfaces are mixed.
MIX_GEOMETRIC, MIX_GREATER, MIX_MEAN, MIX_LESSER, MIX_PRODUCT = range(5)


@packed
class Materials(NamedTuple):
    """The properties of the bodies' surfaces, a row each.

    ``surfaces`` (n, MATERIAL_COLUMNS): the coefficients of friction and restitution; the rolling resistance, a length,
    by which the normal force resists turning; and the speed at which the surface runs around the body, to the right
    where it lies on top. ``dominance`` (n,): of two bodies the one with more of it has infinite mass for the other.
    """

    surfaces: Float64Rows
    dominance: Int32s


class MixingRules(NamedTuple):
    """How friction and restitution of two surfaces are mixed, one of MIX_… each."""

    friction: int
    restitution: int


@packed
class ContactChanges(NamedTuple):
    """The changes of a game to the contacts of a step, a row each (m,); without rows if it has changed none.

    NaN stands for the materials' value. A vetoed contact is not solved.
    """

    friction: Float64s
    restitution: Float64s
    tangent_speed: Float64s
    is_vetoed: Uint8s


@scalar
def mixed(rule: int, one: float, other: float) -> float:
    """The numbers of two surfaces as one."""
    if rule == MIX_GEOMETRIC:
        return math.sqrt(one * other)
    if rule == MIX_GREATER:
        return max(one, other)
    if rule == MIX_MEAN:
        return 0.5 * (one + other)
    if rule == MIX_LESSER:
        return min(one, other)
    return one * other


@inlined_scalar
def surface_of(
    k: int, a: int, b: int, materials: Materials, rules: MixingRules, changes: ContactChanges
) -> tuple[float, float, float, float]:
    """(friction, restitution, rolling resistance, tangent speed) of contact k, of bodies a and b."""
    surfaces = materials.surfaces
    friction = mixed(rules.friction, surfaces[a, FRICTION], surfaces[b, FRICTION])
    restitution = mixed(rules.restitution, surfaces[a, RESTITUTION], surfaces[b, RESTITUTION])
    rolling_resistance = max(surfaces[a, ROLLING_RESISTANCE], surfaces[b, ROLLING_RESISTANCE])
    tangent_speed = surfaces[a, TANGENT_SPEED] + surfaces[b, TANGENT_SPEED]
    if changes.friction.shape[0] > 0:
        if not math.isnan(changes.friction[k]):
            friction = changes.friction[k]
        if not math.isnan(changes.restitution[k]):
            restitution = changes.restitution[k]
        if not math.isnan(changes.tangent_speed[k]):
            tangent_speed = changes.tangent_speed[k]
    return friction, restitution, rolling_resistance, tangent_speed
