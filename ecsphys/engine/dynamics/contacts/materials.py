"""What surfaces are like, what becomes of two that meet, and what a game changes about that before contacts are solved.

A function of C gets the contacts as records. It is machine code, ``void f(record *contacts, int64_t count)``, and is
called at its address.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_table import NORMAL_TOTAL, ContactTable
from ecsphys.engine.kernels import NamedTuple, arrays, index, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.intrinsics import call_function

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

    surfaces: arrays.Float64Rows
    dominance: arrays.Int32s


class MixingRules(NamedTuple):
    """How friction and restitution of two surfaces are mixed, one of MIX_… each."""

    friction: int
    restitution: int


@packed
class ContactChanges(NamedTuple):
    """The changes of a game to the contacts of a step, a row each (m,); without rows if it has changed none.

    NaN stands for the materials' value. A vetoed contact is not solved.
    """

    friction: arrays.Float64s
    restitution: arrays.Float64s
    tangent_speed: arrays.Float64s
    is_vetoed: arrays.Uint8s


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


SOLVER_CONTACT: Final[np.dtype[np.void]] = np.dtype(
    [
        ("entity_a", int64),
        ("entity_b", int64),
        ("normal", float64, 2),
        ("depth", float64),
        ("positions", float64, (2, 2)),
        ("separations", float64, 2),
        ("impulse", float64),
        ("friction", float64),
        ("restitution", float64),
        ("tangent_speed", float64),
        ("part_a", int32),
        ("part_b", int32),
        ("flag", int32),
        ("collider_a", uint8),
        ("collider_b", uint8),
        ("is_vetoed", bool_),
    ],
    align=True,
)
"""The layout of a record: a struct of C with these fields."""


REFUSED: Final = -1


@packed
class ContactRecords(NamedTuple):
    """Records (n,) of contacts, in memory that the function of C writes to."""

    of: Annotated[NDArray[np.void], arrays.Layout(SOLVER_CONTACT, 1)]


@kernel
def change_contacts(
    function: int,
    address: int,
    table: ContactTable,
    count: int,
    records: ContactRecords,
    changes: ContactChanges,
    has_vetoed: bool,
    vetoed: arrays.Int32Rows,
) -> int:
    """Let the ``function`` of C change the first ``count`` contacts of a table, at least one.

    ``records``, at an ``address``, ``changes`` and ``vetoed`` are written, the last with the pairs of slots that are
    vetoed. ``has_vetoed``: ``changes`` has some already. Returns how many there are, or REFUSED where any number is out
    of bounds. All has been written then too.
    """
    for k in range(index(count)):
        _write_record(k, table, records, has_vetoed and changes.is_vetoed[k] != 0)
    call_function(function, address, count)
    is_refused = False
    found = 0
    given: Any = records.of
    for k in range(index(count)):
        friction, restitution, tangent_speed = given.friction[k], given.restitution[k], given.tangent_speed[k]
        # NaN is in bounds.
        is_refused |= friction < 0.0 or friction == math.inf or restitution < 0.0 or restitution > 1.0
        is_refused |= tangent_speed == math.inf or tangent_speed == -math.inf
        changes.friction[k] = friction
        changes.restitution[k] = restitution
        changes.tangent_speed[k] = tangent_speed
        changes.is_vetoed[k] = 0
        table.points.flags[k] = given.flag[k]
        if given.is_vetoed[k]:
            changes.is_vetoed[k] = 1
            vetoed[found, 0] = table.hits.pairs[k, 0]
            vetoed[found, 1] = table.hits.pairs[k, 1]
            found += 1
    return REFUSED if is_refused else found


@inlined_scalar
def _write_record(k: int, table: ContactTable, records: ContactRecords, is_vetoed: bool) -> None:
    """Write the record of contact k."""
    hits, points = table.hits, table.points
    to: Any = records.of
    to.entity_a[k], to.entity_b[k] = hits.entity_a[k], hits.entity_b[k]
    to.part_a[k], to.part_b[k] = hits.part_a[k], hits.part_b[k]
    to.collider_a[k], to.collider_b[k] = hits.collider_a[k], hits.collider_b[k]
    to.depth[k] = hits.depth[k]
    for i in range(2):
        to.normal[k, i] = hits.normal[k, i]
        to.separations[k, i] = points.separations[k, i]
        to.positions[k, i, 0] = points.positions[k, 2 * i]
        to.positions[k, i, 1] = points.positions[k, 2 * i + 1]
    to.impulse[k] = points.totals[k, NORMAL_TOTAL]
    to.friction[k] = to.restitution[k] = to.tangent_speed[k] = math.nan
    to.flag[k] = points.flags[k]
    to.is_vetoed[k] = is_vetoed
